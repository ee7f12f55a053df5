package schema

import (
	"bytes"
	"sort"
	"unicode/utf16"
	"unicode/utf8"
)

// Span is a half-open range [Start, End) of bytes of one file as it lies on
// disk. The zero Span is the very beginning of the file.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Len returns the number of bytes in s.
func (s Span) Len() int { return s.End - s.Start }

// Contains reports whether offset is in s.
func (s Span) Contains(offset int) bool { return s.Start <= offset && offset < s.End }

// Overlaps reports whether the two spans share a byte.
func (s Span) Overlaps(o Span) bool { return s.Start < o.End && o.Start < s.End }

// In returns the bytes of src that s covers, clipped to src.
func (s Span) In(src []byte) []byte {
	start, end := max(0, min(s.Start, len(src))), max(0, min(s.End, len(src)))
	if end < start {
		end = start
	}
	return src[start:end]
}

// Position is a place as people read it: both numbers count from 1, and
// columns count code points.
type Position struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// LineIndex converts byte offsets of one file to lines and columns.
// A line ends with \n, \r\n or a lone \r. A byte order mark has no width.
type LineIndex struct {
	src    []byte
	starts []uint32 // offset of the first byte of every line
}

// NewLineIndex indexes src, of less than 4 GB, which it keeps.
func NewLineIndex(src []byte) *LineIndex {
	starts := make([]uint32, 1, 1+bytes.Count(src, []byte{'\n'}))
	loneCR := bytes.IndexByte(src, '\r') >= 0
	if !loneCR {
		for off := 0; ; {
			i := bytes.IndexByte(src[off:], '\n')
			if i < 0 {
				break
			}
			off += i + 1
			starts = append(starts, uint32(off))
		}
		return &LineIndex{src: src, starts: starts}
	}
	for i := 0; i < len(src); i++ {
		switch {
		case src[i] == '\n':
			starts = append(starts, uint32(i+1))
		case src[i] == '\r' && (i+1 == len(src) || src[i+1] != '\n'):
			starts = append(starts, uint32(i+1))
		}
	}
	return &LineIndex{src: src, starts: starts}
}

// Lines returns the number of lines, at least 1.
func (x *LineIndex) Lines() int { return len(x.starts) }

// line returns the 0-based line that holds offset.
func (x *LineIndex) line(offset int) int {
	return sort.Search(len(x.starts), func(i int) bool { return int(x.starts[i]) > offset }) - 1
}

func (x *LineIndex) clip(offset int) int { return max(0, min(offset, len(x.src))) }

// lineStart returns the offset at which columns of a line begin, which in the
// first line is after a byte order mark.
func (x *LineIndex) lineStart(line int) int {
	start := int(x.starts[line])
	if line == 0 && bytes.HasPrefix(x.src, []byte("\xef\xbb\xbf")) {
		return 3
	}
	return start
}

// Position returns the 1-based line and code-point column of offset.
// Offsets outside the file are clipped to it.
func (x *LineIndex) Position(offset int) Position {
	offset = x.clip(offset)
	line := x.line(offset)
	start := x.lineStart(line)
	if offset < start {
		offset = start
	}
	return Position{Line: line + 1, Column: utf8.RuneCount(x.src[start:offset]) + 1}
}

// UTF16Column returns the 0-based column of offset in UTF-16 code units, as
// the Language Server Protocol counts.
func (x *LineIndex) UTF16Column(offset int) int {
	offset = x.clip(offset)
	start := x.lineStart(x.line(offset))
	n := 0
	for _, r := range string(x.src[start:max(start, offset)]) {
		n += utf16.RuneLen(r)
	}
	return n
}

// LineOf returns the 1-based line that holds offset, clipped to the file.
// Unlike [LineIndex.Position] it costs the same on a line of any length.
func (x *LineIndex) LineOf(offset int) int { return x.line(x.clip(offset)) + 1 }

// Line returns the span of the 1-based line, without its line ending.
func (x *LineIndex) Line(line int) Span {
	if line < 1 || line > len(x.starts) {
		return Span{len(x.src), len(x.src)}
	}
	end := len(x.src)
	if line < len(x.starts) {
		end = int(x.starts[line])
	}
	start := x.lineStart(line - 1)
	for end > start && (x.src[end-1] == '\n' || x.src[end-1] == '\r') {
		end--
	}
	return Span{start, end}
}

// Offset returns the byte offset of a 1-based position, clipped to its line.
func (x *LineIndex) Offset(p Position) int {
	s := x.Line(p.Line)
	off := s.Start
	for col := 1; col < p.Column && off < s.End; col++ {
		_, n := utf8.DecodeRune(x.src[off:s.End])
		off += n
	}
	return off
}
