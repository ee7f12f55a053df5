package claim

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/loopwiki/wiki/schema"
)

// sorted adds the names that stand behind a colon and that things are sorted or shown by: sorts
// orders by state: open, assigned and done.
func (s *statement) sorted() {
	for i := s.verb + 2; i+1 < len(s.tokens); i++ {
		if t := s.tokens; t[i].text == ":" {
			if t[i-1].kind == 'w' && t[i-1].link < 0 && t[i-2].text == "by" && !plural(t[i-1].text) {
				s.set(t[i-1].word, i-1, i+1, true)
			}
			return
		}
	}
}

// inventory reads the items that a section begins with and whose heading says what they are, types
// of absence, if all of them are names.
func (x *sayer) inventory(items []block) {
	const least = 3
	if len(items) < least || len(items) > mostItems {
		return
	}
	section := x.section(items[0].span.Start)
	if len(section) == 0 || !x.opensSection(items[0].span.Start) {
		return
	}
	heading := split(section[len(section)-1])
	if len(heading) == 0 || len(heading) > 4 || !plural(heading[len(heading)-1]) || slices.ContainsFunc(heading, func(w string) bool { return open[w] || guides[w] }) {
		return
	}
	t := &tokenizer{page: x.page, words: x.words, link: x.linkFrom(items[0].span.Start)}
	set := schema.Value{Kind: schema.ValueSet, Closed: true, Words: []string{x.words.concept(heading[len(heading)-1])}}
	for i := range items {
		tokens := t.read(items[i].span)
		name := itemName(tokens)
		if name == "" || slices.ContainsFunc(tokens, func(t token) bool { return t.kind == 'n' || open[t.text] }) {
			return
		}
		set.Items = append(set.Items, name)
	}
	slices.Sort(set.Items)
	set.Items = slices.Compact(set.Items)
	span := schema.Span{Start: items[0].span.Start, End: items[len(items)-1].span.End}
	s := x.begin(schema.OriginList, span)
	if s == nil {
		return
	}
	for _, w := range x.words.Concepts(section[len(section)-1]) {
		s.Words = append(s.Words, SaidWord{Concept: w, Link: -1, At: -1, Label: true})
	}
	s.Lists = append(s.Lists, SaidValue{Span: span, Text: oneLine(span.In(x.page.Source)), Value: set, Class: ClassListed})
	x.end(s)
}

// guides are words of headings over items that tell where to go on or what to do.
var guides = wordSet(`see links references notes steps questions tasks next todo changes goals ideas pages contents sources topics`)

// opensSection reports whether nothing but white space and the mark of an item stands between the
// heading before a place and the place.
func (x *sayer) opensSection(at int) bool {
	for i := len(x.page.Headings) - 1; i >= 0; i-- {
		if h := x.page.Headings[i].Span; h.End <= at {
			return len(bytes.Trim(x.page.Source[h.End:at], " \t\r\n-*+")) == 0
		}
	}
	return false
}

// itemsFrom returns how many of the blocks are items of the list that the first is of.
func (x *sayer) itemsFrom(all []block) (n int) {
	for n = 0; n < len(all) && all[n].item && all[n].intro.Len() == 0; n++ {
		if n > 0 && len(bytes.Trim(x.page.Source[all[n-1].span.End:all[n].span.Start], " \t\r\n-*+")) > 0 {
			break
		}
	}
	return n
}

// oneOf adds the names of which something is one, or of which there are so many: its codec is one
// of raw, delta and lz4; there are three of them: raw, delta and lz4. It reports whether there are
// any. The names may be in lower case, so that all of them are, whatever else they mean.
func (x *sayer) oneOf(s *Saying, st *statement) bool {
	t := st.tokens
	for i := max(st.verb, 0); i+4 < len(t); i++ {
		from, n := 0, 0
		switch {
		case wordIn(t[i].text, "one", "any") && t[i+1].text == "of" && (i == 0 || wordIn(t[i-1].text, "is", "be", ":", "either", ",", "in")):
			from = i + 2
		case t[i].text == "either" && i > 0 && t[i-1].is(isAuxiliary):
			from = i + 1
		case t[i].text == "of" && wordIn(t[i+1].text, "them", "these", "those") && t[i+2].text == ":" && i > 0 && st.howMany(i-1) > 0:
			from, n = i+3, st.howMany(i-1)
		default:
			continue
		}
		items, to := st.namesFrom(from)
		if len(items) < 3 || n > 0 && n != len(items) {
			continue
		}
		slices.Sort(items)
		before := len(s.Lists)
		x.listing(s, st, from, to, schema.Value{Kind: schema.ValueSet, Closed: true, Items: slices.Compact(items)})
		return len(s.Lists) > before
	}
	return false
}

// namesFrom returns the names that are listed from a token on, each of one or two words, up to the
// one behind and, or; none where something else stands among them.
func (s *statement) namesFrom(from int) (items []string, to int) {
	t := s.tokens
	for i, last := from, false; i < len(t); {
		if wordIn(t[i].text, "a", "an") && i+1 < len(t) {
			i++
		}
		k := i
		for k < len(t) && k < i+2 && (t[k].kind == 'w' || t[k].kind == 'c') && !t[k].is(isJoiner|isAuxiliary|isDeterminer|isPronoun|isCondition|isNegation) && !wordIn(t[k].text, "or", "and") {
			k++
		}
		if k == i {
			return nil, from
		}
		items, to = append(items, itemName(t[i:k])), k
		if last {
			return items, to
		}
		for i = k; i < len(t) && wordIn(t[i].text, ",", "and", "or"); i++ {
			last = last || t[i].text != ","
		}
		if i == k && len(items) > 2 && (k == len(t) || t[k].text == ".") && !slices.ContainsFunc(t[from:k], func(t token) bool { return t.kind == 'w' }) {
			return items, to // `user`, `service`, `system`
		}
		if i == k {
			return nil, from
		}
	}
	return nil, from
}

