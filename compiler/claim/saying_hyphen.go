package claim

import "strings"

// leastSpelled is how many letters a well-known name has that some write with a hyphen: shorter ones
// are marks of parts and rooms.
const leastSpelled = 4

// spelled returns a well-known name that is written with a hyphen as others write it, wifi for
// Wi-Fi, and other words as they are.
func (l *Lexicon) spelled(word string) string {
	if !strings.Contains(word, "-") || l.classes[word] != "" {
		return word
	}
	joined := strings.ReplaceAll(word, "-", "")
	if len(joined) < leastSpelled || l.classes[joined] == "" || strings.ContainsAny(joined, "0123456789") {
		return word
	}
	return joined
}
