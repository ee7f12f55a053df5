package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

const (
	// longestClause bounds, in tokens, a clause that is taken for a statement.
	longestClause = 40
	// mostTerms bounds how many words of it are kept.
	mostTerms = 24
)

var (
	determiners  = wordSet(`the a an its her his their our this that these those each every one no all some any`)
	pronouns     = wordSet(`it she he they we this`)
	auxiliaries  = wordSet(`is are has have can must may shall does do was were cannot isn't aren't doesn't don't hasn't can't`)
	negations    = wordSet(`not never no cannot neither nor isn't aren't doesn't don't hasn't haven't can't won't nothing nobody`)
	subordinate  = wordSet(`which where who whose because although though that so`)
	conjunctions = wordSet(`when if unless while where until since as because once`)
	joiners      = wordSet(`and but while whereas then`)
)

// sentence reads the statements of one sentence. last are the subject's terms of
// the sentence before, which a pronoun takes up; those of this one are returned.
func (x *extraction) sentence(tokens []token, last []schema.Term) []schema.Term {
	var subject []schema.Term
	var before []token
	x.asides = x.asides[:0]
	all := x.clauses(x.plainer(x.whole(tokens)))
	for i := 0; i < len(all)+len(x.asides); i++ {
		var c []token
		if i < len(all) {
			c = x.fronted(x.placed(all[i], before))
			before = all[i]
		} else {
			c = x.asides[i-len(all)]
		}
		for len(c) >= 2 && len(c) <= longestClause && !c[0].is(isSubordinate) {
			s := x.parse(c, last)
			c = s.coordinate()
			x.definite = wordIn(s.tokens[min(s.lead, len(s.tokens)-1)].text, "the", "this", "its", "our", "their", "these", "his", "her")
			if i == 0 && len(subject) == 0 {
				subject = s.subject()
			}
			s.read()
		}
	}
	return subject
}

// statement is one clause being read.
type statement struct {
	x        *extraction
	tokens   []token
	alone    bool // the text is a value and no sentence
	lead     int  // where the condition before the subject ends
	verb     int  // index of the verb, -1 when none is known
	last     []schema.Term
	past     bool
	was      bool // in the past tense
	former   bool // it is no longer so
	negative bool
	stated   bool // whether something is on
	role     string
	values   []found
	scope    []string
}

// found is a value in a statement.
type found struct {
	from, to int // tokens, with what qualifies it
	value    schema.Value
	nouns    []int // tokens that say what is counted
}

func (x *extraction) parse(tokens []token, last []schema.Term) *statement {
	s := &x.reading // one after another
	*s = statement{x: x, tokens: tokens, last: last, values: s.values[:0]}
	s.lead = s.leading()
	s.verb = x.verb(tokens, s.lead)
	if s.imperative() {
		s.verb = s.lead
	}
	s.parsed()
	if s.verb >= 0 && strings.HasSuffix(tokens[s.verb].text, "ed") && !strings.HasSuffix(tokens[s.verb].text, "eed") {
		s.was = true
	}
	return s
}

// parsed notes what the words say about the statement as a whole: that it denies,
// that it tells of another time, which role its values have.
func (s *statement) parsed() {
	x, tokens := s.x, s.tokens
	for i := range tokens {
		t := &tokens[i]
		if t.text == ":" {
			break // what is listed behind it is not said
		}
		if t.is(isNegation) {
			s.negative = !s.negative
		}
		if t.text == "then" && i > 0 && tokens[i-1].text != "and" && !(tokens[i-1].is(isAuxiliary) && i > 2) && i+1 < len(tokens) {
			s.past = true // in that case
		}
		if t.is(isScope) && !t.capital && !s.ofStage(i) {
			s.scope = append(s.scope, t.text)
		}
		if !t.is(isPhrase) {
			continue
		}
		for _, p := range x.words.phrases[t.text] {
			if !startsWith(tokens[i:], p.words) {
				continue
			}
			switch {
			case p.kind == "past" && (p.words[0] == "was" || p.words[0] == "were"):
				s.was = true
			case p.kind == "past" && p.words[0] == "no":
				s.former = i+2 == len(tokens) || tokens[i+2].text != "than"
			case p.kind == "past" && !(p.words[0] == "to" && i > 0 && wordIn(tokens[i-1].text, "have", "has", "need", "needs", "ought")):
				s.past = true
			case p.kind == "role" && s.role == "" && (i == 0 || tokens[i-1].text != "how"):
				s.role = p.name
			}
		}
	}
	s.scope = append(s.scope, s.modes()...)
	if country := s.country(); country != "" {
		s.scope = append(s.scope, country)
	}
}

