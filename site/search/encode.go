package search

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// digits are the characters of which lists are made.
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// frontCode writes every entry without what it shares with the one before, which is the
// number of units of UTF-16 that the digit before it is worth.
func frontCode(list []string, sep string) string {
	var sb strings.Builder
	last := ""
	for i, s := range list {
		if i > 0 {
			sb.WriteString(sep)
		}
		n, at := 0, 0
		for _, r := range commonHead(s, last) {
			size := utf16.RuneLen(r)
			if n+size >= len(digits) || r == utf8.RuneError {
				break
			}
			n, at = n+size, at+utf8.RuneLen(r)
		}
		sb.WriteByte(digits[n])
		sb.WriteString(s[at:])
		last = s
	}
	return sb.String()
}
