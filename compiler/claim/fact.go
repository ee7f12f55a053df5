package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// A fact is a statement without a value: what its words say is so, or is not. It is read as
// one of three things, so that whatever construct carries it, the denial of the same is known:
// that something is done or may be done, that something is needed, that there is something.

// RoleNeeded is the role of facts about what a thing needs: a permit is required, goes
// without one.
const RoleNeeded = "needed"

// RoleAnyone is the role of facts about what anyone may do, as opposed to some only.
const RoleAnyone = "anyone"

// quantified are words that make what is said depend on how many it is said of.
var quantified = wordSet(`all every each some most many few several only both either often sometimes usually rarely always yet still already`)

// universal are those of them that what is denied of one is denied of.
var universal = wordSet(`all every each always`)

// longestFact bounds, in tokens, a statement that is compared with its denial.
const longestFact = 20

// fact adds a statement without a value, so that it can be compared with its denial.
func (s *statement) fact() {
	if s.sequence() {
		return
	}
	end := s.said()
	if s.stated || len(s.values) > 0 && s.values[0].from < end || end > longestFact || s.verb <= s.lead || s.verb >= end || !s.assertive(end) {
		return
	}
	f := fact{statement: s, negative: slices.ContainsFunc(s.tokens[:end], func(t token) bool { return t.is(isNegation) }), end: end, verb: s.verb}
	if f.existence() || f.reserved() || f.free() {
		return
	}
	f.modality()
	if f.duty != "" {
		f.state(RoleNeeded, f.duty == "yes")
	}
	if f.duty == "" || f.obliged {
		f.state(s.role, !f.negative)
	}
	f.lacking()
}

// said returns where what is said ends, and an addition to it begins.
func (s *statement) said() int {
	for i := s.lead + 1; i < len(s.tokens); i++ {
		if t := s.tokens[i].text; t == "," || t == ":" {
			return i
		}
	}
	return len(s.tokens)
}

// assertive reports whether the words can be of a statement that is denied as a whole: they deny
// once at most, and speak of no several.
func (s *statement) assertive(end int) bool {
	denials, all := 0, false
	for i := range s.tokens[:end] {
		t := &s.tokens[i]
		if t.is(isNegation) {
			denials++
		}
		switch {
		case t.is(isQuantified) && universal[t.text]:
			all = true
		case t.is(isQuantified) && (t.text != "only" || i > 0), i > s.verb && t.is(isPronoun):
			return false
		}
	}
	return denials < 2 && (denials == 0 || !all) && !wordIn(s.tokens[s.lead].text, "or", "and", "what", "who", "whoever", "which", "whether", "how", "where", "whatever")
}

// fact is a fact being read.
type fact struct {
	*statement
	negative bool
	end      int    // of the tokens that are its words
	verb     int    // from where on its words are not the subject's
	duty     string // "yes" or "no" when it says that something is needed or is not
	obliged  bool   // it says what must be done, and hence what is done
	skip     uint32 // tokens that say how it is said, as bits
}

// leave leaves a token out of the words.
func (f *fact) leave(i int) { f.skip |= 1 << i }

// word returns the text of a token; empty behind the last.
func (f *fact) word(i int) string {
	if i < f.end {
		return f.tokens[i].text
	}
	return ""
}

// modality reads whether a thing is so, may be, must be or need not be, and leaves the words
// out that say that.
func (f *fact) modality() {
	i := f.statement.verb
	next := i + 1
	for next < f.end && f.tokens[next].is(isNegation) {
		next++
	}
	switch verb, w := f.word(i), f.word(next); {
	case wordIn(verb, "must", "shall"), wordIn(verb, "has", "have") && w == "to":
		if f.obliged = !f.negative; f.obliged {
			f.duty = "yes"
		}
	case verb == "need" && next > i+1: // not
		f.needed(i, false)
	case wordIn(verb, "do", "does", "don't", "doesn't") && f.negative && wordIn(w, "need", "have", "require"):
		if w != "have" || f.word(next+1) == "to" {
			f.needed(next, false)
		}
	case wordIn(verb, "needs", "need", "requires", "require"):
		f.needed(i, !f.negative)
	case (wordIn(verb, "is", "are", "isn't", "aren't") || wordIn(verb, "stays", "stay", "remains", "remain")) && next < f.end:
		if f.predicated(next, w); f.skip != 0 {
			f.leave(i)
		}
	}
}

// needed notes that something is needed, or is not, as the word at a token says.
func (f *fact) needed(at int, yes bool) {
	f.leave(at)
	f.duty = "no"
	if yes {
		f.duty = "yes"
	}
}

