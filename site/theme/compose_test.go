package theme

import (
	"html/template"
	"strings"
	"testing"
	"testing/fstest"
)

// fullPage has something in every place of a page.
func fullPage(words *Words) *Page {
	place := &Place{
		T: words, Lang: "en", Dir: "ltr", SiteTitle: "A & B", Root: "../", HomeHref: "../index.html", PagesHref: "../pages.html",
		SearchHref: "../search.html", Styles: []string{"../a.css?v=1"}, Script: "../a.js", CSP: "default-src 'self'",
		MenuJS: "../_wiki/tree/1.js", Lists: []Link{{Title: "Home", Href: "../index.html"}, {Title: "Tags & more", Href: "../tags.html", Current: true}},
	}
	return &Page{
		Frame: Frame{
			Place: place, Lang: "ar", Dir: "rtl", CSP: "script-src 'self' 'sha256-a+b/c='", DiagramsJS: "../_wiki/diagrams.js?v=1&a", Title: `"Title" + <b>`, WindowTitle: "Title · it's", Description: "url=javascript:x & more",
			Canonical: "https://example.org/a b/c'd(e).html", Crumbs: []Link{{Title: "Home", Href: "../index.html"}, {Title: "x<y", Href: "?a=b&c=d"}},
		},
		Type: "concept", TypeHref: "../types/concept.html", Status: "wip>", StatusKind: "draft", Layer: "source",
		Fresh: Freshness{State: "stale", Label: "Stale", Detail: "since + then", Updated: "2026-01-02", Created: "2025-01-02"},
		Text:  []byte("<p>Text &amp; more</p>"), Heading: "A <code>heading</code>", HeadingID: "a-heading",
		Contents: []Heading{{Level: 1, Text: "First & only", ID: "first", Href: "#first"}, {Level: 3, Text: "(2)", ID: "2", Href: "#(2)", Deeper: true, Ends: 1}},
		Sources: []Source{
			{ID: "s+1", Title: "A source", Href: "HTTPS://example.org/?q=%41%zz&x", Place: "12–14"}, {Title: "No address <"},
		},
		MoreSources: 3,
		Tags:        []Link{{Title: "tag", Href: "../tags/tag.html"}, {Title: "tag & 2", Href: "../tags/ä.html"}},
		Backlinks: []Backlink{
			{Link: Link{Title: "Other", Href: "other.html"}, Before: "before <", Marked: "it", After: "& after", Count: 2, Times: 2},
			{Link: Link{Title: "Index", Href: "index.html"}, Marked: "alone", Count: 1},
		},
		BacklinkPages: 50, MoreBacklinks: 48,
		Mentions:     []Backlink{{Link: Link{Title: "Names <it>", Href: "names.html"}, Before: "the ", Marked: "Title", After: " & more"}},
		MentionPages: 3, MoreMentions: 2,
		Dispute: Dispute{Label: "May <disagree>", Kind: "warning"},
		Above: []Block{
			{Name: "watched", T: words, Data: []Note{{Name: "Max", Says: "<4>", Code: "8", Place: "a.go", Href: "https://x/a.go#L1", Since: "2026-01-02"},
				{Name: "Listen", Was: "func Listen()", Code: "func Listen(a int)", Place: "b.go"}, {Name: "Min", Says: "4", Place: "b.go"}}},
			{Name: "findings", T: words, Data: []Finding{{Severity: "error", Rule: "a-rule", Message: "wrong <here>", Line: 3, Column: 4, Excerpt: "a & b", Anchor: "first", Under: "First"}}},
		},
		Below: []Block{{Name: "contradictions", T: words, Data: Contradictions{Title: "May disagree", Href: "../contradictions.html", List: []Contradiction{
			{About: "port of <x>", State: "contested", Label: "Open", MoreSides: "and 3 more", Sides: []Side{
				{Link: Link{Title: "This page", Href: "#wiki.content"}, Before: "port: ", Marked: "8080 <"},
				{Link: Link{Title: "Ports & more", Href: "ports.html#a"}, Under: "Table", Updated: "2026-01-02", Marked: "9090", After: " · 30"},
			}},
			{About: "size", Label: "Acknowledged", Detail: "by Ana & Bo"},
		}}}},
		RawHref: "page.md", DataHref: "page.json", EditHref: "https://example.org/edit?a=1&b='2'", Previous: &Link{Title: "Before", Href: "before.html"}, Next: &Link{Title: "After", Href: "after.html"},
		Near: &Near{Rows: "0 One \"<1>\"\n<b1", Arcs: "0-1", More: 3, Graph: "../graph.html?a&b"},
	}
}

