package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/loopwiki/wiki/schema"
)

// paragraphs takes apart what goldmark first reads as a paragraph: reference
// definitions, the title line of a callout, tables.
type paragraphs struct{}

func (paragraphs) Transform(p *ast.Paragraph, _ text.Reader, pc parser.Context) {
	s := stateOf(pc)
	lines := p.Lines()
	first := lines.At(0)
	s.count(first.Start)
	switch firstByte(s.src[first.Start:first.Stop]) {
	case '[':
		if p.Parent().Kind() == ast.KindBlockquote && p.PreviousSibling() == nil {
			s.calloutTitle(p)
		}
		s.definitions(p)
	}
	if p.Parent() == nil || lines.Len() < 2 {
		return
	}
	s.table(p)
}

func firstByte(b []byte) byte {
	for _, ch := range b {
		if ch != ' ' && ch != '\t' {
			return ch
		}
	}
	return 0
}

// dropLines takes the first n lines off a paragraph, and the paragraph out of
// the tree when none is left.
func dropLines(p *ast.Paragraph, n int) {
	lines := p.Lines()
	if n >= lines.Len() {
		lines.Clear()
		p.Parent().RemoveChild(p.Parent(), p)
		return
	}
	rest := text.NewSegments()
	rest.AppendAll(lines.Sliced(n, lines.Len()))
	p.SetLines(rest)
	seg := rest.At(0)
	p.SetPos(seg.Start)
}

// calloutTitle makes a block of the line [!type]+ title that begins a quote.
func (s *state) calloutTitle(p *ast.Paragraph) {
	seg := p.Lines().At(0)
	at := trimSpan(s.src, schema.Span{Start: seg.Start, End: seg.Stop})
	line := at.In(s.src)
	end := bytes.IndexByte(line, ']')
	if end < 3 || line[1] != '!' {
		return
	}
	kind := bytes.TrimSpace(line[2:end])
	if len(kind) == 0 || bytes.ContainsAny(kind, "[]()\"<>&") {
		return
	}
	if i := bytes.IndexByte(kind, '|'); i >= 0 {
		kind = bytes.TrimSpace(kind[:i]) // Obsidian keeps styles of its own behind a pipe
	}
	c := &schema.Callout{Type: string(bytes.ToLower(kind))}
	end++
	if end < len(line) && (line[end] == '+' || line[end] == '-') {
		c.Fold = line[end]
		end++
	}
	n := &block{form: blockCallout, span: at, callout: c}
	n.SetPos(at.Start)
	title := trimSpan(s.src, schema.Span{Start: at.Start + end, End: at.End})
	n.inner = title
	if title.Len() > 0 {
		n.Lines().Append(text.NewSegment(title.Start, title.End))
	}
	p.Parent().InsertBefore(p.Parent(), p, n)
	dropLines(p, 1)
}

// definitions takes the reference definitions off the head of a paragraph.
func (s *state) definitions(p *ast.Paragraph) {
	lines := p.Lines()
	if lines.Len() == 0 {
		return
	}
	seg := lines.At(0)
	c := cursor{src: s.src, lines: lines, pos: seg.Start, stop: seg.Stop}
	s.noTitle = [3]bool{}
	done := 0
	for c.more() {
		d, ok := s.definition(&c)
		if !ok {
			break
		}
		if c.pos >= c.stop {
			done = c.line + 1
		} else {
			done = c.line
		}
		s.count(d.Span.Start)
		key := util.ToLinkReference([]byte(d.Label))
		if s.defs == nil {
			s.defs = map[string]*definition{}
		}
		if s.defs[key] == nil {
			s.defs[key] = d
		}
		d.Label = key
		s.defOrder = append(s.defOrder, d)
	}
	s.noTitle = [3]bool{}
	if done == 0 {
		return
	}
	if item := p.Parent(); done >= lines.Len() && item.Kind() == ast.KindListItem {
		if s.defItems == nil {
			s.defItems = map[ast.Node]bool{}
		}
		blank, seen := s.defItems[item]
		s.defItems[item] = blank || p.HasBlankPreviousLines() && (seen || p.PreviousSibling() != nil)
	}
	dropLines(p, done)
}

// definition reads [label]: destination "title" (CommonMark 0.31, 4.7) and
// leaves the cursor at the end of its last line.
func (s *state) definition(c *cursor) (*definition, bool) {
	for c.pos < c.stop && (c.src[c.pos] == ' ' || c.src[c.pos] == '\t') {
		c.pos++
	}
	from := c.pos
	if c.peek() != '[' || (c.pos+1 < c.stop && c.src[c.pos+1] == '^') {
		return nil, false
	}
	label, ok := s.refLabel(c)
	if !ok || label.Len() == 0 || c.pos >= c.stop || c.src[c.pos] != ':' {
		return nil, false
	}
	c.pos++
	c.skipSpace()
	d := &definition{}
	if d.dest, ok = destination(c); !ok {
		return nil, false
	}
	d.Label = string(folded(s.src, c.lines, label))
	d.raw = string(d.dest.In(s.src))
	d.Span = schema.Span{Start: from, End: c.pos}
	if d.dest.End < c.pos {
		d.Span.End = c.pos // the closing angle bracket
	}
	afterDest := *c
	ownLine := lineEnds(c)
	spaced := c.skipSpace()
	if title, ok := s.title(c); ok && spaced && lineEnds(c) {
		d.title = title
		d.Span.End = c.pos
		c.pos = c.stop
	} else if ownLine {
		*c = afterDest
		c.pos = c.stop
	} else {
		return nil, false
	}
	var l schema.Link
	setTarget(&l, plainDest([]byte(d.raw)))
	d.Target = l.Raw
	return d, true
}

// lineEnds reports whether nothing but white space is left of the line.
func lineEnds(c *cursor) bool { return len(bytes.TrimSpace(c.rest())) == 0 }
