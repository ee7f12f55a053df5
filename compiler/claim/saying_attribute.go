package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// furthestOf bounds how many tokens a sentence may take to say whose an attribute is: the owner of
// the billing service is.
const furthestOf = 9

// attributed adds what a sentence gives as the value of an attribute that columns are headed with,
// the noun at a token: the owner of the relay is the network team, its region is Dublin, relay – region
// Dublin.
func (x *sayer) attributed(s *Saying, st *statement, noun int, class string) {
	t := st.tokens
	if st.past || st.negative || t[noun].link >= 0 || noun > 0 && t[noun-1].is(isAuxiliary) {
		return
	}
	from := st.valueOf(noun)
	if from == 0 {
		return
	}
	for from < len(t) && (wordIn(t[from].text, "now", "currently", "still") || t[from].is(isDeterminer)) {
		from++
	}
	to := from
	for to < len(t) && to < from+longestName+1 && (t[to].kind != 'p' && !t[to].is(isAuxiliary|isConjunction|isJoiner|isCondition|isPronoun|isNegation|isNumber) && !wordIn(t[to].text, "in", "at", "on", "for", "since", "until", "who", "which", "that", "from", "with", "by", "as", "to")) {
		to++
	}
	if noun < st.lead || to == from || (t[from].is(isVerb) || strings.HasPrefix(class, "who:")) && !st.called(from, to) || to < len(t) && (t[to].is(isConjunction) || wordIn(t[to].text, "and", "or", "/", "'s")) || listed(t, to) || to-from > longestName {
		return
	}
	span := schema.Span{Start: t[from].span.Start, End: t[to-1].span.End}
	text := string(span.In(x.page.Source))
	if class == "place" && !t[from].capital && t[from].kind == 'w' && !strings.ContainsAny(text, "-0123456789") {
		return // the other region is smaller
	}
	v := SaidValue{Span: span, Text: text, Class: "name", From: from, To: to, Value: x.words.ParseValue(text, nil)}
	if v.Value.Kind != schema.ValueName {
		return
	}
	var cell Saying
	x.column(&cell, v, class)
	if len(cell.Values) == 0 {
		return
	}
	before := len(x.parts)
	x.part(s, st, &filler{value: cell.Values[0], from: noun, to: noun + 1})
	for i := range x.parts[before:] {
		words := x.parts[before+i].Words
		if k := slices.IndexFunc(words, func(w SaidWord) bool { return w.At == noun }); k >= 0 {
			words[k].Label = true
		}
	}
}

// called reports whether tokens name somebody: with a capital, an article or as a role.
func (s *statement) called(from, to int) bool {
	return s.tokens[from].capital || s.tokens[from].link >= 0 || s.tokens[from-1].is(isDeterminer) || slices.ContainsFunc(s.tokens[from:to], func(t token) bool { return t.is(isActor) })
}

// valueOf returns where the value of the attribute at a token begins; 0 where it has none.
func (s *statement) valueOf(noun int) int {
	t := s.tokens
	is := func(i int) bool { return wordIn(s.word(i), "is", "are", "remains", "stays") }
	switch next := noun + 1; {
	case next >= len(t):
		return 0
	case is(next), wordIn(t[next].text, ":", "=", "–", "—"):
		return next + 1
	case wordIn(t[next].text, "of", "for"):
		if noun > 1 && wordIn(s.word(noun-1), "a", "an") && s.word(noun-2) == "with" {
			return next + 1
		}
		for i := next + 2; i < len(t) && i < noun+furthestOf && t[i].kind != 'p'; i++ {
			if is(i) {
				return i + 1
			}
		}
		return 0
	case noun > 0 && !t[noun].capital && wordIn(t[noun-1].text, ":", "–", "—", "(") && (t[next].capital || t[next].is(isDeterminer)):
		return next
	}
	return 0
}

// ClassAttribute is what the classes of names begin with that are the value of an attribute, whose noun follows: the font
// is Roboto, uses the font Roboto.
const ClassAttribute = "class:attr:"

// noAttributes are nouns of which the name that stands with them is no value that others may contradict.
var noAttributes = wordSet(`title name id type status state author tag date version owner page link example reason summary description source url note question answer goal
	result one first last next team person contact day month year step section chapter figure table case kind sort part member user customer client person man woman child word term
	value setting key default option parameter field column row item thing way point fact issue ticket bug problem change decision option release colleague manager lead head`)

// attributeOf returns the concept of the attribute that a token names; empty for others.
func (x *sayer) attributeOf(t *token) string {
	if t.kind != 'w' || t.link >= 0 || t.word == "" || len(t.text) < 3 || t.is(isEmpty|isDeterminer|isAuxiliary|isPronoun|isNumber|isCondition|isActor|isConjunction|isJoiner|isNegation) ||
		x.words.columns[t.word] != "" || noAttributes[strings.ToLower(t.text)] || noAttributes[strings.TrimSuffix(strings.ToLower(t.text), "s")] || x.words.Light(t.word) || x.words.Generic(t.word) && t.text != "engine" && t.text != "library" {
		return ""
	}
	return t.word
}

// attribute adds the name that a sentence gives as the value of the attribute at a token.
func (x *sayer) attribute(s *Saying, st *statement, noun int) {
	t := st.tokens
	concept := x.attributeOf(&t[noun])
	if concept == "" || st.past || st.negative || noun < st.lead {
		return
	}
	from, to := st.valueNamed(noun)
	if to == from || listed(t, to) || to > noun && st.within(noun) {
		return
	}
	x.giveName(s, st, noun, concept, from, to)
}

