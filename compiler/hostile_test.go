package compiler_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// hostile is input that real and malicious wikis contain, by file name.
func hostile() map[string]string {
	deep := func(s string, n int) string { return strings.Repeat(s, n) }
	return map[string]string{
		"ok.md":                "# Fine\n\n[[loop-a]] [[nul]] [[bad-yaml]]\n",
		"bad-yaml.md":          "---\ntitle: a: b: c\nok: yes\ntags: [x\n---\n# Body kept\n",
		"unclosed-front.md":    "---\ntitle: never closed\n\n# Body\n\n[[ok]]\n",
		"utf8.md":              "# Latin\n\ncaf\xe9 \xff\xfe [[ok]]\n",
		"nul.md":               "# Nul\n\nbefore\x00after [[ok]]\n",
		"unclosed.md":          "# Unclosed\n\n[[ok\n\n![[ok\n\n[x](y\n\n**bold `code $math %%comment\n\n<div><a href=\"\n\n```go\nfunc\n",
		"big.md":               "# Big\n\n" + deep("word [[ok]] and some more text here.\n\n", 320_000),
		"nesting.md":           deep("> ", 5_000) + "deep\n\n" + deep("- ", 5_000) + "deep\n",
		"columns.md":           deep("| a ", 5_000) + "|\n" + deep("|---", 5_000) + "|\n" + deep("| 1 ", 5_000) + "|\n",
		"stars.md":             deep("*a **b ", 200_000) + "\n",
		"underscores.md":       deep("_a __b ", 200_000) + "\n",
		"brackets.md":          deep("[", 1_000_000) + "\n\n" + deep("![", 300_000) + "\n\n" + deep("[[", 300_000) + "\n",
		"links.md":             deep("[a](", 300_000) + "\n\n" + deep("[a][b", 300_000) + "\n",
		"ticks.md":             deep("` `` ``` ", 100_000) + "\n",
		"angles.md":            deep("<a ", 300_000) + "\n\n" + deep("<!-- ", 100_000) + "\n\n" + deep("<?", 100_000) + "\n",
		"dollars.md":           deep("$a ", 300_000) + "\n\n" + deep("%% ", 300_000) + "\n",
		"carets.md":            deep("^[", 300_000) + "\n\n" + deep("[^a", 300_000) + "\n",
		"definitions.md":       deep("[x]: y\n", 200_000) + deep("[^n]: y\n", 100_000),
		"urls.md":              deep("www.a", 200_000) + "\n\n" + deep("a@", 200_000) + "\n\n" + deep("http://", 100_000) + "\n",
		"yaml-nest.md":         "---\na: " + deep("[", 100_000) + "\n---\n# Nested\n",
		"yaml-laughs.md":       "---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\ne: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d]\nf: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e]\ng: &g [*f,*f,*f,*f,*f,*f,*f,*f,*f]\nh: [*g,*g,*g,*g,*g,*g,*g,*g,*g]\n---\n# Laughs\n",
		"loop-a.md":            "# A\n\n![[loop-b]] [[loop-a]]\n",
		"loop-b.md":            "# B\n\n![[loop-a]] ![[loop-b]]\n",
		"script.md":            "# Script\n\n<script>alert(1)</script>\n\n<img src=x onerror=alert(1)>\n\n[x](javascript:alert(1)) [y](JaVaScRiPt:alert(1)) [[javascript:alert(1)]] ![z](data:text/html,x)\n",
		"-rf.md":               "# A file named like a flag\n\n[[ok]]\n",
		"emoji 🎉 100% #1.md":   "# Names\n",
		"crlf.md":              "\xef\xbb\xbf---\r\ntitle: CRLF\r\n---\r\n# CRLF\r\n\r\n[[ok]]\r\n",
		"empty.md":             "",
		"only-bom.md":          "\xef\xbb\xbf",
		"deep/er/and/er/a.md":  "[[../../../../../../etc/passwd]] [x](../../../../../../../etc/passwd)\n",
		"long-line.md":         "# Long\n\n" + deep("x", 2_000_000) + "\n",
		"table-rows.md":        "| a | b |\n|---|---|\n" + deep("| 1 | [[ok]] |\n", 100_000),
		"headings.md":          deep("# Same\n\n", 50_000),
		"blocks.md":            deep("text ^same\n\n", 50_000),
		"html-nest.md":         deep("<div>\n", 20_000),
		"entities.md":          deep("&amp;&#x41;", 200_000),
		"backslashes.md":       deep("\\[", 500_000),
		"front-only-dashes.md": "---\n---\n---\n---\n",
	}
}

