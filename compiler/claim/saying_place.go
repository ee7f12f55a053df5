package claim

import (
	"slices"
	"strings"
	"unicode"

	"github.com/loopwiki/wiki/schema"
)

// form is how a name is written, which tells what it may be a name of.
type form uint8

const (
	formNone      form = iota
	formPlain          // Stockholm, Corvid Messaging
	formTechnical      // CockroachDB, Glicko-2: capitals or digits within
	formRegion         // eu-central-1, west-2, us-east
	formCode           // pelican-text, written as code or in lower case
)

// formOf returns the form of a name.
func formOf(name string) form {
	if region(name) {
		return formRegion
	}
	first, inner, lower, digit := true, false, false, false
	for _, r := range name {
		switch {
		case unicode.IsUpper(r):
			inner = inner || !first && lower
			first = false
		case unicode.IsDigit(r):
			digit = true
		case unicode.IsLower(r):
			if first {
				return formCode
			}
			lower = true
		case r == ' ':
			lower = false // New York
		case r != '-' && r != '.' && r != '\'' && r != '’':
			return formNone
		}
	}
	switch {
	case first, !lower && !digit && !strings.Contains(name, " ") && len(name) < 2:
		return formNone
	case inner, digit:
		return formTechnical
	case strings.ToUpper(name) == name:
		return formNone // EUR, RAM, SMS: nobody can tell of what
	}
	return formPlain
}

// directions are parts of the names of regions.
var directions = wordSet(`north south east west central northeast northwest southeast southwest`)

// region reports whether a name is written as those of regions are.
func region(name string) bool {
	parts := strings.Split(name, "-")
	if len(parts) < 2 || len(parts) > 4 {
		return false
	}
	directed := false
	for i, part := range parts {
		if directions[part] {
			directed = true
			continue
		}
		if last := i == len(parts)-1; last && len(part) < 3 && allDigits(part) {
			continue
		}
		if len(part) < 2 || len(part) > 3 || strings.ContainsFunc(part, func(r rune) bool { return r < 'a' || r > 'z' }) {
			return false
		}
	}
	return directed
}

func allDigits(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
}

// fillers are the classes of well-known names that can fill a place.
var fillers = map[string]map[string]bool{
	"store":     wordSet(`database broker cache filesystem`),
	"vendor":    wordSet(`cloud mailer payment pager`),
	"algorithm": wordSet(`hash cipher compression`),
	"protocol":  wordSet(`protocol`),
	"language":  wordSet(`language`),
}

// fits reports whether a well-known name of a class can fill a place.
func (l *Lexicon) fits(place, class string) bool { return class != "" && fillers[place][class] }

// fills reports whether a name that is not known can fill a place, by its form.
func fills(place string, f form) bool {
	switch f {
	case formRegion:
		return place == "place"
	case formPlain:
		return place == "place" || place == "vendor" || place == "algorithm" || place == "language"
	case formTechnical:
		return place != "place"
	}
	return false
}

// nameWords are the words of a name, a region as one.
func nameWords(name string, f form) []string {
	if f == formRegion {
		return []string{strings.ToLower(name)}
	}
	return strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}

// places adds the name that stands where the verb at a token wants one, known or not: what a
// thing is kept in, is sent through, is computed with.
func (x *sayer) places(s *Saying, st *statement, verb int) {
	t := &st.tokens[verb]
	if t.link >= 0 || t.capital && verb > 0 || strings.HasSuffix(t.text, "ion") || strings.HasSuffix(t.text, "ions") {
		return
	}
	ways := x.words.ways[t.word]
	furthest := verb + 6
	if verb == 0 {
		furthest += 4 // store the image of the specimen as
	}
	for j := verb + 1; j < len(st.tokens)-1 && j < furthest; j++ {
		if o := &st.tokens[j]; o.kind == 'p' || o.is(isJoiner) || o.is(isWay) && !(plural(o.text) && st.tokens[j-1].is(isDeterminer)) {
			return
		}
		among, thing := cutThing(ways[st.tokens[j].text])
		if len(among) > 0 && x.place(s, st, verb, j, among) || thing && x.thing(s, st, verb, j) {
			return
		}
	}
}

