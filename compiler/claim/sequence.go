package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// RoleOrder is the role of facts about which of two things that are done comes first. Such a
// fact is so when what comes first is the first by its verb, whatever the page says first.
const RoleOrder = "order"

// sequence adds which of two things that are done is done first: the dough is shaped before it
// is proved; counts the request first and authenticates it afterwards. Both must be told by a
// verb: what is done before an event may be done after it as well.
func (s *statement) sequence() bool {
	t := s.tokens
	if s.negative || s.verb < 0 || len(t) > longestFact+longestPhrase || slices.ContainsFunc(s.values, func(v found) bool { return v.value.Quantity.Dimension != "" && v.from > s.lead }) {
		return false
	}
	for i := s.verb + 1; i+2 < len(t); i++ {
		switch w := t[i].text; {
		case w == "before" || w == "after":
			if numberWord(t[i-1].text) != "" || s.isValue(i-1) || t[i-1].is(isJoiner) {
				return false
			}
			first := s.doing(s.verb, i)
			second, end := s.event(i + 1)
			return s.ordered(first, second, end, w == "after")
		case w == "first" && (t[i+1].text == "and" || t[i+1].text == "," && t[i+2].text == "then"):
			at := i + 2
			if wordIn(t[at].text, "then", "afterwards", "later") {
				at++
			}
			if at+1 < len(t) && t[at].is(isVerb) && (t[i+1].text == "," || slices.ContainsFunc(t[at:], func(t token) bool { return wordIn(t.text, "then", "afterwards", "later", "second") })) {
				return s.ordered(s.doing(s.verb, i), at, len(t), false)
			}
		}
	}
	return false
}

// doing returns the verb of what is done between two tokens: the one that is governed, -1 for
// what only is.
func (s *statement) doing(from, to int) int {
	if !s.tokens[from].is(isAuxiliary) {
		return from
	}
	if at := s.governed(to); at > 0 {
		return at
	}
	return -1
}

// event returns the verb of a clause or of a gerund that begins at a token, -1 for none, and
// where it ends.
func (s *statement) event(from int) (verb, end int) {
	t := s.tokens
	for end = from; end < len(t) && t[end].text != "," && t[end].text != ":" && !(end > from && t[end].is(isConjunction|isJoiner)); end++ {
	}
	if strings.HasSuffix(t[from].text, "ing") && t[from].is(isVerb) {
		return from, end
	}
	if from+1 < end && t[from].is(isPronoun) && t[from+1].is(isVerb) && !t[from+1].is(isAuxiliary) {
		return from + 1, end // before you give it
	}
	at := s.x.verb(t[:end], from)
	switch {
	case at == from+1 && t[from].is(isDeterminer) && !t[at].is(isAuxiliary):
		return -1, end // before the check
	case at <= from:
		return -1, end
	case t[at].is(isAuxiliary):
		for i := at + 1; i < end; i++ {
			if t[i].text != "been" && (t[i].is(isVerb) || strings.HasSuffix(t[i].text, "ed")) {
				return i, end
			}
		}
		return -1, end
	}
	return at, end
}

// ordered adds a fact about two verbs, of which the first in the text comes first unless the
// order is turned.
func (s *statement) ordered(a, b, end int, turned bool) bool {
	t := s.tokens
	if a < 0 || b < 0 || t[a].word == t[b].word {
		return false
	}
	f := fact{statement: s, end: end}
	terms := s.x.scratch.terms[:0]
	if s.lead > 1 && !wordIn(t[1].text, "each", "every") { // whatever it is done with
		terms = f.words(terms, 0, s.lead, schema.PartCondition)
	}
	terms = f.words(terms, s.lead, max(s.lead, s.verb), schema.PartSubject)
	for i := max(s.lead, s.verb); i < end; i++ {
		if w := &t[i]; wordIn(w.text, "before", "after", "first", "then", "afterwards", "later") || w.is(isPronoun|isConjunction|isJoiner) || w.is(isCondition) && w.text == "by" {
			if w.text == "by" {
				break
			}
			continue
		}
		terms = f.words(terms, i, i+1, schema.PartObject)
	}
	f.put(RoleOrder, (t[a].word < t[b].word) != turned, "", terms)
	return true
}
