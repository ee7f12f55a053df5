package claim

import (
	"slices"
	"strings"
)

// imperative reports whether a sentence tells the reader to do something: it begins with the
// plain form of a verb, and an object follows.
func (s *statement) imperative() bool {
	t := s.tokens
	at := s.lead
	if at+1 < len(t) && t[at+1].is(isCondition) && s.verb > at+1 && s.verb < len(t) && !slices.ContainsFunc(t[at+1:s.verb], func(t token) bool { return t.is(isConjunction) || t.text == "," }) {
		return false // support for version 3 ends in June
	}
	return at+1 < len(t) && t[at].kind == 'w' && t[at].link < 0 && t[at].is(isVerb) && !t[at].is(isAuxiliary) && !plural(t[at].text) &&
		!strings.HasSuffix(t[at].text, "ed") && !strings.HasSuffix(t[at].text, "ing") && (at == 0 || t[at-1].text == ",") &&
		(t[at+1].is(isDeterminer) || t[at+1].is(isCondition) || t[at+1].kind == 'n' || t[at+1].is(isNumber) || plural(t[at+1].text) && s.verb < 0)
}

// verb returns the index of the finite verb at or behind from, -1 when none is found.
func (x *extraction) verb(tokens []token, from int) int {
	many := false // a noun in the plural stands before
	unit := -1    // what may be a verb, and is a unit if there is another
	for i := from; i < len(tokens); i++ {
		t := &tokens[i]
		if t.kind != 'w' || t.link >= 0 {
			continue
		}
		if t.is(isAuxiliary) || t.text == "will" {
			return i
		}
		if i > from && t.is(isSubordinate) && wordIn(t.text, "that", "which", "who") && tokens[i-1].kind == 'w' && !tokens[i-1].is(isCondition) {
			if main := mainVerb(tokens, i+1); main > 0 {
				return main // the formats that it supports are
			}
		}
		plain := many
		many = many || plural(t.text) || t.capital && len(t.text) == 3 && t.text[2] == 's' || t.text == "people" || t.text == "children"
		if before := max(i-1, 0); t.is(isLight) && (tokens[before].kind == 'n' || tokens[before].is(isNumber)) && plural(t.text) && x.unit(t) && i > from {
			if unit < 0 {
				unit = i // after 84 months
			}
			continue
		}
		if i == from || !t.is(isVerb) || strings.HasSuffix(t.text, "ing") || strings.HasSuffix(t.text, "ings") || tokens[i-1].is(isDeterminer) || t.capital {
			continue
		}
		if i+1 < len(tokens) && (tokens[i+1].is(isAuxiliary) || i+2 < len(tokens) && strings.HasSuffix(tokens[i+1].text, "ed") && tokens[i+2].text == "by") {
			continue // a noun before the verb
		}
		if i+1 < len(tokens) && tokens[i+1].text == "by" && strings.HasSuffix(t.text, "ed") {
			if main := mainVerb(tokens, i+2); main > 0 {
				return main // the formats supported by it are
			}
		}
		if tokens[i-1].is(isNumber) {
			continue // three times
		}
		if !plain && !tokens[i-1].is(isPronoun) && t.text[len(t.text)-1] != 's' && !strings.HasSuffix(t.text, "ed") {
			continue // one thing has a verb with an s
		}
		return i
	}
	if unknown := x.unknownVerb(tokens, from); unknown >= 0 {
		return unknown
	}
	return unit
}

// unit reports whether a word is a unit of measurement.
func (x *extraction) unit(t *token) bool {
	_, ok := x.words.UnitOf(t.text)
	return ok
}

