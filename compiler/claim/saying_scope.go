package claim

import (
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// narrowing returns the conditions that a sentence names and that restrict its values, the first
// of which is given.
func (s *statement) narrowing(said *Saying, first int) []string {
	if len(s.scope) == 0 {
		return nil
	}
	out := slices.Clone(s.scope)
	for i := range s.tokens {
		if t := &s.tokens[i]; t.is(isScope) && !t.capital && !s.ofStage(i) && !s.narrows(i, said.Values[first:]) {
			out = slices.DeleteFunc(out, func(c string) bool { return c == t.text })
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
