package markdown

import (
	"fmt"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"github.com/loopwiki/wiki/schema"
)

// maxCells bounds rows times columns of one table, since short rows are
// filled up when it is rendered.
const maxCells = schema.MaxTableCells

// table makes a table of a paragraph whose second or a later line is a
// delimiter row with as many cells as the line before it (GFM, 4.10).
func (s *state) table(p *ast.Paragraph) {
	lines := p.Lines()
	for i := 1; i < lines.Len(); i++ {
		seg := lines.At(i)
		align := alignments(s.src[seg.Start:seg.Stop])
		if align == nil {
			continue
		}
		head := lines.At(i - 1)
		if countCells(s.src, head) != len(align) {
			return
		}
		span := trimSpan(s.src, schema.Span{Start: head.Start, End: lines.At(lines.Len() - 1).Stop})
		if len(align) > s.limits.TableColumns || len(align)*(lines.Len()-i) > maxCells {
			s.tooComplex(schema.Span{Start: span.Start, End: trimSpan(s.src, schema.Span{Start: head.Start, End: head.Stop}).End},
				fmt.Sprintf("table of %d columns and %d rows: the page is read as plain text; limits.table_columns is %d, and a table has at most %d cells",
					len(align), lines.Len()-i, s.limits.TableColumns, maxCells))
		}
		t := &block{form: blockTable, span: span, align: align}
		t.SetPos(span.Start)
		t.AppendChild(t, s.row(head, len(align), true))
		for j := i + 1; j < lines.Len(); j++ {
			t.AppendChild(t, s.row(lines.At(j), len(align), false))
		}
		parent := p.Parent()
		parent.InsertAfter(parent, p, t)
		if i == 1 {
			parent.RemoveChild(parent, p)
			return
		}
		before := text.NewSegments()
		before.AppendAll(lines.Sliced(0, i-1))
		last := before.At(before.Len() - 1)
		before.Set(before.Len()-1, last.TrimRightSpace(s.src))
		p.SetLines(before)
		return
	}
}

// alignments reads a delimiter row, or returns nil.
func alignments(b []byte) []byte {
	if indent, _ := util.IndentWidth(b, 0); indent > 3 {
		return nil
	}
	dash, pipe := false, false
	for _, ch := range b {
		switch {
		case ch == '-':
			dash = true
		case ch == '|':
			pipe = true
		case ch != ':' && !isSpace(ch):
			return nil
		}
	}
	if !dash {
		return nil
	}
	var out []byte
	ok, colon := true, false
	eachCell(b, schema.Span{End: len(b)}, func(cell schema.Span) {
		text := cell.In(b)
		if len(text) == 0 {
			ok = false
			return
		}
		left, right := text[0] == ':', text[len(text)-1] == ':'
		colon = colon || left || right
		dashes := text
		if left {
			dashes = dashes[1:]
		}
		if right && len(dashes) > 0 {
			dashes = dashes[:len(dashes)-1]
		}
		for _, ch := range dashes {
			ok = ok && ch == '-'
		}
		ok = ok && len(dashes) > 0
		switch {
		case left && right:
			out = append(out, 'c')
		case left:
			out = append(out, 'l')
		case right:
			out = append(out, 'r')
		default:
			out = append(out, 0)
		}
	})
	// A line of dashes alone underlines a heading.
	if !ok || !pipe && !colon {
		return nil
	}
	return out
}

// eachCell yields the trimmed cells of a row, outer pipes taken off. A pipe
// behind a backslash is text.
func eachCell(src []byte, row schema.Span, yield func(schema.Span)) {
	row = trimSpan(src, row)
	if row.Len() == 0 {
		return
	}
	if src[row.Start] == '|' {
		row.Start++
	}
	if row.End > row.Start && src[row.End-1] == '|' && (row.End-1 == row.Start || src[row.End-2] != '\\') {
		row.End--
	}
	start := row.Start
	for i := row.Start; i < row.End; i++ {
		if src[i] == '|' && (i == row.Start || src[i-1] != '\\') {
			yield(trimSpan(src, schema.Span{Start: start, End: i}))
			start = i + 1
		}
	}
	yield(trimSpan(src, schema.Span{Start: start, End: row.End}))
}

func countCells(src []byte, row text.Segment) int {
	n := 0
	eachCell(src, schema.Span{Start: row.Start, End: row.Stop}, func(schema.Span) { n++ })
	return n
}

// row makes the cells that are written, at most columns of them.
func (s *state) row(line text.Segment, columns int, head bool) *block {
	s.count(line.Start)
	row := &block{form: blockRow, head: head, span: schema.Span{Start: line.Start, End: line.Stop}}
	n := 0
	eachCell(s.src, row.span, func(span schema.Span) {
		if n++; n > columns {
			return
		}
		s.count(span.Start)
		cell := &block{form: blockCell, span: span}
		if span.Len() > 0 {
			cell.Lines().Append(text.NewSegment(span.Start, span.End))
		}
		row.AppendChild(row, cell)
	})
	return row
}
