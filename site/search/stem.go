package search

import "strings"

// stem returns what English forms of a folded word have in common. It cuts
// endings and changes no letter but the last, so that forms begin alike.
func stem(word string) string {
	for i := range len(word) {
		if c := word[i]; c < 'a' || c > 'z' {
			return word
		}
	}
	w := word
	switch {
	case len(w) > 4 && strings.HasSuffix(w, "ies"):
		w = w[:len(w)-2]
	case len(w) > 4 && (strings.HasSuffix(w, "sses") || strings.HasSuffix(w, "shes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "xes")):
		w = w[:len(w)-2]
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us") && !strings.HasSuffix(w, "is"):
		w = w[:len(w)-1]
	}
	for _, end := range [...]string{"ing", "ed", "er", "or", "ion", "able", "ly"} {
		if head, ok := strings.CutSuffix(w, end); ok && len(head) >= 3 && strings.ContainsAny(head, "aeiouy") {
			if n := len(head); head[n-1] == head[n-2] && !strings.ContainsRune("aeiouls", rune(head[n-1])) {
				head = head[:n-1]
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
