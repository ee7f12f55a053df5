package source_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/source"
)

const citedCode = `-- wiki/index.md --
# Index
-- wiki/limits.md --
# Limits

The limit of bodies is 4,096 bytes: ` + "`src/limits.go:3`" + `.

| what | where |
| --- | --- |
| listening | [limits.go:7-12](../src/limits.go#L7-L12) |
| tries | limits.go line 5 |
-- src/limits.go --
package src

const maxBody = 4096

const retries = 3

func listen(port int) error {
	if port < 1024 {
		return errLow
	}
	return nil
}
`

// TestCitationsNobodyVerified holds what becomes of citations of lines, by git alone.
func TestCitationsNobodyVerified(t *testing.T) {
	t.Parallel()
	edit := func(old, new string) func(*repository) {
		return func(r *repository) { r.edit("src/limits.go", old, new) }
	}
	for _, c := range []struct {
		name   string
		change func(*repository)
		want   string
	}{
		{"nothing", func(*repository) {}, ""},
		{"lines before", edit("package src\n", "package src\n\n// a\n\n// b\n"),
			"3 moved src/limits.go:7\n7-12 moved src/limits.go:11-16\n5 moved src/limits.go:9"},
		{"a file renamed", func(r *repository) { r.git("mv", "src/limits.go", "src/low.go"); r.commit() },
			"3 moved src/low.go:3\n7-12 moved src/low.go:7-12"}, // a bare name is of no file then
		{"a file renamed, and lines before", func(r *repository) {
			r.git("mv", "src/limits.go", "src/low.go")
			r.commit()
			r.edit("src/low.go", "package src\n", "package src\n\n// a\n")
		}, "3 moved src/low.go:5\n7-12 moved src/low.go:9-14"},
		{"a value that the page states", edit("maxBody = 4096", "maxBody = 8192"), "3 stale 4,096"},
		{"a value that it does not", edit("retries = 3", "retries = 5"), "5 changed const retries = 3 > const retries = 5"},
		{"a comment", edit("const retries = 3", "const retries = 3 // each"), ""},
		{"part of a range", edit("return errLow", "return errHigh"), "7-12 changed return errLow > return errHigh"},
		{"the page's line, after the code", func(r *repository) {
			r.edit("src/limits.go", "retries = 3", "retries = 5")
			r.edit("wiki/limits.md", "| tries |", "| five tries |")
		}, ""},
		{"another line of the page, after the code", func(r *repository) {
			r.edit("src/limits.go", "retries = 3", "retries = 5")
			r.edit("wiki/limits.md", "# Limits", "# All limits")
		}, "5 changed const retries = 3 > const retries = 5"},
		{"the page's line wrapped anew, after the code", func(r *repository) {
			r.edit("src/limits.go", "maxBody = 4096", "maxBody = 8192")
			r.edit("wiki/limits.md", "The limit of bodies is 4,096 bytes: `src", "The limit of bodies is 4,096\nbytes: `src")
		}, "3 stale 4,096"},
		{"the page's table padded, after the code", func(r *repository) {
			r.edit("src/limits.go", "retries = 3", "retries = 5")
			r.edit("wiki/limits.md", "| tries | limits.go line 5 |", "| tries     | limits.go line 5         |")
		}, "5 changed const retries = 3 > const retries = 5"},
		{"a word less in the page's line, after the code", func(r *repository) {
			r.edit("src/limits.go", "maxBody = 4096", "maxBody = 8192")
			r.edit("wiki/limits.md", "The limit of bodies", "limit of bodies")
		}, ""},
		{"the page's line wrapped anew on a page with many versions", func(r *repository) {
			r.edit("src/limits.go", "maxBody = 4096", "maxBody = 8192")
			r.edit("wiki/limits.md", "The limit of bodies is 4,096 bytes: `src", "The limit of bodies is 4,096\nbytes: `src")
			for range 65 {
				r.edit("wiki/limits.md", "# Limits", "# Limits of all")
			}
		}, "3 stale 4,096"},
		{"not committed yet", func(r *repository) {
			file := filepath.Join(r.dir, "src", "limits.go")
			src, _ := os.ReadFile(file)
			if err := os.WriteFile(file, []byte("// a\n"+string(src)), 0o666); err != nil {
				r.t.Fatal(err)
			}
		}, "3 moved src/limits.go:4\n7-12 moved src/limits.go:8-13\n5 moved src/limits.go:6"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRepository(t, citedCode)
			c.change(r)
			for _, run := range []string{"first", "from the cache"} {
				if got := r.cited(); got != c.want {
					t.Errorf("%s: got\n%s\nwant\n%s", run, got, c.want)
				}
			}
		})
	}
}

// cited says what became of every citation of lines.
func (r *repository) cited() string {
	r.t.Helper()
	w := r.compile()
	lock, err := source.ReadLock(w.Workspace())
	if err != nil {
		r.t.Fatal(err)
	}
	verdicts, err := source.Judge(r.t.Context(), w, source.NewCode(w), lock)
	if err != nil {
		r.t.Fatal(err)
	}
	var out []string
	for _, v := range verdicts {
		for _, s := range v.Values {
			if s.At.End > len(v.Page.Source) {
				r.t.Errorf("a value stands at %v of a page of %d bytes", s.At, len(v.Page.Source))
			}
		}
		lines := fmt.Sprint(v.Anchor.FromLine)
		if v.Anchor.ToLine != v.Anchor.FromLine {
			lines = fmt.Sprintf("%d-%d", v.Anchor.FromLine, v.Anchor.ToLine)
		}
		switch v.State {
		case source.StateFresh:
		case source.StateMoved:
			out = append(out, lines+" moved "+v.Moved)
		case source.StateLinesChanged:
			out = append(out, lines+" changed "+v.Was+" > "+v.Now)
		case source.StateStaleValue:
			out = append(out, lines+" stale "+v.Values[0].Old)
		default:
			out = append(out, lines+" "+string(v.State))
		}
	}
	return strings.Join(out, "\n")
}

