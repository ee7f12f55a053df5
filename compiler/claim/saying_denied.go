package claim

import "slices"

// goingOn are words behind which a sentence does not come back to what it said before.
var goingOn = wordSet(`so but`)

// deniedAt reports whether what is said at a token is denied. Who denies a reason, or something of
// what is mentioned in passing, does not: it is turned off, since nobody used it.
func (s *statement) deniedAt(at int) (denied bool) {
	if colon := slices.IndexFunc(s.tokens, func(t token) bool { return t.text == ":" }); colon >= 0 && at > colon && slices.ContainsFunc(s.tokens[colon:], func(t token) bool { return t.is(isAuxiliary) }) {
		return slices.ContainsFunc(s.tokens[colon:], func(t token) bool { return t.is(isNegation) }) // do not hurry: it is open
	}
	if !clauseMarked(s.tokens) {
		return s.negative
	}
	n, last, mark := 0, 0, "" // the clause, 0 for the main one, and the word that begins it
	in := make([]int, len(s.tokens))
	for i := range s.tokens {
		switch t := &s.tokens[i]; {
		case i > 0 && clauseMarks[t.text] && t.link < 0:
			last++
			n, mark = last, t.text
		case t.text == "," && !goingOn[mark]:
			n = 0
		}
		in[i] = n
	}
	for i := range s.tokens {
		if s.tokens[i].text == ":" {
			break // what is listed behind it is not said
		}
		if s.tokens[i].is(isNegation) && in[i] == in[at] {
			denied = !denied
		}
	}
	return denied
}

// clauseMarked reports whether a sentence has more than one clause.
func clauseMarked(tokens []token) bool {
	for i := range tokens {
		if clauseMarks[tokens[i].text] {
			return true
		}
	}
	return false
}

// fewer are the words before than of what is less, and those that stand alone.
var fewer = wordSet(`less fewer shorter lower smaller younger lighter earlier cheaper below under`)

// noLess reports whether a value is said to be undercut by nothing: nobody sails with less than 30 l,
// it is not fired below 900 °C. What is denied must be done with so much; whatever else has a limit is
// another thing, and what is done in some cases has none.
func (s *statement) noLess(at int) bool {
	if wordIn(s.word(at), "no", "not") {
		return fewer[s.word(at+1)] && s.word(at+2) == "than"
	}
	if at < 2 || !fewer[s.word(at)] || !s.deniedAt(at) {
		return false
	}
	if before := &s.tokens[at-1]; !wordIn(before.text, "with", "at", "has", "have") && !before.is(isNegation) && (!before.is(isVerb) || before.is(isAuxiliary)) {
		return false
	}
	if slices.ContainsFunc(s.tokens, func(t token) bool { return wordIn(t.text, "unless", "except", "if", "when") }) {
		return false
	}
	for i := at - 1; i >= 0 && s.tokens[i].kind != 'p'; i-- {
		if s.tokens[i].is(isNegation) {
			return true
		}
	}
	return false
}
