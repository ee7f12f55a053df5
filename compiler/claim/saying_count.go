package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// refusals are verbs that say of what they are done to that there is no room for it.
var refusals = wordSet(`reject refuse refus declin decline deny denie block forbid disallow fail`)

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
	if backwards := map[schema.Bound]schema.Bound{schema.AtMost: schema.AtLeast, schema.AtLeast: schema.AtMost}; s.ahead(v) {
		v.value.Quantity.Bound = backwards[v.value.Quantity.Bound]
	}
}

// ahead reports whether a bound is one of when, counted backwards: no earlier than 14 days ahead is at most 14 days, and up to
// a day before it begins is at least a day.
func (s *statement) ahead(v *found) bool {
	if s.word(v.to) == "before" && v.value.Quantity.Dimension == schema.Duration && s.word(v.from) == "up" && s.word(v.from+1) == "to" {
		return true
	}
	return (wordIn(s.word(v.to), "ahead", "before", "beforehand", "prior") || s.word(v.to-1) == "ahead") &&
		slices.ContainsFunc(s.tokens[v.from:v.to], func(t token) bool { return wordIn(t.text, "earlier", "later", "earliest", "latest") })
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
	for k := i + 1; k < min(i+8, len(s.tokens)) && s.tokens[k].kind != 'p'; k++ { // try a call 3 times again
		if s.tokens[k].text == "again" {
			return true
		}
	}
	return false
}

// cents returns an amount of cents in the currencies that are counted in them.
func cents(v schema.Value) (out []schema.Value) {
	for _, currency := range []schema.Dimension{"money:eur", "money:usd"} {
		c := v
		c.Quantity.Dimension, c.Quantity.Lo, c.Quantity.Hi, c.Quantity.Step = currency, v.Quantity.Lo/100, v.Quantity.Hi/100, v.Quantity.Step/100
		out = append(out, c)
	}
	return out
}

// StatusCode is the dimension of what a server answers with over HTTP, a number from 100 to 599 (RFC 9110, section 15).
const StatusCode schema.Dimension = "status-code"

// answering are words before such a number.
var answering = wordSet(`http code status returns return answers answer responds respond gives sends returned error`)

// statusCode reads what a server answers with: returns 429, answers with status 503.
func (s *statement) statusCode(i int) (v found, ok bool) {
	text := s.word(i)
	if len(text) != 3 || s.tokens[i].kind != 'n' || text[0] < '1' || text[0] > '5' || !allDigits(text) || i == 0 {
		return v, false
	}
	before := s.word(i - 1)
	if before == "with" || before == "a" || before == "an" {
		before = s.word(i - 2)
	}
	if next := s.word(i + 1); !answering[before] || next != "" && i+1 < len(s.tokens) && s.tokens[i+1].kind == 'w' && !s.tokens[i+1].is(isConjunction|isCondition|isWeak|isJoiner) && !wordIn(next, "when", "if", "for", "to", "as", "while", "until", "instead") {
		return v, false
	}
	n, _, _, _ := leadingNumber(text)
	return found{from: i, to: i + 1, value: schema.Value{Kind: schema.ValueQuantity, Quantity: schema.Quantity{Dimension: StatusCode, Lo: n, Hi: n, Step: 1}}}, true
}

// freely adds that something costs nothing, in the currencies that pages use most: a card is free of charge.
func (x *sayer) freely(s *Saying, st *statement) {
	if st.negative || st.past || slices.ContainsFunc(s.Values, func(v SaidValue) bool { return v.Value.Kind == schema.ValueQuantity }) {
		return
	}
	for i := 1; i < len(st.tokens); i++ {
		to := 0
		switch next := st.word(i + 1); {
		case st.word(i) == "free" && next == "of" && st.word(i+2) == "charge":
			to = i + 3
		case st.word(i) == "free" && wordIn(st.word(i-1), "is", "are", "for") && (i+1 == len(st.tokens) || st.tokens[i+1].kind == 'p' || wordIn(next, "for", "of")) && next != "of":
			to = i + 1
		case wordIn(st.word(i), "costs", "cost") && next == "nothing", wordIn(st.word(i), "no", "without") && wordIn(next, "charge", "fee", "cost") && st.word(i-1) != "of":
			to = i + 2
		default:
			continue
		}
		if to < len(st.tokens) && wordIn(st.word(to), "of", "from") {
			return // free of errors
		}
		span := schema.Span{Start: st.tokens[i].span.Start, End: st.tokens[to-1].span.End}
		for _, currency := range []schema.Dimension{"money:eur", "money:usd", "money:gbp"} {
			s.Values = append(s.Values, SaidValue{Span: span, Text: string(span.In(x.page.Source)), From: i, To: to, Class: string(currency), Value: schema.Value{Kind: schema.ValueQuantity, Quantity: schema.Quantity{Dimension: currency, Step: 0.01}}})
		}
		s.Words = slices.DeleteFunc(s.Words, func(w SaidWord) bool { return w.At >= i && w.At < to })
		s.Scope = slices.DeleteFunc(s.Scope, func(c string) bool { return c == "free" }) // no plan of that name
		s.Near = append(s.Near, x.words.concept("cost"))
		return
	}
}

// countedText is a number and what is counted, as a cell gives them: 30 seats, 3 night shifts.
var countedText = schema.Expression(`^[0-9][0-9., ]*((?: [a-z-]+){1,3})$`)

// countedIn returns the noun of what a cell or a field counts; empty for none.
func (x *sayer) countedIn(v *schema.Value, text string) string {
	if v.Kind != schema.ValueQuantity || v.Quantity.Dimension != schema.Dimensionless && !strings.HasPrefix(string(v.Quantity.Dimension), "count:") {
		return ""
	}
	m := countedText().FindStringSubmatch(strings.ToLower(text))
	if m == nil {
		return ""
	}
	words := strings.Fields(m[1])
	last := words[len(words)-1]
	if !plural(last) || emptyWords[last] {
		return ""
	}
	return x.words.concept(last)
}
