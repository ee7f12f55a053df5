package markdown

import (
	"slices"
	"strconv"
	"sync"

	"github.com/yuin/goldmark/ast"

	"github.com/loopwiki/wiki/schema"
)

// Options say how the parts of a page that depend on the rest of the wiki
// become HTML. Every function may be nil.
type Options struct {
	Limits schema.Limits // those the page was parsed with
	// Resolve returns what the n-th link of the page resolves to, or nil.
	Resolve func(n int) *schema.Resolution
	// Href returns the URL of a link, or "" for a link that is broken.
	Href func(l *schema.Link, res *schema.Resolution) string
	// Transclude returns the HTML of an embedded page.
	Transclude func(l *schema.Link, res *schema.Resolution) (html string, ok bool)
	// Highlight returns code as HTML, without the surrounding pre.
	Highlight func(language string, code []byte) (html string, ok bool)
	// Math returns the formula at an offset as HTML, or why its source is shown instead.
	// Without it the source is shown.
	Math func(at int, tex string, display bool) (html, problem string)
	// ImageSize returns the size of a file in pixels.
	ImageSize func(path string) (width, height int, ok bool)
	// LinkText returns the text of a wikilink that has none and is written as a path or
	// slug, or "" for what is written.
	LinkText func(res *schema.Resolution) string
	// Cite returns the URL of a cited source, or "".
	Cite func(c *schema.Citation) string
	// Tag returns the URL of the page about a tag, or "".
	Tag func(name string) string
	// Stale returns why the text at a place is outdated, or "". It is called for code
	// spans, links and citations.
	Stale func(at schema.Span) string
	// Marks are places of running text and code that link to what is said about them, in
	// order.
	Marks []Mark
	// IDPrefix is put before every id of the page.
	IDPrefix string
	// SkipTitle leaves the first level-1 heading out.
	SkipTitle bool
	// RawAsText shows the tags of raw HTML as text.
	RawAsText bool
	// Buffer is written over with the HTML, as far as it has room; it may be nil.
	Buffer []byte
}

// Mark is a place in the text of a page that something is said about elsewhere.
type Mark struct {
	Span             schema.Span
	Class, Href, Why string
}

// Output is a rendered page.
type Output struct {
	HTML    []byte
	Text    []Section
	Math    bool
	Mermaid bool
	// Raw is set if the page has raw HTML that browsers may rearrange: parsing the
	// output then gives another tree.
	Raw bool
}

// Render parses a page that Parse has filled in again, and renders it.
func Render(p *schema.Page, opt Options) *Output {
	root, s := parseTree(p, opt.Limits.OrDefault())
	if root == nil {
		return renderPlain(p, opt)
	}
	r := newRenderer(p, s, opt, root)
	defer r.release()
	r.children(root)
	return r.finish(sections(p, s, r.headings, root.FirstChild(), nil))
}

// RenderPart renders what an embed of a part shows: the section under the
// heading, or the block, that has this anchor. An unknown anchor renders
// nothing.
func RenderPart(p *schema.Page, anchor string, opt Options) *Output {
	root, s := parseTree(p, opt.Limits.OrDefault())
	if root == nil {
		return &Output{}
	}
	r := newRenderer(p, s, opt, root)
	defer r.release()
	first, end := r.part(root, anchor)
	if item, ok := first.(*ast.ListItem); ok {
		r.loneItem(item)
	} else {
		for n := first; n != nil && n != end; n = n.NextSibling() {
			r.node(n)
		}
	}
	return r.finish(sections(p, s, r.headings, first, end))
}

// renderer writes one page as HTML.
type renderer struct {
	*state
	p   *schema.Page
	opt Options
	out []byte
	buf []byte

	*places
	named   map[ast.Node]string // block ids
	alone   map[ast.Node]bool   // paragraphs that only name the block before
	defined map[string]*block   // footnotes
	numbers map[string]int      // of the footnotes referred to so far
	uses    map[string]int      // references to a footnote so far
	order   []string            // footnotes in order of their numbers
	inplace map[string]*inline  // notes in their place, by the key in order
	cites   []schema.Citation   // in parentheses
	open    []string            // raw elements that are open
	tags    int                 // raw elements so far
	base    int                 // those below belong to an outer block
	inLink  int                 //
	inCell  int                 //
	skipped bool                // the title was left out
	math    bool
	mermaid bool
	raw     bool
}

