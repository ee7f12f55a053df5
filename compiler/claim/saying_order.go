package claim

import (
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// orders adds which of two things that are done, or that happen, comes first.
func (x *sayer) orders(s *Saying, tokens []token) {
	if len(tokens) < 4 || !slices.ContainsFunc(tokens, func(t token) bool { return wordIn(t.text, "before", "after", "first") }) {
		return
	}
	for _, c := range x.clauses(tokens) {
		if len(c) < 4 || len(c) > longestClause || c[0].is(isSubordinate) {
			continue
		}
		st := x.parse(c, nil)
		if st.past || st.former || st.negative || slices.ContainsFunc(c, func(t token) bool { return hedges[t.text] || t.text == "or" }) {
			continue
		}
		for i := max(st.verb, st.lead) + 1; i+2 < len(c); i++ {
			a, b, after := st.steps(i)
			if a < 0 || b < 0 || c[a].word == c[b].word || c[a].word == "" || c[b].word == "" {
				continue
			}
			first, second := c[a].word, c[b].word
			swapped := first > second
			if swapped {
				first, second = second, first
			}
			s.Facts = append(s.Facts, SaidFact{Kind: FactBefore, Concept: first + " " + second, Denied: swapped != after, At: i, Span: schema.Span{Start: c[i].span.Start, End: c[i].span.End}})
			break
		}
	}
}

// steps returns the words for two steps that a word at a token puts in an order, as the page
// gives them, and whether the first of them comes after the second: is weighed before it is
// packed, comes after packing, weighs it first and packs it afterwards.
func (s *statement) steps(i int) (a, b int, after bool) {
	t := s.tokens
	switch w := t[i].text; {
	case wordIn(w, "before", "after") && (t[i-1].kind == 'n' || t[i-1].is(isJoiner|isNumber) || s.isUnit(i-1)):
		return -1, -1, false // two days before
	case wordIn(w, "before", "after") && comesTo[t[i-1].text]:
		return s.head(s.lead, i-1), s.head(i+1, len(t)), w == "after"
	case s.verb < 0:
		return -1, -1, false
	case wordIn(w, "before", "after"):
		b, _ = s.event(i + 1)
		return s.doing(s.verb, i), b, w == "after"
	case w == "first" && t[i+1].text == "and" && t[i+2].is(isVerb) && slices.ContainsFunc(t[i+2:], func(t token) bool { return wordIn(t.text, "then", "afterwards", "later", "second") }):
		return s.doing(s.verb, i), i + 2, false
	}
	return -1, -1, false
}

// head returns the last word of the noun phrase between two tokens, -1 for none.
func (s *statement) head(from, to int) int {
	for from < to && s.tokens[from].is(isDeterminer) {
		from++
	}
	end := from
	for end < to && s.tokens[end].kind == 'w' && !s.tokens[end].is(isCondition|isWeak|isJoiner|isAuxiliary|isPronoun) {
		end++
	}
	if end == from {
		return -1
	}
	return end - 1
}
