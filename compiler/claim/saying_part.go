package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// filler is what fills a place of a clause: who does it, or in what, on what or through whom
// it is done.
type filler struct {
	value    SaidValue
	verb     string // the concept of what is done, for all words that say it; empty to leave it
	from, to int    // the tokens that say what is done
}

// turns begin a clause that tells of something else, before and behind.
var turns = wordSet(`so because while whereas although though but`)

// again tells clauses again by who does it, and by the names in their places.
func (x *sayer) again(s *Saying, st *statement) {
	x.named(s, st)
	x.described(s, st)
	x.inState(s, st)
	for i := range st.tokens {
		x.sites(s, st, i)
		switch t := &st.tokens[i]; {
		case t.kind != 'w':
		case t.is(isActor):
			x.belongs(s, st, i)
			x.doer(s, st, i)
			x.receiver(s, st, i)
		case t.text == "to" && sending[st.word(i-1)]:
			x.sentTo(s, st, i)
		case copies[t.text] && st.word(i+1) == "of":
			x.copied(s, st, i)
		case t.is(isWay):
			x.places(s, st, i)
		case wordIn(t.text, "in", "at") && i > 1 && wordIn(st.word(i-1), "is", "are", "sits", "stands"):
			x.isIn(s, st, i)
		case withNames[t.text]:
			x.withName(s, st, i)
		case t.text == "by" && i+1 < len(st.tokens):
			x.person(s, st, i)
		case wordIn(t.text, "belongs", "belong"):
			x.belongs(s, st, i)
		}
		switch t := &st.tokens[i]; {
		case t.kind != 'w':
		case wordIn(t.text, "is", "are"):
			x.kindIs(s, st, i)
		case t.is(isVerb | isLight):
			x.slot(s, st, i)
		}
		if class := x.words.columns[st.tokens[i].word]; class != "" {
			x.attributed(s, st, i, class)
		} else {
			x.attribute(s, st, i)
			x.grade(s, st, i)
			x.wordIs(s, st, i)
		}
	}
}

// interrogative are words that stand for what a question asks for, and name nothing: why the store is what it is.
var interrogative = wordSet(`what which who whom where why how`)

// part tells a clause again by what fills a place of it: its words without those of the filler,
// which are its value. What stands in other clauses may be left unsaid.
func (x *sayer) part(s *Saying, st *statement, f *filler) {
	if len(x.parts) >= mostSayings || x.onlyDates || f.value.To == f.value.From+1 && interrogative[st.word(f.value.From)] {
		return
	}
	from, to := st.clause(min(f.value.From, f.from), max(f.value.To, f.to))
	p := *s
	p.Part, p.Words, p.Near, p.Scope = true, nil, slices.Clone(s.Near), slices.Clone(s.Scope)
	for i := range st.tokens { // conditions of other clauses
		if t := &st.tokens[i]; (i < from || i >= to) && t.is(isScope) && !t.capital && !said(st.tokens[from:to], t.text) {
			p.Scope = slices.DeleteFunc(p.Scope, func(c string) bool { return c == t.text && !slices.Contains(x.scope, c) })
		}
	}
	for _, w := range s.Words {
		switch {
		case w.At >= f.value.From && w.At < f.value.To, f.verb != "" && w.At >= f.from && w.At < f.to:
		case w.At >= 0 && (w.At < from || w.At >= to):
			p.Near = append(p.Near, w.Concept)
		default:
			w.Verb = w.Verb && w.At == f.from // of other verbs that are there, most are nouns: the build
			p.Words = append(p.Words, w)
		}
	}
	if len(p.Words) == 0 && f.verb == "" {
		return // nothing is said of it
	}
	if f.verb != "" {
		p.Words = append(p.Words, SaidWord{Concept: f.verb, Link: -1, At: f.from, Verb: true})
	}
	f.value.Span = schema.Span{Start: st.tokens[f.value.From].span.Start, End: st.tokens[f.value.To-1].span.End}
	f.value.Text = string(f.value.Span.In(x.page.Source))
	p.Values = []SaidValue{f.value}
	for _, v := range s.Values {
		if v.Value.Kind != schema.ValueName && v.Value.Kind != schema.ValueBool && v.From >= from && v.From < to {
			p.Values = append(p.Values, v) // under which circumstances
		}
	}
	st.doubts(&p, 0)
	x.parts = append(x.parts, p)
}

