package rules

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// TestUnsafeFixes applies the fixes of the rules about how pages are built and
// named, and about what they say of code, one finding after the other: each settles what it is for, and breaks
// no link.
func TestUnsafeFixes(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"naming", "template-sections", "code-conflict"} {
		ar, err := txtar.ParseFile(filepath.Join("testdata", id+".txtar"))
		if err != nil {
			t.Fatal(err)
		}
		applied := 0
		for _, c := range linter.Cases(ar) {
			w := compileCase(t, c)
			broken := messages(lint(t, w, "broken-wikilink", "broken-link", "broken-anchor"))
			for {
				res := lint(t, w, id)
				i := slices.IndexFunc(res.Findings, func(d schema.Diagnostic) bool { return len(d.Fixes) > 0 })
				if i < 0 {
					break
				}
				applied++
				applyFix(t, w, res.Findings[i].Fixes[0])
				w = compilertest.CompileWith(t, w.Workspace().Root, compiler.Options{Today: today})
				if after := lint(t, w, id); len(after.Findings) >= len(res.Findings) {
					t.Fatalf("%s/%s: the fix of %q left\n%s", id, c.Name, res.Findings[i].Message, messages(after))
				}
			}
			if now := messages(lint(t, w, "broken-wikilink", "broken-link", "broken-anchor")); now != broken {
				t.Errorf("%s/%s: the fixes broke links:\n%s", id, c.Name, now)
			}
		}
		if applied < 4 {
			t.Errorf("%s: only %d fixes were tried", id, applied)
		}
	}
}

// applyFix makes the edits of a fix, and then its moves.
func applyFix(t *testing.T, w *compiler.Wiki, f schema.Fix) {
	t.Helper()
	root := w.Workspace().Root
	for _, e := range slices.Backward(f.Edits) {
		full := filepath.Join(root, filepath.FromSlash(e.Path))
		src, err := os.ReadFile(full)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, slices.Concat(src[:e.Span.Start], []byte(e.Text), src[e.Span.End:]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range f.Moves {
		if err := os.Rename(filepath.Join(root, filepath.FromSlash(m.From)), filepath.Join(root, filepath.FromSlash(m.To))); err != nil {
			t.Fatal(err)
		}
	}
}

// TestAddedSections holds where the fix puts headings.
func TestAddedSections(t *testing.T) {
	t.Parallel()
	const config = "-- wiki.yaml --\nfrontmatter: {types: {c: {folder: c, sections: [One, Two, Three]}}}\n-- c/a.md --\n"
	for page, want := range map[string]string{
		"# A\n":                                "# A\n\n## One\n\n## Two\n\n## Three\n",
		"# A":                                  "# A\n\n## One\n\n## Two\n\n## Three\n",
		"# A\n\n### Two\n\nText.\n":            "# A\n\n### One\n\n### Two\n\nText.\n\n### Three\n",
		"# A\n\n## One\ntext\n## Four\ntext\n": "# A\n\n## One\ntext\n\n## Two\n\n## Three\n\n## Four\ntext\n",
		"## Three\n\n### One\n\nx\n":           "## Three\n\n### One\n\nx\n\n### Two\n",
	} {
		dir := compilertest.Write(t, config+page)
		if err := os.WriteFile(filepath.Join(dir, "c", "a.md"), []byte(page), 0o666); err != nil { // as it is, without a line feed added
			t.Fatal(err)
		}
		w := compilertest.Compile(t, dir)
		res := lint(t, w, "template-sections")
		if len(res.Findings) != 1 || len(res.Findings[0].Fixes) != 1 {
			t.Fatalf("%q: findings %+v", page, res.Findings)
		}
		applyFix(t, w, res.Findings[0].Fixes[0])
		got, err := os.ReadFile(filepath.Join(dir, "c", "a.md"))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != want {
			t.Errorf("%q became\n%q, want\n%q", page, got, want)
		}
	}
}