func startsWith(tokens []token, words []string) bool {
	if len(tokens) < len(words) {
		return false
	}
	for i, w := range words {
		if tokens[i].text != w {
			return false
		}
	}
	return true
}

// leading returns where a condition that the clause begins with ends: at its
// comma, or where the subject begins with an article or a pronoun.
func (s *statement) leading() int {
	if !s.tokens[0].is(isCondition) || s.tokens[0].text == "only" && !s.tokens[1].is(isCondition) {
		return 0
	}
	conjunction := s.tokens[0].is(isConjunction)
	for i := 2; i < len(s.tokens); i++ {
		if s.tokens[i].text == "," {
			return i + 1
		}
		if !conjunction && s.tokens[i].is(isAuxiliary) {
			break // the comma comes too late
		}
	}
	for i := 2; i < len(s.tokens); i++ {
		if s.tokens[i].is(isDeterminer) || s.tokens[i].is(isPronoun) {
			return i
		}
		if s.tokens[i].is(isAuxiliary) {
			break
		}
	}
	verb := s.x.verb(s.tokens, 1)
	for i := 2; i+1 < len(s.tokens) && i < verb; i++ {
		if s.tokens[i].kind == 'n' && s.isUnit(i+1) {
			return i
		}
	}
	end := min(2, len(s.tokens))
	for end < len(s.tokens) && s.tokens[end-1].capital && (s.tokens[end].capital || s.tokens[end].link >= 0 && s.tokens[end].link == s.tokens[end-1].link) {
		end++
	}
	return end
}

// subject returns the terms before the verb.
func (s *statement) subject() []schema.Term {
	if s.lead >= s.verb {
		return nil
	}
	from := len(s.x.kept)
	for i := s.lead; i < s.verb; i++ {
		if t := &s.tokens[i]; t.word != "" && !t.is(isEmpty) && !t.is(isDeterminer) {
			s.x.kept = append(s.x.kept, schema.Term{Word: t.word, Link: t.link, Part: schema.PartSubject})
		}
	}
	return s.x.kept[from:len(s.x.kept):len(s.x.kept)]
}

// read adds the claims of the statement.
func (s *statement) read() {
	if s.verb < 0 && s.noted() || s.verb < 0 || s.past || s.tokens[s.verb].text == "will" {
		return
	}
	s.find()
	if s.former {
		s.fact()
		return
	}
	s.quantities()
	if !s.was && !s.x.dates && !s.attributed() {
		s.staged()
		s.names()
		s.sets()
		s.state()
		s.fact()
	}
}

// quantities adds a claim for every number, version and date of the statement.
func (s *statement) quantities() {
	if day, ok := s.scheduled(); ok && !s.was && !s.x.dates {
		s.schedule(day)
		return
	}
	dates := 0
	for _, v := range s.values {
		if v.value.Kind == schema.ValueDate {
			dates++
		}
	}
	for k := range s.values {
		v := &s.values[k]
		date := v.value.Kind == schema.ValueDate
		if s.x.dates && !date || v.from < s.lead || !date && s.was || dates > 0 && (!date || len(s.values) > 1) || v.from < s.verb && v.value.Kind == schema.ValueVersion {
			continue // a date beside another value says when that holds
		}
		if v.value.Kind == schema.ValueQuantity && v.value.Quantity.Dimension == "" && len(v.nouns) == 0 && !s.bare(v) && (v.from == 0 || !s.x.words.numbering[s.tokens[v.from-1].text]) {
			continue
		}
		s.claim(v, s.terms(k))
	}
}

