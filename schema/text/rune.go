package text

import (
	"fmt"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// hidden are the characters beyond ASCII that are not shown as they are: they
// act on a terminal, change the order or the lines of what is read, or are
// invisible and have no use in prose. The joiners U+200C and U+200D, zero-width
// and soft breaks and variation selectors belong to how words and emoji are
// written and stay.
var hidden = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: 0x0080, Hi: 0x009f, Stride: 1}, // C1
		{Lo: 0x061c, Hi: 0x061c, Stride: 1}, // Arabic letter mark
		{Lo: 0x180e, Hi: 0x180e, Stride: 1}, // Mongolian vowel separator
		{Lo: 0x200e, Hi: 0x200f, Stride: 1}, // marks of direction
		{Lo: 0x2028, Hi: 0x202e, Stride: 1}, // separators of lines and paragraphs, embeddings, overrides
		{Lo: 0x2060, Hi: 0x206f, Stride: 1}, // invisible operators, isolates, deprecated format characters
		{Lo: 0xfdd0, Hi: 0xfdef, Stride: 1}, // noncharacters
		{Lo: 0xfeff, Hi: 0xfeff, Stride: 1}, // byte order mark
		{Lo: 0xfff9, Hi: 0xfffb, Stride: 1}, // interlinear annotation
		{Lo: 0xfffe, Hi: 0xffff, Stride: 1}, // noncharacters
	},
	R32: []unicode.Range32{
		{Lo: 0x1bca0, Hi: 0x1bca3, Stride: 1}, // shorthand format controls
		{Lo: 0x1d173, Hi: 0x1d17a, Stride: 1}, // musical format controls
		{Lo: 0xe0000, Hi: 0xe00ff, Stride: 1}, // tags, which spell ASCII that nobody sees
		{Lo: 0xe01f0, Hi: 0xe0fff, Stride: 1}, // unassigned, and invisible by default
	},
}

// Hidden reports whether a character is shown as an escape. A line feed and a
// tab are not hidden.
func Hidden(r rune) bool {
	if r < 0x80 {
		return r < 0 || !plain[r]
	}
	return unicode.Is(hidden, r) || r > 0xffff && r&0xfffe == 0xfffe
}

// plain are the bytes that are written unchanged.
var plain = func() (t [256]bool) {
	for c := ' '; c <= '~'; c++ {
		t[c] = true
	}
	t['\n'], t['\t'] = true, true
	return t
}()

// escape appends the spelling of a hidden character.
type escape func(dst []byte, r rune) []byte

// visible spells a character as people read it.
func visible(dst []byte, r rune) []byte {
	switch {
	case r == '\r':
		return append(dst, `\r`...)
	case r < 0x100:
		return fmt.Appendf(dst, `\x%02x`, r)
	case r < 0x10000:
		return fmt.Appendf(dst, `\u%04x`, r)
	}
	return fmt.Appendf(dst, `\U%08x`, r)
}

// inJSON spells a character in a string of JSON.
func inJSON(dst []byte, r rune) []byte {
	if hi, lo := utf16.EncodeRune(r); hi != utf8.RuneError {
		return fmt.Appendf(dst, `\u%04x\u%04x`, hi, lo)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}

// inXML spells a character in the content of an element or an attribute. XML 1.0
// has no spelling for control characters and two noncharacters.
func inXML(dst []byte, r rune) []byte {
	if r < 0x20 || r == 0xfffe || r == 0xffff {
		return visible(dst, r)
	}
	return fmt.Appendf(dst, "&#x%x;", r)
}

// appendEscaped appends src with its hidden characters escaped and \r\n as \n: a
// carriage return never gets out. Unless src is final, what may be the first part of a character or of a line end is returned
// as rest.
func appendEscaped(dst, src []byte, final bool, spell escape) (out, rest []byte) {
	for len(src) > 0 {
		n := 0
		for n < len(src) && plain[src[n]] {
			n++
		}
		dst, src = append(dst, src[:n]...), src[n:]
		if len(src) == 0 {
			break
		}
		c := src[0]
		if c == '\r' && len(src) == 1 && !final {
			return dst, src
		}
		if c == '\r' && len(src) > 1 && src[1] == '\n' {
			dst, src = append(dst, '\n'), src[2:]
			continue
		}
		r, size := utf8.DecodeRune(src)
		switch {
		case r == utf8.RuneError && size == 1 && !final && !utf8.FullRune(src):
			return dst, src
		case r == utf8.RuneError:
			dst = append(dst, "�"...)
		case Hidden(r):
			dst = spell(dst, r)
		default:
			dst = append(dst, src[:size]...)
		}
		src = src[size:]
	}
	return dst, nil
}

// isClean reports whether s needs no escape, and has no line end \r\n.
func isClean(s string) bool {
	for i := 0; i < len(s); {
		if plain[s[i]] {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 || Hidden(r) {
			return false
		}
		i += size
	}
	return true
}

// Clean returns s as text of several lines: hidden characters and bytes that are
// no UTF-8 are escaped, line feeds and tabs stay, \r\n becomes \n.
func Clean(s string) string {
	if isClean(s) {
		return s
	}
	out, _ := appendEscaped(make([]byte, 0, len(s)+32), []byte(s), true, visible)
	return string(out)
}
