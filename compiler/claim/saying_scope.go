package claim

import (
	"slices"

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
	case "night":
		if wordIn(before, "and", "or") && wordIn(s.word(at-2), "day", "daytime") || wordIn(after, "and", "or") && wordIn(s.word(at+2), "day", "daytime") {
			return false
		}
	}
	for i := at - 1; i > 0; i-- {
		if t := &s.tokens[i]; t.text == "so" && s.tokens[i-1].text == "," || t.text == "because" {
			return slices.ContainsFunc(values, func(v SaidValue) bool { return v.From > i && v.Value.Kind != schema.ValueBool })
		}
	}
	return true
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