// bare reports whether a number without a unit stands where only a value can: at the
// end of its clause, or before what begins a condition.
func (s *statement) bare(v *found) bool {
	if v.to >= len(s.tokens) {
		return true
	}
	next := s.tokens[v.to].text
	return next == "," || next == "(" || next == "and" || s.x.words.condition[next] || s.x.words.weak[next]
}

// terms returns the words that say what the k-th value is about, valid until the next call.
func (s *statement) terms(k int) []schema.Term {
	v := &s.values[k]
	first, left, end := s.values[0].from, s.lead, len(s.tokens)
	joined := true
	if k > 0 {
		left, joined = s.after(s.values[k-1].to, v.from)
	}
	if k+1 < len(s.values) {
		end = s.values[k+1].from
		for i := end - 1; i > v.to; i-- {
			if s.tokens[i].is(isJoiner) || s.tokens[i].text == "," {
				end = i
			}
		}
	}
	out := s.append(s.x.scratch.terms[:0], 0, s.lead, schema.PartCondition)
	own := k > 0 && s.nouns(left, v.from)
	switch {
	case own && s.predicate(left, v.from):
		out = s.append(out, s.lead, s.verb, schema.PartSubject)
		out = s.append(out, left, v.from, schema.PartObject)
	case own:
		out = s.append(out, left, v.from, schema.PartSubject)
	default:
		out = s.append(out, s.lead, s.verb, schema.PartSubject)
	}
	if !own {
		out = s.append(out, max(s.lead, s.verb), min(s.verb+1, first), schema.PartVerb)
		from := len(out)
		out = s.append(out, min(s.verb+1, first), first, schema.PartObject)
		if from < len(out) && out[from].Part == schema.PartObject && s.governs(first) {
			out[from].Part = schema.PartVerb
		}
		if k > 0 {
			out = s.append(out, left, v.from, schema.PartObject)
		}
	}
	for _, n := range v.nouns {
		out = s.append(out, n, n+1, schema.PartObject)
	}
	if !joined {
		out = append(out, s.given(k-1))
	}
	if k+1 < len(s.values) {
		if _, joined := s.after(v.to, s.values[k+1].from); !joined && s.tokens[v.to].text != "with" {
			out = append(out, s.given(k+1))
		}
	}
	if v.to <= s.verb && s.verb < end && !own { // the value stands in the subject
		out = s.append(out, v.to, s.verb, schema.PartSubject)
		out = s.append(out, s.verb, s.verb+1, schema.PartVerb)
		from := len(out)
		if out = s.append(out, s.verb+1, end, schema.PartObject); from < len(out) && out[from].Part == schema.PartObject && s.governs(end) {
			out[from].Part = schema.PartVerb
		}
		return out
	}
	return s.append(out, v.to, end, schema.PartObject)
}

// predicate reports whether what begins at a token is another verb of the same
// subject: reports every minute and sleeps for an hour.
func (s *statement) predicate(from, to int) bool {
	for i := from; i < to; i++ {
		if t := &s.tokens[i]; t.kind == 'w' && t.text != "also" && t.text != "then" {
			return t.link < 0 && !t.is(isDeterminer) && t.is(isVerb) && t.text[len(t.text)-1] == 's' || t.is(isAuxiliary)
		}
	}
	return false
}

// after returns where what belongs to a value begins behind another value: behind the
// word that joins the two. Without one, one value holds for the other only.
func (s *statement) after(from, to int) (left int, joined bool) {
	for i := from; i < to; i++ {
		if s.tokens[i].is(isJoiner) || s.tokens[i].text == "," {
			return i + 1, true
		}
	}
	return from, false
}

// given is the term for a value that another holds for: at a radius of 20 m.
func (s *statement) given(k int) schema.Term {
	v := &s.values[k]
	text := schema.Span{Start: s.tokens[v.from].span.Start, End: s.tokens[v.to-1].span.End}.In(s.x.page.Source)
	return schema.Term{Word: "0 " + string(text), Link: -1, Part: schema.PartObject}
}

