package claim

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// coordinate cuts the statement before another verb of the same subject, and returns that
// as a clause of its own: was built in 1998 and holds 40 people.
func (s *statement) coordinate() []token {
	t := s.tokens
	if s.verb <= s.lead || s.verb >= len(t) {
		return nil
	}
	passive := s.governs(len(t)) && wordIn(t[s.verb].text, "is", "are")
	for i := s.verb + 2; i+3 < len(t); i++ {
		next := &t[i+1]
		if t[i].text != "and" || next.kind != 'w' || next.link >= 0 || next.capital {
			continue
		}
		behind := t[i+2].is(isDeterminer|isCondition|isNumber|isPhrase|isFigure|isWeak) || t[i+2].kind == 'n'
		end := s.verb
		switch {
		case !behind:
			continue
		case next.is(isAuxiliary), next.is(isVerb) && plural(next.text) && !plural(t[i-1].text) && (plural(t[s.verb].text) || t[s.verb].is(isAuxiliary)):
		case passive && next.is(isVerb) && (strings.HasSuffix(next.text, "ed") || s.x.words.forms[next.text] != ""):
			end++
		default:
			continue
		}
		out := slices.Concat(t[s.lead:end], t[i+1:])
		s.tokens = t[:i]
		return out
	}
	return nil
}

// clauses splits a sentence where a new subject and verb begin.
func (x *extraction) clauses(tokens []token) [][]token {
	out := x.parts[:0]
	defer func() { x.parts = out }()
	start := 0
	for i := 1; i+2 < len(tokens); i++ {
		t, next := &tokens[i], &tokens[i+1]
		split := 0
		switch {
		case t.text == "," && (next.is(isJoiner) || next.is(isSubordinate)) && (next.is(isSubordinate) || x.opens(tokens[i+2:])):
			split = 1 // the joiner goes with what follows
		case t.text == "," && next.text == "when" && i > 2 && x.dated(tokens[start:i]) > 0 && x.opens(tokens[i+2:]):
			split = 1
		case t.text == "," && next.text == "since" && tokens[i+2].kind != 'n' && x.opens(tokens[i+2:]):
			split = 1
		case next.text == "that" && x.telling(t.text) && x.opens(tokens[i+2:]):
			split = 1 // what is known is said
		case t.text == ":" && !next.is(isPronoun) && next.is(isDeterminer) && announced(tokens[start:i]) && x.opens(tokens[i+1:]):
			split = 1
		case t.is(isJoiner) && (next.is(isPronoun) || next.is(isDeterminer)) && x.opens(tokens[i+1:]):
			split = 1
		}
		if split == 0 || (start == 0 || tokens[start].text != "when") && x.led(tokens[start:i]) {
			continue
		}
		out = append(out, tokens[start:i])
		start = i + split
		if start < len(tokens) && (tokens[start].is(isJoiner) || wordIn(tokens[start].text, "because", "since", "so", "although", "though", "that") && x.opens(tokens[start+1:])) {
			start++
		}
		i = start
	}
	out = append(out, tokens[min(start, len(tokens)):])
	return out
}

// dated returns where the date begins, with its preposition, that a clause ends with, 0 for
// none: on 1 October, from 6 July on.
func (x *extraction) dated(t []token) int {
	end := len(t)
	if end > 0 && wordIn(t[end-1].text, "on", "onwards") {
		end--
	}
	for i := end - 1; i > 0 && i > end-5; i-- {
		if wordIn(t[i].text, "on", "from", "in", "by", "since") {
			if i+1 < end && (t[i+1].kind == 'n' || months[t[i+1].text] > 0) && slices.ContainsFunc(t[i+1:end], func(t token) bool { return months[t.text] > 0 || len(t.text) == 10 }) {
				return i
			}
			return 0
		}
	}
	return 0
}

// placed completes a clause that begins with where or when by what the clause before it ends
// with: in InfluxDB, where readings are stored; on 1 October, when the year begins.
func (x *extraction) placed(c, before []token) []token {
	if len(c) < 4 || len(before) < 3 || !wordIn(c[0].text, "where", "when") {
		return c
	}
	end, at, by := len(before), 0, "in"
	if c[0].text == "when" {
		at, by = x.dated(before), "on"
		if wordIn(before[end-1].text, "on", "onwards") {
			end--
		}
	} else {
		for i := end - 2; i > 0 && i > end-5 && at == 0; i-- {
			if wordIn(before[i].text, "in", "on", "at", "from", "to", "into") {
				at = i
			}
		}
	}
	if at == 0 || slices.ContainsFunc(c, func(t token) bool { return t.text == "," || t.kind == 'n' }) {
		return c
	}
	joint := before[at]
	met := x.words.meet([]byte(by))
	joint.text, joint.word, joint.classes = met.text, met.word, met.classes
	return slices.Concat(c[1:], []token{joint}, before[at+1:end])
}

