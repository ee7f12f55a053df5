package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// FactKind says what a saying says of something.
type FactKind byte

// The kinds of fact.
const (
	FactDone   FactKind = iota // it is done: supports, is refrozen
	FactNeeded                 // it is needed: requires a licence, does not work without one
	FactThere                  // it is there: has a lift, is reached by lift
	FactBefore                 // the first of two things comes first, in the order of the alphabet
	FactAll                    // it is so of all things of a kind, and not of some only
)

// SaidFact is something that a saying says is so, or is not.
type SaidFact struct {
	Kind    FactKind
	Denied  bool
	Doubted bool   // see SaidValue
	InCase  bool   // it is so in some cases: when the user taps twice
	Never   bool   // it is denied for every case
	Concept string // the verb that is done, the noun that is needed or there, two verbs or nouns, a noun and what is done
	At      int    // its token
	Span    schema.Span
	// Words are what a denial denies besides, in concepts: whoever says the contrary
	// says them too.
	Words []string
}

var (
	// partly are words behind a negation that leave some of it true, or that turn it into a
	// comparison.
	partly = wordSet(`only yet more less fewer later earlier longer sooner just always necessarily every all each even both enough so quite too as until before after most
		exactly matter need other doubt way matter such one be`)
	// hedges are words of a clause that is so in some cases.
	hedges = wordSet(`if unless when whenever until except only while where whether should could would might or otherwise how why what which who whose that`)
	// demands are words that say of what stands before them that it is needed.
	demands = wordSet(`needed required necessary mandatory compulsory obligatory`)
	// means are words before a thing that is there: by lift, with a lamp.
	means = wordSet(`by with via through using has have includes include contains contain offers offer provides provide carries carry`)
)

// facts adds what a sentence says is so or is not, as far as another page may say the contrary.
func (x *sayer) facts(s *Saying, st *statement) {
	t := st.tokens
	if len(t) < 3 || len(t) > longestClause || st.lead < len(t) && (wordIn(t[st.lead].text, "do", "don't", "never", "please") || st.imperative()) || st.lead > 0 && t[0].is(isConjunction) {
		return // what somebody is told to do is not always done
	}
	own := s.Facts
	s.Facts = x.found[:0] // most are few, and are kept in no more than they need
	defer func() {
		x.found = s.Facts
		s.Facts = append(own, s.Facts...)
	}()
	if x.impossible(s, st) {
		return
	}
	for from := 0; from < len(t); {
		to := from + 1
		for to < len(t) && (t[to].kind != 'p' || st.hyphen(to)) && !(to > st.lead && clauseMarks[t[to].text]) && !st.beforeIt(to) {
			to++
		}
		c := clauseOf{sayer: x, said: s, st: st, from: from, to: to}
		if c.narrowed(); !c.hedged() {
			c.read()
		} else if c.beforeCase() {
			c.inCase = true
			c.read()
		}
		from = to
	}
}

// impossible adds what a sentence says that nobody can do: there is no way to restore a file, it is impossible to. It
// reports whether there is anything.
func (x *sayer) impossible(s *Saying, st *statement) bool {
	for i := 1; i+2 < len(st.tokens); i++ {
		no := st.word(i) == "impossible" || st.word(i) == "way" && st.word(i-1) == "no" || st.word(i) == "possible" && st.word(i-1) == "not"
		if !no || st.word(i+1) != "to" {
			continue
		}
		verb := &st.tokens[i+2]
		if verb.kind != 'w' || verb.word == "" || verb.is(isAuxiliary|isDeterminer|isPronoun) || st.hypothetic() {
			return false
		}
		c := clauseOf{sayer: x, said: s, st: st, from: i, to: len(st.tokens)}
		c.add(FactDone, true, i+2, verb.word, nil)
		return true
	}
	return false
}

// clauseOf is a part of a sentence between marks.
type clauseOf struct {
	*sayer
	said     *Saying
	st       *statement
	from, to int
	denied   int  // the verb that is denied, -1 for none
	inCase   bool // what follows says in which case it is so
}