// TestCitationsThatNeverWereRight holds which lines that moved never had what their
// sentence names.
func TestCitationsThatNeverWereRight(t *testing.T) {
	t.Parallel()
	const code = "package src\n\n// Total adds up.\nfunc Total(prices []int) int {\n\tsum := 0\n\treturn sum + len(prices)\n}\n\n" +
		"func half(n int) int {\n\tif n < 0 {\n\t\treturn 0 // nothing is owed\n\t}\n\treturn n / 2\n}\n"
	cases := []struct{ text, want string }{
		{"`Total` adds up (src/a.go:13).", "Total"},
		{"`src.Total` adds up (src/a.go:13).", "src.Total"},
		{"`Total(prices)` adds up (src/a.go:13).", "Total(prices)"},
		{"A sum is `sum + len(prices)` (`src/a.go:13`).", "sum + len(prices)"},
		{"It says \"nothing is owed\" (src/a.go:13).", "nothing is owed"},

		{"It says \"nothing is owed\" (src/a.go:11).", ""},
		{"`Total` adds up (src/a.go:4).", ""},
		{"`Total` adds up (src/a.go:6).", ""},                       // within
		{"`half` halves what `Total` added up (src/a.go:13).", ""},  // one of them is meant
		{"`Total` adds up. It is halved then (src/a.go:13).", ""},   // of another sentence
		{"`Total` adds up, and is halved then (src/a.go:13).", ""},  // of another clause
		{"`Sum` adds up (src/a.go:13).", ""},                        // the file has none
		{"A `sum` begins with nothing (src/a.go:13).", ""},          // it is none of the file's names
		{"`Total` adds up, the half is `n / 2` (src/a.go:13).", ""}, // as written
	}
	files := "-- src/a.go --\n" + code
	for i, c := range cases {
		files += fmt.Sprintf("-- wiki/%02d.md --\n# A\n\n%s\n", i, c.text)
	}
	r := newRepository(t, files)
	r.edit("src/a.go", "package src\n", "package src\n\nimport \"fmt\"\n")
	w := r.compile()
	for _, run := range []string{"first", "from the cache"} {
		verdicts, err := source.Judge(t.Context(), w, source.NewCode(w), nil)
		if err != nil || len(verdicts) != len(cases) {
			t.Fatal(len(verdicts), err)
		}
		for i, c := range cases {
			if v := verdicts[i]; v.State != source.StateMoved || v.Named != c.want {
				t.Errorf("%s: %s: got %q, %s, want %q", c.text, run, v.Named, v.State, c.want)
			}
		}
	}
}

// TestCitationsVerifiedLater holds that what was verified is compared with that moment,
// and not with the one in which the page was written.
func TestCitationsVerifiedLater(t *testing.T) {
	t.Parallel()
	r := newRepository(t, citedCode)
	r.edit("src/limits.go", "retries = 3", "retries = 5")
	lock := r.lock()
	if err := source.WriteLock(r.compile().Workspace(), lock); err != nil {
		t.Fatal(err)
	}
	if got := r.cited(); got != "" {
		t.Errorf("with a lock that is not committed: %s", got)
	}
	r.commit()
	if got := r.cited(); got != "" {
		t.Errorf("verified: %s", got)
	}
	r.edit("src/limits.go", "const retries", "// a\n\nconst retries")
	if got, want := r.cited(), "7-12 moved src/limits.go:9-14\n5 moved src/limits.go:7"; got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestNarrowedSymbolWasReviewed holds that a symbol that is gone from a whole file is
// reported, until somebody writes the section anew.
func TestNarrowedSymbolWasReviewed(t *testing.T) {
	t.Parallel()
	r := newRepository(t, "-- wiki/limits.md --\n---\nsources: [src/limits.go]\n---\n# Limits\n\n## Listening\n\n`listen` waits for messages.\n\n## Other\n\nWords.\n"+
		"-- src/limits.go --\npackage src\n\nfunc listen(port int) error { return wait(port) }\n\nfunc other() int { return 1 }\n")
	lock := r.lock()
	r.edit("src/limits.go", "func listen(port int) error { return wait(port) }\n\n", "")
	if got := r.judge(lock); !strings.Contains(got, "src/limits.go#listen symbol-missing") {
		t.Errorf("got %s", got)
	}
	r.edit("wiki/limits.md", "Words.", "Other words.")
	if got := r.judge(lock); !strings.Contains(got, "src/limits.go#listen symbol-missing") {
		t.Errorf("another section was written anew, and got %s", got)
	}
	r.edit("wiki/limits.md", "`listen` waits for messages.", "`listen` waited for messages, and is gone.")
	if got := r.judge(lock); strings.Contains(got, "symbol-missing") {
		t.Errorf("the section was written anew, and got %s", got)
	}
}

// TestCitationsInShallowClone holds that nothing is said where git knows nothing.
func TestCitationsInShallowClone(t *testing.T) {
	t.Parallel()
	r := newRepository(t, citedCode)
	r.edit("src/limits.go", "retries = 3", "retries = 5")
	clone := &repository{t: t, dir: t.TempDir()}
	clone.git("clone", "-q", "--depth", "1", "file://"+filepath.ToSlash(r.dir), ".")
	if got := clone.cited(); got != "" {
		t.Errorf("got %s", got)
	}
}
