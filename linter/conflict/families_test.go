package conflict

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

// familyCase is a line of testdata/families: two pages that contradict each other, or
// that only seem to.
type familyCase struct {
	mark byte // '!' contradicts, '=' does not, '?' contradicts and is not found
	line string
}

// readFamily reads a file of cases. A line is a mark and two pages between ///, each its
// title, a bar and what it says, where \n ends a line. A title may begin with a folder.
func readFamily(t *testing.T, file string) []familyCase {
	t.Helper()
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []familyCase
	for line := range strings.Lines(string(src)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		if strings.IndexByte("!=?", line[0]) < 0 || strings.Count(line, " /// ") != 1 {
			t.Fatalf("%s: %q is no case", file, line)
		}
		out = append(out, familyCase{line[0], line[2:]})
	}
	return out
}

// archive returns the pages of a case.
func (c *familyCase) archive() string {
	var b strings.Builder
	for page := range strings.SplitSeq(c.line, " /// ") {
		title, body, _ := strings.Cut(page, "|")
		path := strings.ReplaceAll(strings.ToLower(title), " ", "-")
		front, body, divided := strings.Cut(strings.ReplaceAll(body, `\n`, "\n"), "---\n")
		if divided {
			front = "---\n" + front + "---\n"
		} else {
			front, body = "", front
		}
		fmt.Fprintf(&b, "-- %s.md --\n%s# %s\n\n%s\n", path, front, title[strings.LastIndexByte(title, '/')+1:], body)
	}
	return b.String()
}

// TestFamilies holds what is found of each family of contradictions, across domains,
// and that nothing is found in what only looks like one.
func TestFamilies(t *testing.T) {
	t.Parallel()
	files, _ := filepath.Glob("testdata/families/*.txt")
	if len(files) == 0 {
		t.Fatal("no families")
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			found, of := 0, 0
			for _, c := range readFamily(t, file) {
				w := compilertest.Compile(t, compilertest.Write(t, c.archive()))
				conflicts := surest(w, claim.Of)
				if c.mark != '=' {
					of++
				}
				if len(conflicts) > 0 && c.mark != '=' {
					found++
				}
				if want := c.mark == '!'; want == (len(conflicts) > 0) {
					continue
				}
				t.Errorf("%c %s", c.mark, c.line)
				if !testing.Verbose() {
					continue
				}
				for _, p := range w.Pages() {
					for _, s := range claim.Of(p) {
						t.Logf("    %s %s %q attr=%v role=%s slot=%s %v terms=%v label=%v scope=%v", p.Path, s.From, s.Text, s.Attr.Words, s.Role, s.Slot, s.Value, s.Terms, s.Label, s.Scope)
					}
				}
			}
			t.Logf("%d of %d found", found, of)
		})
	}
}
