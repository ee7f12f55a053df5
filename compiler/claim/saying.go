package claim

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Saying is a sentence, an item, a field or a cell of a table, by its words and the values
// among them, whatever construct carries them. Unlike a claim it does not say what the value
// is of: whoever compares two of them weighs all of their words.
type Saying struct {
	Page    schema.PageID
	Path    string
	Section []string
	Span    schema.Span
	From    schema.Origin
	Words   []SaidWord
	Keyed   []string // words of the key of a setting, where its description says in words what it is, and of what About links to
	About   int      // 1 + the index of the link to what its row is about, where another cell says so; 0 for none
	Near    []string // words that stand beside it: the line before a list, the other cells of a row
	Values  []SaidValue
	Lists   []SaidValue // names that are listed, each list as one value
	Facts   []SaidFact
	Placed  []string // those of the conditions in Scope that only the title and the headings name
	OfPage  bool     // it begins with it, its or the like: what its page is about
	Denied  bool     // it says that something is not so
	Scope   []string // the conditions that it and its section name
	Roles   []string // default, typical, …
	Breaks  []int    // the tokens that part its clauses: commas, semicolons, and, but
	Turns   []int    // those of them behind which it says something else: and runs on, because
	Part    bool     // a clause of another saying, told by who or what fills a place of it: its first value
}

// SaidWord is one word of a saying that tells something.
type SaidWord struct {
	Concept string
	Link    int  // index of the link that it is part of, -1 for none
	At      int  // its place among the tokens
	Label   bool // the head of a column or the label of a row, which holds for the value
	Name    bool // begins with a capital letter in the midst of a sentence, or is written as code
	Verb    bool
	Subject bool // stands before the verb
	When    bool // in a condition: with an adviser, for members, in winter
}

// SaidValue is a value among the words of a saying.
type SaidValue struct {
	Span     schema.Span
	Text     string
	Value    schema.Value
	Class    string // what it can be compared with: the dimension, the kind of a name
	Counted  string // the last noun of what is counted, empty for none
	From, To int    // its tokens
	Doubted  bool   // its clause tells of another time, or of what might be
	Only     bool   // who does it alone may
	May      bool   // others may do it too, as far as is said
}

const (
	// mostSayings bounds what is kept of one page.
	mostSayings = 400
	// mostSaidWords bounds how many words are kept of one saying; longer ones explain.
	mostSaidWords = 40
)

// Sayings returns what a page says about the present. Of a page that tells of another time,
// see [Mute], it is its status, and the dates of a change log.
func (l *Lexicon) Sayings(page *schema.Page) []Saying {
	muted := Mute(page)
	minutes := muted && ofMeeting(page)
	if muted && !minutes && (page.Layer == schema.LayerSource || page.Meta.Status.Class != schema.StatusDeprecated && !strings.EqualFold(page.Meta.Type, "changelog") && !register(page)) {
		return nil
	}
	buffers := scratches.Get().(*scratch)
	defer buffers.put()
	x := &sayer{extraction: extraction{page: page, words: l, muted: muted, scratch: buffers, sections: sections(page), scope: titled(page.Title)}}
	if e := edition(page.Path); e != "" {
		x.scope = append(x.scope, "in "+e)
	}
	all := blocks(page, nil)
	x.languages(all)
	if x.abroad {
		return nil
	}
	x.front()
	if !muted {
		x.marked()
	}
	if !muted || page.Meta.Status.Class != schema.StatusDeprecated {
		x.cells()
	}
	if !muted || minutes {
		x.prose(all)
	}
	if muted {
		x.parts = nil
	} else {
		x.configured(all)
	}
	x.out = append(x.out, x.parts...)
	slices.SortStableFunc(x.out, func(a, b Saying) int { return a.Span.Start - b.Span.Start })
	return x.out
}

// sayer reads the sayings of one page.
type sayer struct {
	extraction
	out       []Saying
	found     []SaidFact // of the sentence being read
	parts     []Saying   // clauses told again
	grid      grid       // of the table being read
	onlyDates bool       // the section tells of the past, of which the dates stay true
}

// front reads the single values of the frontmatter.
func (x *sayer) front() {
	if x.page.Front == nil || x.page.Front.Root == nil {
		return
	}
	for i := range x.page.Front.Root.Pairs {
		p := &x.page.Front.Root.Pairs[i]
		key := strings.ReplaceAll(strings.ToLower(p.Key), "-", "_")
		field := schema.FieldOf(p.Key)
		date := key == "date" && decided(x.page)
		if !p.Value.IsScalar() || field != "" && field != schema.FieldStatus && !date || bookkeeping[key] && !date || slices.Contains(subjects, key) || x.muted && field != schema.FieldStatus {
			continue
		}
		x.keyed(schema.OriginFrontmatter, p.Value.Span, p.Key, p.Value.Text)
	}
}

