package markdown

import (
	"bytes"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/loopwiki/wiki/schema"
)

// linked begins the URLs of links within the wiki, so that one without a
// destination is not a broken link.
const linked = "./linked/"

// ours is our HTML, normalised.
func ours(t testing.TB, src string) string {
	t.Helper()
	p := &schema.Page{Path: "a.md", Source: []byte(src), Lines: schema.NewLineIndex([]byte(src))}
	Parse(p, schema.Limits{})
	out := Render(p, Options{Href: func(l *schema.Link, _ *schema.Resolution) string { return linked + l.Raw }})
	return normalised(t, out.HTML)
}

var reference = goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote))

// theirs is the HTML of goldmark with the extensions whose syntax we read,
// normalised. Raw HTML is cleaned as ours is: what is compared is where it
// begins and ends.
func theirs(t testing.TB, src string) string {
	t.Helper()
	b := bytes.ReplaceAll([]byte(src), []byte("\r\n"), []byte("\n")) // goldmark keeps the \r in code
	root := reference.Parser().Parse(text.NewReader(b))
	sanitise(&renderer{places: &places{}, state: &state{src: b}, p: &schema.Page{}}, root)
	var out bytes.Buffer
	if err := reference.Renderer().Render(&out, b, root); err != nil {
		t.Fatal(err)
	}
	return normalised(t, out.Bytes())
}

// sanitise puts what we make of raw HTML in its place below n, and closes what
// is left open there.
func sanitise(r *renderer, n ast.Node) {
	outer := r.base
	r.base = len(r.open)
	if n.Kind() == ast.KindLink {
		r.inLink++
		defer func() { r.inLink-- }()
	}
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		switch raw := c.(type) {
		case *ast.RawHTML:
			whole := &renderer{places: &places{}, state: &state{src: raw.Segments.Value(r.src)}, p: r.p, open: r.open, base: r.base, inLink: r.inLink}
			if !bytes.HasPrefix(whole.src, []byte("<!--")) && !within(n, ast.KindImage) {
				whole.tag(0, whole.src)
			}
			r.open = whole.open
			n.ReplaceChild(n, c, written(whole.out))
		case *ast.HTMLBlock:
			r.html(raw)
			n.ReplaceChild(n, c, written(r.out))
		default:
			sanitise(r, c)
		}
		r.out = nil
		c = next
	}
	r.closeTags(r.base)
	if len(r.out) > 0 {
		n.AppendChild(n, written(r.out))
	}
	r.out, r.base = nil, outer
}

func within(n ast.Node, kind ast.NodeKind) bool {
	for ; n != nil; n = n.Parent() {
		if n.Kind() == kind {
			return true
		}
	}
	return false
}

func written(b []byte) ast.Node {
	n := ast.NewString(b)
	n.SetCode(true)
	return n
}

// normalised writes an HTML tree so that two pages that differ in nothing but
// what ours has by design are equal. What is by design:
//
//   - identifiers, classes, roles, labels, and the hints to a browser that
//     loads: dropped;
//   - the wrapper of a table and how a column is aligned; the anchor of a
//     heading; the section and the links back of footnotes: unwrapped, dropped;
//   - a link whose address is not allowed is marked as broken, and so is its
//     counterpart; an image is its text then;
//   - a link without a text shows its address;
//   - destinations are decoded, and encoded again by anyone who resolves them;
//   - a citation in parentheses and a diagram are marked: unwrapped, made code;
//   - the case of a language, and what stands behind it;
//   - white space next to a block.
func normalised(t testing.TB, b []byte) string {
	t.Helper()
	body := &html.Node{Type: html.ElementNode, Data: "body", DataAtom: atom.Body}
	nodes, err := html.ParseFragment(bytes.NewReader(b), body)
	if err != nil {
		t.Fatal(err)
	}
	w := &normalWriter{}
	for _, n := range nodes {
		w.node(n)
	}
	w.breakLine()
	return w.out.String()
}

type normalWriter struct {
	out   strings.Builder
	line  strings.Builder // running text not yet written
	depth int
	pre   int
}

var inlineElements = map[string]bool{
	"a": true, "abbr": true, "b": true, "code": true, "del": true, "em": true, "i": true, "img": true, "input": true, "ins": true,
	"kbd": true, "mark": true, "q": true, "s": true, "samp": true, "small": true, "span": true, "strong": true, "sub": true,
	"sup": true, "var": true,
}

