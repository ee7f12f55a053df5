package search

import "strings"

// leastStem is how long a stem is for its forms to be looked for.
const leastStem = 3

// stem returns the common stem of the English forms of a folded word. It cuts endings
// and changes at most the last letter, so that forms share a prefix.
func stem(word string) string {
	for i := range len(word) {
		if c := word[i]; c < 'a' || c > 'z' {
			return word
		}
	}
	w := word
	if n := len(w); n > 3 && w[n-1] == 's' && !strings.ContainsRune("sui", rune(w[n-2])) {
		w = w[:n-1]
	}
	for _, end := range [...]string{"ing", "ed", "er"} {
		if head, ok := strings.CutSuffix(w, end); ok && len(head) > 2 && strings.ContainsAny(head, "aeiouy") {
			if n := len(head); head[n-1] == head[n-2] && !strings.ContainsRune("aeiouls", rune(head[n-1])) {
				head = head[:n-1] // running
			}
			w = head
			break
		}
	}
	if len(w) > 3 {
		w = strings.TrimSuffix(w, "e")
	}
	if head, ok := strings.CutSuffix(w, "y"); ok && len(w) > 2 {
		w = head + "i"
	}
	return w
}