// nouns reports whether words that carry meaning stand between two tokens.
func (s *statement) nouns(from, to int) bool {
	for i := from; i < to; i++ {
		if t := &s.tokens[i]; t.kind == 'w' && !t.is(isEmpty) && !t.is(isDeterminer) && !t.is(isJoiner) && !t.is(isLight) && !t.is(isCondition) {
			return true
		}
	}
	return false
}

// append adds the words of some tokens. Behind the verb a preposition begins a
// condition, and a comma what only adds to it.
func (s *statement) append(out []schema.Term, from, to int, part schema.Part) []schema.Term {
	counted := to == from+1
	for i := from; i < to && len(out) < mostTerms; i++ {
		t := &s.tokens[i]
		if part == schema.PartObject || part == schema.PartCondition && i > s.verb {
			switch {
			case t.text == "by" && i > s.verb+1 && s.verb >= 0 && i+1 < len(s.tokens) && !s.isValue(i+1) && s.tokens[i+1].kind == 'w' && !s.tokens[i+1].capital:
				part = schema.PartWeak // whoever does it
			case t.text == "," || t.text == "(" || t.is(isWeak):
				part = schema.PartWeak
			case t.is(isCondition):
				part = schema.PartCondition
				if i+1 < to && s.tokens[i+1].text == "all" {
					part = schema.PartWeak // wherever it is, which restricts nothing
				}
			}
		}
		switch {
		case part == schema.PartSubject && s.originates(i, to):
		case s.isValue(i) && !counted:
		case t.is(isUnsaid) && (part == schema.PartCondition || part == schema.PartWeak || part == schema.PartSubject):
		case part == schema.PartSubject && !counted && i > from && i+1 < to && s.tokens[i+1].text == "by" && strings.HasSuffix(t.text, "ed"):
			// whoever issues them
		case t.text == "how" && i+1 < to:
			i++ // how long, how often
		case t.kind == 'p' || t.kind == 'n' && part != schema.PartSubject && part != schema.PartCondition:
		case t.kind == 'n':
			out = append(out, schema.Term{Word: t.text, Link: -1, Part: part})
		case part == schema.PartSubject && t.is(isPronoun) && i == from:
			if t.text == "we" {
				continue // whoever keeps the wiki
			} else if len(s.last) > 0 {
				out = append(out, s.last...)
			} else {
				out = append(out, schema.Term{Link: -1, Part: schema.PartOwn})
			}
		case t.text == "this" && i+1 < len(s.tokens):
			out = append(out, schema.Term{Link: -1, Part: schema.PartOwn})
			i++
		case t.text == "here" && !counted && part != schema.PartCondition:
			out = append(out, schema.Term{Link: -1, Part: schema.PartOwn}) // at what the page is about
		case t.link < 0 && (t.is(isEmpty) || t.is(isDeterminer) || t.is(isNegation) || t.is(isNumber)):
		case t.kind == 'w' && strings.Contains(t.text, "-"):
			for w := range strings.SplitSeq(t.text, "-") {
				out = append(out, schema.Term{Word: s.x.words.concept(w), Link: t.link, Part: part})
			}
		default:
			joined := part == schema.PartSubject && i > from && s.tokens[i-1].kind == 'w' && s.tokens[i-1].link < 0 && !s.tokens[i-1].is(isDeterminer|isEmpty|isCondition|isWeak|isJoiner|isPronoun)
			out = append(out, schema.Term{Word: t.word, Link: t.link, Part: part, Joined: joined})
		}
	}
	return out
}

// originates reports whether a word of a subject tells, with the name behind it, whose a thing is:
// the tokens issued by the login service are those of the login service.
func (s *statement) originates(i, to int) bool {
	t := &s.tokens[i]
	return i > 0 && i+2 < to && s.tokens[i+1].text == "by" && t.kind == 'w' && t.link < 0 && s.x.words.origin[t.word] &&
		(strings.HasSuffix(t.text, "ed") || s.x.words.forms[t.text] != "") && (s.tokens[i+2].capital || s.tokens[i+2].link >= 0 || s.tokens[i+2].is(isDeterminer))
}

