package markdown

import (
	"bytes"
	"html"
	"slices"
	"sort"

	"github.com/yuin/goldmark/ast"

	"github.com/loopwiki/wiki/schema"
)

func (r *renderer) inlines(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Text:
			r.running(c)
		case *inline:
			r.inline(c)
		}
	}
}

// running writes text, with the citations in parentheses that are in it.
func (r *renderer) running(t *ast.Text) {
	from, end := t.Segment.Start, t.Segment.Stop
	i := sort.Search(len(r.cites), func(i int) bool { return r.cites[i].Span.Start >= from })
	for ; i < len(r.cites) && r.cites[i].Span.End <= end; i++ {
		c := &r.cites[i]
		r.marked(schema.Span{Start: from, End: c.Span.Start})
		r.citation(c)
		from = c.Span.End
	}
	r.marked(schema.Span{Start: from, End: end})
	switch {
	case t.HardLineBreak():
		r.str("<br>\n")
	case t.SoftLineBreak():
		r.str("\n")
	}
}

// marked writes plain text, with the marks in it.
func (r *renderer) marked(span schema.Span) {
	for i := range r.opt.Marks {
		m := &r.opt.Marks[i]
		from, end := max(span.Start, m.Span.Start), min(span.End, m.Span.End)
		if from >= end || r.inLink > 0 || r.drawing() {
			continue
		}
		r.plain(schema.Span{Start: span.Start, End: from})
		closing := r.openMark(m)
		r.plain(schema.Span{Start: from, End: end})
		r.str(closing)
		span.Start = end
	}
	r.plain(span)
}

// openMark opens the link of a mark and returns its closing tag.
func (r *renderer) openMark(m *Mark) (close string) {
	r.str("<a")
	r.attr("class", m.Class)
	r.attr("href", m.Href)
	r.attr("title", m.Why)
	r.str(">")
	return "</a>"
}

// markAt opens the mark at a piece of code, and returns its closing tag.
func (r *renderer) markAt(at schema.Span) (close string) {
	i := slices.IndexFunc(r.opt.Marks, func(m Mark) bool { return m.Span.Overlaps(at) })
	if i < 0 || r.inLink > 0 || r.drawing() {
		return ""
	}
	return r.openMark(&r.opt.Marks[i])
}

func (r *renderer) plain(span schema.Span) {
	b := span.In(r.src)
	if bytes.IndexByte(b, '\\') >= 0 || bytes.IndexByte(b, '&') >= 0 {
		r.buf = unescape(r.buf[:0], b)
		b = r.buf
	}
	r.text(b)
}

// stale opens an element that says why the text at a place is outdated, and returns its
// closing tag.
func (r *renderer) stale(at schema.Span) (close string) {
	if r.opt.Stale == nil || r.drawing() {
		return ""
	}
	why := r.opt.Stale(at)
	if why == "" {
		return ""
	}
	r.str(`<span class="stale"`)
	r.attr("title", why)
	r.str(">")
	return "</span>"
}

func (r *renderer) citation(c *schema.Citation) {
	closing := r.stale(c.Span)
	r.cite(c)
	r.str(closing)
}

func (r *renderer) cite(c *schema.Citation) {
	href := ""
	if r.opt.Cite != nil && r.inLink == 0 {
		href = r.opt.Cite(c)
	}
	if r.drawing() {
		r.text(c.Span.In(r.src))
		return
	}
	if href == "" || !safeURL(href, false) {
		r.str(`<cite class="citation">`)
		r.text(c.Span.In(r.src))
		r.str("</cite>")
		return
	}
	r.str(`<a class="citation"`)
	r.attr("href", href)
	r.str(">")
	r.text(c.Span.In(r.src))
	r.str("</a>")
}

var wrappers = map[form]string{
	formEmphasis: "em", formStrong: "strong", formStrike: "del", formMark: "mark",
}

// drawing reports whether a drawing is open. It shows no text in HTML elements, and some
// of them end it; a link is such an element.
func (r *renderer) drawing() bool {
	for _, name := range r.open {
		if name == "svg" {
			return true
		}
	}
	return false
}

func (r *renderer) inline(n *inline) {
	if (n.form == formTag || n.form == formCitation || n.form == formNoteRef) && r.drawing() {
		r.text(n.span.In(r.src))
		return
	}
	switch n.form {
	case formText:
		r.text(n.span.In(r.src))
	case formEmphasis, formStrong, formStrike, formMark:
		name := wrappers[n.form]
		r.str("<" + name + ">")
		r.within(n, r.inlines)
		r.str("</" + name + ">")
	case formCode:
		closing := r.stale(n.span)
		closing = r.markAt(n.span) + closing
		r.str("<code>")
		r.text(r.unpiped(codeText(n.text(r.src, n.inner))))
		r.str("</code>" + closing)
	case formMath, formDisplay:
		r.str("<span")
		r.formula(n.span.Start, r.unpiped(n.text(r.src, n.inner)), n.form == formDisplay)
		r.str("</span>")
	case formHTML:
		r.tag(n.span.Start, n.text(r.src, n.span))
	case formLink, formAutolink:
		closing := ""
		if r.inLink == 0 {
			closing = r.stale(n.span)
		}
		r.link(n)
		r.str(closing)
	case formWikilink, formImage:
		r.link(n)
	case formTag:
		r.hashtag(n)
	case formCitation:
		r.citations(n)
	case formNoteRef:
		r.noteRef(n)
	case formInlineNote:
		key := "^" + string(n.span.In(r.src))
		for r.inplace[key] != nil {
			key += "^"
		}
		r.reference(key, n)
	case formTask:
		r.str(`<input type="checkbox" disabled`)
		switch mark := string(n.inner.In(r.src)); mark {
		case "x", "X":
			r.str(" checked")
		case " ", "\t", "\n":
		default:
			r.attr("data-task", mark)
		}
		r.str("> ")
	}
}

