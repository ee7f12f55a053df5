package claim

import (
	"bytes"
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// orders adds which of two things that are done, or that happen, comes first.
func (x *sayer) orders(s *Saying, tokens []token) {
	x.inOrder(s, tokens)
	x.firstThen(s, tokens)
	x.stepThenStep(s, tokens)
	if len(tokens) < 4 || !slices.ContainsFunc(tokens, func(t token) bool { return wordIn(t.text, "before", "after", "first", "once") }) {
		return
	}
	for _, c := range x.clauses(tokens) {
		if or := slices.IndexFunc(c, func(t token) bool { return t.text == "else" }); or > 1 && c[or-1].text == "or" {
			c = c[:or-1] // or else the leaves are pressed shut
		}
		if why := slices.IndexFunc(c, func(t token) bool { return wordIn(t.text, "because", "so") }); why > 0 {
			c = c[:why]
		}
		if len(c) < 4 || len(c) > longestClause {
			continue
		}
		st := x.parse(c, nil)
		if wordIn(c[0].text, "if", "unless", "where") || c[0].is(isSubordinate) && (st.lead == 0 || !wordIn(c[0].text, "when", "whenever", "while")) {
			continue
		}
		if st.past && !st.perfect() || st.former || st.negative || st.hedged() {
			continue
		}
		for i := max(st.verb, st.lead) + 1; i+1 < len(c); i++ {
			a, b, after := st.steps(i)
			if a > 0 && b > 0 && c[a].word == c[b].word && c[a-1].kind == 'w' && c[b-1].kind == 'w' && !c[a-1].is(isDeterminer|isAuxiliary) && !c[b-1].is(isDeterminer|isCondition) {
				a, b = a-1, b-1 // the high zooms, the low zooms
			}
			if a < 0 || b < 0 || c[a].word == c[b].word || c[a].word == "" || c[b].word == "" {
				continue
			}
			x.precedes(s, c, a, b, i, after)
			break
		}
	}
}

// firstThen adds which of two things is done first where a sentence tells somebody to: weigh the animal first, then give
// the injection.
func (x *sayer) firstThen(s *Saying, tokens []token) {
	first := slices.IndexFunc(tokens, func(t token) bool { return t.text == "first" })
	then := slices.IndexFunc(tokens, func(t token) bool { return t.text == "then" })
	if first < 0 || then < first+2 || then+1 >= len(tokens) || !wordIn(tokens[then-1].text, ",", "and", ";") {
		return
	}
	a, b := 0, then+1
	st := &statement{x: &x.extraction, tokens: tokens, verb: -1}
	switch {
	case first > 2 && tokens[b].is(isDeterminer):
		passive := x.parse(tokens[:first], nil)
		if a, b = -1, st.head(b, len(tokens)); passive.verb > 0 {
			a = passive.head(passive.lead, passive.verb)
		}
		if a >= 0 && b >= 0 && tokens[a].word != "" && tokens[b].word != "" && tokens[a].word != tokens[b].word {
			x.precedes(s, tokens, a, b, then, false)
		}
		return
	case first == 0 && !tokens[1].is(isVerb), first > 1 && wordIn(tokens[first-1].text, "comes", "come", "goes", "go"):
		if a = st.head(0, first-1); first == 0 {
			a = st.head(1, then-1)
		}
		if b = st.head(b, len(tokens)); a >= 0 && b >= 0 && tokens[a].word != "" && tokens[b].word != "" && tokens[a].word != tokens[b].word {
			x.precedes(s, tokens, a, b, then, false)
		}
		return
	case first == 0:
		a = 1
	}
	if tokens[a].is(isVerb) && tokens[b].is(isVerb) && !tokens[a].is(isAuxiliary) && !tokens[b].is(isAuxiliary) && tokens[a].word != tokens[b].word {
		x.precedes(s, tokens, a, b, then, false)
	}
}

// mostOrdered bounds of how many things a sentence says which of two comes first.
const mostOrdered = 7

// inOrder adds which of two things comes first where a sentence lists them in their order: the checks run in the order
// format, postcode, geocoder.
func (x *sayer) inOrder(s *Saying, tokens []token) {
	at := slices.IndexFunc(tokens, func(t token) bool { return t.kind == 'w' && wordIn(t.text, "order", "sequence") })
	if at < 2 || !wordIn(tokens[at-1].text, "this", "the", "following", "fixed", "a") || slices.ContainsFunc(tokens, func(t token) bool {
		return t.is(isNegation) || wordIn(t.text, "was", "were", "had", "if", "unless", "any", "reverse", "or", "could", "would")
	}) {
		return
	}
	st := &statement{x: &x.extraction, tokens: tokens, verb: -1}
	from := at + 1
	if from >= len(tokens)-1 && at > 5 && wordIn(tokens[at-2].text, "in") { // a, b and c, in this order
		at -= 2
		from, tokens = x.parse(tokens[:at], nil).verb+1, tokens[:at]
		if from == 0 {
			return
		}
		for len(tokens) > from && tokens[len(tokens)-1].text == "," {
			tokens = tokens[:len(tokens)-1]
		}
	}
	for from < len(tokens) && wordIn(tokens[from].text, ":", ",", "is", "of") {
		from++
	}
	var steps []int
	for k := from; k < len(tokens); k++ {
		end := k
		for end < len(tokens) && tokens[end].kind != 'p' && !wordIn(tokens[end].text, "and", "then", "finally", "first", "last") {
			end++
		}
		if end > k+4 {
			return
		}
		if h := st.head(k, end); h >= 0 && tokens[h].word != "" {
			steps = append(steps, h)
		}
		if k = end; k < len(tokens) && tokens[k].kind == 'p' && !wordIn(tokens[k].text, ",", "→", ">") {
			break
		}
	}
	if len(steps) < 3 || len(steps) > mostOrdered {
		return
	}
	for i, a := range steps {
		for _, b := range steps[i+1:] {
			x.precedes(s, tokens, a, b, b, false)
		}
	}
}

// precedes adds that the thing of one token comes before that of another, or after it. at is where the sentence says
// so.
func (x *sayer) precedes(s *Saying, tokens []token, a, b, at int, after bool) {
	first, second := tokens[a].word, tokens[b].word
	swapped := first > second
	if swapped {
		first, second = second, first
	}
	s.Facts = append(s.Facts, SaidFact{Kind: FactBefore, Concept: first + " " + second, Denied: swapped != after, At: at, Span: tokens[at].span})
}

// steps returns the words for two steps that a word at a token puts in an order, as the page
// gives them, and whether the first of them comes after the second: is weighed before it is
// packed, comes after packing, weighs it first and packs it afterwards.
func (s *statement) steps(i int) (a, b int, after bool) {
	t := s.tokens
	switch w := t[i].text; {
	case wordIn(w, "before", "after") && (t[i-1].kind == 'n' || t[i-1].is(isJoiner|isNumber) || s.isUnit(i-1)):
		return -1, -1, false // two days before
	case wordIn(w, "before", "after") && comesTo[t[i-1].text]:
		return s.head(s.lead, i-1), s.head(i+1, len(t)), w == "after"
	case s.verb < 0:
		return -1, -1, false
	case wordIn(w, "before", "after") && s.takesPlace(i-1):
		b, _ = s.event(i + 1)
		return s.head(s.lead, s.before("of", s.verb)), b, w == "after"
	case w == "once":
		if b, _ = s.event(i + 1); b < 0 {
			return -1, -1, false // once a week
		}
		return s.doing(s.verb, i), b, true
	case wordIn(w, "before", "after"):
		if b, _ = s.event(i + 1); b < 0 {
			return s.done(i), s.head(i+1, len(t)), w == "after"
		}
		return s.doing(s.verb, i), b, w == "after"
	case i+3 < len(t) && w == "first" && t[i+1].text == "," && t[i+2].text == "then" && t[i+3].is(isVerb):
		return s.doing(s.verb, i), i + 3, false
	case i+2 < len(t) && w == "first" && t[i+1].text == "and" && t[i+2].is(isVerb) && slices.ContainsFunc(t[i+2:], func(t token) bool { return wordIn(t.text, "then", "afterwards", "later", "second") }):
		return s.doing(s.verb, i), i + 2, false
	}
	return -1, -1, false
}

// done returns the word for what something is done to before a token, -1 for none: load the crates, the
// crates are loaded.
func (s *statement) done(to int) int {
	if s.verb == 0 {
		return s.head(1, to)
	}
	if s.verb > 0 && !s.tokens[s.verb].is(isAuxiliary) && s.tokens[s.verb].is(isVerb) && to > s.verb+1 {
		return s.head(s.verb+1, to) // loads the crates before
	}
	if s.tokens[to-1].is(isVerb) && participle(&s.tokens[to-1], s.x.words) && to-2 > s.lead && wordIn(s.tokens[to-2].text, "is", "are", "be") {
		return s.head(s.lead, s.before("of", min(s.verb, to-2)))
	}
	return -1
}

// head returns the last word of the noun phrase between two tokens, -1 for none.
func (s *statement) head(from, to int) int {
	for from < to && s.tokens[from].is(isDeterminer) {
		from++
	}
	end := from
	for end < to && s.tokens[end].kind == 'w' && !s.tokens[end].is(isCondition|isWeak|isJoiner|isAuxiliary|isPronoun) {
		end++
	}
	if end == from {
		return -1
	}
	return end - 1
}

// takesPlace reports whether the words up to a token say of the subject, which is something that
// is done, that it is: replay begins only, packing starts.
func (s *statement) takesPlace(last int) bool {
	if s.tokens[last].text == "only" || s.tokens[last].text == "just" {
		last--
	}
	return last == s.verb && (comesTo[s.tokens[last].text] || wordIn(s.tokens[last].text, "begins", "begin", "starts", "start")) && s.head(s.lead, s.verb) >= 0
}

// perfect reports whether a sentence tells of the past no more than by what has to be over before
// something else is done: after the lid has been closed.
func (s *statement) perfect() bool {
	at := slices.IndexFunc(s.tokens, func(t token) bool { return wordIn(t.text, "before", "after") })
	for i := range s.tokens {
		if t := &s.tokens[i]; wordIn(t.text, "was", "were", "had", "did", "ago", "then") || wordIn(t.text, "has", "have", "been") && i < at {
			return false
		}
	}
	return at > s.verb
}

// hedged reports whether a sentence puts its steps in an order in some cases only; only after is
// no such case.
func (s *statement) hedged() bool {
	for i := s.lead; i < len(s.tokens); i++ {
		t := &s.tokens[i]
		if (hedges[t.text] || t.text == "or") && !(t.text == "only" && wordIn(s.word(i+1), "before", "after")) {
			return true
		}
	}
	return false
}

// before returns where a word stands before a token, the token where it does not.
func (s *statement) before(word string, to int) int {
	if i := slices.IndexFunc(s.tokens[s.lead:to], func(t token) bool { return t.text == word }); i > 0 {
		return s.lead + i
	}
	return to
}

// Of a procedure up to mostSteps steps are put in their order, and of each as many tokens are read.
const (
	mostSteps  = 7
	mostInStep = 24
)

// procedure adds which of two steps of a numbered list comes first: 1. Print the labels. 2. Seal the crates.
func (x *sayer) procedure(items []block) {
	if len(items) < 2 || len(items) > mostSteps {
		return
	}
	src := x.page.Source
	t := &tokenizer{page: x.page, words: x.words, link: x.linkFrom(items[0].span.Start)}
	var steps []*step
	for i := range items {
		start := items[i].span.Start
		if mark := bytes.TrimRight(src[max(0, start-4):start], " \t"); len(mark) == 0 || mark[len(mark)-1] != '.' && mark[len(mark)-1] != ')' {
			return
		}
		var first []token
		sentences(t.read(items[i].span), src, func(tokens []token) {
			if first == nil && len(tokens) > 1 {
				first = slices.Clone(tokens)
			}
		})
		steps = append(steps, x.stepOf(first))
	}
	for i, a := range steps {
		for k, b := range steps[i+1:] {
			if a != nil && b != nil {
				x.follows(items[i].span, items[i+1+k].span, a, b)
			}
		}
	}
}

// stepThenStep adds which of two steps comes first where a sentence tells to do both: print the labels, then seal the crates.
func (x *sayer) stepThenStep(s *Saying, tokens []token) {
	then := slices.IndexFunc(tokens, func(t token) bool { return t.text == "then" })
	if then < 3 || then+2 >= len(tokens) || !wordIn(tokens[then-1].text, ",", "and") || !tokens[0].is(isVerb) {
		return
	}
	end := then - 1
	if tokens[end-1].text == "," {
		end--
	}
	a, b := x.stepOf(tokens[:end]), x.stepOf(tokens[then+1:])
	if a == nil || b == nil {
		return
	}
	s.ordered(a, b, tokens[then].span, then)
}

// ordered adds that one step comes before another, by what is done and by what it is done to.
func (s *Saying) ordered(a, b *step, span schema.Span, at int) {
	for _, pair := range [][2]string{{a.verb, b.verb}, {a.done, b.done}} {
		u, v := pair[0], pair[1]
		f := SaidFact{Kind: FactBefore, Concept: min(u, v) + " " + max(u, v), Denied: u > v, At: at, Span: span}
		if u != "" && v != "" && u != v && !slices.ContainsFunc(s.Facts, func(o SaidFact) bool { return o.Kind == f.Kind && o.Concept == f.Concept && o.Denied == f.Denied }) {
			s.Facts = append(s.Facts, f)
		}
	}
}

// itemsOf returns how many of the blocks are items of the list that the first is of.
func itemsOf(all []block) (n int) {
	for n = 0; n < len(all) && all[n].item && all[n].intro == all[0].intro; n++ {
	}
	return n
}

// step is what a step of a procedure does, and to what.
type step struct {
	tokens     []token
	verb, done string // concepts
}

// stepOf returns what a sentence tells to do, or says that is done; nil for others.
func (x *sayer) stepOf(tokens []token) *step {
	if len(tokens) < 2 || len(tokens) > mostInStep || tokens[0].is(isCondition) {
		return nil
	}
	st := x.parse(tokens, nil)
	if st.negative || st.past || slices.ContainsFunc(tokens, func(t token) bool { return t.text == "if" || t.text == "unless" }) {
		return nil
	}
	switch {
	case tokens[0].kind == 'w' && wordIn(tokens[1].text, "it", "them"):
		return &step{tokens, tokens[0].word, ""} // Geocode them.
	case tokens[0].is(isVerb) && !tokens[0].is(isAuxiliary):
		if head := st.head(1, len(tokens)); head > 0 {
			return &step{tokens, tokens[0].word, tokens[head].word}
		}
	case st.verb > 0 && tokens[st.verb].is(isVerb) && !tokens[st.verb].is(isAuxiliary):
		if head := st.head(st.verb+1, len(tokens)); head > 0 { // The students inspect their scripts.
			return &step{tokens, tokens[st.verb].word, tokens[head].word}
		}
	case st.verb > 0 && wordIn(tokens[st.verb].text, "is", "are"):
		if at := st.governed(len(tokens)); at > 0 {
			if head := st.head(st.lead, st.verb); head >= 0 {
				return &step{tokens, tokens[at].word, tokens[head].word}
			}
		}
	}
	return nil
}

// follows adds that one step of a procedure comes before another, by what is done and by what it is done to.
func (x *sayer) follows(first, second schema.Span, a, b *step) {
	s := x.begin(schema.OriginList, schema.Span{Start: first.Start, End: second.End})
	if s == nil {
		return
	}
	s.ordered(a, b, second, 0)
	for n, of := range []*step{a, b} {
		st := &statement{x: &x.extraction, tokens: of.tokens, verb: -1}
		from := len(s.Words)
		for i := range of.tokens {
			x.word(s, st, SaidWord{Link: of.tokens[i].link, At: i, Verb: of.tokens[i].word == of.verb})
		}
		for i := range s.Words[from:] {
			s.Words[from+i].At += n * mostInStep
		}
	}
	if len(s.Facts) > 0 {
		x.end(s)
	}
}
