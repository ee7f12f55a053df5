package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// narrowing returns the conditions that a sentence names and that restrict its values, the first
// of which is given.
func (s *statement) narrowing(said *Saying, first int) []string {
	out := s.seasons()
	if len(s.scope) == 0 {
		return out
	}
	out = append(out, s.scope...)
	for i := range s.tokens {
		if t := &s.tokens[i]; t.is(isScope) && !t.capital && !s.ofStage(i) && !s.narrows(i, said.Values[first:]) {
			out = slices.DeleteFunc(out, func(c string) bool { return c == t.text })
		}
	}
	return out
}

// modes returns the words that tell in which mode it is only that something holds: in storm mode.
func (s *statement) modes() (out []string) {
	if s.word(0) == "outside" && len(s.tokens) > 3 && wordIn(s.word(2), ",", "the") {
		out = append(out, "outside")
	}
	for i := 0; i+2 < len(s.tokens); i++ {
		if last := s.tokens[i+2].text; last != "mode" && last != "operation" && s.tokens[i].text != "during" {
			continue
		}
		if s.tokens[i].text == "during" && s.tokens[i+1].is(isDeterminer) && i+3 < len(s.tokens) && s.word(i+3) == "event" {
			out = append(out, s.tokens[i+2].text)
		}
		if which := &s.tokens[i+1]; wordIn(s.tokens[i].text, "in", "during", "under") && wordIn(s.tokens[i+2].text, "mode", "operation") && which.kind == 'w' && which.word != "" &&
			!anyTimes[which.text] && !which.is(isDeterminer|isNumber|isPronoun|isJoiner) && !wordIn(which.text, "normal", "regular", "usual", "full", "daily") {
			out = append(out, which.text)
		}
	}
	return out
}

// country returns the country or the continent that a sentence begins with, which says where it holds: in Belgium refunds take a week.
// It is empty for none.
func (s *statement) country() string {
	i := 1
	for i < len(s.tokens) && s.tokens[i].text == "the" {
		i++
	}
	if !wordIn(s.word(0), "in", "within") || i >= len(s.tokens) || !s.tokens[i].capital {
		return ""
	}
	switch s.x.words.classes[s.tokens[i].text] {
	case "country", "continent":
		return s.tokens[i].text
	}
	return ""
}

// times are nouns for times of which a word before them says which.
var times = wordSet(`weeks months days periods times hours seasons phases nights evenings mornings`)

// anyTimes are words before them that single none out.
var anyTimes = wordSet(`all most some several recent past last few many more other next working business calendar consecutive successive odd different various certain two three four five six eight ten
	which these those such both opening office`)

// seasons returns the words that tell at which times it is only that something holds: in peak weeks, on match days,
// during exam periods.
func (s *statement) seasons() (out []string) {
	for i := 0; i+2 < len(s.tokens); i++ {
		if which := &s.tokens[i+1]; wordIn(s.tokens[i].text, "in", "during", "on", "at") && times[s.tokens[i+2].text] && which.kind == 'w' && which.word != "" &&
			!anyTimes[which.text] && !which.is(isDeterminer|isNumber|isPronoun|isJoiner) && (i == 0 || !s.tokens[i-1].is(isNumber)) {
			out = append(out, which.word)
		}
	}
	return out
}

// narrows reports whether a word for a condition restricts values: not us, who we are, not the local
// time, not day and night, which is always, and not what follows from the values.
func (s *statement) narrows(at int, values []SaidValue) bool {
	switch before, after := s.word(at-1), s.word(at+1); s.tokens[at].text {
	case "us":
		return false // the country is written with capitals
	case "local":
		return !wordIn(after, "time", "times", "clock")
	case "free":
		if before == "for" || after == "of" || slices.ContainsFunc(s.tokens[max(0, at-3):at], func(t token) bool { return wordIn(t.text, "beyond", "above", "over", "exceeding") }) {
			return false // of charge, and beyond what is
		}
	case "night":
		if before == "per" {
			return false // so many of them
		}
		if wordIn(before, "and", "or") && wordIn(s.word(at-2), "day", "daytime") || wordIn(after, "and", "or") && wordIn(s.word(at+2), "day", "daytime") {
			return false
		}
	}
	if s.partOfName(at) || s.ofItself(at) {
		return false
	}
	for i := at - 1; i > 0 && i > at-5; i-- {
		if wordIn(s.tokens[i].text, "including", "even") {
			return false // there too
		}
	}
	for i := at - 1; i > 0; i-- {
		if t := &s.tokens[i]; t.text == "and" && s.tokens[i+1].is(isVerb) && !s.tokens[i+1].is(isAuxiliary) && plural(s.tokens[i+1].text) && len(values) > 0 {
			return slices.ContainsFunc(values, func(v SaidValue) bool { return v.From > i }) // keeps them for a week and prints them at night
		} else if t.text == "so" && s.tokens[i-1].text == "," || t.text == "because" {
			return slices.ContainsFunc(values, func(v SaidValue) bool { return v.From > i && v.Value.Kind != schema.ValueBool })
		}
	}
	return true
}

