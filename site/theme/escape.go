package theme

import "strings"

// escapes are the characters that html/template escapes in text and in quoted
// attributes.
var escapes = [256]string{0: "\uFFFD", '"': "&#34;", '&': "&amp;", '\'': "&#39;", '+': "&#43;", '<': "&lt;", '>': "&gt;"}

// appendText escapes as html/template does in text and in quoted attributes.
func appendText(dst []byte, s string) []byte {
	from := 0
	for i := 0; i < len(s); i++ {
		if e := escapes[s[i]]; e != "" {
			dst = append(append(dst, s[from:i]...), e...)
			from = i + 1
		}
	}
	return append(dst, s[from:]...)
}

const (
	lowerHex = "0123456789abcdef"
	inURLs   = "!#$&*+,/:;=?@[]-._~"
)

// plainInURLs are the characters that html/template leaves alone in an address.
var plainInURLs = func() (set [256]bool) {
	for c := range set {
		set[c] = c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || strings.IndexByte(inURLs, byte(c)) >= 0
	}
	return set
}()

// appendAnchor writes a link as html/template does.
func appendAnchor(dst []byte, href, text string) []byte {
	dst = appendURL(append(dst, `<a href="`...), href)
	dst = appendText(append(dst, `">`...), text)
	return append(dst, "</a>"...)
}

// appendURL writes an address as html/template does in an attribute that
// holds one: of schemes it knows three, and what no address has is encoded.
func appendURL(dst []byte, s string) []byte {
	if !safeScheme(s) {
		return append(dst, "#ZgotmplZ"...)
	}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '%' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			dst = append(dst, c)
		case !plainInURLs[c]:
			dst = append(dst, '%', lowerHex[c>>4], lowerHex[c&15])
		case escapes[c] != "":
			dst = append(dst, escapes[c]...)
		default:
			dst = append(dst, c)
		}
	}
	return dst
}

func safeScheme(s string) bool {
	i := strings.IndexAny(s, ":/")
	if i < 0 || s[i] == '/' {
		return true
	}
	scheme := s[:i]
	return strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "mailto")
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}