// breakLine writes the running text gathered so far.
func (w *normalWriter) breakLine() {
	if s := strings.Join(strings.Fields(w.line.String()), " "); s != "" {
		w.out.WriteString(strings.Repeat(" ", w.depth) + s + "\n")
	}
	w.line.Reset()
}

func (w *normalWriter) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c)
	}
}

func (w *normalWriter) node(n *html.Node) {
	switch {
	case n.Type == html.TextNode && w.pre > 0:
		// Shown with its line ends, on one line.
		w.line.WriteString(strings.NewReplacer("\n", "⏎", " ", "␣", "\t", "⇥").Replace(n.Data))
	case n.Type == html.TextNode:
		w.line.WriteString(strings.ReplaceAll(n.Data, "\u00a0", "⍽"))
	case n.Type == html.ElementNode:
		w.element(n)
	}
}

func (w *normalWriter) element(n *html.Node) {
	name, role := n.Data, attribute(n, "role")
	switch {
	case attribute(n, "class") == "anchor", name == "hr" && attribute(n.Parent, "role") == "doc-endnotes":
		return
	case role == "doc-backlink":
		line := strings.TrimRight(w.line.String(), "⍽ ")
		w.line.Reset()
		w.line.WriteString(line)
		return
	case role == "region", role == "doc-endnotes", name == "cite":
		w.children(n)
		return
	}
	attrs := w.attributes(n)
	if inlineElements[name] {
		w.inline(n, name, attrs)
		return
	}
	w.breakLine()
	w.out.WriteString(strings.Repeat(" ", w.depth) + "<" + name + attrs + ">\n")
	w.depth++
	if name == "pre" {
		w.pre++
	}
	diagram := name == "pre" && attribute(n, "class") == "mermaid"
	if diagram {
		w.line.WriteString("<code language-mermaid>")
	}
	w.children(n)
	if diagram {
		w.line.WriteString("</code>")
	}
	w.breakLine()
	w.depth--
	if name == "pre" {
		w.pre--
	}
}

func (w *normalWriter) inline(n *html.Node, name, attrs string) {
	href := address(attribute(n, "href"))
	switch {
	case name == "img" && !safeURL(address(attribute(n, "src")), true):
		w.line.WriteString("<broken>" + alternative(attribute(n, "alt")) + "</broken>")
		return
	case name == "span" && attribute(n, "class") == "broken", name == "a" && !safeURL(href, false):
		name, attrs = "broken", ""
	}
	w.line.WriteString("<" + name + attrs + ">")
	w.children(n)
	if n.Data == "a" && n.FirstChild == nil {
		w.line.WriteString(href)
	}
	w.line.WriteString("</" + name + ">")
}

// imageWidth is the size of an image, which we take off its text.
var imageWidth = regexp.MustCompile(`\|\d+(x\d+)?$`)

// alternative is the text of an image. goldmark writes a hard line break in it
// as a tag.
func alternative(alt string) string {
	alt = imageWidth.ReplaceAllString(strings.ReplaceAll(alt, "<br>", " "), "")
	return strings.Join(strings.Fields(alt), " ")
}

// attributes returns those that count, in order.
func (w *normalWriter) attributes(n *html.Node) string {
	var out []string
	for _, a := range n.Attr {
		switch {
		case a.Key == "href" || a.Key == "src":
			out = append(out, a.Key+"="+address(a.Val))
		case a.Key == "class" && strings.HasPrefix(a.Val, "language-") && n.Data == "code":
			out = append(out, strings.ToLower(strings.Fields(a.Val)[0]))
		case a.Key == "class" && (n.Data == "td" || n.Data == "th"), a.Key == "align" && (n.Data == "td" || n.Data == "th"):
			out = append(out, a.Val)
		case a.Key == "style" && strings.HasPrefix(a.Val, "text-align:"):
			out = append(out, strings.TrimPrefix(a.Val, "text-align:"))
		case a.Key == "alt":
			out = append(out, "alt="+alternative(a.Val))
		case a.Key == "title" && a.Val == "":
		case slices.Contains([]string{"title", "start", "checked"}, a.Key):
			out = append(out, a.Key+"="+a.Val)
		}
	}
	slices.Sort(out)
	return strings.TrimRight(" "+strings.Join(out, " "), " ")
}

// address is a URL without escapes, or without what marks it as a link of ours.
func address(u string) string {
	u = strings.TrimPrefix(u, linked)
	if plain, err := url.PathUnescape(u); err == nil {
		return plain
	}
	return u
}

func attribute(n *html.Node, key string) string {
	if n == nil {
		return ""
	}
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
