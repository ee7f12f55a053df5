package rules

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
)

// What an edit may do to a page: to its text, its names, its links, its
// front matter, what it hides.
var edits = []func(src []byte, n int) []byte{
	func(src []byte, n int) []byte { return fmt.Appendf(src, "\nOne more sentence, %d.\n", n) },
	func(src []byte, n int) []byte {
		return fmt.Appendf(src, "\n[[Page %d]] and [next](page-%d.md#nowhere).\n", n, n)
	},
	func(src []byte, n int) []byte { return fmt.Appendf(src, "\n## Section %d\n\nTODO\n", n%3) },
	func(src []byte, n int) []byte {
		return bytes.Replace(src, []byte("title: "), fmt.Appendf(nil, "title: Name%d ", n%2), 1)
	},
	func(src []byte, n int) []byte {
		return bytes.Replace(src, []byte("---\n"), fmt.Appendf(nil, "---\naliases: [Other %d]\n", n%4), 1)
	},
	func(src []byte, n int) []byte {
		return fmt.Appendf(src, "\n| Name | Port |\n|---|---|\n| [[page-%d]] | %d |\n\nport:: %d\n", n%5, n%3, n%2)
	},
	func(src []byte, n int) []byte {
		return fmt.Appendf(src, "\n<!-- wiki-lint-disable-file broken-wikilink -- planned %d -->\n", n)
	},
	func(src []byte, n int) []byte { return src[:len(src)*2/3] },
}

// TestIncrementalLintEqualsFullLint edits random pages one after the other: findings
// with all caches equal those without.
func TestIncrementalLintEqualsFullLint(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		var files strings.Builder
		const pages = 12
		files.WriteString("-- index.md --\n# Index\n\n")
		for i := range pages {
			fmt.Fprintf(&files, "- [[page-%d]]\n", i)
		}
		for i := range pages {
			fmt.Fprintf(&files, "-- page-%d.md --\n---\ntitle: Page %d\nstatus: stable\n---\n# Page %d\n\nAbout Name1 Page %d and [[page-%d]]. It takes %d ms.\n", i, i, i, (i+3)%pages, (i+1)%pages, i)
		}
		dir := compilertest.Write(t, files.String())
		w := compilertest.Compile(t, dir)
		facts := linter.NewFacts(w)
		again := func(facts *linter.Facts) *linter.Result {
			res, err := linter.Run(t.Context(), w, linter.Config{Today: today, Facts: facts})
			if err != nil {
				rt.Fatal(err)
			}
			return res
		}
		again(facts)
		for range rapid.IntRange(1, 6).Draw(rt, "edits") {
			page := w.Pages()[rapid.IntRange(0, pages).Draw(rt, "page")]
			edit := edits[rapid.IntRange(0, len(edits)-1).Draw(rt, "edit")]
			src := edit(slices.Clone(page.Source), rapid.IntRange(0, pages).Draw(rt, "n"))
			if err := os.WriteFile(filepath.Join(dir, page.Path), src, 0o666); err != nil {
				rt.Fatal(err)
			}
			next, err := w.Recompile(t.Context(), []string{page.Path})
			if err != nil {
				rt.Fatal(err)
			}
			w, facts = next, facts.Next(next)
			if diff := cmp.Diff(again(nil).Findings, again(facts).Findings); diff != "" {
				rt.Fatalf("after an edit of %s: %s", page.Path, diff)
			}
		}
	})
}