// ofItself reports whether a word for a time is what is spoken of, and not when something holds: costs you the night.
func (s *statement) ofItself(at int) bool {
	if !wordIn(s.tokens[at].text, "night", "weekend", "summer", "winter") || at == 0 || at+1 < len(s.tokens) && s.tokens[at+1].kind == 'w' && !s.tokens[at+1].is(isCondition|isJoiner|isAuxiliary|isConjunction|isPronoun) {
		return false
	}
	i := at - 1
	for i > 0 && (s.tokens[i].is(isDeterminer) || wordIn(s.tokens[i].text, "single", "long", "whole", "one")) {
		i--
	}
	if single := slices.ContainsFunc(s.tokens[i+1:at], func(t token) bool { return wordIn(t.text, "single", "whole", "one") }); single {
		return true // in a single night
	}
	return i < at-1 && !wordIn(s.tokens[at-1].text, "each", "every", "any") && !s.tokens[i].is(isCondition|isJoiner) && !wordIn(s.tokens[i].text, "at", "by", "over", "through", "throughout", "of", "per")
}

// partOfName reports whether a word for a condition is part of what something is called, or of how long something takes: the
// web platform team, the winter bock, most of a weekend.
func (s *statement) partOfName(at int) bool {
	word := s.tokens[at].text
	for i := at + 1; i < len(s.tokens) && i < at+3 && s.tokens[i].kind == 'w' && !s.tokens[i].is(isDeterminer); i++ {
		if i == at+1 && conditioned[s.tokens[i].text] {
			break // on the free plan members get more
		}
		if s.tokens[i].is(isActor) {
			return true
		}
	}
	if s.word(at-1) == "a" && wordIn(s.word(at-2), "of", "for", "takes", "take", "lasts") {
		return true
	}
	if ofMaking(word, s.word(at+1)) {
		return true
	}
	if !parting[word] || word == "night" || at+1 >= len(s.tokens) {
		return false
	}
	next := &s.tokens[at+1]
	return next.kind == 'w' && next.link < 0 && next.word != "" && !conditioned[next.text] && !conditionWords[next.text] && !next.is(isVerb|isEmpty|isAuxiliary|isCondition|isJoiner|isPronoun|isDeterminer)
}

// aside reports whether a verb is that of a relative clause, behind which the sentence goes on: a
// vendor that will handle data is approved.
func aside(tokens []token, verb int) bool {
	return verb > 1 && wordIn(tokens[verb-1].text, "that", "which", "who") &&
		slices.ContainsFunc(tokens[verb+1:], func(t token) bool { return wordIn(t.text, "is", "are", "must", "needs", "has") })
}

// ofStage reports whether stage is where people act or a step of something, and no installation: a stage
// manager, at this stage.
func (s *statement) ofStage(i int) bool {
	return s.word(i) == "stage" && !(wordIn(s.word(i-1), "in", "on") && (i+1 == len(s.tokens) || s.tokens[i+1].kind != 'w' || s.tokens[i+1].is(isDeterminer|isCondition|isAuxiliary)))
}

// adding are words that begin a clause which says why, what for or what else: what is said before it holds
// without it.
var adding = wordSet(`so because since although though whereas but which while and as`)

// following are words that begin a clause which says what follows from another.
var following = wordSet(`therefore hence thus consequently accordingly`)