// predicated reads is required, is optional, is allowed, is forbidden, is without.
func (f *fact) predicated(at int, w string) {
	switch {
	case wordIn(w, "required", "needed", "necessary", "mandatory", "compulsory", "obligatory"):
		f.needed(at, !f.negative)
	case wordIn(w, "optional", "voluntary", "unnecessary"):
		f.needed(at, f.negative)
	case wordIn(w, "allowed", "permitted"):
		f.leave(at)
		f.acted()
	case wordIn(w, "forbidden", "prohibited", "banned"):
		f.leave(at)
		f.acted()
		f.negative = !f.negative
	case w == "without":
		f.leave(at)
		f.negative = !f.negative
	}
}

// acted takes what is done for no subject where a gerund is one: taking photographs is
// forbidden.
func (f *fact) acted() {
	if t := &f.tokens[f.lead]; strings.HasSuffix(t.text, "ing") && t.is(isVerb) && f.lead+1 < f.statement.verb {
		f.verb = f.lead
	}
}

// state adds the fact under a role.
func (f *fact) state(role string, yes bool) {
	terms := f.x.scratch.terms[:0]
	defer func() { f.x.scratch.terms = terms }()
	property, action := "", -1
	for i := 0; i < f.end; i++ {
		t := &f.tokens[i]
		if f.skip&(1<<i) != 0 || t.is(isAuxiliary) || t.is(isQuantified) {
			continue
		}
		if property != "" && (t.text == "with" || t.text == "at" && f.word(i+1) == "rest") {
			if t.text == "at" { // as what is kept always is
				i++
				continue
			}
			break // by what means it is so
		}
		part := schema.PartObject
		if i < f.lead {
			part = schema.PartCondition
		} else if i < f.verb {
			part = schema.PartSubject
		}
		if concept, denies, words := f.polar(i); words > 0 && i > f.statement.verb {
			yes = yes != denies
			terms = append(terms, schema.Term{Word: concept, Link: -1, Part: part})
			property = concept
			if action >= 0 && words == 1 && f.complements(i, action < len(terms)-2, terms[action].Word) {
				terms = slices.Delete(terms, action, action+1)
			}
			i += words - 1
			continue
		}
		before := len(terms)
		if terms = f.append(terms, i, i+1, part); len(terms) > before {
			terms[len(terms)-1].Part = part
			if i == f.statement.verb || i == f.statement.verb+1 && t.is(isVerb) {
				action = before
				if t.is(isOpposite) {
					property = terms[before].Word
				}
			}
		}
	}
	f.put(role, yes, property, terms)
}

// complements reports whether a word that others deny says what its subject or its object is
// like, so that the verb adds nothing: is kept closed, sends its frames unencrypted.
func (f *fact) complements(i int, object bool, verb string) bool {
	if i+1 < f.end && !f.tokens[i+1].is(isCondition|isWeak|isConjunction) || strings.HasSuffix(f.tokens[i].text, "ly") {
		return false
	}
	return object || f.x.words.Stative(verb)
}

// polar returns what a word behind the verb says or denies, and how many tokens that are.
func (f *fact) polar(i int) (concept string, denies bool, words int) {
	t := &f.tokens[i]
	if t.text == "by" && f.word(i+1) == "hand" && i+2 == f.end {
		o := f.x.words.opposite[f.x.words.concept("manually")]
		return o.concept, o.negative, 2
	}
	if t.kind != 'w' || !t.is(isOpposite) || wordIn(t.text, "with", "on", "without") {
		return "", false, 0
	}
	o, ok := f.x.words.opposite[t.word]
	if !ok {
		o = opposite{f.x.words.concept(denied(t.text)), true}
	}
	return o.concept, o.negative, 1
}

// existence reads that there is something, or that there is not, as what the place has:
// there is no lift on the ferry, the ferry has a lift.
func (f *fact) existence() bool {
	if f.tokens[f.lead].text != "there" || f.statement.verb != f.lead+1 || !wordIn(f.word(f.lead+1), "is", "are", "isn't", "aren't") {
		return false
	}
	place := f.end
	for i := f.lead + 2; i < f.end; i++ {
		t := &f.tokens[i]
		if t.is(isConjunction|isWeak) || t.text == "to" || t.text == "enough" {
			return true // a way to do something, one that is something
		}
		if t.is(isCondition) && t.text != "for" && place == f.end {
			place = i
		}
	}
	if place == f.lead+2 {
		return true
	}
	from := place
	if wordIn(f.word(place+1), "board", "site", "here", "place") {
		from = place + 2 // on board of the ferry, on board
	}
	terms := f.words(f.x.scratch.terms[:0], from, max(from, f.end), schema.PartSubject)
	if len(terms) == 0 {
		terms = append(terms, schema.Term{Link: -1, Part: schema.PartOwn})
	}
	f.leave(f.lead)
	f.put("", !f.negative, "", f.words(terms, f.lead+2, place, schema.PartObject))
	return true
}

