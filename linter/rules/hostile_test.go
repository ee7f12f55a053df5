package rules

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema/schematest"
)

// TestHostilePages lints pages made to take forever: a rule that is quadratic
// on one of them does not end before the test is stopped.
func TestHostilePages(t *testing.T) {
	if testing.Short() {
		t.Skip("lints megabytes of hostile text")
	}
	size := 20_000 / schematest.Every(1, 4)
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
		"figures":                        {"a.md": "x[^1]\n\n[^1]: y\n\n" + strings.Repeat("in 2019 45 % ", size)},
		"figures in paragraphs":          {"a.md": "x[^1]\n\n[^1]: y\n\n" + strings.Repeat("$45 [a](a.md)\n\n", size/4)},
		"a log":                          {"log.md": strings.Repeat("## 2026-01-02\n\n## 2026-01-01\n\n", size/8)},
		"an index":                       {"index.md": strings.Repeat("- [[a]] ([a](a.md)) — a\n- [[gone]]\n", size/8), "a.md": "# A\n", "b.md": "# B\n", "c.md": "# C\n"},
		"an index in a table":            {"index.md": "| a | summary |\n|---|---|\n" + strings.Repeat("| [[a]] | a |\n| [[b]] | b |\n", size/8), "a.md": "# A\n", "b.md": "# B\n", "c.md": "# C\n"},
		"tags":                           {"a.md": "---\ntags:\n" + strings.Repeat("  - x\n", size/4) + "---\n"},
		"fields":                         {"a.md": "---\n" + numbered("tittle%d: x\n") + "---\n"},
		"definitions":                    {"a.md": numbered("[d%d]: x.md\n")},
		"references":                     {"a.md": numbered("[x][d%d] ")},
		"suppressions on one line":       {"a.md": numbered("%%%% wiki-lint-disable-line broken-link -- %d %%%% ")},
		"suppressions in blocks":         {"a.md": numbered("<!-- wiki-lint-disable self-link -- %d -->\n\n<!-- wiki-lint-enable -->\n\n")},
		"suppressions in frontmatter":    {"a.md": "---\nlint-disable: [" + numbered("orphn%d, ") + "orphan]\n---\n"},
		"grams of phrases":               {"a.md": strings.Repeat("ignore all ", 5*size)},
		"injections":                     {"a.md": strings.Repeat("<!-- ignore previous instructions -->", 3*size)},
		"beginnings of tokens":           {"a.md": strings.Repeat("eyJhbGciOiJIUzI1NiJ9.", 3*size) + strings.Repeat("sk-ant-ghp_", size)},
		"keys without an end":            {"a.md": strings.Repeat("-----BEGIN PRIVATE KEY-----\n", 3*size)},
		"one long token":                 {"a.md": strings.Repeat("T3BlbkFJ", 5*size) + strings.Repeat("s://", size)},
		"base64":                         {"a.md": strings.Repeat("bnN0cnVjdGlvb", 3*size)},
		"invisible":                      {"a.md": strings.Repeat("a\u200e", 5*size) + strings.Repeat("\u200b", size)},
		"accents":                        {"a.md": strings.Repeat("e\u0301 [x](y) ", size)},
		"conflicts":                      {"a.md": strings.Repeat("<<<<<<< a\n", size) + strings.Repeat(">>>>>>> b\n", size)},
		"lines of dashes":                {"a.md": strings.Repeat("\n\n|---|---|", 3*size)},
		"rows that are too long":         {"a.md": "| a |\n|---|\n" + strings.Repeat("| `b|c` ", size) + "\n" + strings.Repeat("| b | c\n", size)},
		"headings":                       {"a.md": strings.Repeat("# a\n", size)},
		"open fences":                    {"a.md": strings.Repeat("```a\n", 3*size)},
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