// telling reports whether a word announces a statement: suppliers should know that.
func (x *extraction) telling(w string) bool {
	return wordIn(w, "know", "note", "remember", "told", "means", "mean", "ensure", "see", "mind", "fact",
		"knowing", "noting", "remembering", "recall", "reminded", "reminder", "aware", "informed", "noted", "agreed", "forget", "say", "says")
}

// announced reports whether what stands before a colon sets no condition for what follows.
func announced(tokens []token) bool {
	return !slices.ContainsFunc(tokens, func(t token) bool { return t.is(isCondition) || t.kind == 'n' || t.kind == 'c' || t.link >= 0 })
}

// led reports whether the tokens are a condition only, which belongs to what
// follows: "When the tank is low, and …".
func (x *extraction) led(tokens []token) bool {
	return len(tokens) > 0 && tokens[0].is(isConjunction) && !slices.ContainsFunc(tokens, func(t token) bool { return t.text == "," })
}

// opens reports whether a clause with a verb of its own begins here.
func (x *extraction) opens(tokens []token) bool {
	verb := x.verb(tokens, 0)
	return verb > 0 && verb < 8
}

// fronted returns a clause that begins with when something is, after how long or how often, as
// one that ends with that: after 84 months a reading is deleted.
func (x *extraction) fronted(t []token) []token {
	if len(t) < 5 {
		return t
	}
	if t[0].text == "once" && t[2].text == "," && strings.HasSuffix(t[1].text, "ed") {
		return t[3:] // once it is installed
	}
	if c := x.given(t); c != nil {
		x.asides = append(x.asides, c)
	}
	end := x.moved(t)
	if end == 0 || end+2 >= len(t) {
		return t
	}
	rest := end
	if t[rest].text == "," {
		rest++
	}
	if !x.opens(t[rest:]) || t[rest].is(isNegation) {
		return t
	}
	for i := rest; i < len(t); i++ {
		if t[i].kind == 'n' || t[i].is(isNumber) || t[i].capital && t[i].calendar() || t[i].text == "," || t[i].text == ":" {
			return t // which the other value may be a condition of
		}
	}
	out := slices.Concat(t[rest:], t[:end])
	out[len(t)-rest].capital = false
	return out
}

// given returns what a clause takes for given that begins with a measure of something: with a
// tolerance of 3 %, whatever is beyond is refused.
func (x *extraction) given(t []token) []token {
	if !wordIn(t[0].text, "with", "at", "given") || !wordIn(t[1].text, "a", "an", "the", "its") {
		return nil
	}
	of := 0
	for i := 2; i+1 < len(t) && t[i].text != ","; i++ {
		switch {
		case of == 0 && t[i].text == "of" && i > 2 && (t[i+1].kind == 'n' || t[i+1].is(isNumber|isPhrase)):
			of = i
		case t[i].kind == 'n' && of == 0, t[i].is(isAuxiliary | isConjunction | isJoiner):
			return nil
		}
		if of > 0 && t[i+1].text == "," {
			is := t[of]
			met := x.words.meet([]byte("is"))
			is.text, is.word, is.classes = met.text, met.word, met.classes
			return slices.Concat(t[1:of], []token{is}, t[of+1:i+1])
		}
	}
	return nil
}

// moved returns where a time ends that a clause begins with, 0 for none.
func (x *extraction) moved(t []token) int {
	i := 0
	if wordIn(t[0].text, "after", "within", "every", "for", "on", "at", "by") {
		i = 1
	}
	figure, at := &t[i], i+1
	switch {
	case figure.kind != 'n' && !figure.is(isNumber) && !(i > 0 && (figure.text == "a" || figure.text == "an")):
		if i > 0 && t[0].text == "on" && weekdays[figure.text] > 0 {
			return 2
		}
		return 0
	case t[0].text == "at":
		if !strings.Contains(figure.text, ":") {
			return 0
		}
		for at < len(t) && wordIn(t[at].text, "am", "pm", "utc", "o'clock") {
			at++
		}
		return at
	case wordIn(t[0].text, "on", "by"):
		if months[t[at].text] == 0 {
			return 0
		}
		return at + 1
	}
	if wordIn(t[at].text, "working", "business") {
		at++
	}
	if u, ok := x.words.UnitOf(t[at].text); !ok || t[at].kind != 'w' || u.Dimension != schema.Duration && !wordIn(t[at].text, "day", "days") {
		return 0
	}
	if at++; i > 0 || at+2 >= len(t) || !wordIn(t[at].text, "after", "before") {
		if i == 0 {
			return 0
		}
		return at
	}
	for j := at + 1; j < len(t); j++ { // three days after it has ended
		if t[j].text == "," {
			return j
		}
	}
	return 0
}

