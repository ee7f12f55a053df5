package markdown

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/loopwiki/wiki/schema"
)

// inlineParser reads all inline syntax. It holds nothing; see state.
type inlineParser struct{}

func (inlineParser) Trigger() []byte { return []byte("[]!*_~=`$%<^#:@.") }

// Parse reads the construct at the reader, or returns nil to leave the byte in
// the text.
func (inlineParser) Parse(parent ast.Node, r text.Reader, pc parser.Context) ast.Node {
	s := stateOf(pc)
	c := s.cursor(r, parent)
	line := c.rest()
	if len(line) == 0 {
		return nil
	}
	n := s.construct(parent, line[0], c, r)
	if n != nil || line[0] == '<' { // looking for a tag costs as much as one
		s.count(c.pos)
	}
	return n
}

func (s *state) construct(parent ast.Node, first byte, c cursor, r text.Reader) ast.Node {
	switch first {
	case '[':
		return s.openBracket(parent, c, r)
	case ']':
		return s.closeBracket(parent, c, r)
	case '!':
		return s.openImage(c, r)
	case '*', '_', '~', '=':
		return s.delimiters(c, r)
	case '`':
		return s.codeSpan(c, r)
	case '$':
		return s.math(c, r)
	case '%':
		return s.comment(c, r)
	case '<':
		return s.angle(c, r)
	case '^':
		return s.caret(c, r)
	case '#':
		return s.tag(c, r)
	case ':':
		return s.bareURL(parent, c, r)
	case '.':
		return s.bareWWW(parent, c, r)
	case '@':
		return s.bareMail(parent, c, r)
	}
	return nil
}

// CloseBlock matches the delimiters that are still open at the end of a block.
func (inlineParser) CloseBlock(parent ast.Node, _ text.Reader, pc parser.Context) {
	s := stateOf(pc)
	s.emphasize(-1)
	s.begin()
	joinText(parent)
}

// joinText joins the running text below n that goldmark cuts at bytes which
// might have begun a construct, for character references and citations lie
// across such cuts.
func joinText(n ast.Node) {
	var last *ast.Text
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t, ok := c.(*ast.Text)
		if !ok {
			last = nil
			joinText(c)
			continue
		}
		if last != nil && last.Segment.Stop == t.Segment.Start && !last.SoftLineBreak() && !last.HardLineBreak() {
			t.Segment.Start = last.Segment.Start
			n.RemoveChild(n, last)
		}
		last = t
	}
}

// take returns a node for the bytes from the cursor's start to where it is
// now, and moves the reader there.
func take(what form, from int, c *cursor, r text.Reader) *inline {
	n := &inline{form: what, span: schema.Span{Start: from, End: c.pos}}
	if c.lines != nil && from < c.lines.At(c.line).Start {
		n.lines = c.lines
	}
	c.apply(r)
	return n
}

// maxTicks is the longest run of backticks that opens a code span.
const maxTicks = 80

// codeSpan reads `…`. A run without an equal one behind it is text.
func (s *state) codeSpan(c cursor, r text.Reader) ast.Node {
	from := c.pos
	n := 1
	for c.pos+n < c.stop && s.src[c.pos+n] == '`' {
		n++
	}
	if !s.ticked {
		s.countTicks(c)
	}
	if n >= maxTicks || s.ticks[n] <= c.pos+n {
		return s.literal(c, r, n)
	}
	c.pos += n
	inner := c.pos
	for c.more() {
		i := bytes.IndexByte(c.rest(), '`')
		if i < 0 {
			c.pos = c.stop
			continue
		}
		c.pos += i
		end, m := c.pos, 0
		for c.pos < c.stop && s.src[c.pos] == '`' {
			c.pos++
			m++
		}
		if m == n {
			node := take(formCode, from, &c, r)
			node.inner = schema.Span{Start: inner, End: end}
			return node
		}
	}
	return nil
}

// countTicks notes for every length of run where the last one of the block ends.
func (s *state) countTicks(c cursor) {
	s.ticked = true
	for c.more() {
		i := bytes.IndexByte(c.rest(), '`')
		if i < 0 {
			c.pos = c.stop
			continue
		}
		c.pos += i
		m := 0
		for c.pos < c.stop && s.src[c.pos] == '`' {
			c.pos++
			m++
		}
		if m < maxTicks {
			s.ticks[m] = c.pos
		}
	}
}

// math reads $…$ by pandoc's rule (an opening $ has no space after it, a
// closing one no space before it and no digit after it) and $$…$$. What stands between
// the dollars of two shell variables, as in $HOME/$USER, is none, nor is prose.
func (s *state) math(c cursor, r text.Reader) ast.Node {
	from := c.pos
	if c.pos+1 < c.stop && s.src[c.pos+1] == '$' {
		c.pos += 2
		if end := s.closeMath(&c, true); end >= 0 {
			n := take(formDisplay, from, &c, r)
			n.inner = schema.Span{Start: from + 2, End: end}
			return n
		}
		c.pos = from
		return s.literal(c, r, 2)
	}
	if s.noMath || c.pos+1 >= c.stop || isSpace(s.src[c.pos+1]) {
		return nil
	}
	c.pos++
	end := s.closeMath(&c, false)
	if end < 0 {
		s.noMath = true
		return nil
	}
	variables := beginsVariable(s.src[from+1:c.stop]) && beginsVariable(s.src[c.pos:c.stop])
	if content := s.src[from+1 : end]; len(content) <= maxProse && (variables || isProse(content)) {
		return nil
	}
	n := take(formMath, from, &c, r)
	n.inner = schema.Span{Start: from + 1, End: end}
	return n
}

