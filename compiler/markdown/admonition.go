package markdown

import (
	"bytes"

	"github.com/loopwiki/wiki/schema"
)

var (
	// admonition matches the start of a note, a fold or a tab in MkDocs.
	admonition = schema.Expression(`^[ \t]*(?:(?:!!!|\?\?\?\+?)[ \t]+\w|===[!+]?[ \t]+["'])`)
	listMarker = schema.Expression(`^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]`)
)

// admonitions rewrites the notes, folds and tabs of MkDocs in src as list items, without
// changing offsets, so that indented text below them is not code.
func admonitions(src []byte) []byte {
	out, fence := bytes.Clone(src), []byte(nil)
	deepest := 0 // how far a block may be indented that is no code
	for start := 0; start < len(src); {
		end := start + len(src[start:])
		if i := bytes.IndexByte(src[start:], '\n'); i >= 0 {
			end = start + i + 1
		}
		line := src[start:end]
		text := bytes.TrimLeft(line, " \t")
		indent := indentOf(line)
		switch mark := fenceMark(text); {
		case fence != nil:
			if bytes.HasPrefix(mark, fence) && len(bytes.TrimSpace(text)) == len(mark) {
				fence = nil
			}
		case len(bytes.TrimSpace(text)) == 0 || indent > deepest+3:
		case mark != nil:
			fence = mark
		case admonition().Match(line) && indentOf(bytes.TrimLeft(src[end:], "\r\n")) >= indent+4:
			at := end - len(text)
			copy(out[at:], "-   ")
			if src[at+3] != ' ' && src[at+3] != '\t' { // ???+ and ===!
				out[at+4] = ':'
			}
			deepest = indent + 4
		case listMarker().Match(line):
			deepest = indent + 4
		default:
			deepest = min(deepest, indent)
		}
		start = end
	}
	return out
}

// indentOf is the columns that a line is indented by.
func indentOf(line []byte) int {
	n := 0
	for _, b := range line {
		switch b {
		case ' ':
			n++
		case '\t':
			n += 4 - n%4
		default:
			return n
		}
	}
	return n
}

// fenceMark is the run of backticks or tildes that a fence begins with, or nil.
func fenceMark(text []byte) []byte {
	n := 0
	for n < len(text) && text[n] == text[0] && (text[0] == '`' || text[0] == '~') {
		n++
	}
	if n < 3 {
		return nil
	}
	return text[:n]
}
