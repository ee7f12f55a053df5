package site

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/compiler/markdown"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
	"github.com/loopwiki/wiki/site/theme"
)

func TestSettle(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`<p>a <b>b</b></p>`:                      `<p>a <b>b</b></p>`,
		`<table><table></table></table>`:         `<table></table><table></table>`,
		`<table><p>x</p></table>`:                `<p>x</p><table></table>`,
		`</div></article></main>x`:               `x`,
		`<div><b>x`:                              `<div><b>x</b></div>`,
		`<p>a<p>b</p></p>`:                       `<p>a</p><p>b</p><p></p>`,
		`<a href="x">a<a href="y">b</a></a>`:     `<a href="x">a</a><a href="y">b</a>`,
		`<svg><g><p>x</p></g></svg>`:             `<svg><g></g></svg><p>x</p>`,
		`<p><b>x<div>y</div></b></p>`:            `<p><b>x</b></p><div><b>y</b></div><p></p>`,
		`<tr><td>x</td></tr>`:                    `x`,
		`<table><tr><td><table></table></table>`: `<table><tbody><tr><td><table></table></td></tr></tbody></table>`,
	} {
		got, ok := normalizeHTML([]byte(in))
		if !ok || string(got) != want {
			t.Errorf("settle(%s)\n got %s, %v\nwant %s", in, got, ok, want)
		}
	}
	for name, in := range map[string]string{
		"nested too deep": strings.Repeat("<div>", 600),
		"too large":       strings.Repeat("<p>x</p>", maxSettle/8+1),
		"grows":           `<p><b title="` + strings.Repeat("x", 2000) + `">` + strings.Repeat("<p>x", 400),
	} {
		if got, ok := normalizeHTML([]byte(in)); ok {
			t.Errorf("%s: settled in %d bytes", name, len(got))
		}
	}
}

func TestRawHTMLStaysInTheArticle(t *testing.T) {
	t.Parallel()
	for name, page := range map[string]string{
		"tables":      "# A\n\n<table><table><table><table></table></table></table></table>\n\nAFTER\n",
		"stray ends":  "# A\n\n</div></article></main></body></html>\n\nAFTER\n",
		"in a cell":   "# A\n\n| a |\n|---|\n| <table><tr><td></table></div> x |\n\nAFTER\n",
		"in a title":  "# A <table><tr><td></h1></main> <div>\n\nAFTER\n",
		"unclosed":    "# A\n\n<details><summary>x\n\n<div><svg><g>\n\nAFTER\n",
		"in a note":   "# A\n\nx[^1]\n\n[^1]: <table><li></ol></section> y\n\nAFTER\n",
		"in an embed": "# A\n\n<table>\n\n![[b]]\n\n</table>\n\nAFTER\n",
		"deep":        "# A\n\n" + strings.Repeat("<div>\n\n", 3000) + "AFTER\n",
		"cell class":  "# A\n\n<table><tr><td>\n\n| a |\n|---|\n| b |\n\n</td></tr></table>\n\nAFTER\n",
	} {
		dir := compilertest.Write(t, "-- a.md --\n"+page+"-- b.md --\n# B\n\n<table><table></div>\n\nIN B\n")
		file := render(t, layOut(t, compilertest.Compile(t, dir), Options{}), "a.html")
		doc, err := html.Parse(strings.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := html.Render(&out, doc); err != nil {
			t.Fatal(err)
		}
		_, article, _ := strings.Cut(out.String(), `<article class="prose">`)
		article, rest, ok := strings.Cut(article, "</article>")
		if !ok || !strings.Contains(article, "AFTER") || !strings.Contains(rest, `<footer class="foot">`) || strings.Contains(rest, "AFTER") ||
			!strings.Contains(rest, "</main>\n") || !strings.Contains(rest, ">\n</div>\n\n\n") {
			t.Errorf("%s: the text is not in its article:\n%s", name, out.String())
		}
	}
}

func TestPagesWithoutRawHTMLAreNotSettled(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]bool{
		"# A\n\n**b** `c` [d](e)\n\n| a |\n|---|\n| <br> <kbd>k</kbd> |\n": false,
		"# A\n\n<div>x</div>\n":                     true,
		"# A\n\n<img src=\"x.png\"> <sup>1</sup>\n": false,
	} {
		if got := markdownOf(page).Raw; got != want {
			t.Errorf("%q: raw %v", page, got)
		}
	}
}

func TestCodeInfoGivesOneClass(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"```a&#32;seek\nx\n```\n", "```a&#12;seek\nx\n```\n", "```a&Tab;seek&nbsp;top\nx\n```\n"} {
		if got := string(markdownOf(page).HTML); !strings.Contains(got, `class="language-a-seek`) {
			t.Errorf("%q: %s", page, got)
		}
	}
}