// announces returns the colon at which a sentence ends that says that another follows, which is read on its own: there is
// one rule: the doors are shut at noon; 0 for none. What is said of when or of whether it is so belongs to both.
func (x *extraction) announces(tokens []token) int {
	colon := slices.IndexFunc(tokens, func(t token) bool { return t.text == ":" })
	if colon < 3 || len(tokens)-colon < fewestInFull+1 || tokens[colon+1].is(isPronoun) || slices.ContainsFunc(tokens[:colon], func(t token) bool { return t.is(isNegation|isScope) || t.is(isCondition) && t.is(isConjunction) }) {
		return 0
	}
	left := x.parse(tokens[:colon], nil)
	if left.verb < left.lead && !left.imperative() || left.past || left.was || left.former {
		return 0
	}
	right := x.parse(tokens[colon+1:], nil)
	if right.verb <= right.lead || slices.ContainsFunc(tokens[colon+1:colon+1+right.verb], func(t token) bool { return t.text == "," }) {
		return 0
	}
	return colon
}

// reasonWords begin a clause which says why, what follows or what is so besides. It holds on its own.
var reasonWords = wordSet(`since because so therefore whereas although though`)

// reasoned returns the comma that parts two clauses, each with a verb and what it is said of, one of which is why the other is so:
// since Mason uses Snappy, segments are small; batches are split, since the gateway refuses bodies of more than 6 MB. from is where the
// first begins. It is 0 for none.
func (x *extraction) reasoned(tokens []token) (from, comma, to int) {
	if len(tokens) < 2*fewestInFull {
		return 0, 0, 0
	}
	if wordIn(tokens[0].text, "since", "because") {
		from = 1
	} else if tokens[0].is(isCondition | isConjunction) {
		return 0, 0, 0
	}
	for i := from + fewestInFull - 1; i+fewestInFull < len(tokens); i++ {
		if tokens[i].text != "," {
			continue
		}
		to = i + 1
		if from == 0 {
			if !reasonWords[tokens[to].text] || tokens[to].link >= 0 {
				continue
			}
			if to++; tokens[to].text == "that" {
				to++
			}
		}
		if x.ofItsOwn(tokens[from:i]) && x.ofItsOwn(tokens[to:]) {
			return from, i, to
		}
		if from == 1 {
			break
		}
	}
	return 0, 0, 0
}

// ofItsOwn reports whether a clause says of something that it names that it is so.
func (x *extraction) ofItsOwn(tokens []token) bool {
	if len(tokens) < fewestInFull || tokens[0].is(isPronoun|isCondition|isConjunction|isNegation|isAuxiliary) || tokens[0].kind == 'n' {
		return false
	}
	s := x.parse(tokens, nil)
	return s.verb > 0 && !s.past && !s.was && !s.former
}

// opinions are verbs by which somebody is quoted.
var opinions = wordSet(`wrote writes said says claimed claims complained complains asked thinks thought`)

// quotes reports whether a sentence begins with what it quotes somebody for: "The lift never stops", a guest wrote.
func (x *extraction) quotes(tokens []token) bool {
	src, start := x.page.Source, tokens[0].span.Start
	if wordIn(tokens[0].text, "\"", "“") && len(tokens) > 1 {
		start = tokens[1].span.Start
	}
	if start == 0 || src[start-1] != '"' && !bytes.HasSuffix(src[:start], []byte("“")) {
		return false
	}
	end := bytes.IndexAny(src[start:], "\"”")
	return end > 0 && slices.ContainsFunc(tokens, func(t token) bool { return t.span.Start > start+end && opinions[t.text] })
}

// conceptsOf returns what tokens say.
func conceptsOf(tokens []token) (out []string) {
	for i := range tokens {
		if t := &tokens[i]; t.word != "" && !t.is(isEmpty|isDeterminer) {
			out = append(out, t.word)
		}
	}
	return out
}
