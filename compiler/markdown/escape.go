package markdown

import (
	"bytes"
	"html"
	"unicode/utf8"
)

// unescape appends text to dst with backslash escapes and character
// references undone.
func unescape(dst, text []byte) []byte {
	for len(text) > 0 {
		i := bytes.IndexAny(text, `\&`)
		if i < 0 {
			return append(dst, text...)
		}
		dst = append(dst, text[:i]...)
		text = text[i:]
		if text[0] == '\\' {
			if len(text) > 1 && isPunct(text[1]) {
				text = text[1:]
			}
			dst = append(dst, text[0])
			text = text[1:]
			continue
		}
		n := referenceLength(text)
		if n == 0 {
			dst = append(dst, '&')
			text = text[1:]
			continue
		}
		ref := string(text[:n])
		plain := html.UnescapeString(ref)
		if plain == "\x00" {
			plain = "\uFFFD"
		}
		dst = append(dst, plain...)
		text = text[n:]
	}
	return dst
}

// maxReference is the length of the longest named character reference,
// &CounterClockwiseContourIntegral;.
const maxReference = 33

// referenceLength returns the length of the character reference at the
// beginning of b, semicolon included, or 0.
func referenceLength(b []byte) int {
	for i := 1; i < len(b) && i <= maxReference; i++ {
		switch {
		case b[i] == ';':
			if i > 1 {
				return i + 1
			}
			return 0
		case isAlnum(b[i]), i == 1 && b[i] == '#':
		default:
			return 0
		}
	}
	return 0
}

// appendHTML appends text so that it is text in HTML and in a quoted
// attribute. Bytes that are no UTF-8, and NUL, become U+FFFD.
func appendHTML(dst, text []byte) []byte {
	start := 0
	for i := 0; i < len(text); {
		b := text[i]
		if b >= utf8.RuneSelf {
			r, n := utf8.DecodeRune(text[i:])
			if r == utf8.RuneError && n == 1 {
				dst = append(append(dst, text[start:i]...), "\uFFFD"...)
				start = i + 1
			}
			i += n
			continue
		}
		var ref string
		switch b {
		case '&':
			ref = "&amp;"
		case '<':
			ref = "&lt;"
		case '>':
			ref = "&gt;"
		case '"':
			ref = "&quot;"
		case '\'':
			ref = "&#39;"
		case 0:
			ref = "\uFFFD"
		case '\r':
			ref = ""
		default:
			i++
			continue
		}
		dst = append(append(dst, text[start:i]...), ref...)
		i++
		start = i
	}
	return append(dst, text[start:]...)
}
