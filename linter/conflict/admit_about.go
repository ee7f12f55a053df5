package conflict

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// aboutElse reports whether two names stand in sayings that have no word in common which may name a thing, on pages about different
// things: the film comes from one supplier and the cells from another, the lot is read from the bar code and the numbers are read
// from the manual.
func (m *matcher) aboutElse(a, b *mention) bool {
	if a.Value.Kind != schema.ValueName || !strings.HasPrefix(a.Class, "class:who:") && !strings.HasPrefix(a.Class, claim.ClassThing) {
		return false
	}
	s, t := a.said, b.said
	tells, common := m.telling(a, t)
	also, shared := m.telling(b, s)
	switch {
	case common || shared:
		return false
	case tells != also:
		return false // one is about what its page is about, perhaps
	}
	return tells || !sameEntity(s, t) && !m.topic(s, t) && !m.topic(t, s)
}

// telling reports whether a mention has words that may name what it is about, and whether t knows one of them.
func (m *matcher) telling(a *mention, t *told) (some, common bool) {
	for i := range a.said.words {
		w := &a.said.words[i]
		if w.Verb || w.When || slices.Contains(a.Value.Words, w.Concept) || w.At >= a.From && w.At < a.To || m.vague(w.Concept) {
			continue
		}
		if some = true; t.knows(w.Concept) || t.resembles(w) {
			return true, true
		}
	}
	return some, false
}