// said reports whether a word is among tokens.
func said(tokens []token, word string) bool {
	return slices.ContainsFunc(tokens, func(t token) bool { return t.text == word })
}

// clause returns where what is said of some tokens begins and ends.
func (s *statement) clause(first, last int) (from, to int) {
	for i := first - 1; i > 0; i-- {
		if turns[s.tokens[i].text] {
			from = i + 1
			break
		}
	}
	for to = last; to < len(s.tokens); to++ {
		if t := &s.tokens[to]; turns[t.text] || s.tokens[to-1].text == "," && (clauseMarks[t.text] || t.text == "and") {
			break
		}
	}
	return from, to
}

// headed adds what a label says that its value is: who, or in what or from whom.
func (x *sayer) headed(s *Saying) {
	if len(s.Values) == 0 || s.Part || s.Values[0].Value.Kind != schema.ValueName {
		return
	}
	first := s.Values[0]
	for i := range s.Words {
		if w := &s.Words[i]; w.Label && w.Link < 0 { // a link names what the row is about
			if class := x.words.columns[w.Concept]; class != "" {
				x.column(s, first, class)
				return
			}
		}
	}
}

// column adds the value of a cell or a field under a label.
func (x *sayer) column(s *Saying, v SaidValue, class string) {
	text := strings.Trim(v.Text, "`* ")
	if (class == "protocol" || class == "algorithm") && x.ofPage(v.Span, v.Value.Words) {
		return
	}
	if v.Class == "class:"+class || v.Class != "name" && !strings.HasPrefix(v.Class, "class:") || strings.ContainsAny(text, ",/&([") || strings.Contains(text, " and ") || strings.Contains(text, " or ") {
		return
	}
	if strings.HasPrefix(class, "who:") {
		words := x.words.roleWords(text)
		if len(words) == 0 {
			return
		}
		v.Value, v.Class = schema.Value{Kind: schema.ValueName, Words: words}, "class:"+class
	} else {
		form := formOf(text)
		if known := x.words.Class(text); !x.words.fits(class, known) && (known != "" || !fills(class, form) && (form != formCode || strings.Contains(text, " "))) {
			return
		}
		v.Value, v.Class = schema.Value{Kind: schema.ValueName, Words: nameWords(text, form)}, "class:"+class
	}
	s.Values = append(s.Values, v)
}

// ofPage reports whether a value is a link to a page whose title is not the name of something
// well known: [[mqtt-console]] is no protocol.
func (x *sayer) ofPage(span schema.Span, words []string) bool {
	return x.linkIn(span) >= 0 && (len(words) > 1 || x.kindOf(words) == "")
}

// titled reports whether a token is one of several of a link.
func (s *statement) titled(i int) bool {
	t := s.tokens
	return t[i].link >= 0 && (i > 0 && t[i-1].link == t[i].link || i+1 < len(t) && t[i+1].link == t[i].link)
}

// turnsAt reports whether a clause with a verb of its own begins behind a comma or a joiner, which says more than the one before:
// and runs next to the server; , because waves arrive there.
func (s *statement) turnsAt(i int) bool {
	if i == 0 || i+2 >= len(s.tokens) {
		return false
	}
	next := &s.tokens[i+1]
	switch s.tokens[i].text {
	case ",", ";":
		return turns[next.text] || wordIn(next.text, "which", "who", "whose", "since") || wordIn(next.text, "and", "but") && s.turnsAt(i+1)
	}
	if participle(next, s.x.words) && !next.capital && slices.ContainsFunc(s.tokens[:i], func(t token) bool { return wordIn(t.text, "is", "are") }) {
		return true
	}
	return next.is(isAuxiliary|isPronoun) || next.is(isVerb) && plural(next.text) && !next.capital && !s.tokens[i+2].is(isAuxiliary)
}
