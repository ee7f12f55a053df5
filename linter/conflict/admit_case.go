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

// asOf returns the day or the month that a saying begins with, which says when it was so: in January 2025 it had 3,100 users. Nil for
// none.
func asOf(t *told) *claim.SaidValue {
	for i := range t.Values {
		v := &t.Values[i]
		if v.Value.Kind != schema.ValueDate || v.From == 0 || v.From > longestLead {
			continue
		}
		before := strings.Fields(strings.ToLower(string(t.page.Source[t.Span.Start:v.Span.Start])))
		if n := len(before); n > 0 && n <= longestLead && asOfLeads[strings.Trim(before[n-1], "*_")] {
			return v
		}
	}
	return nil
}

// longestLead is behind how many words such a date stands at most: by the very end of.
const longestLead = 5

// asOfLeads are words before such a date.
var asOfLeads = map[string]bool{"in": true, "on": true, "of": true, "by": true, "at": true, "during": true}

// asOfApart reports whether both sayings say of which time they are, each of another. Two such times contradict each other unless
// something else was so then.
func asOfApart(a, b *mention) bool {
	v, w := asOf(a.said.entire()), asOf(b.said.entire())
	switch {
	case v == nil || w == nil:
		return false
	case v.Span == a.Span || w.Span == b.Span:
		return v.Span == a.Span && w.Span == b.Span && bothClash(a, b) > 0
	}
	return clash(v, w)
}

// inCondition reports whether a value stands in the condition of a saying: when the volume is 75 percent full.
func inCondition(a *mention) bool {
	nearest, far := -1, 0
	for i := range a.said.Saying.Words {
		w := &a.said.Saying.Words[i]
		if away := max(a.From-w.At, w.At-a.To+1); w.At >= 0 && !w.Label && (nearest < 0 || away < far) {
			nearest, far = i, away
		}
	}
	return nearest >= 0 && a.said.Saying.Words[nearest].When
}

// ofElse reports whether two values stand in the conditions of sayings of which nothing else is common: a warning is sent, uploads are
// stopped.
func (m *matcher) ofElse(a, b *mention) bool {
	if a.Value.Kind != schema.ValueQuantity || !inCondition(a) || !inCondition(b) {
		return false
	}
	some := [2]bool{}
	for n, pair := range [2][2]*told{{a.said, b.said}, {b.said, a.said}} {
		for i := range pair[0].words {
			w := &pair[0].words[i]
			if w.When || m.vague(w.Concept) {
				continue
			}
			if some[n] = true; pair[1].knows(w.Concept) || pair[1].resembles(w) {
				return false
			}
		}
	}
	return some[0] && some[1]
}