// beginsVariable reports whether what follows a dollar is the name of a shell variable.
func beginsVariable(b []byte) bool {
	return len(b) > 1 && (b[0] == '{' || b[0] == '_' || b[0] >= 'A' && b[0] <= 'Z') && b[1] != '$'
}

// maxProse bounds how far a formula may reach that turns out to be text: what is in it is
// read again.
const maxProse = 500

// isProse reports whether what stands between two dollars has another dollar, or two words
// in a row that are no commands, outside of braces.
func isProse(b []byte) bool {
	words, depth := 0, 0
	for word := range bytes.FieldsSeq(b) {
		open := depth
		depth += bytes.Count(word, []byte{'{'}) - bytes.Count(word, []byte{'}'})
		if open == 0 && depth == 0 && bytes.IndexByte(bytes.ReplaceAll(word, []byte(`\$`), nil), '$') >= 0 {
			return true
		}
		word = bytes.TrimRight(word, ".,;:)")
		letters := bytes.TrimLeft(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'")
		if open > 0 || len(word) < 3 || len(letters) > 0 {
			words = 0
			continue
		}
		if words++; words == 2 {
			return true
		}
	}
	return false
}

// closeMath moves the cursor behind the closing dollars and returns where they
// stand, or -1.
func (s *state) closeMath(c *cursor, display bool) int {
	if display && s.find(&s.nextMath, "$$", c.pos) < 0 {
		return -1
	}
	for start := c.pos; c.more(); {
		i := bytes.IndexByte(c.rest(), '$')
		if i < 0 {
			c.pos = c.stop
			continue
		}
		c.pos += i
		at := c.pos
		escaped := at > start && s.src[at-1] == '\\'
		next := byte(0)
		if at+1 < c.stop {
			next = s.src[at+1]
		}
		c.pos++
		switch {
		case escaped:
		case display && next == '$':
			c.pos++
			return at
		case !display && at > start && !isSpace(s.src[at-1]) && (next < '0' || next > '9') && next != '$':
			return at
		}
	}
	return -1
}

// find returns where mark next stands at or after from in the whole page, or -1.
func (s *state) find(m *marker, mark string, from int) int {
	if m.valid && m.from <= from && (m.at < 0 || m.at >= from) {
		return m.at
	}
	m.valid, m.from, m.at = true, from, -1
	if i := bytes.Index(s.src[min(from, len(s.src)):], []byte(mark)); i >= 0 {
		m.at = from + i
	}
	return m.at
}

// comment reads %%…%%.
func (s *state) comment(c cursor, r text.Reader) ast.Node {
	from := c.pos
	if c.pos+1 >= c.stop || s.src[c.pos+1] != '%' || s.find(&s.nextComment, "%%", c.pos+2) < 0 {
		return nil
	}
	c.pos += 2
	limit := c.lines.At(c.lines.Len() - 1).Stop
	if s.nextComment.at >= limit {
		return s.literal(cursor{src: c.src, lines: c.lines, line: c.line, pos: from, stop: c.stop}, r, 2)
	}
	for c.more() {
		i := bytes.Index(c.rest(), []byte("%%"))
		if i < 0 {
			c.pos = c.stop
			continue
		}
		end := c.pos + i
		c.pos = end + 2
		n := take(formComment, from, &c, r)
		n.inner = schema.Span{Start: from + 2, End: end}
		return n
	}
	return nil
}

// tag reads #tag: letters, digits, _, - and / of any script, not digits alone.
func (s *state) tag(c cursor, r text.Reader) ast.Node {
	if c.pos > c.lines.At(c.line).Start && !tagMayFollow(s.src[:c.pos]) {
		return nil
	}
	from, n := c.pos, tagLength(c.rest()[1:])
	if n == 0 {
		return nil
	}
	c.pos += 1 + n
	node := take(formTag, from, &c, r)
	node.inner = schema.Span{Start: from + 1, End: node.span.End}
	return node
}

func tagMayFollow(before []byte) bool {
	last := before[len(before)-1]
	return isSpace(last) || last == '(' || last == ',' || last == ';'
}

func tagLength(b []byte) int {
	n, digits := 0, true
	for n < len(b) {
		r, size := utf8.DecodeRune(b[n:])
		switch {
		case r >= '0' && r <= '9':
		case r == '_' || r == '-' || r == '/' || (r != utf8.RuneError && r > ' ' && isTagRune(r)):
			digits = false
		default:
			size = 0
		}
		if size == 0 {
			break
		}
		n += size
	}
	for n > 0 && b[n-1] == '/' {
		n--
	}
	if digits {
		return 0
	}
	return n
}

func isTagRune(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
	}
	return unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.So, unicode.Pc)
}

// caret reads ^[…] and ^name.
func (s *state) caret(c cursor, r text.Reader) ast.Node {
	line := c.rest()
	if len(line) > 1 && line[1] == '[' {
		return s.openCaret(c, r)
	}
	n := 1
	for n < len(line) && (isAlnum(line[n]) || line[n] == '-' || line[n] == '_') {
		n++
	}
	if n == 1 || len(bytes.TrimSpace(line[n:])) > 0 {
		return nil
	}
	if start := c.lines.At(c.line).Start; c.pos > start && !isSpace(s.src[c.pos-1]) {
		return nil
	}
	from := c.pos
	last := c.line+1 >= c.lines.Len()
	if !last {
		return nil
	}
	c.pos += n
	node := take(formBlockID, from, &c, r)
	node.inner = schema.Span{Start: from + 1, End: node.span.End}
	return node
}

func isSpace(b byte) bool {
	return b == ' ' || b == '\t' || b == '\n' || b == '\r' || b == '\v' || b == '\f'
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isLetter(b byte) bool { b |= 0x20; return b >= 'a' && b <= 'z' }

func isAlnum(b byte) bool { return isLetter(b) || isDigit(b) }
