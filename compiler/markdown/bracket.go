package markdown

import (
	"bytes"
	"fmt"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/loopwiki/wiki/schema"
)

// maxLabel is the longest label of a reference (CommonMark 0.31, 4.7).
const maxLabel = 999

// openBracket reads what begins with [: a checkbox, a wikilink, a footnote
// reference, or a bracket that waits for its end.
func (s *state) openBracket(parent ast.Node, c cursor, r text.Reader) ast.Node {
	line := c.rest()
	if len(line) > 2 {
		switch {
		case line[1] != '[' && (line[2] == ']' || line[1] >= utf8.RuneSelf):
			if n := s.checkbox(parent, c, r); n != nil {
				return n
			}
		case line[1] == '[' && line[2] != '[':
			if n := s.wikilink(c, c.pos, false, r); n != nil {
				return n
			}
		case line[1] == '^':
			if n := s.noteRef(c, r); n != nil {
				return n
			}
		}
	}
	return s.pushBracket(c, formLink, 1, r)
}

func (s *state) openImage(c cursor, r text.Reader) ast.Node {
	line := c.rest()
	if len(line) < 2 || line[1] != '[' || (len(line) > 2 && line[2] == '^') {
		return nil
	}
	if len(line) > 2 && line[2] == '[' {
		if n := s.wikilink(c, c.pos+1, true, r); n != nil {
			return n
		}
	}
	return s.pushBracket(c, formImage, 2, r)
}

func (s *state) pushBracket(c cursor, what form, n int, r text.Reader) ast.Node {
	if len(s.brackets) >= maxOpenBrackets {
		s.tooComplex(schema.Span{Start: c.pos, End: c.pos + n},
			"more than 10,000 brackets of one paragraph are open: the page is read as plain text; close or escape them")
	}
	if k := len(s.brackets); k > 0 {
		s.brackets[k-1].holds = true
	}
	node := &inline{form: formText, span: schema.Span{Start: c.pos, End: c.pos + n}}
	s.brackets = append(s.brackets, bracket{node: node, form: what, bottom: s.last})
	r.Advance(n)
	return node
}

// checkbox reads [ ], [x] and the like at the head of a list item.
func (s *state) checkbox(parent ast.Node, c cursor, r text.Reader) ast.Node {
	item := parent.Parent()
	if item == nil || item.Kind() != ast.KindListItem || item.FirstChild() != parent || parent.HasChildren() {
		return nil
	}
	_, size := utf8.DecodeRune(c.rest()[1:])
	end := c.pos + 1 + size
	if end >= c.stop || s.src[end] != ']' || (end+1 < c.stop && !isSpace(s.src[end+1])) {
		return nil
	}
	if s.defs[util.ToLinkReference(s.src[c.pos+1:end])] != nil {
		return nil
	}
	from := c.pos
	c.pos = end + 1
	for c.pos < c.stop && (s.src[c.pos] == ' ' || s.src[c.pos] == '\t') {
		c.pos++
	}
	n := take(formTask, from, &c, r)
	n.span.End = end + 1
	n.inner = schema.Span{Start: from + 1, End: end}
	return n
}

// noteRef reads [^id].
func (s *state) noteRef(c cursor, r text.Reader) ast.Node {
	line := c.rest()
	end := noteLabel(line[2:])
	if end == 0 {
		return nil
	}
	id := line[2 : 2+end]
	from := c.pos
	span := schema.Span{Start: from, End: from + end + 3}
	if !s.notes[string(id)] && !s.sourceID(string(id)) {
		s.fault(schema.FaultUndefinedReference, span,
			"footnote [^"+string(id)+"] is not defined on this page: add a line [^"+string(id)+"]: …")
	}
	c.pos = span.End
	n := take(formNoteRef, from, &c, r)
	n.inner = schema.Span{Start: from + 2, End: from + 2 + end}
	return n
}

// noteLabel returns the length of a footnote's name, which ends with ].
func noteLabel(b []byte) int {
	for i, ch := range b[:min(len(b), maxLabel)] {
		switch {
		case ch == ']':
			return i
		case ch == '[' || ch <= ' ':
			return 0
		}
	}
	return 0
}

func (s *state) sourceID(id string) bool {
	for i := range s.page.Meta.Sources {
		if s.page.Meta.Sources[i].ID == id {
			return true
		}
	}
	return false
}

// openCaret reads ^[: a citation, or the beginning of a note in its place.
func (s *state) openCaret(c cursor, r text.Reader) ast.Node {
	from := c.pos
	line := c.rest()
	if end := bytes.IndexByte(line[:min(len(line), maxLabel)], ']'); end > 2 && isCitation(line[2:end]) {
		c.pos += end + 1
		n := take(formCitation, from, &c, r)
		n.inner = schema.Span{Start: from + 2, End: from + end}
		return n
	}
	return s.pushBracket(c, formInlineNote, 2, r)
}

// closeBracket ends the innermost open bracket as a link, an image or a note,
// or leaves it in the text.
func (s *state) closeBracket(parent ast.Node, c cursor, r text.Reader) ast.Node {
	k := len(s.brackets) - 1
	if k < 0 {
		return nil
	}
	b := s.brackets[k]
	s.brackets = s.brackets[:k]
	if b.inert {
		return nil
	}
	node := &inline{form: b.form, span: b.node.span, inner: schema.Span{Start: b.node.span.End, End: c.pos}}
	labelEnd := c.pos
	c.pos++
	if b.form != formInlineNote {
		l, ok := s.linkAfter(b, labelEnd, &c)
		if !ok {
			return nil
		}
		l.Span = schema.Span{Start: b.node.span.Start, End: c.pos}
		l.LabelAt = node.inner
		l.Embed = b.form == formImage
		node.link = l
	}
	node.span.End = c.pos
	s.emphasize(b.bottom)
	s.adopt(node, b.node.NextSibling(), nil)
	parent.RemoveChild(parent, b.node)
	if b.form == formLink {
		s.deactivate()
	}
	c.apply(r)
	return node
}

