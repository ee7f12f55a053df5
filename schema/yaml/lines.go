package yaml

import "bytes"

// line is one line of a block, without its ending.
type line struct {
	start, end int
	indent     int // leading spaces
	blank      bool
}

// splitLines splits at \n, \r\n and a lone \r, as schema.LineIndex does. A
// byte order mark at the very beginning belongs to no line.
func splitLines(src []byte) []line {
	out := make([]line, 0, bytes.Count(src, []byte{'\n'})+1)
	i := 0
	if bytes.HasPrefix(src, []byte("\xef\xbb\xbf")) {
		i = 3
	}
	for i < len(src) {
		end := i
		for end < len(src) && src[end] != '\n' && src[end] != '\r' {
			end++
		}
		ln := line{start: i, end: end}
		for i < end && src[i] == ' ' {
			i++
		}
		ln.indent = i - ln.start
		for i < end && (src[i] == ' ' || src[i] == '\t') {
			i++
		}
		ln.blank = i == end
		out = append(out, ln)
		i = end + 1
		if end+1 < len(src) && src[end] == '\r' && src[end+1] == '\n' {
			i++
		}
	}
	return out
}

// nextContent returns the first line of [from, to) that is neither blank nor
// a comment, or to.
func (d *doc) nextContent(from, to int) int {
	for i := from; i < to; i++ {
		if ln := d.lines[i]; !ln.blank && d.src[ln.start+ln.indent] != '#' {
			return i
		}
	}
	return to
}

// dash reports whether a line begins with the mark of a list item.
func (d *doc) dash(ln line) bool {
	at := ln.start + ln.indent
	return at < ln.end && d.src[at] == '-' && (at+1 == ln.end || d.src[at+1] == ' ' || d.src[at+1] == '\t')
}

// keyLine reports whether a line may begin with a key of a map.
func (d *doc) keyLine(ln line) bool {
	at := ln.start + ln.indent
	if at >= ln.end || d.dash(ln) {
		return false
	}
	_, _, ok := d.looseKey(at, ln.end)
	return ok
}

// looseKey finds the key at offset at, taken as generously as people write
// them: the span of its text as written, and the offset after its colon.
func (d *doc) looseKey(at, end int) (keyEnd, after int, ok bool) {
	switch c := d.src[at]; c {
	case '"', '\'':
		close := d.closingQuote(at, end)
		if close < 0 {
			return 0, 0, false
		}
		after := skipBlank(d.src, close+1, end)
		if after < end && d.src[after] == ':' && (after+1 == end || isBlank(d.src[after+1])) {
			return close + 1, after + 1, true
		}
		return 0, 0, false
	case '[', ']', '{', '}', ',', '#', '&', '*', '!', '|', '>', '%', '@', '`', ':', '?', '\t':
		return 0, 0, false
	}
	for i := at; i < end && i-at <= 1024; i++ {
		switch {
		case d.src[i] == ':' && (i+1 == end || isBlank(d.src[i+1])):
			keyEnd = i
			for keyEnd > at && isBlank(d.src[keyEnd-1]) {
				keyEnd--
			}
			return keyEnd, i + 1, keyEnd > at
		case d.src[i] == '#' && i > at && isBlank(d.src[i-1]):
			return 0, 0, false
		}
	}
	return 0, 0, false
}

// closingQuote returns the offset of the quote that closes the one at offset
// at before end, or -1.
func (d *doc) closingQuote(at, end int) int {
	q := d.src[at]
	for i := at + 1; i < end; i++ {
		switch {
		case q == '"' && d.src[i] == '\\':
			i++
		case d.src[i] != q:
		case q == '\'' && i+1 < end && d.src[i+1] == q:
			i++
		default:
			return i
		}
	}
	return -1
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// skipBlank returns the first offset of [i, end) that holds no blank, or end.
func skipBlank(src []byte, i, end int) int {
	for i < end && isBlank(src[i]) {
		i++
	}
	return i
}

// template returns the end of a value at offset at that no YAML parser reads
// as it is meant: a placeholder such as {{title}} or {% raw %}, or an embed
// such as ![[image.png]]; -1 when there is none. Such a value is text and runs
// to the end of its line.
func template(src []byte, at, end int) int {
	if at+1 >= end {
		return -1
	}
	var close string
	switch string(src[at : at+2]) {
	case "{{":
		close = "}}"
	case "{%":
		close = "%}"
	case "![":
		close = "]"
	default:
		return -1
	}
	if !bytes.Contains(src[at:end], []byte(close)) {
		return -1
	}
	for isBlank(src[end-1]) {
		end--
	}
	return end
}
