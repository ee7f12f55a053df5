package site

import (
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

const ailing = `
-- index.md --
# Home
[[gateway]] [[old]]
-- gateway.md --
---
verified: {by: Ana, at: 2026-01-02}
sources: [src/a.go]
updated: 2026-01-02
---
# Gateway
It listens on 8080. [[ports]]
-- ports.md --
---
updated: 2026-03-01
---
# Ports
The gateway has 9090.
-- old.md --
---
status: stale
---
# Old
-- alone.md --
# Alone
-- secret.md --
---
private: true
status: stale
---
# Zanzibar
[[alone]]
`

func TestHealth(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, ailing))
	sides := []schema.Side{sideAt(t, w, "gateway", "8080"), sideAt(t, w, "ports", "9090")}
	opt := Options{
		Contradictions: []schema.Contradiction{{About: "port of Gateway", Sides: sides}},
		Findings: []schema.Diagnostic{
			{Rule: "open-question", Severity: schema.Info, Path: "ports.md", Message: "say <more>"},
			{Rule: "broken-link", Severity: schema.Error, Path: "old.md", Message: "leads nowhere"},
		},
	}
	page := render(t, layOut(t, w, opt), "health.html")
	for _, want := range []string{
		`<th scope="row">Verified</th>`, "<td>1 / 4</td>", `<th scope="row">Sources cited</th>`, `Stale and contested pages <span class="count">1</span>`,
		`<a href="old.html">Old</a> <small>Stale: `, `Pages that no page links to <span class="count">1</span>`, `<a href="alone.html">Alone</a>`,
		`<title>2026-01: 1 page</title>`, `<title>2026-03: 1 page</title>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s:\n%s", want, page[strings.Index(page, "<main"):])
		}
	}
	for _, not := range []string{"Zanzibar", "secret", "port of Gateway", "open-question"} {
		if strings.Contains(page, not) {
			t.Errorf("a build tells of %s", not)
		}
	}
	opt.Live = true
	page = render(t, layOut(t, w, opt), "health.html")
	first, second := strings.Index(page, `<b class="chip error">error</b> broken-link`), strings.Index(page, `<b class="chip info">info</b> open-question`)
	if first < 0 || second < first || !strings.Contains(page, "say &lt;more&gt;") || !strings.Contains(page, "port of Gateway") {
		t.Errorf("a preview lacks findings or what may disagree:\n%s", page[strings.Index(page, "<main"):])
	}
}

func TestHealthyWikiHasNoPageAboutIt(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, "-- index.md --\n# Home\n[[a]]\n-- a.md --\n# A\n"))
	if s := layOut(t, w, Options{}); slices.Contains(s.Files(), "health.html") || strings.Contains(render(t, s, "a.html"), "health.html") {
		t.Error("there is a page that has nothing to say")
	}
	if page := render(t, layOut(t, w, Options{Live: true}), "health.html"); !strings.Contains(page, "Nothing to report.") {
		t.Errorf("a preview says\n%s", page)
	}
}

// Where nothing was verified, no page is called unverified.
func TestUnverifiedIsSaidWhereAWikiVerifies(t *testing.T) {
	t.Parallel()
	for pages, want := range map[string]bool{
		"-- a.md --\n# A\n-- b.md --\n# B\n":                                                false,
		"-- a.md --\n# A\n-- b.md --\n---\nverified: {by: Ana, at: 2026-01-02}\n---\n# B\n": true,
	} {
		s := layOut(t, compilertest.Compile(t, compilertest.Write(t, pages)), Options{})
		if got := strings.Contains(render(t, s, "a.html"), "Unverified"); got != want {
			t.Errorf("%q: unverified %v", pages, got)
		}
	}
}
