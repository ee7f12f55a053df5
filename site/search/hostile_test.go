package search

import (
	"strings"
	"testing"
)

// TestHostileText reads texts that would be slow if any step were worse than
// linear. One that
// is does not end before the test is stopped.
func TestHostileText(t *testing.T) {
	t.Parallel()
	const size = 1 << 19
	for name, unit := range map[string]string{
		"one word": "a", "underscores": "_", "capitals": "aB", "marks": "e\u0301", "only marks": "\u0301", "han": "知", "spaces": " ",
		"mixed": "a知", "voiced": "か\u3099", "invalid": "\xff", "jamo": "\u1100\u1161", "digits": "1A", "folded": "ß", "hyphens": "a-", "signs": ".a++",
	} {
		text := strings.Repeat(unit, size/len(unit))
		n := 0
		Terms(text, func(string) { n++ })
		words(text)
		plainWords(text)
		if n > len(text) {
			t.Errorf("%s: %d bytes became %d terms", name, len(text), n)
		}
	}
}