// The program instead of page.html writes what the template says, with every
// part of a page and without each of them.
func TestPageIsItsTemplate(t *testing.T) {
	t.Parallel()
	th, err := Load(nil, &english, false)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*Page){
		"everything":   func(*Page) {},
		"nothing":      func(p *Page) { *p = Page{Frame: Frame{Place: p.Place}} },
		"title":        func(p *Page) { p.Heading, p.HeadingID = "", "" },
		"description":  func(p *Page) { p.Description, p.Canonical = "", "mailto:a@example.org" },
		"facts":        func(p *Page) { p.Type, p.Status, p.Layer = "", "", "wiki" },
		"type":         func(p *Page) { p.TypeHref = "" },
		"dates":        func(p *Page) { p.Fresh = Freshness{State: "unverified", Created: "2025-01-02"} },
		"language":     func(p *Page) { p.Lang, p.Dir = "en-GB", "ltr" },
		"diagrams":     func(p *Page) { p.DiagramsJS = "" },
		"policy":       func(p *Page) { p.CSP = "" },
		"contents":     func(p *Page) { p.Contents = nil },
		"all sources":  func(p *Page) { p.MoreSources = 0 },
		"sources":      func(p *Page) { p.Sources = nil },
		"tags":         func(p *Page) { p.Tags = nil },
		"backlinks":    func(p *Page) { p.Backlinks = nil },
		"all links":    func(p *Page) { p.MoreBacklinks, p.Backlinks = 0, p.Backlinks[1:] },
		"mentions":     func(p *Page) { p.Mentions = nil },
		"alone":        func(p *Page) { p.Backlinks, p.Mentions, p.Contents = nil, nil, nil },
		"only beside":  func(p *Page) { p.Contents, p.MoreMentions = nil, 0 },
		"previous":     func(p *Page) { p.Previous = nil },
		"near":         func(p *Page) { p.Near = nil },
		"all near":     func(p *Page) { p.Near.More, p.Near.Arcs = 0, "" },
		"next":         func(p *Page) { p.Next = nil },
		"turn":         func(p *Page) { p.Previous, p.Next = nil, nil },
		"foot":         func(p *Page) { p.RawHref, p.EditHref, p.Fresh.Created = "", "", "" },
		"above":        func(p *Page) { p.Above = nil },
		"below":        func(p *Page) { p.Below, p.Dispute = nil, Dispute{} },
		"bad UTF-8":    func(p *Page) { p.Title, p.WindowTitle = "a\xffb\x00c", "\xe2\x28" },
		"crumbs":       func(p *Page) { p.Crumbs = nil },
		"bad href":     func(p *Page) { p.RawHref, p.EditHref = "data:text/html,x", "a/b:c\" x\xff" },
		"another half": func(p *Page) { p.Backlinks[0].Before, p.Backlinks[0].Times = "", 0 },
	} {
		p := fullPage(&english)
		change(p)
		var want strings.Builder
		if err := th.Execute(&want, "page", p); err != nil {
			t.Fatal(err)
		}
		got, err := th.AppendPage([]byte("before"), p)
		if err != nil {
			t.Fatal(err)
		}
		if g, w := strings.TrimPrefix(string(got), "before"), want.String(); g != w {
			i := 0
			for i < min(len(g), len(w)) && g[i] == w[i] {
				i++
			}
			t.Errorf("%s: from byte %d on the program writes\n%q\nand the template\n%q", name, i, g[max(0, i-60):min(len(g), i+60)], w[max(0, i-60):min(len(w), i+60)])
		}
	}
}