// place adds the name behind a preposition, if it can be what the verb wants there. It reports
// whether a name stands there.
func (x *sayer) place(s *Saying, st *statement, verb, at int, among []string) bool {
	if st.unsure(verb) {
		return false
	}
	from, to := st.name(at + 1)
	if to == from && at+1 < len(st.tokens) {
		if t := &st.tokens[at+1]; t.kind == 'w' && t.link < 0 && region(t.text) || t.kind == 'c' && region(t.text) {
			from, to = at+1, at+2
		}
	}
	if to == from {
		return from+1 < len(st.tokens) && st.tokens[from].capital // a list
	}
	if st.tokens[from].link >= 0 || to-from > 3 || from > at+2 || listed(st.tokens, to) && st.word(to+1) != "nowhere" {
		return true
	}
	text := st.source(from, to)
	f := formOf(text)
	known := ""
	if to == from+1 {
		known = x.words.classes[st.tokens[from].text]
	}
	if _, unit := x.words.UnitOf(text); unit || st.tokens[from].kind == 'c' && f != formRegion {
		return false
	}
	if among[0] == "place" && f == formPlain && st.goesOn(to) && !wordIn(st.tokens[to].text, "region", "office", "site", "datacentre", "datacenter", "zone") || x.words.numbered[st.tokens[from].text] {
		return true
	}
	words := nameWords(text, f)
	if class, parts := x.words.algorithm(strings.ToLower(text)); class != "" {
		known, words = class, parts
	}
	for _, class := range among {
		if class == known || class == "language" && at > verb+1 {
			return true // compared as such
		}
		if x.words.fits(class, known) || known == "" && fills(class, f) && (f != formPlain || class == "place" || among[0] != "place") {
			x.part(s, st, &filler{value: SaidValue{Class: "class:" + class, From: from, To: to, Value: schema.Value{Kind: schema.ValueName, Words: words}}, from: verb, to: verb + 1})
			return true
		}
	}
	return false
}

// copies are nouns for what is kept in another place.
var copies = wordSet(`copy copies duplicate duplicates replica replicas mirror mirrors backup backups`)

// copied adds the place that a copy of something is in: with a duplicate of each snapshot in Oslo.
func (x *sayer) copied(s *Saying, st *statement, noun int) {
	for j := noun + 2; j < len(st.tokens)-1 && j < noun+7 && st.tokens[j].kind != 'p' && !st.tokens[j].is(isAuxiliary); j++ {
		if wordIn(st.tokens[j].text, "in", "at") {
			x.place(s, st, noun, j, []string{"place"})
			return
		}
	}
}

// listed reports whether a name goes on: in Paris and Oslo, in S3 or on tape.
func listed(tokens []token, at int) bool {
	if at+1 < len(tokens) && tokens[at].text == "," && (tokens[at+1].capital || region(tokens[at+1].text)) {
		return true
	}
	return at < len(tokens) && wordIn(tokens[at].text, "and", "or", "/", "&") && (at+1 >= len(tokens) || !tokens[at+1].is(isVerb|isPronoun) && !runsOn(tokens, at))
}

// runsOn reports whether a sentence goes on with another verb behind a joiner: and survives a fall.
func runsOn(tokens []token, at int) bool {
	if at+2 >= len(tokens) || !wordIn(tokens[at].text, "and", "or") || !plural(tokens[at+1].text) || tokens[at+1].capital {
		return false
	}
	next := &tokens[at+2]
	return next.is(isDeterminer) || tokens[at+1].is(isVerb) && next.kind == 'w' && next.is(isCondition|isJoiner)
}

// clauseFollows reports whether a comma is followed by a clause of its own, with somebody else who does something: runs on Dex, and
// Foyer speaks OpenID Connect with it.
func clauseFollows(tokens []token, at int) bool {
	if at+3 >= len(tokens) || tokens[at].text != "," || !wordIn(tokens[at+1].text, "and", "but", "so") {
		return false
	}
	for k := at + 3; k < len(tokens) && k < at+6 && tokens[k].kind == 'w'; k++ {
		if t := &tokens[k]; t.is(isAuxiliary) || t.is(isVerb) && plural(t.text) && !t.capital && t.link < 0 {
			return true
		}
	}
	return false
}

