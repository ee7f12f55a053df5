package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// longestAnswer bounds, in tokens, an answer that says no more than a value.
const longestAnswer = 8

// asking are the words of a question that are no part of what its answer says.
var asking = wordSet(`how long much many often what when where which who whom do does did is are can may must q`)

// answered reads an answer that says nothing but a value with the words of its question, which stands before it or is
// the heading: How long is a lot kept? Ten years.
func (x *sayer) answered(b *block, tokens []token) {
	question := ""
	if q := slices.IndexFunc(tokens, func(t token) bool { return t.text == "?" }); q > 1 {
		question = string(schema.Span{Start: tokens[0].span.Start, End: tokens[q].span.Start}.In(x.page.Source))
		tokens = tokens[q+1:]
	} else if section := x.section(b.span.Start); len(section) > 0 && strings.HasSuffix(section[len(section)-1], "?") && x.opensSection(b.span.Start) {
		question = section[len(section)-1]
	}
	for len(tokens) > 0 && (tokens[0].kind == 'p' || tokens[0].text == "a" && len(tokens) > 1 && tokens[1].text == ":") {
		tokens = tokens[1:]
	}
	if end := slices.IndexFunc(tokens, func(t token) bool { return wordIn(t.text, ".", ";", "?", "(") }); end >= 0 {
		tokens = tokens[:end]
	}
	if question == "" || len(tokens) == 0 || len(tokens) > longestAnswer || slices.ContainsFunc(tokens, func(t token) bool { return t.is(isAuxiliary|isPronoun|isNegation) || wordIn(t.text, "if", "but") }) {
		return
	}
	s := x.begin(originOf(*b), schema.Span{Start: tokens[0].span.Start, End: tokens[len(tokens)-1].span.End})
	if s == nil {
		return
	}
	x.read(s, tokens, true)
	if len(s.Values) == 0 {
		return
	}
	for w := range wordsOf(plainText(question)) {
		if c := x.words.Concepts(w); len(c) == 1 && !asking[strings.ToLower(w)] {
			s.Words = append(s.Words, SaidWord{Concept: c[0], Link: -1, At: -1, Subject: true})
		}
	}
	s.Scope = append(s.Scope, Conditions(question)...)
	x.end(s)
}
