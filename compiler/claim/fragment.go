package claim

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// A fragment leaves out what the page is about: Requires iOS 15. Written in Go. Port 8080.

// whole returns a sentence with the subject and the verb that it leaves out, or the sentence
// itself.
func (x *extraction) whole(tokens []token) []token {
	if len(tokens) < 2 || len(tokens) > longestClause || tokens[0].kind != 'w' || tokens[0].link >= 0 {
		return tokens
	}
	first, next := &tokens[0], &tokens[1]
	end := 1
	for end < len(tokens) && !tokens[end].is(isJoiner|isSubordinate|isConjunction) && tokens[end].text != "," {
		end++
	}
	switch {
	case first.is(isAuxiliary), !first.is(isVerb), next.is(isAuxiliary), x.verb(tokens[:end], 1) > 0:
		return tokens
	case plural(first.text) && (next.is(isDeterminer|isCondition|isNumber|isPhrase|isFigure) || next.kind != 'w' || next.capital) && next.kind != 'p':
		return x.ofPage(tokens, false)
	case (strings.HasSuffix(first.text, "ed") || x.words.forms[first.text] != "") && next.is(isCondition|isEmpty) && next.kind == 'w':
		return x.ofPage(tokens, true)
	}
	return tokens
}

// ofPage returns the tokens with the pronoun for what the page is about before them.
func (x *extraction) ofPage(tokens []token, passive bool) []token {
	at := schema.Span{Start: tokens[0].span.Start, End: tokens[0].span.Start}
	out := make([]token, 0, len(tokens)+2)
	for _, w := range []string{"it", "is"} {
		if w == "is" && !passive {
			break
		}
		m := x.words.meet([]byte(w))
		out = append(out, token{span: at, text: w, word: m.word, kind: 'w', link: -1, classes: m.classes})
	}
	out = append(out, tokens...)
	out[len(out)-len(tokens)].capital = false
	return out
}

// noted reads a fragment of a noun and its number: Port 8080.
func (s *statement) noted() bool {
	t := s.tokens
	n := len(t)
	if n < 2 || n > 4 || t[n-1].kind != 'n' && (n < 3 || t[n-2].kind != 'n') {
		return false
	}
	for i := 0; i < n && t[i].kind != 'n'; i++ {
		if t[i].kind != 'w' || t[i].link >= 0 || i > 0 && t[i].capital || t[i].is(isAuxiliary|isCondition|isPronoun|isMoment|isConjunction) {
			return false
		}
	}
	s.lead, s.verb = 0, -1
	if s.find(); len(s.values) != 1 || s.values[0].from == 0 || s.values[0].to != n || len(s.values[0].nouns) > 0 || s.values[0].value.Kind == schema.ValueVersion {
		return false
	}
	v := &s.values[0]
	if v.value.Quantity.Dimension == "" && !s.x.words.numbering[t[v.from-1].text] {
		return false
	}
	terms := append(s.x.scratch.terms[:0], schema.Term{Link: -1, Part: schema.PartOwn})
	s.claim(v, s.append(terms, 0, v.from, schema.PartObject))
	return true
}
