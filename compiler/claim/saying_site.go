package claim

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// ClassSite is the class of where in or at a building something is: in the basement, third floor, room 2.14. Its words are
// the places, each with its noun last, from the inner to the outer ones or the other way round.
const ClassSite = "class:site"

// sited are verbs behind which a place stands where something is, beside those that say only that it is.
var sited = wordSet(`stands stand sits sit lies lie kept stored located housed mounted installed placed hangs hang hung found find hidden parked fixed lives sit held archived takes`)

// siteHeads are the words of labels behind which it stands where something is.
var siteHeads = wordSet(`location place room where position building stored kept found stands housing whereabouts storage floor site shelf rack`)

// contentHeads are the heads of columns that say what is at the place of a row.
var contentHeads = wordSet(`content contents contains holds houses items equipment inside what used use stored occupants`)

// Site returns on which level of a house the place is that a noun names: container, room, floor, building; empty for
// other words.
func (l *Lexicon) Site(noun string) string { return l.sites[noun] }

// mostSites bounds how many places are read that say together where something is.
const mostSites = 4

// sitesAt reads the places that stand at a token, the basement of the town hall; where they end, and which there are.
func (s *statement) sitesAt(at int) (sites []string, to int) {
	t, to := s.tokens, at
	for len(sites) < mostSites {
		site, end := s.siteAt(at)
		if site == "" {
			return sites, to
		}
		sites, to = append(sites, site), end
		if end+1 >= len(t) || !wordIn(t[end].text, "of", "in", "on", "at", ",", "inside", "(") {
			return sites, to
		}
		if at = end + 1; t[end].text == "," && wordIn(s.word(at), "in", "on", "at") {
			at++
		}
	}
	return sites, to
}

// siteAt reads one place: its noun with what tells which of those it is.
func (s *statement) siteAt(at int) (site string, to int) {
	t := s.tokens
	for at < len(t) && (t[at].is(isDeterminer) && !others[t[at].text]) {
		at++
	}
	var words []string
	for i := at; i < len(t) && i < at+longestThing; i++ {
		w := &t[i]
		if w.link >= 0 || w.kind != 'w' && w.kind != 'n' || w.is(isJoiner|isPronoun|isAuxiliary|isNegation|isConjunction) || w.is(isCondition) && !w.capital || others[w.text] || besideWords[w.text] {
			return "", at
		}
		noun := strings.TrimSuffix(w.text, "s")
		if s.x.words.sites[w.text] != "" {
			noun = w.text
		}
		next := s.word(i + 1)
		if s.x.words.sites[noun] == "" || s.x.words.sites[strings.TrimSuffix(next, "s")] != "" && (i+1 >= len(t) || t[i+1].kind == 'w') {
			words = append(words, w.text)
			continue
		}
		to = i + 1
		if to < len(t) && (t[to].kind == 'n' || lettering(&t[to])) {
			words, to = []string{t[to].text}, to+1
		} else if to < len(t) && t[to].kind == 'w' && !t[to].is(isCondition|isJoiner|isPronoun|isAuxiliary|isConjunction|isVerb|isWeak) && !clauseMarks[t[to].text] && !besideWords[t[to].text] {
			return "", at // the cellar air
		}
		return strings.Join(append(words, noun), " "), to
	}
	return "", at
}

// besideWords are words behind which a place stands that something is near to, and not in.
var besideWords = wordSet(`behind under above below near beside next opposite between of from for with without`)

// sites adds where a sentence says that something is, by the preposition at a token.
func (x *sayer) sites(s *Saying, st *statement, at int) {
	t := st.tokens
	if at == 0 || !wordIn(t[at].text, "in", "on", "at", "under", "inside") {
		return
	}
	verb := -1
	for k := at - 1; k >= max(0, at-4) && verb < 0 && t[k].kind != 'p'; k-- {
		switch {
		case wordIn(t[k].text, "is", "are") && k == at-1 && k > 0, sited[t[k].text]:
			verb = k
		}
	}
	found := -1 // you find it in the cellar
	if verb < 0 {
		for k := at - 1; k >= 0 && found < 0 && t[k].kind != 'p'; k-- {
			if wordIn(t[k].text, "find", "store", "keep") && (k == 0 || st.word(k-1) == "you" || st.word(k-1) == "we") {
				found, verb = k, k
			}
		}
	}
	if verb < 0 || st.past || st.negative || st.unsure(verb) || t[verb].link >= 0 || t[verb].text == "takes" && st.word(verb+1) != "place" {
		return
	}
	sites, to := st.sitesAt(at + 1)
	if len(sites) == 0 || listed(t, to) || wordIn(st.word(to), "and", "or", "/") ||
		slices.ContainsFunc(t[at+1:to], func(t token) bool { _, _, ends := x.words.Contrast(t.word); return ends }) { // the upper level is compared as such
		return
	}
	before := len(x.parts)
	x.part(s, st, &filler{value: SaidValue{Class: ClassSite, From: at + 1, To: to, Value: schema.Value{Kind: schema.ValueName, Words: sites}}, verb: x.words.concept("keep"), from: verb, to: verb + 1})
	for i := range x.parts[before:] {
		p := &x.parts[before+i]
		p.Words = slices.DeleteFunc(p.Words, func(w SaidWord) bool {
			gone := w.At >= to || w.At > verb && w.At < at && found < 0
			if gone {
				p.Near = append(p.Near, w.Concept) // what is there besides
			}
			return gone
		})
	}
}

