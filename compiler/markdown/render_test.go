package markdown

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

var update = flag.Bool("update", false, "write the golden files")

// resolver resolves links by name: "missing" and "note" are not there, files
// are files, all else is a page.
func resolver(p *schema.Page) func(int) *schema.Resolution {
	return func(n int) *schema.Resolution {
		l := &p.Links[n]
		res := &schema.Resolution{Kind: schema.TargetPage, Path: l.Target, Anchor: Slug(l.Fragment), Fragment: l.Fragment}
		switch {
		case l.External:
			res.Kind = schema.TargetExternal
		case l.Target == "note":
			res.Wiki, res.Path = true, l.Wiki.Target+".md"
		case l.Target == "missing":
			res = &schema.Resolution{Broken: schema.BrokenMissing}
		case l.Fragment == "gone":
			res.AnchorMissing = true
		case strings.Contains(l.Target, ".") && !strings.HasSuffix(l.Target, ".md"):
			res.Kind = schema.TargetFile
		}
		return res
	}
}

func testOptions(p *schema.Page) Options {
	return Options{
		Resolve: resolver(p),
		Href: func(l *schema.Link, res *schema.Resolution) string {
			if !res.OK() {
				return ""
			}
			href := strings.TrimSuffix(res.Path, ".md")
			if res.Anchor != "" {
				href += "#" + res.Anchor
			}
			return href
		},
		Transclude: func(l *schema.Link, _ *schema.Resolution) (string, bool) {
			return "<p>page " + l.Target + "</p>", l.Target == "a"
		},
		Highlight: func(_ string, code []byte) (string, bool) {
			return "<b>" + string(appendHTML(nil, code)) + "</b>", true
		},
		ImageSize: func(string) (int, int, bool) { return 400, 100, true },
		Cite:      func(c *schema.Citation) string { return "src/" + c.Ref.Raw },
		Tag:       func(name string) string { return "tags/" + name },
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}

func TestRender(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("testdata", "page.md"))
	if err != nil {
		t.Fatal(err)
	}
	p := pageOf("dir/page.md", string(src))
	Parse(p, schema.Limits{})
	out := Render(p, testOptions(p))
	if !out.Math || !out.Mermaid {
		t.Errorf("math %v, mermaid %v, want both", out.Math, out.Mermaid)
	}
	golden(t, "page.html", string(out.HTML))
	var text strings.Builder
	for _, s := range out.Text {
		text.WriteString("## " + s.Heading + " #" + s.ID + "\n" + s.Text + "\n")
	}
	golden(t, "page.txt", text.String())
	if diff := cmp.Diff(out.Text, Text(p, schema.Limits{})); diff != "" {
		t.Errorf("Text differs from what Render returns:\n%s", diff)
	}
	opt := testOptions(p)
	opt.SkipTitle = true
	if got := string(Render(p, opt).HTML); strings.Contains(got, "<h1") || !strings.Contains(got, "<h2") {
		t.Errorf("SkipTitle renders %.100s", got)
	}
}

func TestRenderPart(t *testing.T) {
	t.Parallel()
	p := pageOf("a.md", "# A\n\none\n\n## B c!\n\ntwo [[x]]\n\n### D\n\nthree\n\n# E\n\n## D\n\nfour ^id\n\n- item ^li\n\n| t |\n|---|\n\n^tab\n")
	Parse(p, schema.Limits{})
	for _, tc := range []struct {
		anchor, want string
		not          string
	}{
		{"b-c", "three", "one"},
		{"d", "three", "four"},
		{"d-1", "four", "three"},
		{"^id", `<p id="x-^id">four `, "item"},
		{"^li", `<li id="x-^li">item `, "four"},
		{"^tab", "<table>", "item"},
		{"nope", "", "four"},
		{"", "", "four"},
	} {
		opt := testOptions(p)
		opt.IDPrefix = "x-"
		got := string(RenderPart(p, tc.anchor, opt).HTML)
		if tc.want == "" && got != "" || !strings.Contains(got, tc.want) || strings.Contains(got, tc.not) {
			t.Errorf("part %q is %q", tc.anchor, got)
		}
	}
}

