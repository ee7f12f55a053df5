package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// ClassSlot is what the classes of noun phrases begin with that stand behind a verb and a preposition of which nothing
// is known: travels over the fibre, is ground from rye. The verb and the preposition follow.
const ClassSlot = "class:slot:"

// slotWords are the prepositions behind which a noun phrase can tell how or where something is done.
var slotWords = wordSet(`in on at by with from to over via through into onto under as behind beside near against using`)

// slotless are words behind a preposition with which it says how, when or why, and not what.
var slotless = wordSet(`case time times order general addition turn full advance particular detail place parallel sequence request demand default hand once least most first last end
	beginning start day days night nights year years month months week weeks hour hours minute minutes way fact front favour charge use mind effect total principle theory practice
	person people due least average purpose mistake accident error any all each every such same question doubt hold duty call behalf top basis future past present meantime background
	line agreement accordance touch contact common short brief writing words itself themselves yourself him her them it us you one two three stock arrears sync
	order which whom what that this these those there here morning afternoon evening weekend summer winter spring autumn season meeting`)

// slot adds the noun phrase behind the verb of a sentence and a preposition, as what may stand there once.
func (x *sayer) slot(s *Saying, st *statement, verb int) {
	x.used(s, st, verb)
	t := st.tokens
	w := &t[verb]
	if w.link >= 0 || w.capital || w.word == "" || w.is(isAuxiliary|isLight) || strings.HasSuffix(w.text, "ing") || st.past || st.negative || !st.predicates(verb) {
		return
	}
	ways := x.words.ways[w.word]
	for j := verb + 1; j < len(t)-1 && j < verb+6; j++ {
		o := &t[j]
		if o.kind == 'p' || o.is(isJoiner|isConjunction|isNegation|isAuxiliary) || clauseMarks[o.text] {
			return
		}
		if !slotWords[o.text] {
			continue
		}
		if ways[sameWay(o.text)] != nil || ways[o.text] != nil || slotless[st.word(j+1)] || t[j+1].is(isMoment|isNumber) {
			return
		}
		if o.text == "by" && x.somebody(st, verb, j+1) {
			return // compared as such
		}
		before := len(x.parts)
		if x.thing(s, st, verb, j) {
			for i := range x.parts[before:] {
				p := &x.parts[before+i]
				v := &p.Values[0]
				if x.elsewhere(v) || slotless[v.Value.Words[len(v.Value.Words)-1]] || slotless[strings.ToLower(lastWord(v.Text))] {
					x.parts = x.parts[:before]
					return
				}
				v.Class = ClassSlot + w.word + " " + sameWay(o.text)
				if o.text == "on" && wordIn(w.text, "based", "built", "relies") && t[v.From].capital {
					v.Class = ClassSlot + "use"
				}
			}
		}
		return
	}
}

// elsewhere reports whether a value is compared as such: a number, a well-known name, one of two places or ends.
func (x *sayer) elsewhere(v *SaidValue) bool {
	return strings.ContainsAny(v.Text, "0123456789") || x.words.classes[x.words.spelled(strings.ToLower(v.Text))] != "" ||
		slices.ContainsFunc(v.Value.Words, func(w string) bool { _, _, ok := x.words.Contrast(w); return ok })
}

// somebody reports whether it is somebody who stands at a token behind what is done: a role, a name of two words, whoever does
// what one role alone does.
func (x *sayer) somebody(st *statement, verb, at int) bool {
	t := st.tokens[at:min(len(st.tokens), at+longestThing)]
	if _, known, _ := x.words.act(st.tokens, verb); known {
		return true
	}
	return slices.ContainsFunc(t, func(t token) bool { return t.is(isActor) }) || len(t) > 1 && t[0].capital && t[1].capital
}

func lastWord(text string) string { return text[strings.LastIndexByte(text, ' ')+1:] }

// kindIs adds which of several kinds a thing is said to be: is an LCD panel.
func (x *sayer) kindIs(s *Saying, st *statement, is int) {
	t := st.tokens
	if is == 0 || is+3 >= len(t) || !wordIn(t[is+1].text, "a", "an") || st.past || st.negative || st.unsure(is) {
		return
	}
	from, to := is+2, is+2
	for to < len(t) && to < from+longestThing && t[to].kind == 'w' && t[to].link < 0 && !t[to].is(isCondition|isJoiner|isAuxiliary|isPronoun|isDeterminer|isNegation|isConjunction) {
		to++
	}
	if to < from+2 || to < len(t) && t[to].kind != 'p' && !t[to].is(isCondition) || listed(t, to) {
		return
	}
	var words []string
	for _, w := range t[from : to-1] {
		if w.word != "" && !x.words.Light(w.word) && !x.words.Hollow(w.word) {
			words = append(words, w.word)
		}
	}
	if len(words) == 0 || t[to-1].word == "" {
		return
	}
	x.part(s, st, &filler{value: SaidValue{Class: ClassSlot + "is " + t[to-1].word, From: from, To: to, Value: schema.Value{Kind: schema.ValueName, Words: words}}, from: is, to: is + 1})
}

// predicates reports whether the word at a token is the verb of its clause: behind an auxiliary, or the first verb.
func (s *statement) predicates(at int) bool {
	if at == 0 {
		return false
	}
	before := &s.tokens[at-1]
	if before.is(isAuxiliary) || wordIn(before.text, "be", "always", "also", "then", "only", "now") {
		return true
	}
	if s.nounBehind(at) || !plural(s.tokens[at].text) {
		return false
	}
	for i := range s.tokens[:at] {
		if t := &s.tokens[i]; t.is(isAuxiliary) || t.is(isVerb) && plural(t.text) && !t.is(isLight) {
			return false
		}
	}
	return true
}
