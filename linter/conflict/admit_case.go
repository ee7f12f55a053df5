package conflict

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

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
		if v.To <= verb && v.To > v.From && !turnsBetween(a.said.Saying, v.To, a.From) && !strings.HasPrefix(v.Class, claim.ClassNamed) && // a name says of what
			!slices.ContainsFunc(b.said.Values, func(o claim.SaidValue) bool {
				return comparedIn(&o) == comparedIn(&v) && !clash(&v, &o)
			}) {
			out = append(out, v)
		}
	}
	return out
}

// turnsBetween reports whether a clause of its own begins between two tokens: is 1.6 m across and made of glass.
func turnsBetween(s *claim.Saying, from, to int) bool {
	return slices.ContainsFunc(s.Turns, func(at int) bool { return from <= at && at < to })
}

// universal are words that a sentence begins with which holds for all things of a kind.
var universal = map[string]bool{"all": true, "every": true, "each": true, "any": true, "no": true}

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
