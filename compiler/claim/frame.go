package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// names adds what fills a slot that one name alone can fill: runs on Debian.
func (s *statement) names() {
	if s.doer() || s.lettered() || s.foremost() {
		return
	}
	for i := s.verb; i < len(s.tokens)-1; i++ {
		t := &s.tokens[i]
		if t.kind != 'w' || t.capital || !t.is(isVerb) && !t.is(isAuxiliary) && !strings.HasSuffix(t.text, "ed") && i != s.verb {
			continue
		}
		slot, at := s.slot(i)
		if slot == "" {
			continue
		}
		for slot == "setting" && at+1 < len(s.tokens) && at < i+6 && s.tokens[at].kind == 'w' {
			at++ // from the variable
		}
		from, to := s.name(at)
		if to == from {
			from, to = s.common(slot, at)
		}
		if to > from && !s.negative && (slot != "setting" || s.tokens[from].kind == 'c') {
			s.fill(slot, i, from, to)
		}
		return
	}
}

// doer adds who does what else is said to be done by somebody: Team Harbour owns the ledger.
func (s *statement) doer() bool {
	t := s.tokens
	if !t[s.verb].is(isFilled) {
		return false
	}
	slot := s.x.words.slots[stem(s.x.words.form(t[s.verb].text))+" by"]
	from, to := s.name(s.lead)
	if from == to && t[s.lead].text == "the" && agents[slot] && s.verb < s.lead+4 && !plural(t[s.verb-1].text) {
		from, to = s.lead+1, s.verb
	}
	if slot == "" || slot == "platform" || s.negative || to != s.verb || from > s.lead+1 || to == from || s.verb+1 >= len(t) || t[s.verb].is(isAuxiliary) ||
		t[s.verb+1].is(isCondition) || !t[s.verb+1].is(isDeterminer) && t[s.verb+1].link < 0 && len(t) > s.verb+4 {
		return false
	}
	v := schema.Value{Kind: schema.ValueName}
	for i := from; i < to; i++ {
		if t[i].kind != 'n' {
			v.Words = append(v.Words, t[i].text)
		}
	}
	for _, object := range s.objects(s.verb + 1) {
		c := schema.Claim{Span: schema.Span{Start: t[from].span.Start, End: t[to-1].span.End}, From: schema.OriginSentence,
			Value: v, Terms: s.x.keep(s.append(s.x.scratch.terms[:0], object[0], object[1], schema.PartSubject)), Slot: slot, Role: s.role, Scope: slices.Clone(s.scope)}
		c.Text = string(c.Span.In(s.x.page.Source))
		s.x.definite = t[object[0]].is(isDeterminer)
		s.x.state(c)
	}
	return true
}

// objects returns where each of what a verb is said of begins and ends: owns the ledger, the
// press and the mill.
func (s *statement) objects(from int) (out [][2]int) {
	end := len(s.tokens)
	for i := from; i <= end; i++ {
		if i < end && s.tokens[i].text != "," && s.tokens[i].text != "and" {
			continue
		}
		if i > from {
			if t := &s.tokens[from]; !t.is(isDeterminer) && !t.capital && t.link < 0 {
				return [][2]int{{s.verb + 1, end}} // and what it does besides
			}
			out = append(out, [2]int{from, i})
		}
		from = i + 1
	}
	return out
}

// foremost adds to whom something goes before it goes to others: is offered to Norden first.
func (s *statement) foremost() bool {
	for i := s.verb + 1; i+2 < len(s.tokens); i++ {
		if s.tokens[i].text != "to" {
			continue
		}
		from, to := s.name(i + 1)
		if to > from && to < len(s.tokens) && s.tokens[to].text == "first" && !s.negative {
			s.fill("first", i, from, to)
			return true
		}
		return false
	}
	return false
}

// lettered adds which of several things of a kind is meant where a letter or a code says so:
// in freezer C, in room B117.
func (s *statement) lettered() bool {
	t := s.tokens
	for i := s.verb + 2; i < len(t) && !s.negative; i++ {
		if t[i].link >= 0 || !s.x.words.numbering[t[i-1].text] || !t[i-1].is(isScope) && t[i-1].capital || !lettering(&t[i]) || i+1 < len(t) && wordIn(t[i+1].text, "and", "or", "to", ",", "/") {
			continue
		}
		terms := s.append(s.append(s.x.scratch.terms[:0], 0, s.lead, schema.PartCondition), s.lead, s.verb, schema.PartSubject)
		terms = s.append(terms, s.verb, s.verb+1, schema.PartVerb)
		from := len(terms)
		if terms = s.append(terms, s.verb+1, i-1, schema.PartObject); from < len(terms) && s.governs(i-1) {
			terms[from].Part = schema.PartVerb
		}
		c := schema.Claim{Span: schema.Span{Start: t[i-1].span.Start, End: t[i].span.End}, From: schema.OriginSentence, Role: s.role, Scope: slices.Clone(s.scope),
			Value: schema.Value{Kind: schema.ValueName, Words: []string{t[i].text}}, Slot: whichSlot(t[i-1].word), Terms: s.x.keep(s.append(terms, i+1, len(t), schema.PartObject))}
		c.Text = string(c.Span.In(s.x.page.Source))
		s.x.state(c)
		s.stated = true
		return true
	}
	return false
}

