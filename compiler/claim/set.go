package claim

import "github.com/loopwiki/wiki/schema"

// listedAs adds what a plural noun before "are" lists, whoever does what with it: the formats
// that the reader takes are a, b and c; the sizes sold by the shop are a and b.
func (s *statement) listedAs() bool {
	t := s.tokens
	are := -1
	for i := s.lead + 1; i+1 < len(t); i++ {
		if t[i].text == "are" {
			are = i
			break
		}
	}
	if are < 0 || !s.enumerates(are+1) {
		return false
	}
	head := -1
	for i := s.lead; i < are; i++ {
		if t[i].kind == 'w' && t[i].link < 0 && plural(t[i].text) && !t[i].is(isAuxiliary) && i+1 < len(t) &&
			(are != s.verb && wordIn(t[i+1].text, "of", "for", "in", "are") || wordIn(t[i+1].text, "that", "which") || t[i+1].kind == 'w' && len(t[i+1].text) > 4 && t[i+1].text[len(t[i+1].text)-2:] == "ed") {
			head = i
			break
		}
	}
	if head < 0 || t[s.lead].is(isQuantified|isPronoun) {
		return false
	}
	verb := s.verb
	s.verb = are
	before := len(s.x.claims)
	s.set(t[head].word, head, are+1, true)
	s.verb = verb
	return len(s.x.claims) > before
}

// itemNoun returns where the names of a list begin behind the noun that says what they are, and
// that noun: the primer sets V1, V3 and ITS2.
func (s *statement) itemNoun(from int) (noun string, names int) {
	i := from
	for i < len(s.tokens) && i < from+4 && s.tokens[i].kind == 'w' && !s.tokens[i].capital && s.tokens[i].link < 0 && !s.tokens[i].is(isJoiner|isCondition) {
		i++
	}
	if i == from || i >= len(s.tokens) || !plural(s.tokens[i-1].text) || s.tokens[i-1].is(isAuxiliary) {
		return "", from
	}
	if next := &s.tokens[i]; !next.capital && next.kind != 'c' && next.kind != 'n' {
		return "", from
	}
	return s.tokens[i-1].word, i
}

// verbOf adds the verb of the statement to the enumeration just added, which it is of.
func (s *statement) verbOf(verb int) {
	if n := len(s.x.claims); n > 0 && s.x.claims[n-1].Value.Kind == schema.ValueSet {
		c := &s.x.claims[n-1]
		c.Terms = s.append(c.Terms, verb, verb+1, schema.PartVerb)
	}
}
