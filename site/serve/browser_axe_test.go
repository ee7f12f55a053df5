package serve

import (
	"flag"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema/schematest"
	"github.com/loopwiki/wiki/site"
)

var axe = flag.String("axe", "", "check the site's pages with this `file`, axe.min.js of npm's axe-core")

// reading is a page with what is drawn, computed, folded and embedded.
const reading = "---\ntype: guide\ntags: [auth, math]\nsources: [20_SYSTEM/ingest.md]\n---\n# Reading\n\nInline $a^2+b^2$ and a block:\n\n" +
	"$$\n\\int_0^1 \\frac{x}{2}\\,dx = \\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}\n$$\n\n```mermaid\nflowchart LR\n  A[Start] --> B{Ready?}\n  B -->|yes| C[Go]\n```\n\n" +
	"> [!note] A note\n> Its text, with a [link](https://example.org/) and `code`.\n\n> [!danger]- Folded\n> | a | b |\n> |---|---|\n> | 1 | 2 |\n\n" +
	"> [!success] Good\n> Done.\n\n> A quotation.\n\n![[clock-skew]]\n\n```go {2}\n// A comment\nfunc f() string { return \"text\" } // line\n```\n\n```diff\n- old\n+ new\n```\n\n" +
	"- [x] done\n- [ ] open\n- [/] begun\n- [-] dropped\n\nA ==mark==, ~~gone~~, a note[^1], a [[missing page]] and #tag.\n\n[^1]: The note.\n\n" +
	"| wide | table |\n|---|---:|\n| `x` | 1 |\n\nمرحبا بالعالم هذا نص\n\n日本語の文章。\n"

// TestAxe looks for violations of accessibility rules on pages of each kind, on phones and
// desktops, light and dark.
func TestAxe(t *testing.T) {
	if *axe == "" {
		t.Skip("needs -axe FILE, axe.min.js of the npm package axe-core")
	}
	script, err := os.ReadFile(*axe)
	if err != nil {
		t.Fatal(err)
	}
	browser := chromium(t)
	out := builtOfKinds(t)
	server := httptest.NewServer(http.FileServer(http.Dir(out)))
	defer server.Close()
	for _, kind := range []struct{ name, address, ready string }{
		{"home", "index.html", ""},
		{"page", "20_SYSTEM/token-refresh.html", ""},
		{"reading", "20_SYSTEM/reading.html", `[...document.querySelectorAll(".prose *")].some((e) => e.shadowRoot?.querySelector("svg"))`},
		{"folder", "20_SYSTEM/index.html", ""},
		{"tag", "tags/auth.html", ""},
		{"all pages", "pages.html", ""},
		{"search", "search.html?q=token", `document.querySelector(".hits [role=option]")`},
		{"search dialog", "index.html", `document.querySelector("dialog .hits [role=option]")`},
		{"graph", "graph.html", ""},
		{"health", "health.html", ""},
		{"missing", "404.html", ""},
		{"type", "types/concept.html", ""},
		{"changes", "recent.html", ""},
	} {
		t.Run(kind.name, func(t *testing.T) {
			for _, width := range []int64{390, 1440} {
				for _, scheme := range []string{"light", "dark"} {
					v := newView(t, browser)
					v.size(width, 900)
					v.prefers(scheme)
					v.open(server.URL + "/" + kind.address)
					v.until("the whole page", `document.readyState === "complete" && document.querySelector("main")`)
					if kind.name == "search dialog" {
						v.until("the page's script", `document.querySelector(".find")`)
						v.keys("/")
						v.until("the search box", `document.activeElement?.type === "search"`)
						v.keys("token")
					}
					if kind.ready != "" {
						v.until(kind.ready, "!!"+kind.ready)
					}
					eval[bool](v, string(script)+`;true`)
					eval[bool](v, `self.violations = null, axe.run({ resultTypes: ["violations"] }).then((r) => { self.violations = r.violations
						.filter((f) => f.impact !== "minor").map((f) => f.impact + " " + f.id + ": " + f.nodes.map((n) => n.html.slice(0, 160) + " " + n.any.concat(n.all, n.none).map((c) => c.message).join("; ")).slice(0, 4).join("\n    ")); },
						(e) => { self.violations = ["failed: " + e]; }), true`)
					v.until("what axe finds", `self.violations !== null`)
					for _, found := range eval[[]string](v, `self.violations`) {
						t.Errorf("%d px, %s: %s", width, scheme, found)
					}
				}
			}
		})
	}
}

// builtOfKinds renders a wiki with a page of every kind to a folder.
func builtOfKinds(t *testing.T) string {
	t.Helper()
	schematest.Need(t, "git", func() bool { _, err := exec.LookPath("git"); return err == nil }(), "git is not installed")
	files := maps.Clone(book)
	files["wiki/20_SYSTEM/reading.md"] = reading
	r := &running{t: t, dir: t.TempDir()}
	for name, text := range files {
		r.write(name, text)
	}
	for _, args := range []string{"init -q", "add .", "commit -q -m first"} {
		cmd := exec.CommandContext(t.Context(), "git", strings.Fields(args)...)
		cmd.Dir = r.dir
		cmd.Env = append(os.Environ(), "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.org")
		if b, err := cmd.CombinedOutput(); err != nil {
			t.Fatal(fmt.Sprint("git ", args, ": ", err, ": ", string(b)))
		}
	}
	ws, err := compiler.Detect(r.dir, "wiki")
	if err != nil {
		t.Fatal(err)
	}
	w, err := compiler.Compile(t.Context(), ws, compiler.Options{History: true})
	if err != nil {
		t.Fatal(err)
	}
	s, err := site.New(w, site.Options{})
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(r.dir, "_site")
	if _, err := s.Build(t.Context(), out, nil); err != nil {
		t.Fatal(err)
	}
	return out
}
