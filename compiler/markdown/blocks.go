package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/loopwiki/wiki/schema"
)

// bounded is a parser of containers that refuses to nest too deep.
type bounded struct{ parser.BlockParser }

func (b bounded) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	s := stateOf(pc)
	_, at := r.Position()
	s.count(at.Start)
	// A list counts twice among the open blocks, itself and its item.
	depth := 0
	if open := pc.OpenedBlocks(); len(open) >= s.limits.Nesting {
		for i := range open {
			if k := open[i].Node.Kind(); k != ast.KindList {
				depth++
			}
		}
	}
	if depth < s.limits.Nesting {
		return b.BlockParser.Open(parent, r, pc)
	}
	line, pos := r.Position()
	n, _ := b.BlockParser.Open(parent, r, pc)
	if n != nil {
		s.tooComplex(schema.Span{Start: pos.Start, End: pos.Start + 1},
			"quotes and lists are nested deeper than limits.nesting allows: the page is read as plain text")
	}
	r.SetPosition(line, pos)
	return nil, parser.NoChildren
}

// Close keeps a list loose where a blank line is next to definitions that are
// no block any more.
func (b bounded) Close(n ast.Node, r text.Reader, pc parser.Context) {
	if list, ok := n.(*ast.List); ok {
		if s := stateOf(pc); len(s.defItems) > 0 {
			for item := list.FirstChild(); item != nil; item = item.NextSibling() {
				blank, gone := s.defItems[item]
				first := item.FirstChild()
				if blank || gone && first != nil && first.HasBlankPreviousLines() {
					list.IsTight = false
				}
			}
		}
	}
	b.BlockParser.Close(n, r, pc)
}

// counted is a parser of leaf blocks that count as pieces of markup.
type counted struct{ parser.BlockParser }

func (b counted) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	_, at := r.Position()
	stateOf(pc).count(at.Start)
	return b.BlockParser.Open(parent, r, pc)
}

// fences is goldmark's parser of fenced code that notes where a fence closes.
type fences struct{ parser.BlockParser }

func (f fences) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	return counted(f).Open(parent, r, pc)
}

func (f fences) Continue(n ast.Node, r text.Reader, pc parser.Context) parser.State {
	_, seg := r.PeekLine()
	st := f.BlockParser.Continue(n, r, pc)
	if st == parser.Close {
		s := stateOf(pc)
		if s.closed == nil {
			s.closed = map[ast.Node]int{}
		}
		s.closed[n] = trimSpan(s.src, schema.Span{Start: seg.Start, End: seg.Stop}).End
	}
	return st
}

// delimited reads %%…%% and $$…$$ that begin a line and end on a later one.
type delimited struct {
	form blockForm
	mark string
}

func (d delimited) Trigger() []byte { return []byte{d.mark[0]} }

func (d delimited) Open(_ ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	s := stateOf(pc)
	line, seg := r.PeekLine()
	pos := pc.BlockOffset()
	s.count(seg.Start)
	if pos < 0 || !bytes.HasPrefix(line[pos:], []byte(d.mark)) || bytes.Contains(line[pos+2:], []byte(d.mark)) {
		return nil, parser.NoChildren
	}
	at := seg.Start + pos - seg.Padding
	m := &s.nextComment
	if d.form == blockMath {
		m = &s.nextMath
	}
	// A mark that is never closed is text: hiding the rest of a page for a
	// stray one would hide too much.
	if s.find(m, d.mark, at+2) < 0 {
		return nil, parser.NoChildren
	}
	n := &block{form: d.form, span: schema.Span{Start: at, End: seg.Stop}, inner: schema.Span{Start: at + 2, End: seg.Stop}}
	n.Lines().Append(text.NewSegment(at+2, seg.Stop))
	r.AdvanceToEOL()
	return n, parser.NoChildren
}

func (d delimited) Continue(node ast.Node, r text.Reader, _ parser.Context) parser.State {
	n := node.(*block)
	line, seg := r.PeekLine()
	i := bytes.Index(line, []byte(d.mark))
	if i < 0 {
		n.span.End, n.inner.End = seg.Stop, seg.Stop
		n.Lines().Append(seg)
		r.AdvanceToEOL()
		return parser.Continue | parser.NoChildren
	}
	n.inner.End = seg.Start + i - seg.Padding
	n.span.End = n.inner.End + 2
	n.Lines().Append(text.NewSegment(seg.Start, max(seg.Start, n.inner.End)))
	// What follows on the line is read as the next block.
	r.Advance(i + 2)
	return parser.Close
}

func (delimited) Close(ast.Node, text.Reader, parser.Context) {}
func (delimited) CanInterruptParagraph() bool                 { return true }
func (delimited) CanAcceptIndentedLine() bool                 { return false }

// notes reads footnote definitions, [^id]: with more blocks indented below.
type notes struct{}

func (notes) Trigger() []byte { return []byte{'['} }

func (notes) Open(_ ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	pos := pc.BlockOffset()
	if pos < 0 || len(line) < pos+5 || line[pos+1] != '^' {
		return nil, parser.NoChildren
	}
	k := noteLabel(line[pos+2:])
	next := pos + 2 + k + 1
	if k == 0 || next >= len(line) || line[next] != ':' {
		return nil, parser.NoChildren
	}
	s := stateOf(pc)
	at := seg.Start + pos - seg.Padding
	n := &block{form: blockNote, span: schema.Span{Start: at, End: at + k + 4}}
	n.inner = schema.Span{Start: at + 2, End: at + 2 + k}
	if s.notes == nil {
		s.notes = map[string]bool{}
	}
	s.notes[string(n.inner.In(s.src))] = true
	r.Advance(next + 1)
	if util.IsBlank(line[next+1:]) {
		return n, parser.NoChildren
	}
	return n, parser.HasChildren
}

func (notes) Continue(_ ast.Node, r text.Reader, _ parser.Context) parser.State {
	line, _ := r.PeekLine()
	if util.IsBlank(line) {
		return parser.Continue | parser.HasChildren
	}
	pos, padding := util.IndentPosition(line, r.LineOffset(), 4)
	if pos < 0 {
		return parser.Close
	}
	r.AdvanceAndSetPadding(pos, padding)
	return parser.Continue | parser.HasChildren
}

func (notes) Close(ast.Node, text.Reader, parser.Context) {}
func (notes) CanInterruptParagraph() bool                 { return true }
func (notes) CanAcceptIndentedLine() bool                 { return false }

// htmlBlocks is goldmark's parser of HTML blocks, spared lines that can't
// begin one: its patterns are costly.
type htmlBlocks struct{ parser.BlockParser }

func (h htmlBlocks) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	line, seg := r.PeekLine()
	pos := pc.BlockOffset()
	stateOf(pc).count(seg.Start)
	if pos < 0 || pos+1 >= len(line) || !(isLetter(line[pos+1]) || bytes.IndexByte([]byte("!?/"), line[pos+1]) >= 0) {
		return nil, parser.NoChildren
	}
	return h.BlockParser.Open(parent, r, pc)
}