// cases are words behind which a sentence says in which case it is so.
var cases = wordSet(`when whenever if`)

// beforeCase ends a clause before the words that say in which case it is so, and reports whether what is left affirms something of
// that case: stores audio when the user taps twice.
func (c *clauseOf) beforeCase() bool {
	t := c.st.tokens
	for i := c.from; i < c.to; i++ {
		switch {
		case cases[t[i].text] && i > c.from+2 && c.st.verb >= c.from && c.st.verb < i:
			c.to = i
			return !c.hedged()
		case t[i].is(isNegation):
			return false
		}
	}
	return false
}

// text returns the text of a token, empty outside of the clause.
func (c *clauseOf) text(i int) string {
	if i >= c.from && i < c.to {
		return c.st.tokens[i].text
	}
	return ""
}

// telling are words behind which "that" begins what is so: note that, it is known that.
var telling = wordSet(`note remember mind known decided agreed says mean means clear sure aware recall`)

// narrowed begins a clause behind words that only say that it is so, and ends a clause that denies nothing where a relative one says of which things it is so: applies to files that
// are open. It is so of those.
func (c *clauseOf) narrowed() {
	t := c.st.tokens
	for i := c.from; i < c.to; i++ {
		switch {
		case t[i].text == "that" && i > c.from && telling[t[i-1].text]:
			c.from = i + 1
		case t[i].is(isNegation):
			return
		case t[i].text == "that" && i > max(c.st.verb, c.from)+1 && i+1 < c.to && t[i+1].is(isAuxiliary) && t[i-1].kind == 'w' && plural(t[i-1].text):
			c.to = i
			return
		}
	}
}

// beforeIt reports whether a token begins a clause of what is not so yet: before it reaches a disk.
func (s *statement) beforeIt(i int) bool {
	return i > 0 && i+1 < len(s.tokens) && wordIn(s.tokens[i].text, "before", "until") && wordIn(s.tokens[i+1].text, "it", "they", "he", "she", "you", "we")
}

// hedged reports whether the clause tells of some cases only, or of one of several.
func (c *clauseOf) hedged() bool {
	t := c.st.tokens
	if c.st.beforeIt(c.from) {
		return true
	}
	for i := c.from; i < c.to; i++ {
		if t[i].text == "once" && i+1 < c.to && t[i+1].is(isDeterminer|isPronoun) {
			if !slices.ContainsFunc(t[c.from:i], func(t token) bool { return t.is(isNegation) }) {
				return true
			}
			c.to = i // what is not done from then on
			break
		}
		if hedges[t[i].text] {
			return true
		}
	}
	return c.to+1 < len(t) && t[c.to].text == "," && t[c.to+1].text == "or"
}

// read adds what the clause says.
func (c *clauseOf) read() {
	t := c.st.tokens
	c.denied = -1
	without := -1
	for i := c.from; i < c.to; i++ {
		if t[i].text == "without" && i > c.from && !strings.HasSuffix(c.text(i+1), "ing") {
			without = i
		}
	}
	for i := c.from; i < c.to; i++ {
		switch {
		case t[i].kind != 'w' || t[i].link >= 0 || !t[i].is(isNegation):
		case c.denied >= 0, !c.denies(i, without >= 0):
			return // twice, or not quite
		}
	}
	if without > 0 {
		if c.st.verb >= 0 && c.st.verb < without {
			c.thing(FactNeeded, c.denied < 0, without+1)
		}
		return
	}
	c.affirms()
}