func TestDrawingIsNotMovedAsAWhole(t *testing.T) {
	t.Parallel()
	got := string(markdownOf("<svg transform=\"scale(9)\" class=\"top\" style=\"position:fixed\"><g transform=\"scale(2)\"></g></svg>\n").HTML)
	if want := "<p><svg><g transform=\"scale(2)\"></g></svg></p>\n"; got != want {
		t.Errorf("got %s", got)
	}
}

// markdownOf renders a page by itself.
func markdownOf(page string) *markdown.Output {
	p := &schema.Page{ID: "a", Path: "a.md", Source: []byte(page)}
	p.Lines = schema.NewLineIndex(p.Source)
	markdown.Parse(p, schema.Limits{})
	return markdown.Render(p, markdown.Options{})
}

// elements are those that may stand in an article.
var elements = func() map[string]bool {
	set := map[string]bool{}
	for _, e := range strings.Fields(`a abbr b blockquote br caption cite code col colgroup dd del details div dl dt em figcaption figure h1 h2 h3 h4 h5 h6 hr
		i img input ins kbd li mark ol p pre q s samp section small span strong sub summary sup table tbody td tfoot th thead tr ul var audio video
		svg g defs path rect circle ellipse line polyline polygon text tspan marker linearGradient radialGradient stop`) {
		set[e] = true
	}
	return set
}()

// FuzzArticle checks that the HTML of any page is read as it is written, has
// allowed elements and attributes only, and no id or class of the site's own.
func FuzzArticle(f *testing.F) {
	for _, seed := range schematest.Vary(2000,
		"<table><table></table></table>", "<p>a <b>b <div>c", "<svg><g><p>x</svg>", "| a |\n|---|\n| <table><td> |", "# <h2>a\n\n<li>b</ul>\n",
		"<a href=x>[b](c)</a>", "x[^1] <b id=search-results name=y class=seek style=x onclick=z>\n\n[^1]: <tr></p>", "**a <p> b** <details>\n\n- <td>x\n",
		"<caption><tr><colgroup><col>x", "<math><mi><plaintext>", "<select><option><svg></select>", "<!--<p>--><![CDATA[<b>]]>", "<h1><h2></h1>x", "```a&#32;b\n<p>\n```",
		"*a<b>*c</b>", "> <blockquote>\n\n</blockquote>x", "<dl><dt><dd><dl>", "<pre>\n\n<pre>", "<img src=//x><img src='/\\x' onerror=y>", "<svg/><svg><svg>a</svg>",
	) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, page string) {
		if len(page) > 1<<14 {
			return
		}
		out := markdownOf(page)
		text := out.HTML
		if out.Raw {
			settled, ok := normalizeHTML(text)
			if !ok {
				return // it is shown as text
			}
			text = settled
		}
		text, _ = finish(nil, text, theme.WordsFor("en"), nil, schema.RemoteMediaLink)
		once, err := rearrange(text, 1<<30)
		if err != nil {
			t.Skip() // nested too deep
		}
		twice, err := rearrange(once, 1<<30)
		if err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%q is read differently twice:\n%s\n%s", page, once, twice)
		}
		if a, b := tags(text), tags(once); a != b {
			t.Fatalf("%q\nis written %s\n   and read %s", page, text, once)
		}
		checkElements(t, page, text)
	})
}

// tags are the tags of a text, without attributes.
func tags(text []byte) string {
	var b strings.Builder
	z := html.NewTokenizer(bytes.NewReader(text))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return b.String()
		case html.StartTagToken, html.SelfClosingTagToken:
			name, _ := z.TagName()
			b.WriteString("<" + string(name))
		case html.EndTagToken:
			name, _ := z.TagName()
			b.WriteString("/" + string(name))
		}
	}
}

func checkElements(t *testing.T, page string, text []byte) {
	t.Helper()
	doc, err := html.Parse(bytes.NewReader(append([]byte("<!doctype html><body>"), text...)))
	if err != nil {
		t.Skip()
	}
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode || n.Data == "html" || n.Data == "head" || n.Data == "body" {
			continue
		}
		if !elements[n.Data] {
			t.Errorf("%q has the element %s", page, n.Data)
		}
		for _, a := range n.Attr {
			switch {
			case strings.HasPrefix(a.Key, "on"), a.Key == "style", a.Key == "name", a.Key == "id" && strings.HasPrefix(a.Val, "wiki."),
				a.Key == "class" && strings.ContainsAny(a.Val, "\t\n\f\r") || a.Key == "class" && strings.HasPrefix(a.Val, "language-") && strings.Contains(a.Val, " "):
				t.Errorf("%q has %s=%q", page, a.Key, a.Val)
			}
		}
	}
}
