package markdown

import (
	"bytes"

	"github.com/loopwiki/wiki/schema"
)

// isCitation reports whether the text in ^[…] names sources: a list of paths
// with an extension or a folder, or URLs, none with a space in it.
func isCitation(b []byte) bool {
	for part := range bytes.SplitSeq(b, []byte(",")) {
		part = bytes.TrimSpace(part)
		if len(part) == 0 || bytes.ContainsAny(part, " \t\n[") {
			return false
		}
		if !bytes.ContainsAny(part, "./") || !isAlnum(part[len(part)-1]) && part[len(part)-1] != '/' {
			return false
		}
	}
	return true
}

// citations yields the parts of a comma list and their spans.
func citations(src []byte, span schema.Span, caret bool, yield func(schema.Citation)) {
	for start := span.Start; start <= span.End; {
		end := span.End
		if i := bytes.IndexByte(src[start:span.End], ','); i >= 0 {
			end = start + i
		}
		part := trimSpan(src, schema.Span{Start: start, End: end})
		if part.Len() >= 2 && src[part.Start] == '`' && src[part.End-1] == '`' {
			part = schema.Span{Start: part.Start + 1, End: part.End - 1}
		}
		if part.Len() > 0 {
			yield(schema.Citation{Span: part, Ref: schema.ParseAnchor(string(part.In(src))), Caret: caret})
		}
		start = end + 1
	}
}

// parenCitation returns the length of (path:12) or (path:12-30, path:3) at the
// beginning of b, or 0.
func parenCitation(b []byte) int {
	const longest = 400
	end := bytes.IndexByte(b[:min(len(b), longest)], ')')
	if end < 0 {
		return 0
	}
	if !fileLines(b[1:end]) {
		return 0
	}
	return end + 1
}

// fileLines reports whether b is a comma list of path:12 and path:12-30.
func fileLines(b []byte) bool {
	for part := range bytes.SplitSeq(b, []byte(",")) {
		part = bytes.TrimSpace(part)
		if len(part) > 2 && part[0] == '`' && part[len(part)-1] == '`' {
			part = part[1 : len(part)-1]
		}
		if !isFileLine(part) {
			return false
		}
	}
	return true
}

// bracketCitation returns the span of the list of sources in [S: path:12, path:3] at the
// beginning of b; end is 0 if there is none.
func bracketCitation(b []byte) (from, end int) {
	const longest = 400
	end = bytes.IndexByte(b[:min(len(b), longest)], ']')
	if end < 0 || sourceMark(b[1:end]) == "" {
		return 0, 0
	}
	from = 1 + len(sourceMark(b[1:end]))
	if !fileLines(b[from:end]) {
		return 0, 0
	}
	return from, end
}

// sourceMark returns the word with its colon that begins a citation in brackets,
// S: or Source:, "" when none does.
func sourceMark(b []byte) string {
	i := 0
	for i < len(b) && isLetter(b[i]) {
		i++
	}
	if i == 0 || i+1 >= len(b) || b[i] != ':' || b[i+1] != ' ' {
		return ""
	}
	return string(b[:i+1])
}

// isFileLine reports whether b is path.ext:12 or path.ext:12-30.
func isFileLine(b []byte) bool {
	i := len(b)
	for i > 0 && isDigit(b[i-1]) {
		i--
	}
	if i == len(b) || i == 0 {
		return false
	}
	if b[i-1] == '-' {
		j := i - 1
		for j > 0 && isDigit(b[j-1]) {
			j--
		}
		if j == i-1 || j == 0 {
			return false
		}
		i = j
	}
	if b[i-1] != ':' {
		return false
	}
	path := b[:i-1]
	dot := bytes.LastIndexByte(path, '.')
	if dot <= 0 || dot == len(path)-1 || bytes.ContainsAny(path, " \t\n()[]`:") {
		return false
	}
	for _, ch := range path[dot+1:] {
		if !isAlnum(ch) {
			return false
		}
	}
	return isLetter(path[dot+1]) || isLetter(path[len(path)-1])
}
