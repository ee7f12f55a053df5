package claim

import "strings"

// leastNegated is how many letters stand at least behind a prefix that negates them: inland is none.
const leastNegated = 5

// negated returns the concept of what a word says is not so by its prefix: non-deterministic, unpasteurised, irreplaceable. It is
// empty for words without one, and for those of which the lexicon knows the opposite.
func (l *Lexicon) negated(t *token) string {
	if l.opposite[t.word] != (opposite{}) {
		return ""
	}
	for _, prefix := range [...]string{"non-", "non", "un", "in", "im", "ir", "il"} {
		rest, ok := strings.CutPrefix(t.text, prefix)
		if !ok || len(rest) < leastNegated {
			continue
		}
		done, can := strings.HasSuffix(rest, "ed"), strings.HasSuffix(rest, "able") || strings.HasSuffix(rest, "ible")
		switch {
		case prefix[0] == 'n', prefix == "un" && (done || can) && !strings.HasPrefix(rest, "der"), prefix[0] == 'i' && can:
			return l.concept(rest)
		}
	}
	return ""
}