// deactivate makes the open brackets of links inert, for a link must not hold
// another. Those below an inert one are inert already.
func (s *state) deactivate() {
	for i := len(s.brackets) - 1; i >= 0 && !s.brackets[i].inert; i-- {
		if s.brackets[i].form == formLink {
			s.brackets[i].inert = true
		}
	}
}

// linkAfter reads what follows a label: (destination), [reference], [] or
// nothing.
func (s *state) linkAfter(b bracket, labelEnd int, c *cursor) (*link, bool) {
	after := *c
	if c.pos < c.stop && s.src[c.pos] == '(' {
		if t, ok := s.target(&after); ok {
			*c = after
			l := &link{title: t.title}
			l.Syntax, l.Dest = schema.SyntaxInline, t.dest
			if inner, ok := bytes.CutPrefix(t.dest.In(s.src), []byte("[[")); ok && bytes.HasSuffix(inner, []byte("]]")) {
				// [label]([[page]]), as in Logseq: no file is named so.
				wiki := wikilinkOf(s.src, l.Span, schema.Span{Start: t.dest.Start + 2, End: t.dest.End - 2}, false)
				wiki.title = t.title
				return wiki, true
			}
			setTarget(&l.Link, plainDest(t.dest.In(s.src)))
			return l, true
		}
		s.spaced(c.pos + 1)
	}
	label := schema.Span{Start: b.node.span.End, End: labelEnd}
	full := false
	if c.pos < c.stop && s.src[c.pos] == '[' {
		if ref, ok := s.refLabel(&after); ok {
			if ref.Len() > 0 {
				label, full = ref, true
			}
			if d := s.reference(label, b.holds && !full); d != nil {
				*c = after
				return d.link(), true
			}
			s.undefined(b, labelEnd, label, after.pos)
			if full {
				return nil, false
			}
		}
	}
	if d := s.reference(label, b.holds); d != nil {
		return d.link(), true
	}
	return nil, false
}

// spaced records (a b.md), which is not a destination because it lacks angle brackets;
// from is after the parenthesis. Whether it means a file depends on the files.
func (s *state) spaced(from int) {
	dest, _, ok := bytes.Cut(s.src[from:min(len(s.src), from+maxLabel)], []byte(")"))
	dest, _, _ = bytes.Cut(dest, []byte(` "`))
	if dest = bytes.TrimSpace(dest); ok && bytes.IndexByte(dest, ' ') > 0 && !bytes.ContainsAny(dest, "<>\n\\") {
		at := from + bytes.Index(s.src[from:], dest)
		s.fault(schema.FaultSpacedDestination, schema.Span{Start: at, End: at + len(dest)}, "")
	}
}

// refLabel reads [label] at the cursor.
func (s *state) refLabel(c *cursor) (schema.Span, bool) {
	c.pos++
	from := c.pos
	for c.more() && c.pos-from <= maxLabel {
		switch s.src[c.pos] {
		case ']':
			span := schema.Span{Start: from, End: c.pos}
			c.pos++
			if len(bytes.TrimSpace(span.In(s.src))) == 0 {
				span.End = from
			}
			return span, true
		case '[':
			return schema.Span{}, false
		case '\\':
			c.pos++
		}
		c.pos++
	}
	return schema.Span{}, false
}

// reference returns the definition of a label. A label holds no brackets.
func (s *state) reference(label schema.Span, holds bool) *definition {
	if holds || len(s.defs) == 0 || label.Len() > maxLabel {
		return nil
	}
	d := s.defs[util.ToLinkReference(folded(s.src, s.lines, label))]
	if d == nil {
		return nil
	}
	d.Used = true
	if s.expanded += len(d.raw); s.expanded > schema.MaxReferenced {
		s.tooComplex(label, fmt.Sprintf("links by reference of the page have more than %d MB of targets: it is read as plain text; shorten the target of the definition", schema.MaxReferenced>>20))
	}
	return d
}

// link returns a link to what is defined. All links of one definition share the text of
// its target, which may be long.
func (d *definition) link() *link {
	if d.made == nil {
		d.made = &schema.Link{Syntax: schema.SyntaxReference, Dest: d.dest}
		setTarget(d.made, plainDest([]byte(d.raw)))
	}
	return &link{title: d.title, Link: *d.made}
}

// undefined reports [text][label] and [text][] without a definition, where
// they do not look like an index into a variable.
func (s *state) undefined(b bracket, labelEnd int, label schema.Span, end int) {
	if label.Len() > maxLabel {
		return
	}
	start, name := b.node.span.Start, folded(s.src, s.lines, label)
	if start > 0 && (isAlnum(s.src[start-1]) || bytes.IndexByte([]byte("])_`*"), s.src[start-1]) >= 0) {
		return
	}
	if mark := sourceMark(name); mark != "" && mark == sourceMark(s.src[b.node.span.End:labelEnd]) {
		return // two citations: [S: a.go:1][S: b.go:2]
	}
	if labelEnd == b.node.span.End || b.form == formInlineNote || b.holds || len(name) == 0 ||
		name[0] == '^' || bytes.ContainsAny(name, "`(){}=;") || len(bytes.TrimSpace(name)) == 0 {
		return
	}
	s.fault(schema.FaultUndefinedReference, schema.Span{Start: start, End: end},
		"reference ["+string(name)+"] is not defined on this page: add a line ["+string(name)+"]: path, or write \\[ where no link is meant")
}
