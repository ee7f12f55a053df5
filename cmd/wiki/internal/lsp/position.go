package lsp

import (
	"unicode/utf8"

	"github.com/loopwiki/wiki/schema"
)

// encoding is how a client counts in a line: bytes, or UTF-16 code units.
type encoding bool

// The encodings that are supported. Every client knows the second.
const (
	utf8Encoding  encoding = true
	utf16Encoding encoding = false
)

func (e encoding) String() string {
	if e == utf8Encoding {
		return "utf-8"
	}
	return "utf-16"
}

// choose returns the encoding for a client: bytes if it offers them, since pages are
// kept as bytes.
func choose(offered []string) encoding {
	for _, name := range offered {
		if name == "utf-8" {
			return utf8Encoding
		}
	}
	return utf16Encoding
}

// text is a file with its lines, in the encoding of the client.
type text struct {
	src   []byte
	lines *schema.LineIndex
	enc   encoding
}

// position returns the place of an offset.
func (t text) position(offset int) position {
	offset = max(0, min(offset, len(t.src)))
	line := t.lines.LineOf(offset)
	column := max(0, offset-t.lines.Line(line).Start)
	if t.enc == utf16Encoding {
		column = t.lines.UTF16Column(offset)
	}
	return position{line - 1, column}
}

// span returns the place of a span.
func (t text) span(s schema.Span) textRange {
	return textRange{t.position(s.Start), t.position(max(s.Start, s.End))}
}

// offset returns the offset of a place, clipped to its line and to the file.
func (t text) offset(p position) int {
	if p.Line < 0 {
		return 0
	}
	line := t.lines.Line(p.Line + 1)
	at, left := line.Start, p.Character
	for at < line.End && left > 0 {
		r, size := utf8.DecodeRune(t.src[at:line.End])
		units := size
		if t.enc == utf16Encoding {
			units = 1
			if r > 0xffff {
				units = 2
			}
		}
		if left < units { // within a character
			break
		}
		at, left = at+size, left-units
	}
	return at
}

// bytes returns the span of a range.
func (t text) bytes(r textRange) schema.Span {
	start := t.offset(r.Start)
	return schema.Span{Start: start, End: max(start, t.offset(r.End))}
}