// denies adds what a negation denies, and reports whether that is all of it.
func (c *clauseOf) denies(i int, without bool) bool {
	t := c.st.tokens
	c.denied = i
	next := i + 1
	if t[i].text == "no" && c.text(next) == "longer" && c.text(next+1) != "than" {
		next++
	} else if partly[c.text(next)] && c.text(next) != "be" && !(c.text(next) == "need" && t[i].text != "no") {
		return false
	}
	if t[i].text == "no" && next == i+1 {
		return c.none(i)
	}
	if t[i].text == "nothing" && i > c.from && t[i-1].is(isVerb) && !t[i-1].is(isAuxiliary) {
		c.denied = i - 1
		c.done(i - 1)
		return true
	}
	if wordIn(t[i].text, "nothing", "nobody", "nor", "neither") {
		return false
	}
	if t[i].text == "no" {
		next = i + 2
	}
	for wordIn(c.text(next), "be", "been", "have", "ever", "also", "itself") && !(c.text(next) == "have" && wordIn(c.text(next+1), "a", "an", "any")) {
		next++
	}
	if next >= c.to || t[next].kind != 'w' || t[next].is(isDeterminer|isCondition|isNumber) || partly[t[next].text] && t[next].text != "need" || strings.HasSuffix(t[next].text, "ly") && !t[next].is(isVerb) {
		return false
	}
	c.denied = next
	switch w := t[next].text; {
	case without:
	case wordIn(w, "need", "require") && c.text(next+1) != "to":
		c.thing(FactNeeded, true, next+1)
	case demands[w]:
		c.subject(FactNeeded, true)
	case w == "have" && c.text(next+1) != "to":
		c.thing(FactThere, true, next+1)
	case wordIn(w, "need", "require", "have", "possible", "allowed"):
		return false
	default:
		c.done(next)
	}
	return true
}

// none adds what "no" says there is none of, and reports whether it says so.
func (c *clauseOf) none(i int) bool {
	t := c.st.tokens
	from, end := c.phrase(i + 1)
	before := c.text(i - 1)
	switch {
	case end == from:
		return false
	case wordIn(c.text(end), "is", "are") && demands[c.text(end+1)], wordIn(before, "need", "needs", "require", "requires"):
		c.thing(FactNeeded, true, i+1)
	case wordIn(before, "has", "have", "with") || wordIn(before, "is", "are") && c.text(i-2) == "there":
		c.thing(FactThere, true, i+1)
	case i > c.from && t[i-1].is(isVerb) && !t[i-1].is(isAuxiliary):
		c.denied = i - 1
		c.done(i - 1)
	default:
		return false
	}
	return true
}

// done denies what the verb at a token says, of all that follows in the clause; of the subject
// where nothing follows.
func (c *clauseOf) done(at int) {
	words := c.telling(at+1, c.to)
	if len(words) == 0 {
		words = c.telling(max(c.from, c.st.lead), max(c.from, c.st.verb))
	}
	if len(words) > 0 && len(words) < 8 {
		c.add(FactDone, true, at, c.st.tokens[at].word, words)
		if verb, ok := strings.CutSuffix(c.st.tokens[at].text, "able"); ok && len(verb) >= leastNegated && c.words.verbs[c.words.concept(verb)] {
			c.add(FactDone, true, at, c.words.concept(verb), words) // not transferable: can not be transferred
		}
	}
}

// telling returns the concepts between two tokens that tell something.
func (c *clauseOf) telling(from, to int) (out []string) {
	for i := from; i < to; i++ {
		t := &c.st.tokens[i]
		switch {
		case t.kind == 'n':
			out = append(out, t.text)
		case t.kind == 'p' || t.word == "" || t.is(isEmpty|isDeterminer|isPronoun|isNegation|isAuxiliary) || t.is(isCondition) && t.link < 0 || c.words.Empty(t.word):
		default:
			out = append(out, t.word)
		}
	}
	return out
}

// phrase returns where the noun phrase begins whose article may stand at a token, and where it
// ends: its head is the last word of it.
func (c *clauseOf) phrase(i int) (from, end int) {
	const longest = 5
	t := c.st.tokens
	for i < c.to && (t[i].is(isDeterminer|isNumber) || t[i].text == "any") {
		i++
	}
	for end = i; end < c.to && end < i+longest; end++ {
		if w := &t[end]; w.kind != 'w' && w.kind != 'c' || w.is(isCondition|isWeak|isJoiner|isAuxiliary|isPronoun|isDeterminer) || demands[w.text] {
			break
		}
	}
	return i, end
}

