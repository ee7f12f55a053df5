package claim_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// pageOf compiles one page.
func pageOf(t testing.TB, src string) *schema.Page {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	return compilertest.Compile(t, dir).Pages()[0]
}

func named(t testing.TB, src string) string {
	t.Helper()
	page := pageOf(t, src)
	var out []string
	for _, c := range claim.Named(page) {
		if text := string(c.Span.In(page.Source)); text != c.Text {
			t.Errorf("the place of %s says %q, and the claim %q", c.Subject.Names[0], text, c.Text)
		}
		line := c.Subject.Names[0] + "=" + c.Text
		if c.Role != "" {
			line += " " + c.Role
		}
		out = append(out, line)
	}
	return strings.Join(out, "; ")
}

// TestNamed holds which statements give a name in code a value.
func TestNamed(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"`MAX` is 10 MB.": "MAX=10 MB",
		"The limit `MAX` defaults to 1,000 items, always":              "MAX=1,000 items default",
		"At most 10 MB (`MAX`) are read.":                              "MAX=At most 10 MB",
		"It waits up to 30 s (`WAIT_MAX`).":                            "WAIT_MAX=up to 30 s",
		"- `MAX`: 10\n- `LEVEL` — `info`, by default":                  "MAX=10; LEVEL=`info` default",
		"`MAX` (default: 5) and `MIN` (3)":                             "MAX=5 default; MIN=3",
		"`MAX` is 10 and `MIN` is 3; `LEVEL` is `warn`.":               "MAX=10; MIN=3; LEVEL=`warn`",
		"| Key | Default | Unit |\n|---|---|---|\n| `max` | 5 | s |\n": "max=5 default",
		"`MAX` is 10 or 20.":                                           "",
		"`MAX` is 10 and 20 for others.":                               "",
		"If `MAX` is 10, it stops.":                                    "",
		"Set `MAX` to 10. `MAX` was 10.":                               "",
		"`MAX` is 10 times as large.":                                  "",
		"`MAX` is 10 in staging.":                                      "",
		"It is not true that `MAX` is 10.":                             "",
		"`MAX` is slow. `MAX` is a number.":                            "",
		"`MAX` is 5.\n\n`MAX` is 6.":                                   "",
		"## Examples\n\n`MAX` is 5.":                                   "",
		"from 10 to 20 s (`MAX`); 10–20 (`MIN_X`)":                     "",
		"```\n`MAX` is 5\n```\n> `MAX` is 5.":                          "",
	} {
		if diff := cmp.Diff(want, named(t, "# A\n\n"+src+"\n")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", src, diff)
		}
	}
}

// FuzzNamed checks that no page makes the readers of names and facts fail, and
// that what they find is on the page.
func FuzzNamed(f *testing.F) {
	for _, seed := range []string{"`MAX` is 10 MB.", "10 MB (`MAX`)", "- `A_B`: ``x``", "1. a\n2. b\n3. c", "`a` runs before `b`", "| key | value |\n|---|---|\n| `a` | 1 |", "`A` (default (", "`A0` is 0\t"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) {
		if !utf8.ValidString(src) || len(src) > 4000 {
			return
		}
		page := pageOf(t, "# Steps\n\n"+src)
		named(t, "# A\n\n"+src)
		facts := claim.NewLexicon(&schema.ClaimsConfig{}).Facts(page)
		for _, g := range facts.Groups {
			for _, c := range g.Cells {
				if c.At.Start < 0 || c.At.End > len(page.Source) || c.At.Len() <= 0 || int(c.Row) >= len(g.Rows) || int(c.Col) >= len(g.Cols) {
					t.Errorf("a cell %+v in %d bytes", c, len(page.Source))
				}
			}
		}
		for _, s := range facts.Sentences {
			if s.At.Start < 0 || s.At.End > len(page.Source) || s.At.Len() <= 0 {
				t.Errorf("a sentence at %v of %d bytes", s.At, len(page.Source))
			}
		}
	})
}
