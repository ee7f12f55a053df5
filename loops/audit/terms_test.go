package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// TestTerms has each name on four pages; what is said of it on one of them decides.
func TestTerms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		term string // as pages use it in running text
		also string // one more page
		want bool
	}{
		"an abbreviation":                {"the VLCC of it", "", true},
		"one that everybody knows":       {"the HTML2 of it", "", false},
		"written out":                    {"the VLCC of it", "A very large crude carrier (VLCC) is a ship.", false},
		"shouted":                        {"the CUP of it", "Some use a cup.", false},
		"an identifier":                  {"the sessionRouting of it", "", true},
		"one without capitals":           {"the session_routing of it", "", false},
		"one without capitals, in code":  {"the `session_routing` of it", "It is the session_routing.", true},
		"in code":                        {"the `sessionRouting` of it", "", true},
		"a household name":               {"the GitHub of it", "", false},
		"explained in brackets":          {"the `sessionRouting` of it", "Set `sessionRouting` (which container answers).", false},
		"ordinary words":                 {"the Load Line of it", strings.Repeat("A load is on a line. ", 9), true},
		"a firm":                         {"the Acme Line of it", strings.Repeat("A line. ", 9), false},
		"a heading":                      {"the VLCC of it", "## How a VLCC sails", false},
		"a row of a glossary":            {"the VLCC of it", "| term | meaning |\n|---|---|\n| VLCC | a ship |", false},
		"an item of a list":              {"the VLCC of it", "- VLCC: a ship", false},
		"in bold":                        {"the VLCC of it", "Then a **VLCC** comes.", false},
		"the title of a book":            {"of *The Load Line* it", strings.Repeat("A load is on a line. ", 9), false},
		"part of a path":                 {"of raw/VLCC/x it", "", false},
		"a paragraph of a text":          {"the MARPOL Article of it", strings.Repeat("An article. ", 9), false},
		"a name that a longer one holds": {"the EPA RMP of it", "The RMP, as such.", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var b strings.Builder
			for i := range fewestUsers {
				fmt.Fprintf(&b, "-- wiki/p%d.md --\n# P%d\n\nSee %s.\n", i, i, c.term)
			}
			fmt.Fprintf(&b, "-- wiki/also.md --\n# Also\n\n%s\n", c.also)
			b.WriteString("-- wiki.yaml --\nroot: wiki\n")
			got := Terms(compilertest.Compile(t, compilertest.Write(t, b.String())))
			if c.want != (len(got) == 1) || len(got) > 1 {
				t.Fatalf("got %v", got)
			}
			if c.want && (!strings.Contains(c.term, got[0].Name) || got[0].Pages != fewestUsers || got[0].Path != "wiki/p0.md" || got[0].Line != 3) {
				t.Errorf("got %+v", got[0])
			}
		})
	}
}

// TestTermsCountEditionsOnce: three versions of a page are no three pages.
func TestTermsCountEditionsOnce(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for _, version := range []string{"1.0", "1.1", "2.0"} {
		for _, page := range []string{"a", "b", "c"} {
			fmt.Fprintf(&b, "-- docs/%s/%s.md --\n# %[2]s\n\nSee the VLCC of it.\n", version, page)
		}
	}
	if got := Terms(compilertest.Compile(t, compilertest.Write(t, b.String()+"-- wiki.yaml --\nroot: docs\n"))); len(got) != 0 {
		t.Errorf("nine pages, which are three: %v", got)
	}
}
