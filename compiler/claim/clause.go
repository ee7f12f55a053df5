package claim

import (
	"slices"
	"strings"
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
		case t.text == "," && next.text == "since" && tokens[i+2].kind != 'n' && x.opens(tokens[i+2:]):
			split = 1
		case next.text == "that" && x.telling(t.text) && x.opens(tokens[i+2:]):
			split = 1 // what is known is said
		case t.text == ":" && !next.is(isPronoun) && next.is(isDeterminer) && announced(tokens[start:i]) && x.opens(tokens[i+1:]):
			split = 1
		case t.is(isJoiner) && (next.is(isPronoun) || next.is(isDeterminer)) && x.opens(tokens[i+1:]):
			split = 1
		}
		if split == 0 || x.led(tokens[start:i]) {
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
