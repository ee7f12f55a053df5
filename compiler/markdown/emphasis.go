package markdown

import (
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/loopwiki/wiki/schema"
)

// delim is a run of one delimiter, on a stack linked through prev and next.
type delim struct {
	node       *inline
	char       byte
	open, clos bool
	n, orig    int
	prev, next int32
}

// delimiters reads a run of *, _, ~ or =. Runs that can be no markup stay in
// the text around them.
func (s *state) delimiters(c cursor, r text.Reader) ast.Node {
	line := c.rest()
	char := line[0]
	n := 1
	for n < len(line) && line[n] == char {
		n++
	}
	if (char == '~' && n > 2) || (char == '=' && n != 2) {
		return s.literal(c, r, n)
	}
	before, after := '\n', '\n'
	if c.pos > c.lines.At(c.line).Start {
		before, _ = utf8.DecodeLastRune(s.src[:c.pos])
	}
	if n < len(line) {
		after, _ = utf8.DecodeRune(line[n:])
	}
	open, clos := flanks(char, before, after)
	if !open && !clos {
		return s.literal(c, r, n)
	}
	node := &inline{form: formText, span: schema.Span{Start: c.pos, End: c.pos + n}}
	s.push(delim{node: node, char: char, open: open, clos: clos, n: n, orig: n})
	r.Advance(n)
	return node
}

// literal takes n bytes as text at once, so that a run is not read again byte
// by byte.
func (s *state) literal(c cursor, r text.Reader, n int) ast.Node {
	if n == 1 {
		return nil
	}
	r.Advance(n)
	return &inline{form: formText, span: schema.Span{Start: c.pos, End: c.pos + n}}
}

// flanks reports whether a run between two characters can open and close
// emphasis (CommonMark 0.31, 6.2).
func flanks(char byte, before, after rune) (open, clos bool) {
	spaceBefore, spaceAfter := util.IsSpaceRune(before), util.IsSpaceRune(after)
	punctBefore, punctAfter := util.IsPunctRune(before), util.IsPunctRune(after)
	left := !spaceAfter && (!punctAfter || spaceBefore || punctBefore)
	right := !spaceBefore && (!punctBefore || spaceAfter || punctAfter)
	if char == '_' {
		return left && (!right || punctBefore), right && (!left || punctAfter)
	}
	return left, right
}

func (s *state) push(d delim) {
	i := int32(len(s.delims))
	d.prev, d.next = s.last, -1
	if s.last >= 0 {
		s.delims[s.last].next = i
	}
	s.delims = append(s.delims, d)
	s.last = i
}

func (s *state) drop(i int32) {
	d := &s.delims[i]
	if d.prev >= 0 {
		s.delims[d.prev].next = d.next
	}
	if d.next >= 0 {
		s.delims[d.next].prev = d.prev
	} else {
		s.last = d.prev
	}
}

// emphasize matches the delimiters above bottom and forgets them.
// Where no opener was found for a kind of closer is kept, so that the same
// stretch is not searched twice.
func (s *state) emphasize(bottom int32) {
	if s.last <= bottom {
		return
	}
	var floor [24]int32
	for i := range floor {
		floor[i] = bottom
	}
	first := s.last
	for s.delims[first].prev > bottom {
		first = s.delims[first].prev
	}
	for c := first; c >= 0; {
		closer := &s.delims[c]
		if !closer.clos {
			c = closer.next
			continue
		}
		slot := floorSlot(closer)
		o := closer.prev
		for o > floor[slot] && !matches(&s.delims[o], closer) {
			o = s.delims[o].prev
		}
		if o <= floor[slot] {
			floor[slot] = max(closer.prev, bottom)
			next := closer.next
			if !closer.open {
				s.drop(c)
			}
			c = next
			continue
		}
		s.wrap(o, c)
		if s.delims[c].n == 0 {
			next := s.delims[c].next
			s.drop(c)
			c = next
		}
	}
	for s.last > bottom {
		s.drop(s.last)
	}
}

func floorSlot(d *delim) int {
	slot := 0
	switch d.char {
	case '_':
		slot = 6
	case '~':
		slot = 12
	case '=':
		slot = 18
	}
	if d.open {
		slot += 3
	}
	return slot + d.orig%3
}

func matches(opener, closer *delim) bool {
	if !opener.open || opener.char != closer.char {
		return false
	}
	if opener.char == '~' || opener.char == '=' {
		return opener.orig == closer.orig
	}
	return !((opener.clos || closer.open) && closer.orig%3 != 0 && (opener.orig+closer.orig)%3 == 0)
}

// wrap puts the nodes between two delimiters into a node.
func (s *state) wrap(o, c int32) {
	for s.delims[c].prev != o {
		s.drop(s.delims[c].prev)
	}
	opener, closer := &s.delims[o], &s.delims[c]
	use, what := 1, formEmphasis
	switch {
	case opener.char == '~':
		use, what = opener.n, formStrike
	case opener.char == '=':
		use, what = 2, formMark
	case opener.n >= 2 && closer.n >= 2:
		use, what = 2, formStrong
	}
	node := &inline{form: what}
	node.span = schema.Span{Start: opener.node.span.End - use, End: closer.node.span.Start + use}
	node.inner = schema.Span{Start: opener.node.span.End, End: closer.node.span.Start}
	parent := opener.node.Parent()
	s.adopt(node, opener.node.NextSibling(), closer.node)
	parent.InsertAfter(parent, opener.node, node)
	opener.n -= use
	closer.n -= use
	opener.node.span.End -= use
	closer.node.span.Start += use
	if opener.n == 0 {
		parent.RemoveChild(parent, opener.node)
		s.drop(o)
	}
	if closer.n == 0 {
		parent.RemoveChild(parent, closer.node)
	}
}

// adopt moves the siblings from first up to, not including, end into node.
func (s *state) adopt(node *inline, first, end ast.Node) {
	for n := first; n != nil && n != end; {
		next := n.NextSibling()
		if in, ok := n.(*inline); ok && in.depth >= node.depth {
			node.depth = in.depth + 1
		}
		node.AppendChild(node, n)
		n = next
	}
	if node.depth > maxInlineDepth {
		s.tooComplex(schema.Span{Start: node.span.Start, End: node.span.Start + 1},
			"emphasis or images nested more than 100 deep: the page is read as plain text; take the nesting apart")
	}
}
