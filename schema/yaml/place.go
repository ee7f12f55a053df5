package yaml

import (
	"sort"
	"unicode/utf8"

	"github.com/goccy/go-yaml/token"
)

// offset returns the offset in src of a place the parser names.
func (t *tree) offset(p *token.Position) int {
	if p == nil {
		return t.lines[t.from].start
	}
	row := t.row(p.Line)
	if row < t.from {
		return t.lines[t.from].start
	}
	if row >= t.to {
		return t.end
	}
	at, column := t.lines[row].start, 1
	if row == t.seenLine && t.seenAt >= at && p.Column >= t.seenColumn {
		at, column = t.seenAt, t.seenColumn
	}
	for on := t.line(at); column < p.Column; column++ {
		end := t.lines[on].end
		if at == end && !t.joined[on] {
			break
		}
		if at == end {
			on++
			at = t.lines[on].start
			continue
		}
		_, n := utf8.DecodeRune(t.src[at:end])
		at += n
	}
	t.seenLine, t.seenColumn, t.seenAt = row, column, at
	return at
}

// row returns the line that a line of the parser begins with.
func (t *tree) row(n int) int {
	if t.rows == nil || n < 1 {
		return t.from + n - 1
	}
	if n > len(t.rows) {
		return t.to
	}
	return t.rows[n-1]
}

// line returns the line that holds an offset.
func (t *tree) line(at int) int {
	n := sort.Search(t.to-t.from, func(i int) bool { return at <= t.lines[t.from+i].end })
	return min(t.from+n, t.to-1)
}

// mark returns the offset of the mark c that the parser places at offset at,
// or a little behind it when blanks follow.
func (t *tree) mark(at int, c byte) int {
	for i := at; i >= 0 && i > at-16; i-- {
		if i < t.end && t.src[i] == c {
			return i
		}
		if i < t.end && !isSpace(rune(t.src[i])) {
			break
		}
	}
	return at
}

// locate is match for a plain scalar. The parser's column is before the scalar after a
// tag, and after it if blanks follow, so the search goes to the next word of the line
// and then back.
func (t *tree) locate(at int, text string) (start, end int, ok bool) {
	ln := t.lines[t.line(at)]
	if next := skipBlank(t.src, at, ln.end); next < ln.end {
		if start, end, ok = t.match(next, text); ok {
			return start, end, true
		}
	}
	first := ln.start
	for at > first && (at >= t.end || isSpace(rune(t.src[at]))) {
		at--
	}
	for back := 0; back < 16 && at >= first; back++ {
		if start, end, ok = t.match(at, text); ok {
			return start, end, true
		}
		at--
	}
	return 0, 0, false
}

// match finds text in src from offset at on, white space apart: a plain
// scalar or a block may be folded over several lines. It returns the place of
// its first and after its last character that is not a white space.
func (t *tree) match(at int, text string) (start, end int, ok bool) {
	start, end = -1, at
	for _, want := range text {
		if isSpace(want) || want == lineBreak {
			continue
		}
		for at < t.end && isSpace(rune(t.src[at])) {
			at++
		}
		if at >= t.end {
			return 0, 0, false
		}
		got, n := utf8.DecodeRune(t.src[at:t.end])
		if got != want && (!t.masked || got+maskBase != want) {
			return 0, 0, false
		}
		if start < 0 {
			start = at
		}
		at += n
		end = at
	}
	if start < 0 {
		start = end
	}
	return start, end, true
}

func isSpace(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' }