// mainVerb returns the auxiliary verb of a sentence whose subject goes on at from with a clause
// of its own, 0 for none.
func mainVerb(tokens []token, from int) int {
	verbs := 0
	for i := from; i < len(tokens) && i < from+longestPhrase; i++ {
		t := &tokens[i]
		switch {
		case t.kind == 'p', t.is(isConjunction | isJoiner):
			return 0
		case t.is(isAuxiliary) && (verbs > 0 || tokens[from-1].text == "by"):
			return i
		case tokens[from-1].text == "by" && i > from && t.is(isVerb) && !t.capital && !strings.HasSuffix(t.text, "ed") && !strings.HasSuffix(t.text, "ing") && (tokens[i-1].capital || tokens[i-1].link >= 0):
			return i // tokens issued by Turnstile expire
		case t.is(isAuxiliary), i > from && t.is(isVerb) && !tokens[i-1].is(isDeterminer):
			verbs++
		}
	}
	return 0
}

// unknownVerb returns the index of a word that can only be a verb where no verb is known: it
// ends with the s of one thing that does something, and what is said of it follows.
func (x *extraction) unknownVerb(tokens []token, from int) int {
	for i := from + 1; i+1 < len(tokens); i++ {
		t, before, next := &tokens[i], &tokens[i-1], &tokens[i+1]
		if t.kind != 'w' || t.link >= 0 || t.capital || !plural(t.text) || before.kind == 'n' && x.unit(t) || strings.HasSuffix(t.text, "us") || strings.HasSuffix(t.text, "is") ||
			before.kind != 'w' && (before.kind != 'n' || i < 2 || !tokens[i-2].capital) || before.is(isDeterminer|isCondition|isJoiner|isEmpty|isNumber|isWeak) || plural(before.text) {
			continue
		}
		if next.kind == 'n' || next.is(isNumber|isDeterminer) || next.kind == 'w' && next.link < 0 && !next.capital && plural(next.text) && i+2 < len(tokens) && tokens[i+2].kind == 'w' || next.is(isPhrase) && !next.is(isEmpty) || next.is(isCondition) && next.kind == 'w' {
			return i
		}
	}
	return -1
}

// governs reports whether the auxiliary verb of the statement governs the word behind
// it: is kept, can hold.
func (s *statement) governs(end int) bool { return s.governed(end) > 0 }

// governed returns the index of the word that the auxiliary verb governs, 0 for none.
func (s *statement) governed(end int) int {
	for i := s.verb + 1; i < end && s.tokens[s.verb].is(isAuxiliary); i++ {
		if t := &s.tokens[i]; t.kind == 'w' && t.word != "" && !t.is(isEmpty|isDeterminer|isNegation) {
			modal := !wordIn(s.tokens[s.verb].text, "is", "are", "has", "have", "was", "were", "isn't", "aren't", "hasn't")
			if !modal && s.word(i+1) == "," && (!participle(t, s.x.words) || s.ofSort()) {
				return 0 // the modes are hand, local and remote
			}
			if t.link < 0 && (modal || t.is(isVerb) && !plural(t.text) || len(t.text) > 4 && strings.HasSuffix(t.text, "ed")) {
				return i
			}
			return 0
		}
	}
	return 0
}

// ofSort reports whether a sentence is about what there is of a sort: the states of an action are queued, leased and done.
func (s *statement) ofSort() bool {
	for i := s.lead; i < s.verb && i < s.lead+sortLead; i++ {
		if t := &s.tokens[i]; t.kind == 'w' && sortNouns[t.text] {
			return i+1 == s.verb || wordIn(s.word(i+1), "of", "in", "for")
		}
	}
	return false
}

// sortLead is how many words the noun of a sort stands behind at most: the five possible states.
const sortLead = 4

// impersonal reports whether a sentence begins with an it that stands for what follows: it takes 5 minutes for a change
// to arrive.
func (s *statement) impersonal() bool {
	if s.word(s.lead) != "it" || !wordIn(s.word(s.lead+1), "takes", "is", "costs", "needs", "can", "may", "will") {
		return false
	}
	return slices.ContainsFunc(s.tokens[s.lead+2:], func(t token) bool { return wordIn(t.text, "to", "until", "before", "that") })
}
