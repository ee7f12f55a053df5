package linter

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

// pageOf compiles a wiki of one page.
func pageOf(t *testing.T, name string, src []byte) *compiler.Wiki {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, name), src, 0o666); err != nil {
		t.Fatal(err)
	}
	return compilertest.Compile(t, dir)
}

func checkUnderstood(t *testing.T, w *compiler.Wiki, list []Understood) {
	t.Helper()
	for _, u := range list {
		if u.Line < 1 || u.Line > w.Pages()[0].Lines.Lines() || strings.TrimSpace(u.What) == "" || strings.ContainsAny(u.What, "\r\n") {
			t.Fatalf("understood %+v", u)
		}
	}
}

func FuzzSchemaPage(f *testing.F) {
	for _, s := range []string{
		"```yaml wiki\nfrontmatter: {types: {a: {sections: [B], naming: '('}}}\nterms: {a: b}\n```\n", "> ```yaml wiki\n> tags: [a\n> ```\n",
		"| type | folder | required fields | sections | naming |\n|---|---|---|---|---|\n| `a` | b/**.md | c, d | ## E<br>F | kebab-case |\n| x |\n",
		"## Tags\n\n- `a` — b\n- **C:** d, #e\r\n- **f**: g h\n", "# Taxonomy\n| tag |\n|-|\n| a, `b` |\n| c |\n## 1.\n# tags\n- \n- a\xff\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 4096 {
			return
		}
		w := pageOf(t, "SCHEMA.md", src)
		c := ReadConventions(w)
		checkUnderstood(t, w, c.Understood)
		for _, u := range c.Unread {
			if u.Span.Start < 0 || u.Span.End < u.Span.Start || u.Span.End > len(src) || u.Message == "" {
				t.Fatalf("unread %v %q", u.Span, u.Message)
			}
		}
		for name, pt := range c.Frontmatter.Types {
			if strings.ContainsAny(pt.Folder, "\\\n") {
				t.Fatalf("type %q has the folder %q", name, pt.Folder)
			}
		}
	})
}

func FuzzLanguagePage(f *testing.F) {
	for _, s := range []string{
		"| avoid | use |\n|---|---|\n| a, \"b\" | `c` or d |\n| e |\n", "- ~~a~~ → b\n* **c** (not: d, e) f\n+ don't say \"g\"; say h\n", "## Avoid\n\n- \"x\"\n- y -> z\n- ~~ ~~\n",
		"- **\xff** (not \xfe)\n- ~~a~~ -> a\n", "```\n- ~~a~~ → b\n",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) > 4096 {
			return
		}
		w := pageOf(t, "LANGUAGE.md", src)
		terms := ReadTerms(w, ReadConventions(w))
		checkUnderstood(t, w, terms.Understood)
		for _, term := range terms.List {
			if strings.TrimSpace(term.Avoid) == "" || strings.Contains(term.Avoid, "\n") || len(term.Use) > 0 && term.Use[0] == term.Avoid || !strings.HasPrefix(term.By, "LANGUAGE.md:") {
				t.Fatalf("term %+v", term)
			}
		}
	})
}
