package claim

import (
	"slices"
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

// goingOn are words behind which a sentence does not come back to what it said before.
var goingOn = wordSet(`so but`)

// deniedAt reports whether what is said at a token is denied. Who denies a reason, or something of
// what is mentioned in passing, does not: it is turned off, since nobody used it.
func (s *statement) deniedAt(at int) (denied bool) {
	if colon := slices.IndexFunc(s.tokens, func(t token) bool { return t.text == ":" }); colon >= 0 && at > colon && slices.ContainsFunc(s.tokens[colon:], func(t token) bool { return t.is(isAuxiliary) || t.is(isVerb) && plural(t.text) }) {
		return slices.ContainsFunc(s.tokens[colon:], func(t token) bool { return t.is(isNegation) }) // do not hurry: it is open
	}
	for k := at + 1; k+2 < len(s.tokens); k++ {
		if s.tokens[k].text == "," && s.tokens[k+1].text == "and" && s.tokens[k+2].is(isNegation) { // it is off, and no check needs it
			return slices.ContainsFunc(s.tokens[:k], func(t token) bool { return t.is(isNegation) })
		}
	}
	if s.attributive(at) {
		return false
	}
	if !clauseMarked(s.tokens) {
		return s.negative
	}
	n, last, mark := 0, 0, "" // the clause, 0 for the main one, and the word that begins it
	in := make([]int, len(s.tokens))
	for i := range s.tokens {
		switch t := &s.tokens[i]; {
		case i > 0 && clauseMarks[t.text] && t.link < 0:
			last++
			n, mark = last, t.text
		case t.text == "," && !goingOn[mark]:
			n = 0
		}
		in[i] = n
	}
	for i := range s.tokens {
		if s.tokens[i].text == ":" {
			break // what is listed behind it is not said
		}
		if s.tokens[i].is(isNegation) && in[i] == in[at] {
			denied = !denied
		}
	}
	return denied
}

// attributive reports whether the word at a token stands with a noun of the subject, of which the verb may be denied: a row of the
// online store must not be larger.
func (s *statement) attributive(at int) bool {
	verb := at + 1
	for verb < len(s.tokens) && !s.tokens[verb].is(isAuxiliary|isNegation) && s.tokens[verb].kind != 'p' {
		verb++
	}
	return verb > at+1 && verb+1 < len(s.tokens) && s.tokens[verb].is(isAuxiliary) && s.tokens[verb+1].is(isNegation) && at > 0 && !s.tokens[at-1].is(isAuxiliary)
}

// clauseMarked reports whether a sentence has more than one clause.
func clauseMarked(tokens []token) bool {
	for i := range tokens {
		if clauseMarks[tokens[i].text] {
			return true
		}
	}
	return false
}

// fewer are the words before than of what is less, and those that stand alone.
var fewer = wordSet(`less fewer shorter lower smaller younger lighter earlier cheaper below under`)

// noLess reports whether a value is said to be undercut by nothing: nobody sails with less than 30 l,
// it is not fired below 900 °C. What is denied must be done with so much; whatever else has a limit is
// another thing, and what is done in some cases has none.
func (s *statement) noLess(at int) bool {
	if wordIn(s.word(at), "no", "not") {
		return fewer[s.word(at+1)] && s.word(at+2) == "than"
	}
	if at < 2 || !fewer[s.word(at)] || !s.deniedAt(at) {
		return false
	}
	if before := &s.tokens[at-1]; !wordIn(before.text, "with", "at", "has", "have") && !before.is(isNegation) && (!before.is(isVerb) || before.is(isAuxiliary)) {
		return false
	}
	if slices.ContainsFunc(s.tokens, func(t token) bool { return wordIn(t.text, "unless", "except", "if", "when") }) {
		return false
	}
	for i := at - 1; i >= 0 && s.tokens[i].kind != 'p'; i-- {
		if s.tokens[i].is(isNegation) {
			return true
		}
	}
	return false
}

// ofAll adds that something is so of all things of a kind, or of some of them only: all jobs are logged, only failed
// jobs are logged.
func (x *sayer) ofAll(s *Saying, st *statement) {
	t := st.tokens
	if len(t) < 4 || st.past || said(t, "was") || said(t, "were") || st.negative || st.hypothetic() && st.word(0) != "only" {
		return
	}
	some, from := false, 1
	switch st.word(0) {
	case "all", "every", "each":
		for from < len(t) && t[from].is(isDeterminer) {
			from++
		}
	case "only", "just":
		some = true
	case "some", "most", "few", "selected", "certain":
		some, from = true, 0
	default:
		return
	}
	to := from
	for to < len(t) && t[to].kind == 'w' && t[to].link < 0 && !t[to].is(isAuxiliary|isConjunction|isJoiner|isPronoun|isNegation|isNumber) && !wordIn(t[to].text, "of", "in", "on", "with", "from") && to < from+4 {
		to++
	}
	if to >= len(t) || to == from || some == (to-from < 2) || !some && to-from > 1 {
		return
	}
	head, done := to-1, to
	switch {
	case t[to].is(isAuxiliary) && to+1 < len(t) && (t[to+1].is(isVerb) || strings.HasSuffix(t[to+1].text, "ed")):
		done = to + 1
	default:
		return
	}
	if t[head].word != "" && t[done].word != "" {
		s.Facts = append(s.Facts, SaidFact{Kind: FactAll, Denied: some, Concept: t[head].word + " " + t[done].word, At: head, Span: t[head].span})
	}
}