// unsure reports whether a verb is denied, or said to be what can be or has been.
func (s *statement) unsure(verb int) bool {
	for i := max(0, verb-5); i < verb; i++ {
		t := &s.tokens[i]
		if t.kind == 'p' && t.text != "," {
			return false
		}
		if t.is(isNegation) || wordIn(t.text, "can", "may", "could", "might", "would", "should", "used", "also", "either", "if", "was", "were", "been", "had", "sometimes") {
			for k := i + 1; k < verb; k++ {
				if s.tokens[k].kind == 'p' {
					return false
				}
			}
			return true
		}
	}
	return false
}

// ClassThing is what the classes of nouns begin with that stand behind a verb and a preposition, by which something is
// one thing only: printed as labels, made of steel.
const ClassThing = "class:thing:"

// cutThing takes the place of any noun off the places behind a preposition, and reports whether it was among them.
func cutThing(among []string) (rest []string, any bool) {
	if !slices.Contains(among, "thing") {
		return among, false
	}
	return slices.DeleteFunc(slices.Clone(among), func(place string) bool { return place == "thing" }), true
}

// longestThing bounds, in tokens, the noun phrase that fills a place.
const longestThing = 4

// thing adds the noun behind a preposition as what fills the place there, whatever it is. It reports whether one
// stands there.
func (x *sayer) thing(s *Saying, st *statement, verb, at int) bool {
	t := st.tokens
	if t[at].text == "as" && wordIn(st.word(at+1), "well", "soon", "long", "far", "much", "many", "needed", "required", "usual", "possible", "before", "follows", "is") {
		return false
	}
	from := at + 1
	for from < len(t) && t[from].is(isDeterminer) && (!others[t[from].text] || wordIn(t[from].text, "its", "their", "his", "her", "our")) {
		from++
	}
	if from < len(t) && (t[from].is(isScope) && !t[from].capital || wordIn(t[from].text, "less", "more", "fewer", "about", "around", "roughly", "nearly", "almost")) {
		return false // in production, in less than an hour
	}
	to, names := from, 0
	for to < len(t) && to < from+longestThing && (t[to].kind == 'w' || t[to].kind == 'c' || t[to].kind == 'n') && t[to].link < 0 &&
		!t[to].is(isCondition|isJoiner|isAuxiliary|isPronoun|isDeterminer|isNegation|isConjunction|isMoment) && !thingEnds[t[to].text] {
		if _, unit := x.words.UnitOf(t[to].text); unit && to > from && t[to-1].is(isNumber) {
			return false
		}
		if t[to].kind != 'n' && !t[to].is(isNumber) && t[to].word != "" {
			names++
		}
		to++
	}
	if names == 0 || to < len(t) && (t[to].kind != 'p' && !thingEnds[t[to].text] && !t[to].is(isCondition) || t[to].link >= 0 || wordIn(t[to].text, "and", "or", "/", "&") && !runsOn(t, to)) || listed(t, to) || st.unsure(verb) {
		return false
	}
	if items, _ := st.namesFrom(from); len(items) > 1 && !runsOn(t, to) && !clauseFollows(t, to) {
		return false
	}
	if to == from+1 && t[from].kind == 'c' && variable(t[from].span.In(x.page.Source)) {
		return false // compared as such
	}
	var words []string
	for _, w := range t[from:to] {
		if w.kind == 'n' {
			words = append(words, w.text)
		} else if w.word != "" && !w.is(isNumber) {
			words = append(words, w.word)
		}
	}
	value := schema.Value{Kind: schema.ValueName, Words: words}
	f := &filler{value: SaidValue{Class: ClassThing + t[verb].word + " " + sameWay(t[at].text), From: from, To: to, Value: value}, from: verb, to: verb + 1}
	switch {
	case t[at].text == "from" && origins[t[verb].text]:
		f.verb, f.value.Class = x.words.concept("get"), ClassThing+"from"
	case wordIn(t[at].text, "in", "as", "with") && x.words.concept("encode") == t[verb].word, t[at].text == "as":
		f.value.Class = ClassThing + "as"
	case fastened[t[verb].word]:
		f.value.Class = ClassThing + "fastened " + t[at].text
	case t[at].text == "by" && makes[t[verb].text]:
		if slices.ContainsFunc(t[from:to], func(t token) bool { return t.is(isActor) }) {
			return true // by somebody
		}
		f.value.Class = ClassThing + "made by"
	}
	x.part(s, st, f)
	return true
}

