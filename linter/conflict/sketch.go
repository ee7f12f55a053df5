package conflict

import (
	"slices"
	"strings"

	"github.com/zeebo/xxh3"
)

// sketch is a set of words by one bit of 64 for each: what has not the bit of a word has not the
// word. Most words of two sayings are different ones, and most comparisons end here.
type sketch uint64

func sketchOf(word string) sketch { return 1 << (xxh3.HashString(word) & 63) }

// leastRoot is how many bytes at least two words begin with that are of one root.
const leastRoot = 5

// sketch notes the words of a saying, for [told.says] and what is below it.
func (t *told) sketch() {
	t.spoken, t.taken, t.roots = 0, 0, 0
	for i := range t.words {
		w := &t.words[i]
		w.bit, w.root = sketchOf(w.Concept), 0
		if len(w.Concept) >= leastRoot {
			w.root = sketchOf(w.Concept[:leastRoot])
		}
		t.spoken |= w.bit
		t.roots |= w.root
	}
	for word, taken := range t.soft {
		if taken {
			t.taken |= sketchOf(word)
		}
	}
}

// says reports whether a saying has a word of another.
func (t *told) says(w *toldWord) bool { return t.spoken&w.bit != 0 && t.has(w.Concept) }

// grants reports whether a saying takes a word of another for granted.
func (t *told) grants(w *toldWord) bool { return t.taken&w.bit != 0 && t.soft[w.Concept] }

// resembles reports whether a saying has a word of the same root as one of another: compress,
// compression.
func (t *told) resembles(w *toldWord) bool {
	return t.roots&w.root != 0 && slices.ContainsFunc(t.words, func(o toldWord) bool {
		return o.root == w.root && (strings.HasPrefix(o.Concept, w.Concept) || strings.HasPrefix(w.Concept, o.Concept))
	})
}
