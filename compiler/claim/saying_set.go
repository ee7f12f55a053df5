package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// ClassListed is the class of lists of names that are not all of one well-known kind.
const ClassListed = "class:listed"

// lists adds the names that a sentence lists, as one value. It parses clauses again.
func (x *sayer) lists(s *Saying, tokens []token) {
	if len(tokens) < 4 || !slices.ContainsFunc(tokens, func(t token) bool { return wordIn(t.text, "and", "or", ":", "one") }) {
		return
	}
	x.namely(s, tokens)
	for _, c := range x.clauses(tokens) {
		if len(s.Lists) == 0 && len(c) > 3 && len(c) <= longestClause && !c[0].is(isSubordinate) {
			x.listed(s, x.parse(c, nil))
		}
	}
	if len(s.Lists) == 0 {
		return
	}
	s.Values = slices.DeleteFunc(s.Values, func(v SaidValue) bool { return v.Value.Kind == schema.ValueName && s.inList(&v) })
}

// listed adds the names that a clause lists.
func (x *sayer) listed(s *Saying, st *statement) {
	if x.termed(s, st) {
		return
	}
	if !st.former && !st.negative && x.afterLabel(s, st) { // variants offered: a label tells of no time
		return
	}
	if st.past || st.was || st.former || st.negative {
		return
	}
	if st.verb < 0 {
		if !slices.ContainsFunc(st.tokens, func(t token) bool { return t.text == ":" }) {
			x.runs(s, st)
			return
		}
		st.verb = 0 // Formats: a, b and c
	}
	if st.sets(); len(x.claims) == 0 {
		st.sorted()
	}
	found := false
	for i := range x.claims {
		if c := &x.claims[i]; c.Value.Kind == schema.ValueSet {
			from := slices.IndexFunc(st.tokens, func(t token) bool { return t.span.Start >= c.Span.Start })
			to := from
			for to < len(st.tokens) && st.tokens[to].span.End <= c.Span.End {
				to++
			}
			x.listing(s, st, from, to, c.Value)
			found = true
		}
	}
	x.claims = x.claims[:0]
	if !found && !x.oneOf(s, st) && !x.sorts(s, st) && !x.tail(s, st) {
		x.runs(s, st)
	}
}

// afterLabel adds the names that stand behind a label, and nothing else: Languages of the app: German, English, French.
func (x *sayer) afterLabel(s *Saying, st *statement) bool {
	t := st.tokens
	colon := slices.IndexFunc(t, func(t token) bool { return t.text == ":" })
	if colon < 1 || colon > 6 || !slices.ContainsFunc(t[:colon], func(t token) bool { return t.kind == 'w' && plural(t.text) }) ||
		slices.ContainsFunc(t, func(t token) bool { return wordIn(t.text, "and", "or", "—", "–", ";") }) {
		return false
	}
	set, from := schema.Value{Kind: schema.ValueSet, Closed: true}, colon+1
	for _, w := range t[:colon] {
		if w.kind == 'w' && plural(w.text) {
			set.Words = []string{w.word} // of which they are all
		}
	}
	for k := from; k <= len(t); k++ {
		if k < len(t) && t[k].text != "," {
			continue
		}
		if k == from || k > from+2 {
			return false
		}
		set.Items = append(set.Items, itemName(t[from:k]))
		from = k + 1
	}
	if len(set.Items) < 3 || slices.Contains(set.Items, "") {
		return false
	}
	slices.Sort(set.Items)
	set.Items = slices.Compact(set.Items)
	before := len(s.Lists)
	x.listing(s, st, colon+1, len(t), set)
	return len(s.Lists) > before
}

// runs adds names that stand in a row and are joined: in France, Spain and Italy.
func (x *sayer) runs(s *Saying, st *statement) {
	t := st.tokens
	for i := 0; i < len(t); i++ {
		items, joined, end := []string(nil), false, i
		for k := i; k < len(t); {
			if t[k].text == "the" {
				k++
			}
			from := k
			for k < len(t) && k < from+3 && t[k].kind != 'p' && t[k].kind != 'n' && t[k].capital && (k > 0 || x.words.classes[t[k].text] != "") {
				k++
			}
			name := itemName(t[from:k])
			if k == from || name == "" {
				break
			}
			items, end = append(items, name), k
			for k < len(t) && wordIn(t[k].text, ",", "and", "or") {
				joined = joined || t[k].text != ","
				k++
			}
			if k == end {
				break
			}
		}
		if len(items) > 1 && joined {
			slices.Sort(items)
			x.listing(s, st, i, end, schema.Value{Kind: schema.ValueSet, Items: slices.Compact(items)})
		}
		i = max(i, end-1)
	}
}

// open are words of a list that names some of many.
var open = wordSet(`such including like etc more others other e.g example`)