// within reports whether a noun says of what another one is: the font of the label maker.
func (s *statement) within(noun int) bool {
	for k := noun - 1; k >= 0 && k > noun-5; k-- {
		if wordIn(s.word(k), "of", "for") && s.tokens[noun+1].is(isAuxiliary) {
			return true
		}
	}
	return false
}

// giveName adds what stands at some tokens as the name that is the value of an attribute.
func (x *sayer) giveName(s *Saying, st *statement, noun int, concept string, from, to int) {
	t := st.tokens
	text := st.source(from, to)
	words, ok := x.attributeName(text, t[from].kind == 'c')
	if !ok || to == from+1 && (x.words.classes[t[from].text] != "" || x.words.numbered[t[from].text]) || st.unsure(noun) {
		return
	}
	x.part(s, st, &filler{value: SaidValue{Class: ClassAttribute + concept, From: from, To: to, Value: schema.Value{Kind: schema.ValueName, Words: words}}, from: noun, to: noun + 1})
}

// attributeName returns the words of a text that can be the name of a value: with a capital, a digit or written as code.
func (x *sayer) attributeName(text string, code bool) ([]string, bool) {
	text = strings.Trim(text, "`*_ ")
	form := formOf(text)
	if code {
		return []string{strings.ToLower(text)}, plainName(text) && !variable([]byte(text))
	}
	if _, unit := x.words.UnitOf(text); unit || form == formCode || form == formNone && (len(text) < 2 || strings.ToUpper(text) != text || strings.ContainsAny(text, " /&+")) {
		return nil, false
	}
	words := nameWords(text, form)
	return words, len(words) > 0 && len(words) <= longestName
}

// valueNamed returns the tokens of the name that is the value of the attribute at a token; none where there is none.
func (s *statement) valueNamed(noun int) (from, to int) {
	t := s.tokens
	if at := s.valueOf(noun); at > 0 && noun > 0 || at > 0 && t[noun+1].text != "is" && t[noun+1].text != "are" {
		for wordIn(s.word(at), "now", "currently", "still", "called", "named", "always") {
			at++
		}
		if from, to = s.nameFrom(at); to > from && (to == len(t) || t[to].kind == 'p' || t[to].is(isConjunction|isCondition)) {
			return from, to
		}
		return 0, 0
	}
	determined := noun > 0 && t[noun-1].is(isDeterminer) || noun > 1 && t[noun-2].is(isDeterminer) && t[noun-1].kind == 'w'
	if !determined || t[noun].capital {
		return 0, 0
	}
	if from, to = s.nameFrom(noun + 1); to > from && from == noun+1 {
		return from, to
	}
	if noun > 2 && t[noun-1].is(isDeterminer) && t[noun-2].text == "," && wordIn(s.word(noun+1), "of", "behind", "for", "that", "which", "in", "we") {
		return s.nameUpTo(noun - 2)
	}
	if noun > 2 && t[noun-1].is(isDeterminer) && !wordIn(t[noun-1].text, "a", "an") && wordIn(s.word(noun-2), "is", "are") && wordIn(s.word(noun+1), "of", "behind", "for", "that", "in", "") {
		return s.nameUpTo(noun - 2)
	}
	return 0, 0
}

// nameFrom returns the name that begins at a token, with a capital or written as code.
func (s *statement) nameFrom(at int) (from, to int) {
	if at < len(s.tokens) && s.tokens[at].kind == 'c' {
		return at, at + 1
	}
	if from, to = s.name(at); from < len(s.tokens) && s.tokens[from].link >= 0 {
		return 0, 0
	}
	return from, to
}

// nameUpTo returns the name that ends before a token.
func (s *statement) nameUpTo(end int) (from, to int) {
	from = end
	for from > 0 && from > end-longestName && s.tokens[from-1].capital && s.tokens[from-1].link < 0 {
		from--
	}
	if from == 0 && end-from == 1 && s.tokens[from].is(isDeterminer|isPronoun|isEmpty) {
		return 0, 0
	}
	return from, end
}

// attributeCell adds the name in a cell, a field or a setting as the value of the attribute that its label ends with.
func (x *sayer) attributeCell(s *Saying, labels ...string) {
	if len(s.Values) == 0 || s.Values[0].Class != "name" || s.Values[0].Value.Kind != schema.ValueName {
		return
	}
	v := s.Values[0]
	for _, label := range labels {
		words := split(label)
		if len(words) == 0 || len(words) > longestName {
			continue
		}
		last := words[len(words)-1]
		concept := x.attributeOf(&token{kind: 'w', text: last, word: x.words.concept(last), link: -1})
		if concept == "" && valueHeads[last] {
			continue // the row says of what it is
		}
		if concept == "" {
			return
		}
		if name, ok := x.attributeName(v.Text, strings.HasPrefix(v.Text, "`")); ok {
			v.Class, v.Value = ClassAttribute+concept, schema.Value{Kind: schema.ValueName, Words: name}
			s.Values = append(s.Values, v)
			if verb := attributeVerbs[strings.TrimSuffix(last, "s")]; verb != "" {
				v.Class = ClassThing + verb
				s.Values = append(s.Values, v)
			}
		}
		return
	}
}

// attributeVerbs are what sentences say of a thing instead of the name of an attribute: Maker, made by.
var attributeVerbs = map[string]string{"maker": "made by", "manufacturer": "made by", "make": "made by", "brand": "made by", "producer": "made by", "format": "as", "encoding": "as",
	"source": "from", "origin": "from"}