// marked reads key:: value.
func (x *sayer) marked() {
	for i := range x.page.Fields {
		if f := &x.page.Fields[i]; schema.FieldOf(f.Key) == "" {
			x.keyed(schema.OriginField, f.Val, f.Key, f.Value)
		}
	}
}

// keyed adds a field: its key is the label of its value.
func (x *sayer) keyed(from schema.Origin, span schema.Span, key, text string) {
	s := x.begin(from, span)
	if s == nil {
		return
	}
	for _, w := range x.words.Concepts(ofState(key)) {
		s.Words = append(s.Words, SaidWord{Concept: w, Link: -1, At: -1, Label: true})
	}
	if x.whole(s, span, text, nil) {
		minutes(s, text, key)
	}
	x.stateText(s, span)
	x.doneBy(s, key)
	x.attributeCell(s, key)
	x.siteOf(s, span, key)
	x.release(s, key)
	x.foundedIn(s, key)
	x.numbered(s, span)
	x.stated(s, span, text)
	x.enumerated(s, span)
	x.end(s)
}

// whole adds the value that a text is as a whole.
func (x *sayer) whole(s *Saying, span schema.Span, text string, unit *schema.Unit) bool {
	v := x.words.ParseValue(text, unit)
	if v.Kind == schema.ValueNone || cronFields(text) != nil && v.Kind != schema.ValueQuantity {
		return scheduledAt(s, span, text)
	}
	class := classOfValue(&v)
	if v.Kind == schema.ValueName {
		if slices.Contains(v.Words, "availability") || slices.Contains(v.Words, "available") && slices.Contains(v.Words, "generally") {
			v.Words = []string{"ga"} // general availability
		}
		if class = x.kindOf(v.Words); class == "" || x.ofPage(span, v.Words) {
			class = "name"
		}
	}
	if class == "class:maturity" && slices.ContainsFunc(s.Words, func(w SaidWord) bool { return w.Label && w.Concept == x.words.concept("status") }) {
		class = "name" // as those that are of no vocabulary
	}
	said := SaidValue{Span: span, Text: strings.TrimSpace(text), Value: v, Class: class}
	if said.Counted = x.countedIn(&v, said.Text); said.Counted != "" {
		s.Words = append(s.Words, SaidWord{Concept: said.Counted, Link: -1, At: -1})
	}
	s.Values = append(s.Values, said)
	scheduledAt(s, span, text)
	return true
}

// begin returns a saying at a span, nil where nothing is said about the present.
func (x *sayer) begin(from schema.Origin, span schema.Span) *Saying {
	section := x.section(span.Start)
	x.onlyDates = x.untold(section) || x.muted && (from == schema.OriginTable || from == schema.OriginSentence || from == schema.OriginList)
	if len(x.out) >= mostSayings || x.onlyDates && !x.muted && !datedSection(section) {
		return nil
	}
	s := &Saying{Page: x.page.ID, Path: x.page.Path, Section: section, Span: span, From: from}
	s.Scope = append(slices.Clone(x.scope), x.sectionScope(section)...)
	s.Placed = slices.Clone(s.Scope)
	return s
}

// end keeps a saying.
func (x *sayer) end(s *Saying) {
	if len(s.Words) == 0 || len(s.Words) > mostSaidWords {
		return
	}
	if x.onlyDates {
		s.Lists, s.Facts = nil, nil
		s.Values = slices.DeleteFunc(s.Values, func(v SaidValue) bool { return v.Value.Kind != schema.ValueDate && !x.registered(s, &v) })
		if x.muted && s.From != schema.OriginTable && s.From != schema.OriginFrontmatter {
			s.Values = slices.DeleteFunc(s.Values, func(v SaidValue) bool { return v.Value.Quantity.Hi-v.Value.Quantity.Lo >= 1 }) // a month tells when it was looked at
			if len(s.Values) == 0 || anyWord(string(s.Span.In(x.page.Source)), intended) {
				return
			}
		}
	}
	slices.Sort(s.Scope)
	s.Scope = slices.Compact(s.Scope)
	x.headed(s)
	x.lasting(s)
	x.out = append(x.out, *s)
}

