package conflict

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// saidAsWord reports whether a value that names a case is a word of the other side, which then says
// the case too: automatic, automatically; the first train, First train.
func (m *matcher) saidAsWord(v *claim.SaidValue, t *told) bool {
	switch {
	case strings.HasPrefix(v.Class, "pole:"):
		pole, ok := strings.CutPrefix(v.Class, "pole:")
		for _, word := range []string{pole, pole + "ally", pole + "ly"} {
			common, denied := m.lexicon.Pole(word)
			if ok = t.has(common) && t.poles[common] == denied && v.Value.Bool != denied; ok {
				return true
			}
		}
		return false
	case strings.HasPrefix(v.Class, "ordinal"):
		return slices.ContainsFunc(m.lexicon.Concepts(v.Text), t.has)
	}
	return false
}

// caseSaid reports whether b says by its words all that a says by values of the case in which it holds.
func (m *matcher) caseSaid(a, b *mention) bool {
	return !slices.ContainsFunc(caseValues(a, b), func(v claim.SaidValue) bool { return !m.saidAsWord(&v, b.said) })
}

// caseValues returns the values before the verb that a stands behind and that b does not stand beside.
func caseValues(a, b *mention) (out []claim.SaidValue) {
	verb := -1
	for i := range a.said.Saying.Words {
		if w := &a.said.Saying.Words[i]; w.Verb && w.At >= 0 && w.At < a.From {
			verb = w.At
			break
		}
	}
	if verb <= 0 {
		return nil
	}
	for _, v := range a.said.Values {
		if v.To <= verb && v.To > v.From && !slices.ContainsFunc(b.said.Values, func(o claim.SaidValue) bool {
			return comparedIn(&o) == comparedIn(&v) && !clash(&v, &o)
		}) {
			out = append(out, v)
		}
	}
	return out
}

// universal are words that a sentence begins with which holds for all things of a kind.
var universal = map[string]bool{"all": true, "every": true, "each": true, "any": true, "no": true}

// narrowed reports whether a holds under a condition that b does not name. Who says that something is
// so of all things of a kind says it for those under the condition too: all backups are encrypted.
func narrowed(a, b *mention) bool {
	return oneSided(a.said, b.said) && !(a.Value.Kind == schema.ValueBool && ofAll(b.said, a.said))
}

// ofAll reports whether a sentence says something of all things of a kind of which another sentence
// tells as well.
func ofAll(s, other *told) bool {
	if s.From != schema.OriginSentence && s.From != schema.OriginList {
		return false
	}
	words := strings.Fields(strings.ToLower(string(s.Span.In(s.page.Source))))
	if len(words) == 0 || !universal[strings.Trim(words[0], "*_")] {
		return false
	}
	of := 0
	for i := range s.words {
		if w := &s.words[i]; w.Subject {
			if !other.has(w.Concept) {
				return false
			}
			of++
		}
	}
	return of > 0
}