// reserved reads what anyone may do, nobody, or some only.
func (f *fact) reserved() bool {
	first := f.word(0)
	if verb := f.statement.verb; wordIn(f.word(verb), "may", "can") && (first == "only" || verb == 1 && wordIn(first, "anyone", "anybody", "everyone", "everybody", "nobody")) {
		f.put(RoleAnyone, !wordIn(first, "only", "nobody"), "", f.words(f.x.scratch.terms[:0], verb+1, f.end, schema.PartObject))
	}
	return first == "only"
}

// free reads that a thing has no price: is free, travels free of charge, costs nothing.
func (f *fact) free() bool {
	from, to := 0, 0
	for i := f.statement.verb; i < f.end && from == 0; i++ {
		switch w, next := f.word(i), f.word(i+1); {
		case w == "free" && next == "of" && f.word(i+2) == "charge":
			from, to = i, i+3
		case w == "free" && (i+1 == f.end || f.tokens[i+1].is(isCondition)) && next != "from":
			from, to = i, i+1
		case w == "at" && next == "no" && wordIn(f.word(i+2), "charge", "cost"):
			from, to = i, i+3
		case wordIn(w, "costs", "cost") && next == "nothing":
			from, to = i, i+2
		}
	}
	if from == 0 || f.negative && f.word(from) == "free" {
		return false
	}
	price := f.x.words.concept("price")
	f.leave(from)
	f.scope = slices.DeleteFunc(f.scope, func(w string) bool { return w == "free" })
	terms := f.words(f.words(f.x.scratch.terms[:0], 0, f.lead, schema.PartCondition), f.lead, f.statement.verb, schema.PartSubject)
	terms = f.words(append(terms, schema.Term{Word: price, Link: -1, Part: schema.PartObject}), to, f.end, schema.PartObject)
	f.put("", false, price, terms)
	return true
}

// lacking reads what a thing does without, which it hence does not need.
func (f *fact) lacking() {
	at := -1
	for i := f.statement.verb + 2; i+1 < f.end; i++ {
		if f.tokens[i].text == "without" && !strings.HasSuffix(f.tokens[i+1].text, "ing") {
			at = i
		}
	}
	if at < 0 {
		return
	}
	terms := f.words(f.x.scratch.terms[:0], f.lead, f.statement.verb, schema.PartSubject)
	verb := max(f.statement.verb, f.governed(at))
	if strings.HasSuffix(f.word(verb+1), "ing") {
		verb++ // keeps printing
	}
	terms = f.words(terms, f.statement.verb, verb+1, schema.PartVerb)
	terms = f.words(terms, verb+1, at, schema.PartObject)
	f.leave(at)
	f.put(RoleNeeded, f.negative, "", f.words(terms, at+1, f.end, schema.PartObject))
}

// words appends the words of some tokens, all as one part.
func (f *fact) words(out []schema.Term, from, to int, part schema.Part) []schema.Term {
	for i := from; i < to; i++ {
		if f.tokens[i].is(isAuxiliary | isQuantified) {
			continue
		}
		before := len(out)
		if out = f.append(out, i, i+1, part); len(out) > before && out[before].Part != schema.PartOwn {
			out[before].Part = part
		}
	}
	return out
}

// denied returns the word that another denies by how it begins, unheated for heated; empty for
// others.
func denied(w string) string {
	rest, ok := strings.CutPrefix(w, "un")
	if !ok || len(rest) < 6 || !strings.HasSuffix(rest, "ed") || strings.HasPrefix(rest, "der") {
		return ""
	}
	return rest
}

// put adds a fact of some terms.
func (f *fact) put(role string, yes bool, property string, terms []schema.Term) {
	least := 3
	if verb := f.word(f.statement.verb); f.skip != 0 || role == RoleNeeded || role == RoleAnyone || property != "" || wordIn(verb, "has", "have") || f.negative && wordIn(verb, "must", "may", "can", "cannot") {
		least = 2
	}
	if len(terms) < least || len(terms) > 12 {
		return
	}
	span := f.tokens[0].span
	for i := range f.tokens {
		span.Start, span.End = min(span.Start, f.tokens[i].span.Start), max(span.End, f.tokens[i].span.End)
	}
	v := schema.Value{Kind: schema.ValueFact, Bool: yes}
	if at := f.governed(f.end); property != "" {
		v.Words = []string{property}
	} else if at > 0 && wordIn(f.word(f.statement.verb), "is", "are", "may", "must", "can", "cannot") && (strings.HasSuffix(f.word(at), "ed") || f.x.words.forms[f.word(at)] != "") {
		v.Words = []string{f.tokens[at].word}
	}
	f.x.state(schema.Claim{Span: span, Text: oneLine(span.In(f.x.page.Source)), From: schema.OriginSentence,
		Value: v, Terms: f.x.keep(terms), Role: role, Scope: slices.Clone(f.scope)})
}
