package markdown

import (
	"bytes"
	"html"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/loopwiki/wiki/schema"
)

// reader walks a tree once and writes down what it says.
type reader struct {
	*state
	p       *schema.Page
	anchors ids
	block   schema.Span   // the leaf block being read
	masks   []schema.Span // of it, what is not a running text
	coded   int           // the next citation of it that may be one between backticks
	inLink  int
	dropped map[string]bool // names of elements already reported
	rawHead int             // where the text of a heading of raw HTML begins, 0 outside one
	buf     []byte
}

func (r *reader) page(root *ast.Document) {
	r.anchors = ids{}
	r.children(root)
	for _, d := range r.defOrder {
		r.p.Definitions = append(r.p.Definitions, d.Definition)
	}
}

func (r *reader) children(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		r.node(c)
	}
}

func (r *reader) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		r.leaf(n)
		r.heading(n)
	case *ast.Paragraph, *ast.TextBlock:
		r.leaf(n)
	case *ast.FencedCodeBlock, *ast.CodeBlock:
		r.code(n)
	case *ast.HTMLBlock:
		r.html(n)
	case *block:
		r.ours(n)
	default:
		r.children(n)
	}
}

func (r *reader) ours(n *block) {
	switch n.form {
	case blockComment:
		r.p.Comments = append(r.p.Comments, n.span)
	case blockMath:
		r.p.Math = append(r.p.Math, schema.Math{Span: n.span, Display: true})
	case blockNote:
		r.p.Footnotes = append(r.p.Footnotes, schema.Footnote{ID: string(n.inner.In(r.src)), Span: n.span, Definition: true})
		r.children(n)
	case blockCallout:
		r.leaf(n)
		n.callout.Title = r.plain(n)
		quote := n.Parent()
		n.callout.Span = schema.Span{Start: quote.Pos(), End: r.end(quote)}
		r.p.Callouts = append(r.p.Callouts, *n.callout)
	case blockTable:
		r.table(n)
	case blockCell:
		r.leaf(n)
	}
}

// plain returns what a reader sees of a leaf block.
func (r *reader) plain(n ast.Node) string {
	r.buf = plainText(r.buf[:0], r.src, n)
	return string(bytes.TrimSpace(bytes.ToValidUTF8(r.buf, []byte("\uFFFD"))))
}

func (r *reader) heading(n *ast.Heading) {
	h := schema.Heading{Level: n.Level, Text: r.plain(n)}
	h.ID = r.anchors.of(r.slugText(n, h.Text))
	h.Span = r.headingSpan(n)
	r.p.Headings = append(r.p.Headings, h)
	if n.Level == 1 && r.p.H1.Len() == 0 && n.Lines().Len() > 0 {
		r.p.H1 = r.block
	}
}

// headingSpan is the heading with its hashes or its underline. The position
// that goldmark keeps is not used where there is text, for behind a tab it is
// some bytes too far.
func (r *reader) headingSpan(n *ast.Heading) schema.Span {
	k := n.Lines().Len()
	if k == 0 {
		start := min(n.Pos(), len(r.src)-1)
		for start > 0 && r.src[start] != '#' {
			start--
		}
		return trimSpan(r.src, schema.Span{Start: r.hashes(start + 1), End: r.lineEnd(start)})
	}
	first := trimSpan(r.src, schema.Span{Start: n.Lines().At(0).Start, End: n.Lines().At(0).Stop})
	span := schema.Span{Start: first.Start, End: r.lineEnd(n.Lines().At(k - 1).Stop)}
	before := first.Start
	for before > 0 && (r.src[before-1] == ' ' || r.src[before-1] == '\t') {
		before--
	}
	if start := r.hashes(before); start < before {
		span.Start = start
	} else if span.End < len(r.src) {
		span.End = r.lineEnd(span.End + 1) // the underline
	}
	return trimSpan(r.src, span)
}

