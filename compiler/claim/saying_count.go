package claim

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// refusals are verbs that say of what they are done to that there is no room for it.
var refusals = wordSet(`reject refuse refus declin decline deny denie block forbid disallow`)

// refuses reports whether a sentence says of what follows up to a token that it is not taken: turns
// away files with more than so many lines.
func (s *statement) refuses(at int) bool {
	for i := at - 1; i >= 0 && s.tokens[i].kind != 'p' && !clauseMarks[s.tokens[i].text]; i-- {
		t := &s.tokens[i]
		if t.is(isNegation) {
			return false
		}
		if t.kind == 'w' && (refusals[t.word] || wordIn(t.text, "turns", "turn", "turned") && wordIn(s.word(i+1), "away", "down")) {
			return true
		}
	}
	return false
}

// limit makes the greatest that is taken of the least that is refused, and the least that there is of
// what nothing is less than.
func (s *statement) limit(v *found) {
	switch q := &v.value.Quantity; {
	case v.value.Kind != schema.ValueQuantity:
	case q.Bound == schema.AtLeast && s.refuses(v.from):
		q.Bound = schema.AtMost
	case q.Bound == schema.AtMost && s.noLess(v.from):
		q.Bound = schema.AtLeast
	}
}

// article reports whether what looks like a number is an article or a pronoun: a gateway, the one
// you see.
func (s *statement) article(v *found) bool {
	if v.value.Kind != schema.ValueQuantity || v.value.Quantity.Dimension != "" && !strings.HasPrefix(string(v.value.Quantity.Dimension), "count:") {
		return false
	}
	t := &s.tokens[v.from]
	return t.text == "a" || t.text == "an" || t.text == "one" && v.from+1 < len(s.tokens) && (s.tokens[v.from+1].is(isPronoun) || wordIn(s.tokens[v.from+1].text, "you", "we", "they", "that", "who", "which"))
}

// things are words that are units, and things that are counted: meters read what flows.
var things = wordSet(`meters yards`)

// ofThings makes a number of things of what looks like a measure, where something is done to them or
// by them: 800 meters assigned to it. It reports whether it is one.
func (s *statement) ofThings(v *found, said *SaidValue) bool {
	last := v.to - 1
	if v.value.Quantity.Dimension != schema.Length || last <= v.from || v.to >= len(s.tokens) || !things[s.tokens[last].text] {
		return false
	}
	if next := &s.tokens[v.to]; next.kind != 'w' || !strings.HasSuffix(next.text, "ed") && !wordIn(next.text, "connect", "report", "send", "talk") {
		return false
	}
	v.value.Quantity.Dimension = schema.Dimensionless
	said.Counted = s.tokens[last].word
	return true
}

// anew reports whether a verb says with the word behind it that something is done once more: what is
// tried again is a retry.
func (s *statement) anew(i int) bool {
	if !wordIn(s.word(i), "try", "tries", "tried", "trying", "attempt", "attempts", "attempted") {
		return false
	}
	for k := i + 1; k < min(i+5, len(s.tokens)) && s.tokens[k].kind == 'w'; k++ { // try a call again
		if s.tokens[k].text == "again" {
			return true
		}
	}
	return false
}