// listing adds a list of names that stands between two tokens. What joins clauses, and what
// is not named whole, is none.
func (x *sayer) listing(s *Saying, st *statement, from, to int, set schema.Value) {
	t := st.tokens
	if from >= 0 && from < to && t[from].text == "the" { // the European regions, eu-west and eu-north
		if k := slices.IndexFunc(t[from:to], func(t token) bool { return t.text == "," }); k > 1 && from+k+1 < to && plural(t[from+k-1].text) && !t[from+k-1].capital && t[from+k+1].text != "the" {
			first := itemName(t[from : from+k])
			set.Items = slices.DeleteFunc(slices.Clone(set.Items), func(name string) bool { return name == first })
			from += k + 1
		}
	}
	if from < 0 || from >= to || len(set.Items) < 2 || len(set.Items) > mostItems || t[from].text == "," || t[from].link >= 0 && t[from].link == t[to-1].link ||
		slices.ContainsFunc(t, func(t token) bool { return open[t.text] }) ||
		slices.ContainsFunc(t[from:to], func(t token) bool {
			return t.kind == 'n' || t.link < 0 && t.is(isNumber|isAuxiliary|isNegation|isQuantified|isConjunction|isPronoun) || wordIn(t.text, "none", "any", "mostly", "often", "then", "nowhere", "nobody", "nothing")
		}) {
		return
	}
	var names []string
	for i := from; i < to; i++ {
		if w := &t[i]; w.kind != 'p' && !w.is(isEmpty|isDeterminer|isJoiner) && w.text != "or" {
			names = append(names, w.text)
		}
	}
	if to < len(t) && t[to].text == "only" || from > 0 && t[from-1].text == "only" {
		set.Closed = true
	}
	for i := range t[:from] { // three rooms can be booked: so many are all
		if n := st.howMany(i); n > 1 && n == len(set.Items) && (i == 0 || !wordIn(t[i-1].text, "least", "than", "first")) {
			set.Closed = true
		}
	}
	s.Scope = slices.DeleteFunc(s.Scope, func(c string) bool { return slices.Contains(names, c) && !slices.Contains(x.scope, c) })
	span := schema.Span{Start: t[from].span.Start, End: t[to-1].span.End}
	s.Lists = append(s.Lists, SaidValue{Span: span, Text: oneLine(span.In(x.page.Source)), Value: set, Class: x.classOfList(names), From: from, To: to})
}

// below reads the items below a line with a colon: they are what that line says.
func (x *sayer) below(items []block) {
	t := &tokenizer{page: x.page, words: x.words, link: x.linkFrom(items[0].intro.Start)}
	x.list(t, items)
	if len(x.claims) == 0 {
		return
	}
	c := x.claims[0]
	x.claims = x.claims[:0]
	s := x.begin(schema.OriginList, c.Span)
	if s == nil {
		return
	}
	var last []token
	t.link = x.linkFrom(items[0].intro.Start)
	sentences(t.read(items[0].intro), x.page.Source, func(s []token) { last = s })
	if len(last) > 1 {
		x.read(s, last, false)
	}
	s.Lists = append(s.Lists, SaidValue{Span: c.Span, Text: c.Text, Value: c.Value, Class: ClassListed, From: len(last), To: len(last) + 1})
	x.end(s)
}

// enumerated reads a cell or a field that lists names, and nothing else.
func (x *sayer) enumerated(s *Saying, span schema.Span) {
	if !strings.Contains(string(span.In(x.page.Source)), ", ") || span.Len() > longestValue {
		return
	}
	tk := &tokenizer{page: x.page, words: x.words, link: x.linkFrom(span.Start)}
	t := tk.read(span)
	set := schema.Value{Kind: schema.ValueSet}
	from := 0
	for i := range t {
		switch {
		case !wordIn(t[i].text, ",", "and"):
		case i > from:
			set.Items = append(set.Items, itemName(t[from:i]))
			from = i + 1
		case i == from:
			from++
		}
	}
	set.Items = append(set.Items, itemName(t[min(from, len(t)):]))
	if slices.Contains(set.Items, "") || slices.ContainsFunc(t, func(t token) bool { return t.text == "or" }) {
		return
	}
	slices.Sort(set.Items)
	set.Items = slices.Compact(set.Items)
	x.listing(s, &statement{tokens: t}, 0, len(t), set)
}

// classOfList returns which kind of thing all of some names are.
func (x *sayer) classOfList(names []string) string {
	class := ""
	for i, name := range names {
		c := x.words.classes[name]
		if c == "" || i > 0 && c != class {
			return ClassListed
		}
		class = c
	}
	if class == "" {
		return ClassListed
	}
	return "class:" + class
}

// inList reports whether a name stands in a list of names of its kind, which is one value.
func (s *Saying) inList(v *SaidValue) bool {
	return slices.ContainsFunc(s.Lists, func(o SaidValue) bool {
		return o.Class == v.Class && o.Span.Start <= v.Span.Start && v.Span.End <= o.Span.End
	})
}
