package skill

import (
	"bytes"
	"slices"
)

// withoutCode returns src, of the same length, with spaces for what is before
// from, for fenced code, for comments, and for code in a line.
func withoutCode(src []byte, from int) []byte {
	out := bytes.Clone(src)
	blank(out[:from])
	var fence []byte
	for at := from; at < len(src); {
		end := len(src)
		if i := bytes.IndexByte(src[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		mark := fenceOf(src[at:end])
		switch {
		case fence != nil:
			if len(mark) >= len(fence) && mark[0] == fence[0] && len(bytes.Trim(src[at:end], " \t\r\n"+string(fence[:1]))) == 0 {
				fence = nil
			}
			blank(out[at:end])
		case mark != nil:
			fence = mark
			blank(out[at:end])
		}
		at = end
	}
	inline(out)
	return out
}

// fenceOf returns the run of backquotes or tildes that a line begins with, if it
// is long enough for a fence.
func fenceOf(line []byte) []byte {
	line = bytes.TrimLeft(line, " \t")
	if len(line) == 0 || line[0] != '`' && line[0] != '~' {
		return nil
	}
	n := len(line) - len(bytes.TrimLeft(line, string(line[:1])))
	if n < 3 || line[0] == '`' && bytes.IndexByte(line[n:], '`') >= 0 {
		return nil
	}
	return line[:n]
}

// inline blanks code spans and comments, each of which ends with what it begins.
func inline(text []byte) {
	vain := map[int]bool{} // lengths of runs that nothing closes
	for i := 0; i < len(text); {
		switch {
		case bytes.HasPrefix(text[i:], []byte("<!--")):
			end := bytes.Index(text[i:], []byte("-->"))
			if end < 0 {
				return
			}
			blank(text[i : i+end+3])
			i += end + 3
		case text[i] == '`':
			n := runOf(text[i:])
			if end := closing(text, i+n, n, vain); end >= 0 {
				blank(text[i:end])
				i = end
			} else {
				i += n
			}
		default:
			i++
		}
	}
}

// closing returns the end of the next run of exactly n backquotes, -1 if there is
// none. A length that was looked for in vain is not looked for again.
func closing(text []byte, from, n int, vain map[int]bool) int {
	if vain[n] {
		return -1
	}
	for i := from; i < len(text); i++ {
		if text[i] != '`' {
			continue
		}
		m := runOf(text[i:])
		if m == n {
			return i + m
		}
		i += m - 1
	}
	vain[n] = true
	return -1
}

func runOf(text []byte) int {
	if i := slices.IndexFunc(text, func(b byte) bool { return b != '`' }); i >= 0 {
		return i
	}
	return len(text)
}

func blank(text []byte) {
	for i, b := range text {
		if b != '\n' {
			text[i] = ' '
		}
	}
}
