package claim

import (
	"strings"
	"sync"

	"github.com/loopwiki/wiki/schema"
)

// leftOut are participles that say of what may be so that it is optional; those that need out or
// blank behind them have that.
var leftOut = map[string][]string{"omitted": nil, "skipped": nil, "left": {"out", "blank", "empty", "away", "off"}, "dropped": nil, "waived": nil, "dispensed": {"with"}}

// lacking are words behind "without" of what nobody has to bring.
var lacking = wordSet(`delay exception exceptions doubt problem problems trouble effort end limit limits question further difficulty risk loss harm interruption fail`)

// bringing are verbs behind must by which somebody is required to have something.
var bringing = wordSet(`have bring carry wear hold provide show present supply own give`)

// needed adds what a sentence says in other words to be required or optional: nobody enters without
// a badge, the second name may be left out. It returns the token that says so, -1 for none.
func (x *sayer) needed(s *Saying, st *statement, inside []bool) int {
	t := st.tokens
	for i := range t {
		from, required := -1, false
		switch end := st.omitted(i); {
		case end > 0:
			from = i
			for k := i; k < end; k++ {
				inside[k] = true
			}
		case t[i].text == "without" && st.neverWithout(i):
			from, required = i, true
		case t[i].text == "must" && bringing[st.word(i+1)] && !st.negative && !st.hypothetic():
			from, required = i, true
			inside[i+1] = true
		}
		if from < 0 {
			continue
		}
		s.Values = append(s.Values, SaidValue{Span: t[from].span, Text: string(t[from].span.In(x.page.Source)), From: from, To: from + 1,
			Class: "pole:" + requiredPole(), Value: schema.Value{Kind: schema.ValueBool, Bool: required}})
		return from
	}
	return -1
}

// requiredPole is what required and optional have in common.
var requiredPole = sync.OnceValue(func() string {
	common, _ := English().Pole(English().concept("required"))
	return common
})

// omitted returns where words end that begin at a token and say of what stands before them that it
// may be left out; 0 for others.
func (s *statement) omitted(i int) (end int) {
	if i == 0 || !wordIn(s.word(i), "can", "may") || s.word(i+1) != "be" {
		return 0
	}
	behind, known := leftOut[s.word(i+2)]
	switch {
	case !known || s.negative || s.hypothetic():
		return 0
	case behind == nil:
		return i + 3
	case wordIn(s.word(i+3), behind...):
		return i + 4
	}
	return 0
}

// neverWithout reports whether a sentence says that nothing is done without what stands behind a
// token.
func (s *statement) neverWithout(i int) bool {
	next := s.word(i + 1)
	if i < 3 || i+1 >= len(s.tokens) || strings.HasSuffix(next, "ing") || lacking[next] || wordIn(next, "any") && lacking[s.word(i+2)] || s.hypothetic() || s.verb > i {
		return false
	}
	denials := 0
	for k := i - 1; k >= 0; k-- {
		if t := &s.tokens[k]; t.kind == 'p' || clauseMarks[t.text] {
			break
		} else if t.is(isNegation) {
			denials++
		}
	}
	return denials == 1
}

// hypothetic reports whether a sentence holds in some cases only.
func (s *statement) hypothetic() bool {
	for i := range s.tokens {
		if wordIn(s.tokens[i].text, "if", "unless", "when", "except", "only", "where", "should", "would", "could") {
			return true
		}
	}
	return false
}

// numbered reads the version that stands behind a well-known name which a field gives: Java 17.
func (x *sayer) numbered(s *Saying, span schema.Span) {
	if len(s.Values) == 0 || !strings.HasPrefix(s.Values[0].Class, "class:") || !x.worded(s) {
		return
	}
	tk := &tokenizer{page: x.page, words: x.words, link: x.linkFrom(span.Start)}
	if tokens := tk.read(span); len(tokens) > 1 && len(tokens) < 6 {
		x.read(s, tokens, true)
	}
}
