package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// TestHostilePages lints pages made to take forever: a rule that is quadratic
// on one of them does not end before the test is stopped.
func TestHostilePages(t *testing.T) {
	if testing.Short() {
		t.Skip("lints megabytes of hostile text")
	}
	const size = 20_000
	numbered := func(format string) string {
		var b strings.Builder
		for i := 0; b.Len() < 10*size; i++ {
			fmt.Fprintf(&b, format, i)
		}
		return b.String()
	}
	for name, files := range map[string]map[string]string{
		"links to nothing on one line":   {"a.md": numbered("[[x%d]] ")},
		"near misses":                    {"a.md": numbered("[[chain-of-command-%dx]]\n"), "chain-of-command-1.md": "# A\n"},
		"embeds of itself":               {"a.md": strings.Repeat("![[a]] ", size)},
		"spellings of one section":       {"a.md": "# S\n" + numbered("![[a#s!%[1]d]]\n![[a#%[1]d s]]\n")},
		"sections that embed each other": {"a.md": numbered("# h%[1]d\n![[#h%[1]d]]\n")},
		"missing anchors":                {"a.md": numbered("# heading %[1]d\n[x](#heading-x%[1]d)\n")},
		"backticks":                      {"a.md": numbered("`%d``"), "b c.md": "# B c\n"},
		"angle brackets":                 {"a.md": strings.Repeat("<a", size) + ">", "b c.md": "# B c\n"},
		"names in names":                 {"a.md": strings.Repeat("word ", size), "w1.md": "# Word word word word word\n", "w2.md": "# Word word word\n"},
		"tags":                           {"a.md": "---\ntags:\n" + strings.Repeat("  - x\n", size/4) + "---\n"},
		"fields":                         {"a.md": "---\n" + numbered("tittle%d: x\n") + "---\n"},
		"definitions":                    {"a.md": numbered("[d%d]: x.md\n")},
		"references":                     {"a.md": numbered("[x][d%d] ")},
		"a long title":                   {"a.md": "---\ntitle: " + strings.Repeat("x ", size) + "\n---\n# " + strings.Repeat("y ", size) + "\n"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			for file, text := range files {
				if err := os.WriteFile(filepath.Join(dir, file), []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			w := compilertest.Compile(t, dir)
			lint(t, w)
		})
	}
}

// TestManyNamesakes links by one name to thousands of files that have it.
func TestManyNamesakes(t *testing.T) {
	dir := t.TempDir()
	var links strings.Builder
	for i := range 1500 {
		folder := filepath.Join(dir, fmt.Sprintf("f%d", i))
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "note.md"), []byte("# Note\n"), 0o666); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&links, "[[note]] [x](gone/note.md) [[nots]]\n")
	}
	if err := os.WriteFile(filepath.Join(dir, "index.md"), []byte(links.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	res := lint(t, compilertest.Compile(t, dir))
	if n := len(res.Findings); n > 6 {
		t.Errorf("%d findings for a handful of causes:\n%s", n, messages(res))
	}
}