func TestNestPutsHeadingsBelowEachOther(t *testing.T) {
	t.Parallel()
	for levels, want := range map[string]string{
		"":          "<ul>\n</ul>",
		"1":         "<ul>\n1</li>\n</ul>",
		"1 1":       "<ul>\n1</li>\n1</li>\n</ul>",
		"1 2 2 1":   "<ul>\n1\n<ul>\n2</li>\n2</li>\n</ul></li>\n1</li>\n</ul>",
		"1 3 2 1":   "<ul>\n1\n<ul>\n3</li>\n2</li>\n</ul></li>\n1</li>\n</ul>",
		"3 1 2 3":   "<ul>\n3</li>\n1\n<ul>\n2\n<ul>\n3</li>\n</ul></li>\n</ul></li>\n</ul>",
		"1 2 3 1 2": "<ul>\n1\n<ul>\n2\n<ul>\n3</li>\n</ul></li>\n</ul></li>\n1\n<ul>\n2</li>\n</ul></li>\n</ul>",
	} {
		var heads []Heading
		for l := range strings.FieldsSeq(levels) {
			heads = append(heads, Heading{Level: int(l[0] - '0')})
		}
		Nest(heads)
		got := "<ul>"
		for _, h := range heads {
			if h.Deeper {
				got += "\n<ul>"
			}
			got += "\n" + string(rune('0'+h.Level)) + string(h.Close())
		}
		if got += "\n</ul>"; got != want {
			t.Errorf("%s: %q, want %q", levels, got, want)
		}
	}
}

// A folder that replaces a template, or a part of one, is listened to.
func TestReplacedTemplatesMakePages(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"templates/page.html": "{{.Title}} of mine", "page.html": "of mine",
		"templates/parts.html": `{{define "tail"}}of mine{{end}}`, "parts.html": `{{define "crumbs"}}of mine{{end}}`,
	} {
		th, err := Load(fstest.MapFS{name: {Data: []byte(content)}}, &english, false)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := th.AppendPage(nil, fullPage(&english)); err != nil || !strings.Contains(string(got), "of mine") {
			t.Errorf("%s: the page does not have what it says: %v\n%s", name, err, got)
		}
	}
	th, err := Load(fstest.MapFS{"custom.css": {Data: []byte("b{}")}}, &english, false)
	if err != nil || !th.own {
		t.Errorf("a style sheet alone makes the templates run: %v", err)
	}
}

// What theme says about escaping is what html/template does.
func FuzzEscapesLikeTemplates(f *testing.F) {
	tpl := template.Must(template.New("").Parse(`<a href="{{.H}}">{{.T}}</a>`))
	for _, v := range [][2]string{
		{"../a%20b.html#c", "a < b & c > d"}, {"a.html", `"quoted" it's + more`}, {"#x", "null \x00 ünïcode"}, {"~!$()*,=@.html", "</a><script>"},
		{"javascript:x", "x"}, {"HtTp://a'b", "\xff"}, {"a/b:c", ""}, {":", ""}, {"%4", ""}, {"%zz%4F", ""}, {"mailto:a+b@c", ""}, {"ſ:a", ""}, {"httpſ:a", ""},
	} {
		f.Add(v[0], v[1])
	}
	f.Fuzz(func(t *testing.T, href, text string) {
		var b strings.Builder
		if err := tpl.Execute(&b, struct{ H, T string }{href, text}); err != nil {
			t.Fatal(err)
		}
		if got := string(appendAnchor(nil, href, text)); got != b.String() {
			t.Errorf("appendAnchor(%q, %q) = %s, want %s", href, text, got, b.String())
		}
	})
}