// hashes is where the hashes that end at an offset begin.
func (r *reader) hashes(end int) int {
	for end > 0 && r.src[end-1] == '#' {
		end--
	}
	return end
}

// lineEnd is the offset of the line feed at or after pos, or the end of the page.
func (r *reader) lineEnd(pos int) int {
	pos = min(pos, len(r.src))
	if i := bytes.IndexByte(r.src[pos:], '\n'); i >= 0 {
		return pos + i
	}
	return len(r.src)
}

func (r *reader) table(n *block) {
	t := schema.Table{Span: n.span}
	for row := n.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []schema.Cell
		for c := row.FirstChild(); c != nil; c = c.NextSibling() {
			r.node(c)
			cells = append(cells, schema.Cell{Span: c.(*block).span, Text: r.plain(c)})
		}
		if row.(*block).head {
			t.Head = cells
		} else {
			t.Rows = append(t.Rows, cells)
		}
	}
	r.p.Tables = append(r.p.Tables, t)
}

func (r *reader) code(n ast.Node) {
	f := schema.Fence{}
	lines := n.Lines()
	if k := lines.Len(); k > 0 {
		f.Content = schema.Span{Start: lines.At(0).Start, End: lines.At(k - 1).Stop}
	}
	f.Span = schema.Span{Start: f.Content.Start, End: r.end(n)}
	if fenced, ok := n.(*ast.FencedCodeBlock); ok {
		f.Span.Start = n.Pos()
		if lines.Len() == 0 {
			at := min(r.lineEnd(n.Pos())+1, len(r.src))
			f.Content = schema.Span{Start: at, End: at}
		}
		f.Language = language(fenced, r.src)
		_, closed := r.closed[n]
		f.Unclosed = !closed && len(bytes.TrimSpace(r.src[f.Span.End:])) == 0
	}
	r.p.Fences = append(r.p.Fences, f)
	if f.Language == "math" {
		r.p.Math = append(r.p.Math, schema.Math{Span: f.Span, Display: true})
	}
}

// language is the first word of the info string, in lower case.
func language(n *ast.FencedCodeBlock, src []byte) string {
	if n.Info == nil {
		return ""
	}
	fields := bytes.FieldsFunc(n.Info.Segment.Value(src), func(c rune) bool {
		return c == ' ' || c == '\t' || c == '{' || c == '}' || c == ','
	})
	if len(fields) == 0 {
		return ""
	}
	return strings.ToLower(strings.TrimPrefix(string(unescape(nil, fields[0])), "."))
}

// html notes the links, comments and dropped tags of an HTML block.
func (r *reader) html(n *ast.HTMLBlock) {
	r.block = schema.Span{Start: n.Pos(), End: r.end(n)}
	script := ""
	htmlParts(r.src, n, func(part htmlPart) {
		switch {
		case part.what == formComment:
			r.p.Comments = append(r.p.Comments, part.span)
		case part.what == formHTML && r.outOfScript(&script, part.span):
			r.tag(part.span, nil)
		}
	})
}

// outOfScript reports whether a tag is one, and not text in an element of script or style; open is
// the element that it is in.
func (r *reader) outOfScript(open *string, tag schema.Span) bool {
	t, ok := parseTag(tag.In(r.src))
	switch {
	case *open != "":
		if ok && t.closing && t.name == *open {
			*open = ""
		}
		return *open == ""
	case ok && !t.closing && (t.name == "script" || t.name == "style"):
		*open = t.name
	}
	return true
}