// howMany returns the number that a token is, 0 for none.
func (s *statement) howMany(i int) int {
	n, err := strconv.Atoi(s.tokens[i].text)
	if err != nil {
		if v, words := NumberInWords([]string{s.tokens[i].text}); words == 1 {
			n = int(v)
		}
	}
	return n
}

// namely adds the names that a sentence puts in behind a noun of which they are all: four roles, namely
// learner, tutor and dean; the states of a ticket, which are new, open and closed.
func (x *sayer) namely(s *Saying, tokens []token) {
	st := &statement{x: &x.extraction, tokens: tokens, verb: -1}
	for i := 1; i+3 < len(tokens); i++ {
		from, noun := st.putIn(i)
		if from == 0 || tokens[noun].kind != 'w' || !plural(tokens[noun].text) {
			continue
		}
		items, to := st.namesFrom(from)
		if len(items) < 3 || to < len(tokens) && tokens[to].kind != 'p' || slices.Contains(items, "") ||
			slices.ContainsFunc(tokens[:i], func(t token) bool { return t.is(isNegation) || wordIn(t.text, "was", "were", "had") }) {
			continue
		}
		slices.Sort(items)
		set := schema.Value{Kind: schema.ValueSet, Items: slices.Compact(items), Closed: true, Words: []string{tokens[noun].word}}
		x.listing(s, st, from, to, set)
		return
	}
}

// putIn returns where the names begin that are put in at a token, and the noun that they are of; 0 for
// none. The noun stands before the mark, or before "of" and what it is of.
func (s *statement) putIn(i int) (from, noun int) {
	switch {
	case s.word(i) == "namely":
		from = i + 1
	case s.word(i) == "which" && s.word(i+1) == "are":
		from = i + 2
	default:
		return 0, 0
	}
	noun = i - 1
	if s.word(noun) == "," {
		noun--
	}
	for k := noun - 1; k > 0 && k > noun-4; k-- {
		if s.word(k) == "of" {
			noun = k - 1
			break
		}
	}
	return from, max(noun, 0)
}

// sortNouns are plural nouns for what others choose from, or go through: what they are said to be are names, in lower
// case too.
var sortNouns = wordSet(`zones states phases stages levels types kinds sorts roles classes environments plans tiers modes formats colours colors sizes categories queues topics regions statuses priorities
	channels grades severities shifts languages units methods sources targets areas districts teams models editions variants profiles layers`)

// sorts adds the names that a sentence gives to what there is of such a noun, or that something goes through: the zones
// of the park are north, south and lake; a plan goes through draft, review and archived. It reports whether there are
// any.
func (x *sayer) sorts(s *Saying, st *statement) bool {
	t := st.tokens
	for i := 1; i+4 < len(t); i++ {
		noun := ""
		switch {
		case t[i].text == "are":
			for k := i - 1; k >= 0 && k > i-6 && t[k].kind == 'w'; k-- {
				if sortNouns[t[k].text] && (k == i-1 || wordIn(t[k+1].text, "of", "in", "for")) {
					noun = t[k].word
				}
			}
		case t[i].text == "through" && wordIn(t[i-1].text, "goes", "go", "passes", "pass", "moves", "move", "runs", "run"):
			noun = x.words.concept("state")
		}
		if noun == "" || slices.ContainsFunc(t[:i], func(t token) bool { return t.is(isNegation|isNumber) || wordIn(t.text, "some", "other", "most", "all") }) {
			continue
		}
		items, to := st.namesFrom(i + 1)
		if len(items) < 3 || to < len(t) && t[to].kind != 'p' {
			continue
		}
		slices.Sort(items)
		before := len(s.Lists)
		x.listing(s, st, i+1, to, schema.Value{Kind: schema.ValueSet, Closed: true, Items: slices.Compact(items), Words: []string{noun}})
		return len(s.Lists) > before
	}
	return false
}

// tail adds the names that a clause ends with, in lower case too: stores wheat, barley and rye; is open, assigned or closed. It
// reports whether there are any. What something is or is one of, it is of those only.
func (x *sayer) tail(s *Saying, st *statement) bool {
	t := st.tokens
	for i := 1; i+4 < len(t); i++ {
		before := &t[i-1]
		is := before.is(isAuxiliary) && wordIn(before.text, "is", "are", "be")
		if !is && !(before.is(isVerb) && (i-1 == st.verb || plural(before.text))) && !before.is(isCondition) && !wordIn(before.text, "against", "of", "into", "between") || t[i].is(isVerb) && !is {
			continue
		}
		items, to := st.namesFrom(i)
		if len(items) < 3 || to < len(t) && t[to].kind != 'p' || slices.Contains(items, "") {
			continue
		}
		slices.Sort(items)
		closed := is && slices.ContainsFunc(t[i:to], func(t token) bool { return t.text == "or" })
		known := len(s.Lists)
		x.listing(s, st, i, to, schema.Value{Kind: schema.ValueSet, Closed: closed, Items: slices.Compact(items)})
		return len(s.Lists) > known
	}
	return false
}