// TestLinksAreFound checks that every link node finds the link that Parse
// wrote down for it, over all pages of the corpora.
func TestLinksAreFound(t *testing.T) {
	for i, p := range readPages(t, corpus(t)) {
		if testing.Short() && i%10 > 0 {
			continue
		}
		Parse(p, schema.Limits{})
		asked := map[int]bool{}
		Render(p, Options{Resolve: func(n int) *schema.Resolution { asked[n] = true; return nil }})
		starts := map[int]bool{}
		for i, l := range p.Links {
			if starts[l.Span.Start] {
				t.Errorf("%s: two links begin at %d", p.Path, l.Span.Start)
			}
			starts[l.Span.Start] = true
			if l.Syntax != schema.SyntaxHTML && !asked[i] && !inNote(p, l) {
				t.Errorf("%s: %s was not rendered", p.Path, l.Span.In(p.Source))
			}
		}
	}
}

// inNote reports whether a link is in a footnote, which is rendered only
// where it is referred to, or in a link's label.
func inNote(p *schema.Page, l schema.Link) bool {
	for _, n := range p.Footnotes {
		if n.Definition && l.Span.Start > n.Span.Start {
			return true
		}
	}
	return false
}

var ourAttrs = map[string]bool{
	"class": true, "href": true, "src": true, "id": true, "title": true, "alt": true, "width": true, "height": true, "rel": true,
	"loading": true, "aria-label": true, "aria-invalid": true, "role": true, "tabindex": true, "data-callout": true, "data-task": true,
	"data-source": true, "open": true, "start": true, "scope": true, "type": true, "disabled": true, "checked": true, "controls": true,
}

var ourTags = map[string]bool{"section": true, "cite": true, "audio": true, "video": true, "input": true, "html": true, "head": true, "body": true}

func FuzzRender(f *testing.F) {
	for _, h := range hostile {
		f.Add(h.page(60))
	}
	src, _ := os.ReadFile(filepath.Join("testdata", "page.md"))
	for _, s := range schematest.Vary(400, string(src),
		"<a href='java\tscript:x'>", "[a](java&#115;cript:x)", "<img src=x onerror=y>", "![x](data:image/svg+xml;base64,x)", "<svg><p><style><b title='</style><img onerror=x>'>",
		"```\"><script>\nx\n```", "> [!\"><script>] x", "[a](\"onclick=x)", "<table><tr><td></table></td></div>", "<a\nhref=vbscript:x>", "^[\"><b>.md]", "# <b>\n\n</h1>x",
	) {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		p := pageOf("a.md", src)
		Parse(p, schema.Limits{})
		for _, opt := range []Options{{}, testOptions(p)} {
			out := Render(p, opt).HTML
			root, err := html.Parse(strings.NewReader("<main>" + string(out) + "</main>"))
			if err != nil {
				t.Fatal(err)
			}
			for n := range root.Descendants() {
				if n.Type == html.ElementNode {
					checkElement(t, n)
				}
			}
		}
	})
}

func checkElement(t *testing.T, n *html.Node) {
	t.Helper()
	name := strings.ToLower(n.Data)
	if name != "main" && !allowedTag(name) && !ourTags[name] {
		t.Fatalf("element <%s>", n.Data)
	}
	for _, a := range n.Attr {
		key := strings.ToLower(a.Key)
		if !ourAttrs[key] && !allowedAttr(name, key) {
			t.Fatalf("attribute %s of <%s>", a.Key, n.Data)
		}
		if (key == "href" || key == "src") && !safeURL(a.Val, key == "src") {
			t.Fatalf("<%s %s=%q>", n.Data, a.Key, a.Val)
		}
	}
}