// prose reads the sentences of the running text and the items of lists.
func (x *sayer) prose(all []block) {
	t := &tokenizer{page: x.page, words: x.words}
	for i := range all {
		b := &all[i]
		if !x.english(b.span) || len(x.foreign) > 0 && x.foreign[x.sectionIndex(b.span.Start)] {
			continue
		}
		var near []string
		for _, span := range []schema.Span{b.intro, b.term} {
			if span.Len() > 0 {
				near = append(near, x.words.Concepts(plainText(string(span.In(x.page.Source))))...)
			}
		}
		if b.intro.Len() > 0 && (i == 0 || all[i-1].intro != b.intro) {
			x.announcing(t, b.intro)
		}
		for _, span := range keyedLines(b.span, x.page.Source) {
			tokens := t.read(span)
			of := x.defined(tokens)
			x.answered(b, tokens)
			x.labelledName(b, tokens)
			x.ownedItem(b, tokens)
			x.siteLine(b, tokens)
			x.decidedLine(b, tokens)
			var last []token
			sentences(tokens, x.page.Source, func(tokens []token) {
				near := near
				if len(last) > 0 && len(tokens) > 0 && wordIn(tokens[0].text, "it", "its", "they", "their", "this") {
					near = append(slices.Clip(near), conceptsOf(last)...) // of which it goes on
				}
				if len(tokens) > 0 {
					last = tokens
				}
				if colon := x.announces(tokens); colon > 0 {
					x.sentence(b, tokens[:colon], near, of)
					x.sentence(b, tokens[colon+1:], append(slices.Clip(near), conceptsOf(tokens[:colon])...), nil)
					return
				}
				if from, comma, to := x.reasoned(tokens); comma > 0 {
					x.sentence(b, tokens[from:comma], append(slices.Clip(near), conceptsOf(tokens[to:])...), of)
					x.sentence(b, tokens[to:], append(slices.Clip(near), conceptsOf(tokens[:comma])...), nil)
					return
				}
				x.sentence(b, tokens, near, of)
			})
		}
		if b.item && (i == 0 || !all[i-1].item) {
			x.inventory(all[i : i+x.itemsFrom(all[i:])])
			x.procedure(all[i : i+itemsOf(all[i:])])
		}
		n := 1
		for i+n < len(all) && b.intro.Len() > 0 && all[i+n].intro == b.intro {
			n++
		}
		if n > 1 && (i == 0 || all[i-1].intro != b.intro) {
			x.below(all[i : i+n])
		}
	}
}

// keyedLines cuts a block where a line begins with **Key:**, which begins another saying.
func keyedLines(span schema.Span, src []byte) (out []schema.Span) {
	for {
		i := strings.Index(string(span.In(src)), "\n**")
		if i < 0 {
			return append(out, span)
		}
		out = append(out, schema.Span{Start: span.Start, End: span.Start + i})
		span.Start += i + 1
	}
}

// sentence reads a sentence of a block. of is the term that the block defines, nil for none.
func (x *sayer) sentence(b *block, tokens []token, near []string, of *defined) {
	x.inline(b, tokens)
	n := len(tokens)
	if n < 2 || x.quotes(tokens) {
		return
	}
	s := x.begin(originOf(*b), schema.Span{Start: tokens[0].span.Start, End: tokens[n-1].span.End})
	if s == nil {
		return
	}
	s.Near = near
	parts := len(x.parts)
	x.read(s, tokens, false)
	of.saidOf(s, tokens)
	for i := range x.parts[parts:] {
		of.saidOf(&x.parts[parts+i], tokens)
	}
	x.aged(s, tokens)
	at := x.asideAt(s, tokens)
	for i := range x.parts[parts:] {
		if p := &x.parts[parts+i]; at > 0 && len(p.Values) > 0 && p.Values[0].To <= at {
			p.unsay(func(w SaidWord) bool { return w.At >= at })
		}
	}
	rest := x.aside(s, tokens, at)
	if x.end(s); rest != nil {
		x.end(rest)
	}
}

