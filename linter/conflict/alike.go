package conflict

import (
	"slices"
	"strings"
)

// told reports whether the words of a claim are those of a condition that a column or a word of
// the other sets.
func (f *finder) told(s *said, condition string) bool {
	if _, value, column := strings.Cut(condition, "="); column {
		condition = value
	}
	words := f.titleWords(condition)
	return len(words) > 0 && subset(words, s.hard)
}

// objects reports whether a list names what it is of, and the other the verb of that alone.
func objects(s, other *said) bool {
	verb, ok := strings.CutPrefix(other.Value.Words[0], "object:")
	return ok && slices.Contains(s.Value.Words, verb)
}

// figured reports whether both claims speak of a thing by its number, and by one.
func figured(a, b *said) bool {
	return slices.ContainsFunc(a.hard, func(w string) bool { return w[0] >= '0' && w[0] <= '9' && slices.Contains(b.hard, w) })
}
