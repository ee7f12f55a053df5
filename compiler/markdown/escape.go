package markdown

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/util"
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
		var n int
		if dst, n = appendReference(dst, text); n == 0 {
			dst, n = append(dst, '&'), 1
		}
		text = text[n:]
	}
	return dst
}

// maxReference is the length of the longest named character reference,
// &CounterClockwiseContourIntegral;.
const maxReference = 33

// appendReference appends the character of the reference at the beginning of b and
// returns its length, or 0 if there is none (CommonMark 0.31, 2.5).
func appendReference(dst, b []byte) ([]byte, int) {
	end := bytes.IndexByte(b[:min(len(b), maxReference)], ';')
	if end < 2 {
		return dst, 0
	}
	name := string(b[1:end])
	if name[0] != '#' {
		e, ok := util.LookUpHTML5EntityByName(name)
		if !ok {
			return dst, 0
		}
		return append(dst, e.Characters...), end + 1
	}
	digits, base, longest := name[1:], 10, 7
	if digits != "" && digits[0]|0x20 == 'x' {
		digits, base, longest = digits[1:], 16, 6
	}
	code, err := strconv.ParseUint(digits, base, 32)
	if err != nil || len(digits) > longest {
		return dst, 0
	}
	if code == 0 {
		code = utf8.RuneError
	}
	return utf8.AppendRune(dst, rune(code)), end + 1
}

// asIs are the characters of ASCII that need no escape.
var asIs = func() (set [256]bool) {
	for c := range utf8.RuneSelf {
		set[c] = strings.IndexByte("&<>\"'\x00\r", byte(c)) < 0
	}
	return set
}()

// appendHTML appends text so that it is text in HTML and in a quoted
// attribute. Bytes that are no UTF-8, and NUL, become U+FFFD.
func appendHTML(dst, text []byte) []byte {
	start := 0
	for i := 0; i < len(text); {
		b := text[i]
		if asIs[b] {
			i++
			continue
		}
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
		}
		dst = append(append(dst, text[start:i]...), ref...)
		i++
		start = i
	}
	return append(dst, text[start:]...)
}
