package search

import "strings"

// digits are the characters of which lists are made.
const digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"

// frontCode writes every entry without what it shares with the one before, which is the
// number of code points that the digit before it is worth.
func frontCode(list []string, sep string) string {
	var sb strings.Builder
	var last []rune
	for i, s := range list {
		if i > 0 {
			sb.WriteString(sep)
		}
		runes := []rune(s)
		n := 0
		for n < len(runes) && n < len(last) && n < len(digits)-1 && runes[n] == last[n] {
			n++
		}
		sb.WriteByte(digits[n])
		sb.WriteString(string(runes[n:]))
		last = runes
	}
	return sb.String()
}