// places find the links and headings of a page, by number, from where they begin.
type places struct{ links, headings map[int]int }

// idle are places to be used again.
var idle = sync.Pool{New: func() any { return &places{map[int]int{}, map[int]int{}} }}

func (p *places) release() {
	clear(p.links)
	clear(p.headings)
	idle.Put(p)
}

// headingAt returns the id of the heading that begins at an offset.
func (r *renderer) headingAt(start int) string {
	if i, ok := r.headings[start]; ok {
		return r.p.Headings[i].ID
	}
	return ""
}

func newRenderer(p *schema.Page, s *state, opt Options, root ast.Node) *renderer {
	r := &renderer{state: s, p: p, opt: opt, out: slices.Grow(opt.Buffer[:0], len(p.Source)*2), places: idle.Get().(*places)}
	for i := range p.Links {
		if p.Links[i].Field == "" {
			r.links[p.Links[i].Span.Start] = i
		}
	}
	for i := range p.Headings {
		r.headings[p.Headings[i].Span.Start] = i
	}
	for _, c := range p.Citations {
		if !c.Caret && !c.Code {
			r.cites = append(r.cites, c)
		}
	}
	r.survey(root, len(p.Blocks) > 0)
	return r
}

// survey finds referenced content before rendering: footnotes, and blocks with a ^name.
func (r *renderer) survey(n ast.Node, names bool) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *block:
			if c.form == blockNote {
				if r.defined == nil {
					r.defined = map[string]*block{}
				}
				if id := string(c.inner.In(r.src)); r.defined[id] == nil {
					r.defined[id] = c
				}
			}
		case *inline:
			if c.form == formBlockID && names {
				r.name(c)
			}
		}
		if c.Type() == ast.TypeBlock || names {
			r.survey(c, names)
		}
	}
}

func (r *renderer) name(n *inline) {
	if r.named == nil {
		r.named, r.alone = map[ast.Node]string{}, map[ast.Node]bool{}
	}
	leaf := n.Parent()
	target := namedNode(leaf, n)
	if target == leaf.PreviousSibling() && target != nil {
		r.alone[leaf] = true
	}
	if _, taken := r.named[target]; !taken {
		r.named[target] = string(n.inner.In(r.src))
	}
}

func (r *renderer) finish(text []Section) *Output {
	r.footnotes()
	r.closeTags(0)
	return &Output{HTML: r.out, Text: text, Math: r.math, Mermaid: r.mermaid, Raw: r.raw}
}

func (r *renderer) str(s string)    { r.out = append(r.out, s...) }
func (r *renderer) text(b []byte)   { r.out = appendHTML(r.out, b) }
func (r *renderer) textOf(s string) { r.buf = append(r.buf[:0], s...); r.text(r.buf) }

// attr writes an attribute.
func (r *renderer) attr(name, value string) {
	if name == "href" || name == "src" {
		value = schema.HostURL(value)
	}
	r.str(" ")
	r.str(name)
	r.str(`="`)
	r.textOf(value)
	r.str(`"`)
}

// id writes the id for a block's ^name.
func (r *renderer) id(n ast.Node) {
	if name, ok := r.named[n]; ok {
		r.attr("id", r.opt.IDPrefix+schema.BlockID{Name: name}.Anchor())
	}
}

func (r *renderer) children(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		r.node(c)
	}
}

// within renders the children of an element and closes the raw elements that
// were opened in it.
func (r *renderer) within(n ast.Node, render func(ast.Node)) {
	outer := r.base
	r.base = len(r.open)
	render(n)
	r.closeTags(r.base)
	r.base = outer
}

func (r *renderer) element(name, class string, n ast.Node, render func(ast.Node)) {
	r.str("<" + name)
	if class != "" {
		r.attr("class", class)
	}
	r.id(n)
	r.str(">")
	r.within(n, render)
	r.str("</" + name + ">\n")
}

