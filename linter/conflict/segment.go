package conflict

import (
	"slices"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// ofClause returns a saying as the clause of one of its values says it. What its other clauses say may be left unsaid where it is
// said: the store uses Redis, because it is quick. What they say of further values of a kind is not said of it: the Studio plan
// includes 15 users, the Office plan 40.
func (m *matcher) ofClause(t *told, v *claim.SaidValue) *told {
	if t.Part || v.To == 0 {
		return t
	}
	from, to := segment(t.Saying, v)
	first, last, relative := turned(t.Saying, v)
	if from == 0 && to < 0 && first == 0 && last < 0 {
		return t
	}
	s := *t.Saying
	s.Near = slices.Clone(s.Near)
	soft := func(w claim.SaidWord) bool {
		return w.At >= 0 && (w.At < from || w.At < first && (!w.Subject || relative) || last >= 0 && w.At >= last)
	}
	for _, w := range s.Words {
		if soft(w) && (to < 0 || w.At < to) {
			s.Near = append(s.Near, w.Concept)
		}
	}
	clause := m.without(t, &s, func(w claim.SaidWord) bool { return soft(w) || to >= 0 && w.At >= to })
	if clause != t {
		clause.whole = t
	}
	return clause
}

// entire returns what a saying is a clause of; itself where it is none.
func (t *told) entire() *told {
	if t.whole != nil {
		return t.whole
	}
	return t
}

// turned returns between which tokens the clause of a value stands, by the words that begin others: the second is negative where
// it goes on to the end. A relative clause is said of what stands before it, and not of the subject: the season, which begins in
// May.
func turned(s *claim.Saying, v *claim.SaidValue) (first, last int, relative bool) {
	last = -1
	for _, at := range s.Turns {
		switch {
		case at < v.From:
			first, relative = at+1, slices.ContainsFunc(s.Words, func(w claim.SaidWord) bool { return w.At == at+1 && relatives[w.Concept] })
			if relative {
				first = max(0, at-antecedent)
			}
		case at >= v.To && last < 0:
			last = at
		}
	}
	return first, last, relative
}

// relatives begin a relative clause.
var relatives = map[string]bool{"which": true, "who": true, "whos": true}

// antecedent is how many tokens what a relative clause is said of takes at most.
const antecedent = 3

// segment returns between which tokens the clause of a value stands, if others of its kind stand in further clauses of a
// saying: to is negative where it goes on to the end.
func segment(s *claim.Saying, v *claim.SaidValue) (from, to int) {
	to = -1
	if v.Value.Kind != schema.ValueQuantity || len(s.Breaks) == 0 {
		return 0, to
	}
	for i := range s.Values {
		o := &s.Values[i]
		if o.Span == v.Span || comparedIn(o) != comparedIn(v) || o.Value.Kind != v.Value.Kind {
			continue
		}
		for _, at := range s.Breaks {
			switch {
			case o.To <= at && at < v.From:
				from = max(from, at+1)
			case v.To <= at && at < o.From && (to < 0 || at < to):
				to = at
			}
		}
	}
	return from, to
}
