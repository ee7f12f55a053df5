package text

import (
	"strconv"
	"strings"
)

// Collapse returns s on one line: without white space at its ends, and with one
// space for each run of it within.
func Collapse(s string) string { return strings.Join(strings.Fields(s), " ") }

// Count writes a number of things: "1 link", "3 links", "2 entries".
func Count(n int, noun string) string { return strconv.Itoa(n) + " " + Plural(n, noun) }

// Plural returns a regular English noun in the form that n of it take.
func Plural(n int, noun string) string {
	switch {
	case n == 1:
		return noun
	case strings.HasSuffix(noun, "s") || strings.HasSuffix(noun, "x"):
		return noun + "es"
	case strings.HasSuffix(noun, "y") && !strings.HasSuffix(noun, "day"):
		return noun[:len(noun)-1] + "ies"
	}
	return noun + "s"
}

// Thousands writes a number with commas: "12,345".
func Thousands(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// List joins words with the conjunction before the last: "a, b and c".
func List(words []string, conjunction string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}
