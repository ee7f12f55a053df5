package site

import (
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

const disputed = `
-- wiki.yaml --
title: Harbour
-- services/gateway.md --
---
title: API gateway
port: 8080
---
# API gateway
-- ports.md --
# Ports

## Every port

| Service | Port |
|---|---|
| [[gateway]] | 9090 |
-- draft.md --
---
status: draft
port: 7070
---
# Draft
-- quiet.md --
# Quiet
`

// sideAt is the side of a page that says text.
func sideAt(t *testing.T, w *compiler.Wiki, page, text string) schema.Side {
	t.Helper()
	p := w.Page(schema.PageID(page))
	at := strings.Index(string(p.Source), text)
	if at < 0 {
		t.Fatalf("%s does not say %s", page, text)
	}
	return schema.Side{Path: p.Path, Span: schema.Span{Start: at, End: at + len(text)}, Text: text}
}

func TestContradictionsAreShown(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, disputed))
	gateway, ports, draft := sideAt(t, w, "services/gateway", "8080"), sideAt(t, w, "ports", "9090"), sideAt(t, w, "draft", "7070")
	s := layOut(t, w, Options{Contradictions: []schema.Contradiction{
		{About: "size of <it>", Sides: []schema.Side{gateway, ports}, Acknowledged: &schema.Acknowledgement{Reason: "it moves & grows", By: "Ana", Since: "2026-03-01", Until: "2026-06-30"}},
		{About: "port of API gateway", Judged: true, Sides: []schema.Side{gateway, ports, draft}},
		{About: "secret plan", Judged: true, Sides: []schema.Side{gateway, draft}},
	}})
	page := render(t, s, "services/gateway.html")
	for _, want := range []string{
		`<a class="chip contested" href="#wiki.contradictions-of-page">Contradicted</a>`, `Contradicted <span class="count">2</span>`,
		"port of API gateway", "size of &lt;it&gt;", `<a href="#wiki.content">This page</a>`, `<a href="../ports.html#every-port">Ports</a>`,
		"<q>port: <mark>8080</mark></q>", "<q>gateway · <mark>9090</mark></q>", "<small>Every port</small>",
		"Acknowledged by Ana on 2026-03-01, until 2026-06-30: it moves &amp; grows", `<a href="../contradictions.html">All contradictions</a>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s:\n%s", want, page[strings.Index(page, "</article>"):])
		}
	}
	list := render(t, s, "contradictions.html")
	open, known := strings.Index(list, "<h2>Open "), strings.Index(list, "<h2>Acknowledged ")
	if open < 0 || known < open || strings.Index(list, "port of API gateway") < open || strings.Index(list, "size of") < known {
		t.Errorf("the list is not in order:\n%s", list)
	}
	for _, file := range s.Files() {
		if text := render(t, s, file); strings.Contains(text, "secret plan") || strings.Contains(text, "7070") {
			t.Errorf("%s tells of a page that is not published", file)
		}
	}
	if !strings.Contains(render(t, s, "pages.html"), `<a href="contradictions.html">Contradictions</a>`) {
		t.Error("the list of all pages does not lead to the contradictions")
	}
	if strings.Contains(render(t, s, "quiet.html"), "ontradict") {
		t.Error("a page that nobody contradicts says that it is")
	}
	if got := s.ContradictionFiles(); !slices.Equal(got, []string{"contradictions.html", "pages.html"}) {
		t.Errorf("they are listed in %v", got)
	}
}

// What is below a title is quoted with it.
func TestNotesAreQuoted(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, "-- store.md --\n# Store\n\n> [!contradiction] Size & more\n> It holds **2 GB** here. And more.\n\n## Contradictions\n\n- The depth is `3`.\n\nsize:: 4\n"))
	one := func(text string) schema.Contradiction {
		return schema.Contradiction{Judged: true, Sides: []schema.Side{sideAt(t, w, "store", text)}}
	}
	page := render(t, layOut(t, w, Options{Contradictions: []schema.Contradiction{one("> [!contradiction] Size & more"), one("## Contradictions"), one("4")}}), "store.html")
	for _, want := range []string{"<q><mark>Size &amp; more</mark> It holds 2 GB here.</q>", "<q><mark>Contradictions</mark> The depth is 3.</q>", "<q>size: <mark>4</mark></q>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s:\n%s", want, page[strings.Index(page, "</article>"):])
		}
	}
}

// What is acknowledged does not cry, and a wiki without contradictions has no
// list of them.
func TestAcknowledgedContradictionsAreNotHighlighted(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, strings.Replace(disputed, "title: Harbour", "title: Hafen\nlanguage: de", 1)))
	none := layOut(t, w, Options{})
	if slices.Contains(none.Files(), "contradictions.html") || strings.Contains(render(t, none, "pages.html"), "Widerspr") {
		t.Error("there is a list of no contradictions")
	}
	s := layOut(t, w, Options{Contradictions: []schema.Contradiction{{
		Sides: []schema.Side{sideAt(t, w, "services/gateway", "8080"), sideAt(t, w, "ports", "9090")}, Acknowledged: &schema.Acknowledgement{Reason: "bekannt"},
	}}})
	page := render(t, s, "ports.html")
	if strings.Contains(page, `class="chip contested"`) || !strings.Contains(page, "Zur Kenntnis genommen: bekannt") || !strings.Contains(page, "<b>9090 – 8080</b>") {
		t.Errorf("the page says\n%s", page[strings.Index(page, `<main`):])
	}
}

const doubted = `
-- gateway.md --
---
title: Gateway
---
# Gateway

It listens on 8080 & more, or with ` + "`--port 8080`" + `, see [8080](ports.md).
-- ports.md --
# Ports

The gateway has 9090 & ![[gateway]].
-- embeds.md --
# Embeds

![[gateway]]
`

// What a rule found is not sure. A build says nothing of it, and a preview says that it
// is not sure and how grave it would be, at its place in the text.
func TestUnsureContradictions(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, doubted))
	all := []schema.Contradiction{
		{About: "port of Gateway", Severity: schema.Error, Sides: []schema.Side{sideAt(t, w, "gateway", "8080"), sideAt(t, w, "ports", "9090")}},
		{About: "flag of Gateway", Severity: schema.Warning, Sides: []schema.Side{sideAt(t, w, "gateway", "--port 8080"), sideAt(t, w, "ports", "9090")}},
		{About: "link of Gateway", Severity: schema.Info, Sides: []schema.Side{sideAt(t, w, "gateway", "[8080](ports.md)"), sideAt(t, w, "ports", "9090")}},
	}
	built := layOut(t, w, Options{Contradictions: all})
	for _, name := range built.Files() {
		text := render(t, built, name)
		if strings.Contains(text, "of Gateway") || strings.HasSuffix(name, ".html") && (strings.Contains(text, `class="doubt`) || strings.Contains(text, "May disagree")) {
			t.Errorf("%s accuses a page of what nobody has looked at", name)
		}
	}
	if slices.Contains(built.Files(), "contradictions.html") {
		t.Error("there is a list of what nobody has looked at")
	}
	live := layOut(t, w, Options{Live: true, Contradictions: all})
	page := render(t, live, "gateway.html")
	for _, want := range []string{
		`<a class="chip error" href="#wiki.contradictions-of-page">May disagree</a>`,
		`on <a class="doubt error" href="#wiki.contradictions-of-page" title="May disagree (error): port of Gateway">8080</a> &amp; more`,
		`<a class="doubt warning" href="#wiki.contradictions-of-page" title="May disagree (warning): flag of Gateway"><code>--port 8080</code></a>`,
		`>8080</a>.</p>`, // a link has no other in it
		`>May disagree <span class="count">3</span></h2>`, `<b>link of Gateway</b> <span class="chip info">May disagree</span>`,
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %s:\n%s", want, page[strings.Index(page, "<main"):])
		}
	}
	if n := strings.Count(page, `class="doubt`); n != 2 {
		t.Errorf("%d places are marked, want 2", n)
	}
	if embeds := render(t, live, "embeds.html"); strings.Contains(embeds, `class="doubt`) {
		t.Error("a page is marked for what another one says")
	}
	all[0].Acknowledged, all[1].Judged = &schema.Acknowledgement{Reason: "known"}, true
	page = render(t, layOut(t, w, Options{Live: true, Contradictions: all}), "gateway.html")
	if strings.Contains(page, "(error)") || !strings.Contains(page, `class="chip contested" href="#wiki.contradictions-of-page">Contradicted`) || !strings.Contains(page, `title="Open (warning): flag`) {
		t.Errorf("what is acknowledged, or judged, is shown as what is not:\n%s", page[strings.Index(page, "<main"):])
	}
}