// lettering reports whether a token is a capital letter or a code that begins with one.
func lettering(t *token) bool {
	return t.kind == 'w' && t.capital && (len(t.text) == 1 || strings.ContainsAny(t.text, "0123456789"))
}

// attributed adds what names an attribute, its thing and its value: the owner of X is Y,
// X has a status of Y. Only attributes that have one name are read so; numbers and
// dates are read from any sentence.
func (s *statement) attributed() bool {
	t := s.tokens
	of := func(from, to int) int {
		return from + slices.IndexFunc(t[from:max(from, to)], func(t token) bool { return t.text == "of" || t.text == "for" })
	}
	var attr, subject, value [2]int
	switch verb := t[s.verb].text; {
	case s.negative || s.lead > 0:
		return false
	case verb == "is" || verb == "are":
		at := of(1, s.verb)
		attr, subject, value = [2]int{0, at}, [2]int{at + 1, s.verb}, [2]int{s.verb + 1, len(t)}
	case verb == "has" || verb == "have":
		at := of(s.verb+1, len(t))
		attr, subject, value = [2]int{s.verb + 1, at}, [2]int{0, s.verb}, [2]int{at + 1, len(t)}
	}
	if attr[1] <= attr[0] || subject[1] <= subject[0] || value[1] <= value[0] || !wordIn(t[attr[1]].text, "of", "for") {
		return false
	}
	name := s.source(attr[0], attr[1])
	words := s.x.words.Words(name)
	if !s.x.words.Single(words) {
		return false
	}
	text := s.source(value[0], value[1])
	v := s.x.words.ParseValue(text, nil)
	if v.Kind != schema.ValueName || determiners[v.Words[0]] || len(v.Words) > 3 {
		return false
	}
	before := len(s.x.claims)
	s.x.add(schema.OriginSentence, schema.Span{Start: t[value[0]].span.Start, End: t[value[1]-1].span.End}, s.named(subject[0], subject[1]), strings.TrimPrefix(strings.ToLower(name), "the "), text, nil, s.scope)
	s.stated = len(s.x.claims) > before
	return s.stated
}

// source returns the text of some tokens as it stands in the page.
func (s *statement) source(from, to int) string {
	return string(schema.Span{Start: s.tokens[from].span.Start, End: s.tokens[to-1].span.End}.In(s.x.page.Source))
}

// named returns the entity that some tokens name; one without names for a pronoun.
func (s *statement) named(from, to int) schema.Entity {
	if s.tokens[from].is(isDeterminer) && from+1 < to {
		from++
	}
	first := &s.tokens[from]
	e := schema.Entity{Link: -1}
	if first.is(isPronoun) || to == from+1 && s.x.words.Generic(first.word) {
		return e
	}
	var words []string
	for _, t := range s.tokens[from:to] {
		if t.link != first.link {
			return schema.Entity{Names: []string{s.source(from, to)}, Link: -1}
		}
		words = append(words, t.text)
	}
	e.Link, e.Sure = first.link, first.link >= 0 || first.kind == 'c'
	e.Names = []string{strings.Join(words, " ")}
	if first.link < 0 {
		e.Names[0] = s.source(from, to)
	}
	return e
}

// slot returns the slot that the verb at i opens, and where its name begins. Words
// may stand between a verb and its preposition: stores all bookings in.
func (s *statement) slot(i int) (slot string, at int) {
	if !s.tokens[i].is(isFilled) {
		return "", i + 1
	}
	verb := stem(s.x.words.form(s.tokens[i].text))
	for j := i + 1; j < len(s.tokens) && j < i+5; j++ {
		if name := s.x.words.slots[verb+" "+s.tokens[j].text]; name != "" {
			return name, j + 1
		}
		if s.tokens[j].is(isCondition) || s.tokens[i].is(isAuxiliary) {
			break // what is in a place is there and nowhere else: is kept in is another verb
		}
	}
	return s.x.words.slots[verb], i + 1
}

// name returns the proper name at a token: words with capitals, digits or
// written as code. A list of names is none.
func (s *statement) name(at int) (from, to int) {
	for at < len(s.tokens) && (s.tokens[at].is(isDeterminer) || s.tokens[at].kind == 'w' && len(numberWord(s.tokens[at].text)) > 0) {
		at++
	}
	to = at
	for to < len(s.tokens) && to < at+4 && (s.tokens[to].capital || s.tokens[to].kind == 'n' && to > at) && !s.tokens[to].calendar() {
		to++
	}
	if to == at {
		return at, at
	}
	for i := to; i < len(s.tokens) && i < to+3; i++ {
		if i == to && i+2 < len(s.tokens) && s.tokens[i].text == "," && s.tokens[i+1].text == "and" && s.tokens[i+2].is(isDeterminer) {
			break // another clause
		}
		if text := s.tokens[i].text; (text == "and" || text == "or") && i+1 < len(s.tokens) && (s.tokens[i+1].capital || s.tokens[i+1].is(isDeterminer)) || text == "," && i+1 < len(s.tokens) && s.tokens[i+1].capital || text == "/" {
			return at, at
		}
	}
	return at, to
}