// read adds the words and values of tokens.
func (x *sayer) read(s *Saying, tokens []token, alone bool) {
	st := x.parse(tokens, nil)
	if !alone {
		x.ofAll(s, st)
		x.facts(s, st)
	}
	lead, verb := st.lead, st.verb
	st.lead, st.verb, st.alone = 0, -1, alone
	s.Denied = s.Denied || st.denies()
	s.OfPage = s.OfPage || lead < len(tokens) && wordIn(tokens[lead].text, "it", "its", "they", "their", "this") && !st.impersonal()
	if st.role != "" {
		s.Roles = append(s.Roles, st.role)
	} else if lead := st.lead; !alone && lead+2 < len(tokens) && wordIn(tokens[0].text, "most", "many") && tokens[0].link < 0 && plural(tokens[1].text) {
		s.Roles = append(s.Roles, "typical") // most clusters have
	}
	for i := range tokens {
		if wordIn(tokens[i].text, ",", ";", "and", "but") {
			s.Breaks = append(s.Breaks, i)
			if st.turnsAt(i) {
				s.Turns = append(s.Turns, i)
			}
		}
	}
	first := len(s.Values)
	inside := x.values(s, st)
	x.kinds(s, st, inside)
	needed := x.needed(s, st, inside)
	x.products(s, st, first)
	x.algorithms(s, st, first)
	x.editions(s, st, first)
	defer x.ending(s, &statement{x: &x.extraction, tokens: tokens, verb: -1}, first)
	s.Scope = append(s.Scope, st.narrowing(s, first)...)
	st.ofTheReal(s)
	st.perPiece(s, first)
	st.doubts(s, first)
	when, label := false, st.label()
	for i := range tokens {
		t := &tokens[i]
		switch {
		case i < lead:
			when = true
		case i == lead, i == verb, t.kind == 'p':
			when = false
		case t.text == "for" && i+1 < len(tokens) && wordIn(tokens[i+1].text, "each", "every", "all", "any"):
			when = false // which restricts nothing
		case t.kind == 'w' && restricts[t.text]:
			when = i > verb
		case t.is(isCondition | isJoiner):
			when = false
		}
		w := SaidWord{Link: t.link, At: i, Name: t.kind == 'c' || t.capital && i > 0, Verb: t.is(isVerb) && i >= label && !st.nounBehind(i), Subject: verb > 0 && i >= lead && i < verb, When: when}
		switch {
		case i == needed:
			w.Concept = requiredPole()
			s.Words = append(s.Words, w)
		case !inside[i]:
			x.word(s, st, w)
		}
	}
	x.freely(s, st)
	if !alone {
		s.unlabel(tokens, label)
	}
	x.again(s, st)
	if !alone { // these parse clauses, which ends what is known of the sentence
		x.lists(s, tokens)
		x.orders(s, tokens)
	}
}

// word adds what a token says, if it tells something.
func (x *sayer) word(s *Saying, st *statement, w SaidWord) {
	t := &st.tokens[w.At]
	add := func(concept string) {
		w.Concept = concept
		s.Words = append(s.Words, w)
	}
	switch {
	case st.joined(w.At) != "":
		add(st.joined(w.At))
	case w.At > 0 && (st.joined(w.At-1) != "" || st.firstDay(w.At-1) != ""):
	case st.firstDay(w.At) != "":
		add(x.words.concept(st.firstDay(w.At)))
	case t.kind == 'w' && (t.text == "on" || t.text == "off") && (st.switched(w.At) || w.At > 0 && st.tokens[w.At-1].is(isVerb)):
		add(t.text)
	case t.kind == 'p', t.kind == 'n', t.word == "", t.is(isEmpty | isDeterminer | isPronoun | isNegation | isAuxiliary), t.is(isCondition) && t.link < 0:
	case st.anew(w.At):
		add(x.words.concept("retry"))
	case t.kind == 'c':
		add(t.word)
		w.Name = false
		for _, part := range x.words.Concepts(t.text) {
			add(part)
		}
	case x.words.spelled(t.text) != t.text:
		add(x.words.concept(x.words.spelled(t.text)))
	case strings.Contains(t.text, "-"):
		for part := range strings.SplitSeq(t.text, "-") {
			if !emptyWords[part] {
				add(x.words.concept(part))
			}
		}
	default:
		add(t.word)
	}
}

// cells reads the cells of tables: a row's first cell and the head of the column are labels.
func (x *sayer) cells() {
	for i := range x.page.Tables {
		t := &x.page.Tables[i]
		x.grid = x.gridOf(t)
		for _, row := range t.Rows {
			if len(row) > 1 {
				x.productRow(t, row)
				x.calendarRow(row)
				x.contents(t, row)
			}
			for j := range min(len(row), len(t.Head)) {
				x.inFull(row, j)
				if j > 0 && row[j].Span.Len() > 0 && x.english(row[j].Span) && x.english(row[0].Span) && !x.describes(row, j) {
					x.cellSaying(t, row, j)
				}
			}
		}
	}
}