// TestHostile compiles the folder of hostile input: every page is there, none
// makes the others fail, and what was recovered from is said.
func TestHostile(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles forty megabytes of hostile text")
	}
	dir := t.TempDir()
	files := hostile()
	for name, body := range files {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want := len(files)
	links := 0
	if runtime.GOOS != "windows" {
		secret := filepath.Join(t.TempDir(), "secret.md")
		if err := os.WriteFile(secret, []byte("# Secret\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		for name, target := range map[string]string{"escape.md": secret, "dangling.md": "nowhere.md", "inside.md": "ok.md", "folder-loop": "."} {
			if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
				t.Fatal(err)
			}
			links++
		}
		want += 3 // a link to a folder is not a page
	}
	w := compilertest.Compile(t, dir)
	if got := len(w.Pages()); got != want {
		t.Errorf("%d pages, want %d", got, want)
	}
	for id, kind := range map[schema.PageID]schema.FaultKind{
		"bad-yaml": schema.FaultFrontmatterInvalid, "unclosed-front": schema.FaultFrontmatterUnclosed,
		"utf8": schema.FaultEncoding, "nul": schema.FaultEncoding, "big": schema.FaultTooComplex,
		"nesting": schema.FaultTooComplex, "columns": schema.FaultTooComplex, "script": schema.FaultHTMLDropped,
		"yaml-nest": schema.FaultFrontmatterInvalid,
	} {
		if !hasFault(w.Page(id), kind) {
			t.Errorf("%s: no fault %s, only %v", id, kind, w.Page(id).Faults)
		}
	}
	if links > 0 {
		for _, id := range []schema.PageID{"escape", "dangling"} {
			if p := w.Page(id); !hasFault(p, schema.FaultUnreadable) || len(p.Source) > 0 {
				t.Errorf("%s was read through a link that leads out of the wiki", id)
			}
		}
		if p := w.Page("inside"); p.Title != "Fine" {
			t.Errorf("a link to a file of the wiki was not read: %q", p.Title)
		}
	}
	if p := w.Page("bad-yaml"); p.H1.Len() == 0 {
		t.Error("the body of a page with invalid frontmatter is lost")
	}
	for _, p := range w.Pages() {
		for l, r := range w.Links(p) {
			if strings.Contains(r.Path, "etc/passwd") && r.OK() {
				t.Errorf("%s: %s leads out", p.Path, l.Raw)
			}
		}
		out := string(w.Render(p, compiler.RenderOptions{}).HTML)
		for _, bad := range []string{"<script", "javascript:", "onerror"} {
			if i := strings.Index(strings.ToLower(out), bad); i >= 0 && strings.Contains(out[max(0, i-200):i], "<a ") {
				t.Errorf("%s: %q reaches the output", p.Path, bad)
			}
		}
	}
}

func hasFault(p *schema.Page, kind schema.FaultKind) bool {
	for _, f := range p.Faults {
		if f.Kind == kind {
			return true
		}
	}
	return false
}

// BenchmarkHostile reports the slowest page of the hostile folder: none may
// take two seconds.
func BenchmarkHostile(b *testing.B) {
	for name, body := range hostile() {
		b.Run(strings.TrimSuffix(name, ".md"), func(b *testing.B) {
			dir := b.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "p.md"), []byte(body), 0o644); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				w := compilertest.Compile(b, dir)
				w.Render(w.Page("p"), compiler.RenderOptions{})
			}
		})
	}
}