// asideAt returns the token at which another clause begins behind all values of a saying, as a reason or what follows; 0 for none.
func (x *sayer) asideAt(s *Saying, tokens []token) int {
	if len(s.Values)+len(s.Facts) == 0 {
		return 0
	}
	last := 0
	if len(s.Values) == 0 {
		last = s.Facts[0].At + 1
	}
	for _, values := range [][]SaidValue{s.Values, s.Lists} {
		for i := range values {
			if !strings.HasPrefix(values[i].Class, "ordinal") {
				last = max(last, values[i].To)
			}
		}
	}
	for i := max(last, 2); i+2 < len(tokens); i++ {
		if x.adds(tokens, i) {
			return i
		}
	}
	return 0
}

// aside takes what a sentence says from a token on, see [sayer.asideAt], off the saying, and returns what is done there as a saying
// of its own; nil for nothing. Who says the same elsewhere need not say that: the index is kept for 30 days, so there is time to
// ask.
func (x *sayer) aside(s *Saying, tokens []token, at int) *Saying {
	behind := func(w SaidWord) bool { return w.At >= at && !w.Label }
	if at == 0 || !slices.ContainsFunc(s.Words, behind) || !slices.ContainsFunc(s.Words, func(w SaidWord) bool { return !behind(w) }) {
		return nil
	}
	rest := *s
	rest.Part, rest.Values, rest.Lists = true, nil, nil
	rest.Words, rest.Near, rest.Scope, rest.Roles = slices.Clone(s.Words), slices.Clone(s.Near), slices.Clone(s.Scope), slices.Clone(s.Roles)
	rest.Facts = slices.DeleteFunc(slices.Clone(s.Facts), func(f SaidFact) bool { return f.At < at })
	s.Facts = slices.DeleteFunc(slices.Clone(s.Facts), func(f SaidFact) bool { return f.At >= at })
	s.unsay(behind)
	s.Denied = x.parse(tokens[:at], nil).denies()
	if len(rest.Facts) == 0 {
		return nil
	}
	return &rest
}

// unsay makes words of a saying such as stand beside it.
func (s *Saying) unsay(which func(SaidWord) bool) {
	s.Near = slices.Clone(s.Near)
	for _, w := range s.Words {
		if which(w) {
			s.Near = append(s.Near, w.Concept)
		}
	}
	s.Words = slices.DeleteFunc(slices.Clone(s.Words), which)
}

// adds reports whether another clause begins at a token: behind a mark and a word that joins it, or with
// a word that nothing but a clause follows.
func (x *sayer) adds(tokens []token, i int) bool {
	t := &tokens[i]
	switch {
	case t.link >= 0:
		return false
	case t.kind == 'p' && (t.text == ";" || t.text == ":" || t.text == "—" || t.text == "–"):
		return true
	case t.text == "because", t.text == "so" && tokens[i+1].text == "that":
		return true
	case tokens[i-1].text == "," && (following[t.text] || t.text == "as" && wordIn(tokens[i+1].text, "far", "long")):
		return true
	case tokens[i-1].text != "," || !adding[t.text]:
		return false
	}
	return slices.ContainsFunc(tokens[i:], func(t token) bool { return t.is(isVerb | isAuxiliary) })
}

// pretended are the conditions of a title or a heading below which a page speaks of what stands in
// for a thing.
var pretended = wordSet(`dev development staging stage test testing local demo preview trial`)

// genuine are words of the thing itself, on a page about what stands in for it.
var genuine = wordSet(`real live actual genuine`)

// ofTheReal takes off a saying the conditions of its page and its section where it says that it is
// of the real thing: from there you call the real exchange.
func (s *statement) ofTheReal(said *Saying) {
	for i := 1; i+1 < len(s.tokens); i++ {
		if !genuine[s.tokens[i].text] || s.tokens[i-1].text != "the" || s.tokens[i+1].kind != 'w' || s.tokens[i+1].is(isCondition|isAuxiliary|isJoiner) || s.negative {
			continue
		}
		said.Scope = slices.DeleteFunc(slices.Clone(said.Scope), func(c string) bool { return pretended[c] && !slices.Contains(s.scope, c) })
		return
	}
}

// supposes reports whether all that a sentence says is supposed only: for example, a guest with three
// bags gets two tags; if a ride cost 10 EUR, you would get 5 EUR.
func (s *statement) supposes() bool {
	switch s.word(0) {
	case "for":
		return wordIn(s.word(1), "example", "instance")
	case "example", "e.g":
		return s.word(1) == ":"
	case "suppose", "imagine", "assume", "say", "assuming":
		return true
	case "if":
		for i := range s.tokens {
			if s.tokens[i].text == "would" {
				return true
			}
		}
	}
	return false
}
