package index

import (
	"strings"
	"testing"
	"time"
)

// TestHostileText reads texts that would be slow if any step were worse than
// linear. The bound is far above what a loaded machine needs.
func TestHostileText(t *testing.T) {
	t.Parallel()
	const size = 1 << 19
	for name, unit := range map[string]string{
		"one word": "a", "underscores": "_", "capitals": "aB", "marks": "e\u0301", "only marks": "\u0301", "han": "知", "spaces": " ",
		"mixed": "a知", "voiced": "か\u3099", "invalid": "\xff", "jamo": "\u1100\u1161", "digits": "1A", "folded": "ß",
	} {
		text := strings.Repeat(unit, size/len(unit))
		start := time.Now()
		n := 0
		Terms(text, func(string) { n++ })
		Query(text)
		if took := time.Since(start); took > 5*time.Second {
			t.Errorf("%s: %d bytes took %s", name, len(text), took)
		}
	}
}