func (x *sayer) cellSaying(t *schema.Table, row []schema.Cell, j int) {
	s := x.begin(schema.OriginTable, row[j].Span)
	if s == nil {
		return
	}
	head, unit := x.words.attributeUnit(plainText(t.Head[j].Text))
	for _, w := range x.words.Concepts(ofState(head)) {
		s.Words = append(s.Words, SaidWord{Concept: w, Link: -1, At: -1, Label: true})
	}
	s.ofKind(head)
	key := len(s.Words)
	x.labelled(s, row[0].Span)
	behind := len(s.Words)
	x.releaseOf(s, t, row)
	if anyWord(t.Head[0].Text, releaseHeads) && anyWord(t.Head[j].Text, dateHeads) {
		s.Words = append(s.Words, SaidWord{Concept: x.words.concept("release"), Link: -1, At: -1, Label: true})
	}
	said := len(s.Words)
	x.explain(s, row, j)
	if settingKey(row[0].Span.In(x.page.Source)) && len(s.Words)-said >= toldInWords {
		s.keyed(key, behind)
	}
	x.secondKey(s, t, row, j)
	if currency, ok := x.words.money(strings.TrimSpace(t.Head[j].Text)); ok && unit == nil {
		unit = &currency
	}
	if unit == nil && decimal(row[j].Text) {
		unit = x.currencyAround(t)
	}
	if unit == nil {
		if unit = x.unitOf(t, row, j); unit != nil {
			x.measured(s, row[0].Text)
		}
	}
	for k := 1; k < len(row) && k < len(t.Head); k++ {
		if k != j {
			s.Near = append(s.Near, x.words.Concepts(plainText(row[k].Text))...)
		}
	}
	s.Near = append(s.Near, x.words.Concepts(plainText(t.Head[0].Text))...)
	if x.versionBelow(s, row[j], j) || x.versioned(s, head, row[j]) {
		x.end(s)
		return
	}
	scope := slices.Clone(s.Scope)
	if !x.codeValue(s, t.Head[j].Text, row[j]) && (!x.whole(s, row[j].Span, row[j].Text, unit) || x.worded(s)) {
		tk := &tokenizer{page: x.page, words: x.words, link: x.linkFrom(row[j].Span.Start)}
		if tokens := tk.read(row[j].Span); len(tokens) > 0 && len(tokens) < mostSaidWords {
			x.read(s, tokens, len(tokens) < 6)
		}
	}
	if len(s.Values) > 0 && s.Values[0].Class == "name" && s.Values[0].Span == row[j].Span {
		s.Scope = scope // in production is how it is, and not where something else holds
	}
	if x.ofKey(row) && len(s.Values) > 0 {
		minutes(s, strings.Trim(s.Values[0].Text, "`"), row[0].Text, t.Head[j].Text)
	}
	x.stateText(s, row[j].Span)
	x.doneBy(s, plainText(t.Head[j].Text))
	x.attributeCell(s, plainText(t.Head[j].Text), plainText(row[0].Text))
	x.siteOf(s, row[j].Span, plainText(t.Head[j].Text))
	if len(row) == 2 {
		x.siteOf(s, row[j].Span, plainText(row[0].Text))
	}
	x.said(s, head, row[j].Span)
	if len(row) == 2 && len(s.Facts) == 0 && x.linkIn(row[0].Span) < 0 {
		x.said(s, plainText(row[0].Text), row[j].Span) // a table of properties
	}
	x.release(s, row[0].Text+" "+t.Head[j].Text)
	x.foundedIn(s, row[0].Text+" "+t.Head[j].Text)
	x.enumerated(s, row[j].Span)
	x.counts(s, t, row, j)
	x.end(s)
}

// toldInWords is how many words a description has at least that says what a setting is without its key.
const toldInWords = 3

// settingKey reports whether a cell is the key of a setting, written as code.
func settingKey(cell []byte) bool {
	return len(cell) > 2 && cell[0] == '`' && bytes.ContainsAny(cell, "._")
}

// keyed takes the words of a key off the labels: nobody who speaks of a setting in a sentence says them.
func (s *Saying) keyed(from, to int) {
	for _, w := range s.Words[from:to] {
		s.Keyed = append(s.Keyed, w.Concept)
	}
	s.Words = slices.Delete(s.Words, from, to)
}

// labelled adds the words of the label of a row.
func (x *sayer) labelled(s *Saying, span schema.Span) {
	tk := &tokenizer{page: x.page, words: x.words, link: x.linkFrom(span.Start)}
	for _, t := range tk.read(span) {
		if t.word == "" || t.is(isEmpty|isDeterminer) {
			x.released(s, &t)
			continue
		}
		if t.kind == 'c' || strings.Contains(t.text, "-") {
			for _, w := range x.words.Concepts(t.text) {
				s.Words = append(s.Words, SaidWord{Concept: w, Link: t.link, At: -1, Label: true})
			}
		}
		if t.kind != 'c' && strings.Contains(t.text, "-") {
			continue
		}
		s.Words = append(s.Words, SaidWord{Concept: t.word, Link: t.link, At: -1, Label: true, Name: t.kind == 'c'})
	}
}