// agents are the slots of who does something.
var agents = wordSet(`owner curator lead approver servicer teacher author`)

// common returns the common noun that fills a slot as a name does: what a thing is made of, and
// the one by whom something is done.
func (s *statement) common(slot string, at int) (from, to int) {
	from = at
	switch {
	case agents[slot] && at < len(s.tokens) && s.tokens[at].text == "the":
		from++
	case slot != "material":
		return at, at
	}
	for to = from; to < len(s.tokens) && s.tokens[to].text != ","; to++ {
		if t := &s.tokens[to]; t.kind != 'w' || t.link >= 0 || t.is(isEmpty|isDeterminer|isWeak|isJoiner|isCondition|isAuxiliary|isNumber) || to == from+3 || agents[slot] && plural(t.text) {
			return at, at
		}
	}
	return from, to
}

// calendar reports whether a token is the name of a month or of a day of the week.
func (t *token) calendar() bool {
	return t.is(isMoment) && (months[t.text] > 0 || weekdays[t.text] > 0)
}

// refers reports whether a place is where the reader finds more: the other jobs are in [[jobs]].
func (s *statement) refers(slot string, from int) bool {
	return slot == "place" && s.tokens[from].link >= 0 && slices.ContainsFunc(s.tokens[:from], func(t token) bool {
		return wordIn(t.text, "other", "others", "rest", "more", "details", "remaining")
	})
}

// fill adds the name in a slot.
func (s *statement) fill(slot string, verb, from, to int) {
	if s.refers(slot, from) {
		return
	}
	v := found{from: from, to: to, value: schema.Value{Kind: schema.ValueName}}
	for _, t := range s.tokens[from:to] {
		if t.kind != 'n' {
			v.value.Words = append(v.value.Words, t.text)
		}
	}
	end := to
	for end < len(s.tokens) && s.tokens[end].kind == 'w' && !s.tokens[end].is(isCondition) && !s.tokens[end].is(isWeak) {
		end++
	}
	terms := s.append(s.x.scratch.terms[:0], 0, s.lead, schema.PartCondition)
	terms = s.append(terms, s.lead, s.verb, schema.PartSubject)
	for k := range s.values {
		if v := &s.values[k]; v.to <= from || v.from >= to && recurring(v.value.Quantity.Dimension) {
			terms = append(terms, s.given(k)) // purchases above 500 euros
		}
	}
	for i := verb + 1; i < from; i++ {
		if t := &s.tokens[i]; !t.is(isCondition) && t.kind == 'w' && numberWord(t.text) == "" {
			terms = s.append(terms, i, i+1, schema.PartVerb)
		}
	}
	terms = s.append(terms, end, len(s.tokens), schema.PartObject)
	c := schema.Claim{Span: schema.Span{Start: s.tokens[from].span.Start, End: s.tokens[to-1].span.End}, From: schema.OriginSentence,
		Value: v.value, Terms: s.x.keep(terms), Slot: slot, Role: s.role, Scope: slices.Clone(s.scope)}
	c.Text = string(c.Span.In(s.x.page.Source))
	s.x.state(c)
}

// state adds whether something is on or off.
func (s *statement) state() {
	if slices.ContainsFunc(s.values, func(v found) bool { return v.value.Kind == schema.ValueDate }) {
		return // when it is turned on
	}
	for i := s.verb + 1; i < len(s.tokens) && i < s.verb+4; i++ {
		t := &s.tokens[i]
		on := t.text == "on" || t.text == "enabled"
		off := t.text == "off" || t.text == "disabled"
		if !on && !off {
			continue
		}
		if i+1 < len(s.tokens) && t.text != "enabled" && t.text != "disabled" {
			if next := &s.tokens[i+1]; next.is(isDeterminer) || next.capital || next.kind == 'n' || next.kind == 'w' && t.text == "on" && !next.is(isCondition|isWeak|isJoiner|isQuantified|isCircumstance) && next.text != "again" {
				return // the preposition
			}
		}
		if text := s.tokens[s.verb].text; text != "is" && text != "are" {
			return
		}
		v := found{from: i, to: i + 1, value: schema.Value{Kind: schema.ValueBool, Bool: on != s.negative}}
		terms := s.append(s.append(s.x.scratch.terms[:0], 0, s.lead, schema.PartCondition), s.lead, s.verb, schema.PartSubject)
		s.claim(&v, s.append(terms, i+1, len(s.tokens), schema.PartObject))
		s.stated = true
		return
	}
}