// thing adds that the thing whose name begins at a token is needed, or there.
func (c *clauseOf) thing(kind FactKind, denied bool, from int) {
	if from < c.to && !denied && c.st.tokens[from].is(isNegation) {
		return
	}
	if strings.HasSuffix(c.text(from), "ing") {
		return
	}
	c.named(kind, denied, from)
}

// named adds what the noun phrase at a token names.
func (c *clauseOf) named(kind FactKind, denied bool, at int) {
	from, end := c.phrase(at)
	if from >= end {
		return
	}
	var words []string
	if denied {
		words = c.telling(from, end-1)
	}
	c.add(kind, denied, end-1, c.st.tokens[end-1].word, words)
}

// subject adds that what stands before the verb is needed.
func (c *clauseOf) subject(kind FactKind, denied bool) {
	if c.st.verb > c.from {
		c.named(kind, denied, max(c.from, c.st.lead))
	}
}

func (c *clauseOf) add(kind FactKind, denied bool, at int, concept string, words []string) {
	t := &c.st.tokens[at]
	if concept == "" || t.kind == 'n' || t.kind == 'p' {
		return
	}
	never := denied && slices.ContainsFunc(c.st.tokens[c.from:c.to], func(t token) bool { return t.text == "never" })
	c.said.Facts = append(c.said.Facts, SaidFact{Kind: kind, Denied: denied, Concept: concept, At: at, Span: t.span, Words: words, InCase: c.inCase && !denied, Never: never})
}

// affirms adds what the clause says is done, needed or there.
func (c *clauseOf) affirms() {
	t := c.st.tokens
	for i := c.from; i < c.to; i++ {
		w := &t[i]
		switch {
		case w.kind != 'w' || w.link >= 0 || i == c.denied:
		case c.denied >= 0 && i > c.denied: // denied too, or not
			return
		case wordIn(w.text, "needs", "need", "requires", "require") && c.text(i+1) != "to":
			c.thing(FactNeeded, false, i+1)
		case demands[w.text] && i > c.from && (t[i-1].is(isAuxiliary) || wordIn(t[i-1].text, "be", "always", "still", "also")):
			c.subject(FactNeeded, false)
		case w.text == "be" && c.denied < 0 && (c.text(i-1) == "must" || c.text(i-1) == "to" && wordIn(c.text(i-2), "has", "have", "needs", "need")) && i+1 < c.to && t[i+1].kind == 'w' && participle(&t[i+1], c.words):
			c.add(FactNeeded, false, i+1, t[i+1].word, nil) // has to be restarted
		case means[w.text]:
			if c.thing(FactThere, false, i+1); w.is(isVerb) && !w.is(isAuxiliary) {
				c.add(FactDone, false, i, w.word, nil)
			}
		case wordIn(w.text, "is", "are") && c.text(i-1) == "there":
			c.thing(FactThere, false, i+1)
		case c.predicate(i):
			if rest := c.words.negated(w); rest != "" && c.denied < 0 {
				c.add(FactDone, true, i, rest, c.telling(max(c.from, c.st.lead), max(c.from, c.st.verb)))
				continue
			}
			c.add(FactDone, false, i, w.word, nil)
		}
	}
}

// predicate reports whether a word says what is done: the verb, what an auxiliary verb governs,
// another verb behind it.
func (c *clauseOf) predicate(i int) bool {
	t, verb := c.st.tokens, c.st.verb
	w := &t[i]
	if verb < 0 || i < verb || w.is(isAuxiliary) {
		return false
	}
	governed := i > 0 && (t[i-1].is(isAuxiliary) || wordIn(t[i-1].text, "be", "been"))
	if !w.is(isVerb) {
		return governed && i < verb+3 && !w.is(isDeterminer|isCondition|isNegation|isEmpty|isNumber) && w.text != "be"
	}
	return i == verb || governed || plural(w.text) || w.text[len(w.text)-1] == 'd' || c.words.forms[w.text] != ""
}