// tag notes what one raw tag links to, and whether it is dropped.
func (r *reader) tag(span schema.Span, lines *text.Segments) {
	t, ok := parseTag(folded(r.src, lines, span))
	if !ok {
		r.drop("", span, "declarations and processing instructions of HTML are shown as text: remove them")
		return
	}
	r.rawHeading(&t, span)
	if t.closing {
		return
	}
	if why := dropped(&t); why != "" {
		r.drop(t.name, span, why)
	}
	for _, name := range [...]string{"id", "name"} {
		if a := t.attr(name); a != nil && len(a.value) > 0 {
			r.p.Anchors = append(r.p.Anchors, html.UnescapeString(string(a.value)))
		}
	}
	place := func(at, n int) schema.Span {
		start := unfolded(lines, span.Start, at)
		if n == 0 {
			return schema.Span{Start: start, End: start}
		}
		return schema.Span{Start: start, End: unfolded(lines, span.Start, at+n-1) + 1}
	}
	a := t.attr("href")
	switch t.name {
	case "a", "area":
	case "img", "video", "audio", "source", "iframe", "embed":
		a = t.attr("src")
		r.candidates(&t, place)
	default:
		return
	}
	if a == nil || len(a.value) == 0 {
		return
	}
	l := schema.Link{Syntax: schema.SyntaxHTML, Embed: t.name != "a" && t.name != "area", Span: span, Block: r.block}
	l.Dest = place(a.at, len(a.value))
	setTarget(&l, html.UnescapeString(string(a.value)))
	if alt := t.attr("alt"); alt != nil {
		l.Label = html.UnescapeString(string(alt.value))
		l.LabelAt = place(alt.at, len(alt.value))
	}
	r.p.Links = append(r.p.Links, l)
}

// candidates notes the images of a srcset: addresses, each with a size behind it,
// and a comma between two.
func (r *reader) candidates(t *tag, place func(at, n int) schema.Span) {
	a := t.attr("srcset")
	if a == nil {
		return
	}
	for at := 0; at < len(a.value); {
		for at < len(a.value) && (isSpace(a.value[at]) || a.value[at] == ',') {
			at++
		}
		end := at
		for end < len(a.value) && !isSpace(a.value[end]) {
			end++
		}
		address := bytes.TrimRight(a.value[at:end], ",")
		if len(address) > 0 {
			l := schema.Link{Syntax: schema.SyntaxHTML, Embed: true, Dest: place(a.at+at, len(address)), Block: r.block}
			l.Span = l.Dest
			setTarget(&l, html.UnescapeString(string(address)))
			r.p.Links = append(r.p.Links, l)
		}
		if at += len(address); at == end { // a size, or none
			if i := bytes.IndexByte(a.value[at:], ','); i >= 0 {
				at += i
			} else {
				at = len(a.value)
			}
		}
	}
}

// drop reports an element that is not rendered as written, once per name: a
// page that draws or plays something does so with hundreds of tags.
func (r *reader) drop(name string, span schema.Span, why string) {
	if r.dropped == nil {
		r.dropped = map[string]bool{}
	}
	if !allowedTag(name) {
		if r.dropped[name] {
			return
		}
		r.dropped[name] = true
	}
	r.fault(schema.FaultHTMLDropped, span, why)
}

// end is where a block ends, its closing fence included.
func (r *reader) end(n ast.Node) int {
	for {
		switch v := n.(type) {
		case *block:
			if v.form != blockNote || v.LastChild() == nil {
				return v.span.End
			}
		case *ast.FencedCodeBlock:
			if at, ok := r.closed[n]; ok {
				return at
			}
			if v.Lines().Len() == 0 {
				return r.lineEnd(n.Pos())
			}
		case *ast.HTMLBlock:
			if v.HasClosure() {
				return trimSpan(r.src, schema.Span{Start: v.ClosureLine.Start, End: v.ClosureLine.Stop}).End
			}
		case *ast.Heading:
			return r.headingSpan(v).End
		}
		if n.Type() == ast.TypeBlock && n.Lines().Len() > 0 {
			seg := n.Lines().At(n.Lines().Len() - 1)
			return trimSpan(r.src, schema.Span{Start: seg.Start, End: seg.Stop}).End
		}
		last := n.LastChild()
		if last == nil || last.Type() == ast.TypeInline {
			return trimSpan(r.src, schema.Span{Start: n.Pos(), End: r.lineEnd(n.Pos())}).End
		}
		n = last
	}
}