// defines reports whether the value stands in a clause with when or if behind the
// verb, which then is what is said: it is closed when it falls below.
func (s *statement) defines(v *found) bool {
	for i := s.verb + 1; i < v.from; i++ {
		if t := s.tokens[i].text; t == "when" || t == "if" || t == "unless" || t == "until" {
			return true
		}
	}
	return false
}

// isValue reports whether a token is part of one of the values.
func (s *statement) isValue(i int) bool {
	return slices.ContainsFunc(s.values, func(v found) bool { return v.from <= i && i < v.to })
}

// unsaid are words that begin a condition and add nothing to it.
var unsaid = wordSet(`when if unless while where during whereas so as which that who because`)

// deniedBefore reports whether a negation before a token of the statement is that of its verb,
// and not of one before it: what can not be delivered is retried.
func (s *statement) deniedBefore(to int) bool {
	denied := false
	for i := range s.tokens[:to] {
		t := &s.tokens[i]
		denied = t.is(isNegation) || denied && !t.is(isAuxiliary)
	}
	return denied
}

// versioned reports whether what is said is a version: the firmware of the pump is 3.1.
func versioned(terms []schema.Term) bool {
	return slices.ContainsFunc(terms, func(t schema.Term) bool {
		return t.Part != schema.PartCondition && (t.Word == "vers" || t.Word == "firmwar")
	})
}

// claim adds a claim for a value in the statement.
func (s *statement) claim(v *found, terms []schema.Term) {
	src := s.x.page.Source
	span := schema.Span{Start: s.tokens[v.from].span.Start, End: s.tokens[v.to-1].span.End}
	for _, n := range v.nouns {
		span.End = max(span.End, s.tokens[n].span.End)
	}
	if q := &v.value.Quantity; v.value.Kind == schema.ValueQuantity && q.Dimension == "" && len(v.nouns) == 0 && v.to == v.from+1 && s.tokens[v.from].kind == 'n' && versioned(terms) {
		if lo, hi, ok := versionInterval(s.tokens[v.from].text); ok {
			v.value = schema.Value{Kind: schema.ValueVersion, Quantity: schema.Quantity{Dimension: schema.Version, Lo: lo, Hi: hi, Bound: q.Bound}}
		}
	}
	scope, role := slices.Clone(s.scope), s.role
	if s.negative && role == "" && s.deniedBefore(v.from) && v.value.Kind == schema.ValueQuantity && v.value.Quantity.Bound == schema.Exactly {
		role = "denied" // has not reported for a minute
	}
	if v.value.Quantity.Dimension == schema.Clock && v.from > 0 && s.tokens[v.from-1].text == "after" && s.negative {
		role = s.role // until then
		terms = append(terms, schema.Term{Word: s.x.words.concept("until"), Link: -1, Part: schema.PartCondition})
	}
	if v.value.Kind == schema.ValueDate || s.defines(v) { // until when says what happens then
		for i := range terms {
			if terms[i].Part == schema.PartCondition && s.lead == 0 {
				terms[i].Part = schema.PartObject
			}
		}
	}
	if v.value.Kind == schema.ValueDate {
		terms = s.ending(terms)
	} else if strings.HasPrefix(string(v.value.Quantity.Dimension), "money:") {
		s.x.words.counted(&v.value.Quantity, s.source(0, len(s.tokens)))
	}
	terms = slices.DeleteFunc(terms, func(t schema.Term) bool {
		if q := &v.value.Quantity; v.value.Kind == schema.ValueQuantity && t.Part != schema.PartCondition {
			switch {
			case t.Word == "max" && q.Bound != schema.AtLeast:
				q.Bound = schema.AtMost
				return true
			case t.Word == "min" && q.Bound != schema.AtMost:
				q.Bound = schema.AtLeast
				return true
			}
		}
		return false
	})
	s.x.state(schema.Claim{Span: span, Text: oneLine(span.In(src)), From: schema.OriginSentence,
		Value: v.value, Terms: s.x.keep(terms), Role: role, Scope: scope})
}