// unpiped takes the backslash off pipes, which is in a table so that they
// do not end the cell.
func (r *renderer) unpiped(b []byte) []byte {
	if r.inCell > 0 {
		return bytes.ReplaceAll(b, []byte(`\|`), []byte("|"))
	}
	return b
}

func (r *renderer) hashtag(n *inline) {
	name, href := string(n.inner.In(r.src)), ""
	if r.opt.Tag != nil && r.inLink == 0 {
		href = r.opt.Tag(name)
	}
	element := "span"
	if href != "" && safeURL(href, false) {
		element = "a"
	}
	r.str("<" + element + ` class="tag"`)
	if element == "a" {
		r.attr("href", href)
	}
	r.str(">")
	r.text(n.span.In(r.src))
	r.str("</" + element + ">")
}

func (r *renderer) citations(n *inline) {
	r.str("<sup>")
	first := true
	citations(r.src, n.inner, true, func(c schema.Citation) {
		if !first {
			r.str(", ")
		}
		first = false
		r.citation(&c)
	})
	r.str("</sup>")
}

func (r *renderer) noteRef(n *inline) {
	id := string(n.inner.In(r.src))
	if r.defined[id] != nil && r.inLink == 0 {
		r.reference(id, nil)
		return
	}
	if r.sourceID(id) {
		r.str(`<sup class="source"`)
		r.attr("data-source", id)
		r.str(">")
		r.textOf("[" + id + "]")
		r.str("</sup>")
		return
	}
	r.text(n.span.In(r.src))
}

// htmlText writes text of raw HTML, whose character references count.
func (r *renderer) htmlText(span schema.Span) {
	r.textOf(html.UnescapeString(string(span.In(r.src))))
}

// tag writes a raw tag with its allowed attributes, or as text. A closing tag without an
// opening one in the same block is dropped: it would close elements around the page.
func (r *renderer) tag(at int, written []byte) {
	t, ok := parseTag(written)
	if !ok || r.opt.RawAsText || !allowedTag(t.name) || t.name == "a" && r.inLink > 0 || !t.closing && r.tags >= maxRawTags {
		r.text(written)
		return
	}
	if t.closing {
		for i := len(r.open) - 1; i >= r.base; i-- {
			if r.open[i] == t.name {
				r.closeTags(i)
				return
			}
		}
		return
	}
	r.tags++
	r.raw = r.raw || !plainTags[t.name]
	r.str("<" + t.name)
	for i := range t.attrs {
		r.rawAttr(&t, &t.attrs[i], at)
	}
	r.str(">")
	switch {
	case voidTags[t.name]:
	case formatTags[t.name] && r.formats() >= maxFormats:
		r.str("</" + t.name + ">")
	case t.selfClosing && allowedSVG[t.name] != "" || t.selfClosing && (t.name == "g" || t.name == "defs"):
		r.str("</" + t.name + ">")
	case len(r.open)-r.base >= maxInlineDepth:
		r.str("</" + t.name + ">")
	default:
		r.open = append(r.open, t.name)
	}
}

// formats counts the raw elements of [formatTags] that are open.
func (r *renderer) formats() (n int) {
	for _, name := range r.open {
		if formatTags[name] {
			n++
		}
	}
	return n
}

func (r *renderer) rawAttr(t *tag, a *attr, at int) {
	if !allowedAttr(t.name, a.name) || t.attr(a.name) != a {
		return
	}
	value := html.UnescapeString(string(a.value))
	switch a.name {
	case "href", "src":
		image := a.name == "src"
		if l, res := r.resolved(at); l != nil && !l.External && r.opt.Href != nil {
			if href := r.opt.Href(l, res); href != "" {
				value = href
			}
		}
		if !safeURL(value, image) {
			return
		}
	case "id", "name":
		a.name, value = "id", r.opt.IDPrefix+schema.HTMLAnchor(value)
		if first := t.attr("id"); first != a && first != nil {
			return
		}
	default:
		if _, drawing := allowedSVG[t.name]; drawing {
			id, ok := localPaint(value)
			if !ok {
				return
			}
			if id != "" {
				value = "url(#" + r.opt.IDPrefix + "user-content-" + id + ")"
			}
		}
	}
	r.attr(a.name, value)
}

// closeTags closes the raw elements opened since the stack had n.
func (r *renderer) closeTags(n int) {
	for i := len(r.open) - 1; i >= n; i-- {
		r.str("</" + r.open[i] + ">")
	}
	if n < len(r.open) {
		r.open = r.open[:n]
	}
}