// siteOf adds where a field, a cell or an item says that the thing of its labels is.
func (x *sayer) siteOf(s *Saying, span schema.Span, label string) {
	last := split(label)
	if len(last) == 0 || len(last) > longestName || !slices.ContainsFunc(last, func(w string) bool { return siteHeads[w] }) {
		return
	}
	x.standing(s, span, last[len(last)-1], func(w SaidWord) bool {
		return !slices.ContainsFunc(last, func(l string) bool { return siteHeads[l] && x.words.concept(l) == w.Concept })
	})
}

// standing adds as where something is the place that a text is as a whole. A number is one of the nouns that its label
// ends with. of are the words for what is there.
func (x *sayer) standing(s *Saying, span schema.Span, noun string, of func(SaidWord) bool) {
	tk := &tokenizer{page: x.page, words: x.words, link: x.linkFrom(span.Start)}
	tokens := tk.read(span)
	if n := len(tokens); n > 0 && tokens[n-1].text == "." {
		tokens = tokens[:n-1]
	}
	if len(tokens) == 0 || len(tokens) > 3*longestThing || len(x.parts) >= mostSayings || x.onlyDates {
		return
	}
	st := &statement{x: &x.extraction, tokens: tokens, verb: -1}
	from := 0
	if wordIn(tokens[0].text, "in", "on", "at") {
		from = 1
	}
	sites, to := st.sitesAt(from)
	if len(sites) == 0 && x.words.sites[noun] != "" && len(tokens) == 1 && (tokens[0].kind == 'n' || lettering(&tokens[0])) {
		sites, to = []string{tokens[0].text + " " + noun}, 1
	}
	if len(sites) == 0 || to < len(tokens) && !wordIn(st.word(to), ",", "(", ".", ";", "next", "behind", "under", "above", "near", "–", "—") {
		return
	}
	p := *s
	p.Part, p.Values, p.Lists, p.Facts, p.Denied = true, nil, nil, nil, false
	p.Near, p.Words = slices.Clone(s.Near), nil
	for _, w := range s.Words {
		if w.At < 0 && of(w) {
			p.Words = append(p.Words, w)
		}
	}
	p.Words = append(p.Words, SaidWord{Concept: x.words.concept("keep"), Link: -1, At: -1, Label: true})
	end := tokens[min(to, len(tokens))-1].span.End
	value := schema.Span{Start: tokens[from].span.Start, End: end}
	p.Values = []SaidValue{{Span: value, Text: string(value.In(x.page.Source)), Class: ClassSite, Value: schema.Value{Kind: schema.ValueName, Words: sites}}}
	x.parts = append(x.parts, p)
}

// siteLine reads a line that is a term, a colon and a place: **Server rack:** third floor, printer room.
func (x *sayer) siteLine(b *block, tokens []token) {
	colon := slices.IndexFunc(tokens, func(t token) bool { return t.text == ":" })
	bold := len(tokens) > 0 && bytes.HasSuffix(x.page.Source[:tokens[0].span.Start], []byte(bold))
	if colon < 1 || colon > longestTerm || colon+1 >= len(tokens) || !b.item && !bold {
		return
	}
	end := len(tokens)
	if stop := slices.IndexFunc(tokens[colon:], func(t token) bool { return wordIn(t.text, ".", ";") }); stop > 1 {
		end = colon + stop
	}
	s := x.begin(originOf(*b), schema.Span{Start: tokens[colon+1].span.Start, End: tokens[end-1].span.End})
	if s == nil {
		return
	}
	for i := range tokens[:colon] {
		if w := &tokens[i]; w.word != "" && !w.is(isEmpty|isDeterminer) && !siteHeads[w.text] {
			s.Words = append(s.Words, SaidWord{Concept: w.word, Link: w.link, At: -1, Label: true})
		}
	}
	x.standing(s, s.Span, tokens[colon-1].text, func(SaidWord) bool { return true })
}

// contents reads a row whose first cell is a place and another of which says what is there.
func (x *sayer) contents(t *schema.Table, row []schema.Cell) {
	heads := split(t.Head[0].Text)
	if len(heads) != 1 || x.words.sites[heads[0]] == "" || !x.english(row[0].Span) {
		return
	}
	for j := 1; j < len(row) && j < len(t.Head); j++ {
		if !anyWord(t.Head[j].Text, contentHeads) {
			continue
		}
		for start := row[j].Span.Start; start < row[j].Span.End; {
			end := row[j].Span.End
			if i := bytes.IndexByte(x.page.Source[start:end], ','); i >= 0 {
				end = start + i
			}
			item := schema.Span{Start: start, End: end}
			start = end + 1
			if s := x.begin(schema.OriginTable, item); s != nil {
				x.labelled(s, item)
				x.standing(s, row[0].Span, heads[0], func(SaidWord) bool { return true })
			}
		}
	}
}
