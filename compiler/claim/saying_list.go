package claim

import (
	"bytes"
	"slices"

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
