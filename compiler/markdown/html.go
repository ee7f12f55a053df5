package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/loopwiki/wiki/schema"
)

// rawHTML reads one tag, comment, processing instruction, declaration or
// CDATA section (CommonMark 0.31, 6.6).
func (s *state) rawHTML(c cursor, r text.Reader) ast.Node {
	from, b := c.pos, c.rest()
	if bytes.HasPrefix(b, []byte("<!--")) {
		inner := from + 4
		c.pos += 2 // so that <!--> and <!---> end at once
		if !s.until(&c, "-->", 0) {
			return nil
		}
		n := take(formComment, from, &c, r)
		n.inner = schema.Span{Start: min(inner, n.span.End-3), End: n.span.End - 3}
		return n
	}
	ok := false
	switch {
	case bytes.HasPrefix(b, []byte("<?")):
		ok = s.until(&c, "?>", 1)
	case bytes.HasPrefix(b, []byte("<![CDATA[")):
		ok = s.until(&c, "]]>", 2)
	case len(b) > 2 && b[1] == '!' && isLetter(b[2]):
		ok = s.until(&c, ">", 3)
	default:
		ok = scanTag(&c)
	}
	if !ok {
		return nil
	}
	n := take(formHTML, from, &c, r)
	if tag, ok := parseTag(n.span.In(s.src)); ok && tag.name == "a" && !tag.closing {
		s.deactivate()
	}
	return n
}

// until moves after the next mark, and remembers per kind that none is left.
func (s *state) until(c *cursor, mark string, kind int) bool {
	if s.noHTML[kind] {
		return false
	}
	for c.more() {
		if i := bytes.Index(c.rest(), []byte(mark)); i >= 0 {
			c.pos += i + len(mark)
			return true
		}
		c.pos = c.stop
	}
	s.noHTML[kind] = true
	return false
}

// scanTag moves the cursor behind an open or closing tag.
func scanTag(c *cursor) bool {
	b := c.rest()
	if len(b) < 3 {
		return false
	}
	c.pos++
	closing := b[1] == '/'
	if closing {
		c.pos++
	}
	if c.pos >= c.stop || !isLetter(c.src[c.pos]) {
		return false
	}
	for c.pos < c.stop && (isAlnum(c.src[c.pos]) || c.src[c.pos] == '-') {
		c.pos++
	}
	for {
		spaced := c.skipSpace()
		switch b := c.peek(); {
		case b == '>':
			c.pos++
			return true
		case b == '/' && !closing:
			c.pos++
			if c.pos >= c.stop || c.src[c.pos] != '>' {
				return false
			}
			c.pos++
			return true
		case closing || !spaced || !(isLetter(b) || b == '_' || b == ':'):
			return false
		}
		if !scanAttribute(c) {
			return false
		}
	}
}

func scanAttribute(c *cursor) bool {
	for c.pos < c.stop && isAttrByte(c.src[c.pos]) {
		c.pos++
	}
	before := *c
	c.skipSpace()
	if c.peek() != '=' {
		*c = before
		return true
	}
	c.pos++
	c.skipSpace()
	switch q := c.peek(); q {
	case '"', '\'':
		c.pos++
		for c.more() {
			if i := bytes.IndexByte(c.rest(), q); i >= 0 {
				c.pos += i + 1
				return true
			}
			c.pos = c.stop
		}
		return false
	}
	start := c.pos
	for c.pos < c.stop && c.src[c.pos] > ' ' && bytes.IndexByte([]byte("\"'=<>`"), c.src[c.pos]) < 0 {
		c.pos++
	}
	return c.pos > start
}

func isAttrByte(b byte) bool {
	return isAlnum(b) || b == '_' || b == ':' || b == '.' || b == '-'
}

// tag is one parsed HTML tag.
type tag struct {
	name        string // lower case
	closing     bool
	selfClosing bool
	attrs       []attr
}

type attr struct {
	name  string // lower case
	value []byte // as written, without quotes
	at    int    // offset of value in the tag
}

