package claim

import (
	"slices"

	"github.com/loopwiki/wiki/schema"
)

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
	from := at + 1
	for from < len(t) && t[from].is(isDeterminer) && !others[t[from].text] {
		from++
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
	if names == 0 || to < len(t) && (t[to].kind != 'p' && !thingEnds[t[to].text] && !t[to].is(isCondition) || t[to].link >= 0 || wordIn(t[to].text, "and", "or", "/", "&")) || listed(t, to) || st.unsure(verb) {
		return false
	}
	if items, _ := st.namesFrom(from); len(items) > 1 {
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
	case wordIn(t[at].text, "in", "as", "with") && x.words.concept("encode") == t[verb].word:
		f.value.Class = ClassThing + t[verb].word
	}
	x.part(s, st, f)
	return true
}

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
