package conflict

import (
	"slices"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// contrast is what the classes of words begin with of which a thing can be at one only: it stands on
// the upper deck, it stands on the lower deck.
const contrast = "pole:contrast:"

// ofOrder reports whether a mention says at which of two places a thing is, or which of two things comes
// first: it names what it says that of.
func ofOrder(a *mention) bool {
	return strings.HasPrefix(a.Class, contrast) || a.fact != nil && a.fact.Kind == claim.FactBefore
}

// contrasts makes mentions of such words behind the verbs of sentences.
func (m *matcher) contrasts(all []*told) {
	for _, t := range all {
		if t.From != schema.OriginSentence && t.From != schema.OriginList || t.Denied || len(t.sides) != 1 ||
			slices.ContainsFunc(t.Saying.Values, func(v claim.SaidValue) bool { return v.Value.Kind != schema.ValueBool }) {
			continue
		}
		for i := range t.Saying.Words {
			w := &t.Saying.Words[i]
			common, second, ok := m.lexicon.Contrast(w.Concept)
			if !ok || w.Subject || !slices.ContainsFunc(t.Saying.Words[:i], func(v claim.SaidWord) bool { return v.Subject }) {
				continue
			}
			t.values[contrast+common]++
			m.all = append(m.all, &mention{said: t, order: len(m.all), SaidValue: &claim.SaidValue{Span: t.Span, Text: w.Concept, Class: contrast + common,
				From: w.At, To: w.At + 1, Value: schema.Value{Kind: schema.ValueBool, Bool: !second}}})
		}
	}
}

// side notes at which of two places or ends a saying is that a word names; who names both is at none.
func (m *matcher) side(t *told, concept string) string {
	common, second, ok := m.lexicon.Contrast(concept)
	if !ok {
		return concept
	}
	if before, known := t.sides[common]; known && before != second {
		t.both = append(t.both, common)
	}
	t.sides[common] = second
	if common == earlier() {
		return concept // so much is said with it that it tells little
	}
	return common
}

// earlier is what before and after have in common.
var earlier = sync.OnceValue(func() string {
	common, _, _ := claim.English().Contrast(claim.English().Concepts("after")[0])
	return common
})

// sidesApart reports whether two sayings are at two sides: the fee of the upper deck, the fee of the
// lower deck.
func sidesApart(s, t *told) bool {
	for common, second := range s.sides {
		if other, ok := t.sides[common]; ok && other != second && common != earlier() && !slices.Contains(s.both, common) && !slices.Contains(t.both, common) {
			return true
		}
	}
	return false
}

// contrasted reports whether two contrary words may be said of one thing: all that stands before the
// verb of one does so in the other, and what stands behind the words is the same.
func (m *matcher) contrasted(a, b *mention) bool {
	return m.saysBefore(a.said, b.said) && m.saysBefore(b.said, a.said) && m.following(a) == m.following(b) && len(a.said.both)+len(b.said.both) == 0 &&
		!mayBe(a.said) && !mayBe(b.said)
}

// saysBefore reports whether all that stands before the verb of s and may name a thing does so in t.
func (m *matcher) saysBefore(s, t *told) bool {
	n := 0
	for i := range s.words {
		w := &s.words[i]
		if !w.Subject || m.lexicon.Light(w.Concept) || m.lexicon.Empty(w.Concept) {
			continue
		}
		if k, ok := t.at[w.Concept]; !ok || !t.words[k].Subject {
			return false
		}
		n++
	}
	return n > 0
}

// following returns the word that stands next behind a mention; empty for none.
func (m *matcher) following(a *mention) string {
	for i := range a.said.Saying.Words {
		if w := &a.said.Saying.Words[i]; w.At >= a.To {
			return w.Concept
		}
	}
	return ""
}

// mayBe reports whether a sentence says what is possible: then something else is possible too.
func mayBe(t *told) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(string(t.Span.In(t.page.Source)))), func(w string) bool {
		return w == "can" || w == "may" || w == "could" || w == "might" || w == "or" || w == "either" || w == "mostly" || w == "usually"
	})
}