func (t *tag) attr(name string) *attr {
	for i := range t.attrs {
		if t.attrs[i].name == name {
			return &t.attrs[i]
		}
	}
	return nil
}

// parseTag takes a scanned tag apart.
func parseTag(b []byte) (tag, bool) {
	c := cursor{src: b, stop: len(b)}
	if len(b) < 3 || !scanTag(&c) || c.pos != len(b) {
		return tag{}, false
	}
	var t tag
	i := 1
	if b[i] == '/' {
		t.closing = true
		i++
	}
	start := i
	for isAlnum(b[i]) || b[i] == '-' {
		i++
	}
	t.name = string(bytes.ToLower(b[start:i]))
	t.selfClosing = b[len(b)-2] == '/'
	c = cursor{src: b, pos: i, stop: len(b)}
	for {
		c.skipSpace()
		if !isAttrByte(c.peek()) {
			return t, true
		}
		from := c.pos
		for isAttrByte(b[c.pos]) {
			c.pos++
		}
		a := attr{name: string(bytes.ToLower(b[from:c.pos]))}
		c.pos = from
		scanAttribute(&c)
		if eq := bytes.IndexByte(b[from:c.pos], '='); eq >= 0 {
			v := trimSpan(b, schema.Span{Start: from + eq + 1, End: c.pos})
			if v.Len() >= 2 && (b[v.Start] == '"' || b[v.Start] == '\'') {
				v = schema.Span{Start: v.Start + 1, End: v.End - 1}
			}
			a.value, a.at = v.In(b), v.Start
		}
		t.attrs = append(t.attrs, a)
	}
}

// htmlPart is a piece of an HTML block.
type htmlPart struct {
	what form // formText, formHTML or formComment
	span schema.Span
}

// htmlParts cuts an HTML block into text, tags and comments. Lines that stand
// behind a quote mark are read one by one, others together.
func htmlParts(src []byte, n *ast.HTMLBlock, yield func(htmlPart)) {
	var spans []schema.Span
	add := func(seg text.Segment) {
		if k := len(spans); k > 0 && spans[k-1].End == seg.Start {
			spans[k-1].End = seg.Stop
			return
		}
		spans = append(spans, schema.Span{Start: seg.Start, End: seg.Stop})
	}
	for i := range n.Lines().Len() {
		add(n.Lines().At(i))
	}
	if n.HasClosure() {
		add(n.ClosureLine)
	}
	open := false
	for _, span := range spans {
		open = cutHTML(src, span, open, yield)
	}
}

// cutHTML cuts one piece of a block; open says that a comment begins above it,
// and is returned for the piece below. A comment without an end takes the rest
// of the block: that is what its author sees everywhere else.
func cutHTML(src []byte, span schema.Span, open bool, yield func(htmlPart)) bool {
	b, from, start := src[:span.End], span.Start, span.Start
	if open {
		j := bytes.Index(b[start:], []byte("-->"))
		if j < 0 {
			yield(htmlPart{formComment, span})
			return true
		}
		from, start = start+j+3, start+j+3
		yield(htmlPart{formComment, schema.Span{Start: span.Start, End: from}})
		open = false
	}
	for i := start; i < span.End; {
		k := bytes.IndexByte(b[i:], '<')
		if k < 0 {
			break
		}
		i += k
		end := i + 1
		what := formText
		if bytes.HasPrefix(b[i:], []byte("<!--")) {
			what, end, open = formComment, span.End, true
			if j := bytes.Index(b[i+2:], []byte("-->")); j >= 0 {
				end, open = i+2+j+3, false
			}
		} else {
			c := cursor{src: b, pos: i, stop: len(b)}
			if scanTag(&c) {
				what, end = formHTML, c.pos
			}
		}
		if what != formText {
			if i > from {
				yield(htmlPart{formText, schema.Span{Start: from, End: i}})
			}
			yield(htmlPart{what, schema.Span{Start: i, End: end}})
			from = end
		}
		i = end
	}
	if from < span.End {
		yield(htmlPart{formText, schema.Span{Start: from, End: span.End}})
	}
	return open
}