// fastened are the verbs of what stays where it was put.
var fastened = wordSet(`mount hang install fix bolt attach`)

// makes are what is said of a thing with the name of who makes it.
var makes = wordSet(`made manufactured produced`)

// sameWay returns one of the prepositions that say by which means.
func sameWay(preposition string) string {
	switch preposition {
	case "with", "over", "via", "through":
		return "by"
	}
	return preposition
}

// origins are verbs of what is got from somewhere.
var origins = wordSet(`come comes get gets take takes taken fetch fetches fetched load loads loaded receive receives received read reads`)

// thingEnds are words behind a noun phrase at which it ends.
var thingEnds = wordSet(`of for with by from to at per via through than that which who so because while where before after since until during within without under over every each again only instead then also too now and or`)

// withNames are words behind which the name of what something is done with stands.
var withNames = wordSet(`with via through using`)

// withName adds the name of what something is done with, whatever is done: reads text with Tesseract, arrives through
// Quillon.
func (x *sayer) withName(s *Saying, st *statement, at int) {
	t := st.tokens
	from, to := st.name(at + 1)
	if to == from || t[from].link >= 0 || listed(t, to) || to < len(t) && t[to].kind == 'w' && !t[to].is(isCondition|isJoiner|isConjunction) {
		return
	}
	for verb := at - 1; verb >= 0 && verb > at-6 && t[verb].kind != 'p'; verb-- {
		if x.words.ways[t[verb].word][t[at].text] != nil {
			return // compared as such
		}
	}
	for verb := at - 1; verb >= 0 && verb > at-6 && t[verb].kind != 'p'; verb-- {
		if w := &t[verb]; w.kind != 'w' || !w.is(isVerb) || w.is(isAuxiliary) || w.capital && verb > 0 {
			continue
		}
		text := st.source(from, to)
		if st.unsure(verb) || to == from+1 && x.words.classes[t[from].text] != "" || !fills("vendor", formOf(text)) && !fills("store", formOf(text)) {
			return
		}
		x.part(s, st, &filler{value: SaidValue{Class: ClassThing + t[verb].word + " with", From: from, To: to, Value: schema.Value{Kind: schema.ValueName, Words: nameWords(text, formOf(text))}}, from: verb, to: verb + 1})
		return
	}
}

// isIn adds the place that something is said to be in and no more: the archive is in Oslo.
func (x *sayer) isIn(s *Saying, st *statement, at int) {
	t := st.tokens
	from, to := st.name(at + 1)
	if to == from && at+1 < len(t) && region(t[at+1].text) {
		from, to = at+1, at+2
	}
	if to == from || to < len(t) && t[to].kind != 'p' && !t[to].is(isConjunction|isJoiner) || listed(t, to) || t[from].link >= 0 || st.unsure(at-1) || st.negative || st.past {
		return
	}
	text := st.source(from, to)
	if f := formOf(text); fills("place", f) && (to > from+1 || x.words.classes[t[from].text] == "") && !x.words.numbered[t[from].text] && !worldLanguages[t[from].text] {
		x.part(s, st, &filler{value: SaidValue{Class: "class:place", From: from, To: to, Value: schema.Value{Kind: schema.ValueName, Words: nameWords(text, f)}}, from: at - 1, to: at})
	}
}

// worldLanguages are what a text is in, and no places.
var worldLanguages = wordSet(`english german french spanish italian portuguese dutch danish norwegian swedish finnish polish czech russian ukrainian greek turkish arabic hebrew hindi chinese
	mandarin japanese korean latin catalan romanian hungarian`)