func (r *renderer) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		r.heading(n)
	case *ast.Paragraph:
		r.paragraph(n)
	case *ast.TextBlock:
		r.within(n, r.inlines)
		r.str("\n")
	case *ast.ThematicBreak:
		r.str("<hr>\n")
	case *ast.Blockquote:
		r.quote(n)
	case *ast.List:
		r.list(n)
	case *ast.ListItem:
		r.item(n)
	case *ast.FencedCodeBlock:
		r.code(n, language(n, r.src))
	case *ast.CodeBlock:
		r.code(n, "")
	case *ast.HTMLBlock:
		r.html(n)
	case *block:
		r.ours(n)
	default:
		r.children(n)
	}
}

func (r *renderer) heading(n *ast.Heading) {
	at := (&reader{state: r.state}).headingSpan(n).Start
	if n.Level == 1 && r.opt.SkipTitle && !r.skipped {
		r.skipped = true
		return
	}
	id := r.opt.IDPrefix + r.headingAt(at)
	name := "h" + strconv.Itoa(n.Level)
	r.str("<" + name)
	r.attr("id", id)
	r.str(">")
	// A block id gets a separate anchor, since the heading has an id.
	if block, ok := r.named[n]; ok {
		r.str("<span")
		r.attr("id", r.opt.IDPrefix+schema.BlockID{Name: block}.Anchor())
		r.str("></span>")
	}
	r.within(n, r.inlines)
	r.str("</" + name + ">\n")
}

func (r *renderer) paragraph(n *ast.Paragraph) {
	if r.alone[n] && n.ChildCount() == 1 {
		return
	}
	if !r.embedsPage(n) {
		r.element("p", "", n, r.inlines)
		return
	}
	// A page shown in its place is made of blocks, which no paragraph holds.
	r.str("<div")
	r.attr("class", "embeds")
	r.id(n)
	r.str(">")
	r.within(n, r.inlines)
	r.str("</div>\n")
}

func (r *renderer) quote(n *ast.Blockquote) {
	title, ok := n.FirstChild().(*block)
	if !ok || title.form != blockCallout {
		r.element("blockquote", "", n, r.children)
		return
	}
	c := title.callout
	outer, head := "div", "p"
	if c.Fold != 0 {
		outer, head = "details", "summary"
	}
	r.str("<" + outer + ` class="callout"`)
	r.attr("data-callout", c.Type)
	r.id(n)
	if c.Fold == '+' {
		r.str(" open")
	}
	r.str("><" + head + ` class="callout-title">`)
	if title.inner.Len() > 0 {
		r.str(`<span class="hide">`)
		r.textOf(capitalized(c.Type) + ": ")
		r.str("</span>")
		r.within(title, r.inlines)
	} else {
		r.textOf(capitalized(c.Type))
	}
	r.str("</" + head + ">\n")
	r.within(n, func(ast.Node) {
		for c := title.NextSibling(); c != nil; c = c.NextSibling() {
			r.node(c)
		}
	})
	r.str("</" + outer + ">\n")
}

func capitalized(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}

func (r *renderer) list(n *ast.List) {
	r.items(n, n.Start, func() {
		r.id(n)
		r.str(">\n")
		r.children(n)
	})
}

// items writes the element of a list whose first item has the number start; inner
// ends the opening tag.
func (r *renderer) items(n *ast.List, start int, inner func()) {
	name := "ul"
	if n.IsOrdered() {
		name = "ol"
	}
	r.str("<" + name)
	if n.IsOrdered() && start != 1 {
		r.attr("start", strconv.Itoa(start))
	}
	inner()
	r.str("</" + name + ">\n")
}

// loneItem writes one item in a list without its siblings.
func (r *renderer) loneItem(n *ast.ListItem) {
	list, start := n.Parent().(*ast.List), 0
	for c := n.PreviousSibling(); c != nil; c = c.PreviousSibling() {
		start++
	}
	r.items(list, list.Start+start, func() {
		r.str(">\n")
		r.item(n)
	})
}

func (r *renderer) item(n *ast.ListItem) {
	r.str("<li")
	if leaf := n.FirstChild(); leaf != nil {
		if task, ok := leaf.FirstChild().(*inline); ok && task.form == formTask {
			r.attr("class", "task")
			r.attr("data-task", string(task.inner.In(r.src)))
		}
	}
	r.id(n)
	r.str(">")
	r.within(n, r.children)
	r.str("</li>\n")
}
