package claim

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/zeebo/xxh3"
)

// text reads the running text of the page: sentences, definitions, **Key:**
// value, and lists below a line with a colon.
func (x *extraction) text(all []block) {
	t := &tokenizer{page: x.page, words: x.words, out: x.scratch.tokens}
	defer func() { x.scratch.tokens = t.out }()
	for i := 0; i < len(all); {
		b := &all[i]
		n := 1
		for i+n < len(all) && b.intro.Len() > 0 && all[i+n].intro == b.intro {
			n++
		}
		if b.intro.Len() > 0 && x.list(t, all[i:i+n]) {
			i += n
			continue
		}
		x.block(t, b)
		i++
	}
}

// block reads one paragraph or item.
func (x *extraction) block(t *tokenizer, b *block) {
	section := x.section(b.span.Start)
	x.dates = x.untold(section)
	if x.dates && !datedSection(section) || !x.english(b.span) {
		return
	}
	if !x.dates && (x.fieldLine(t, b) || x.keyValue(b)) || len(x.foreign) > 0 && x.foreign[x.sectionIndex(b.span.Start)] {
		return
	}
	var last []schema.Term
	tokens := t.read(b.span)
	if b.term.Len() > 0 {
		tokens = x.defined(t, b, tokens)
	}
	if b.item && b.intro.Len() == 0 {
		tokens = x.entry(tokens)
	}
	sentences(tokens, x.page.Source, func(s []token) {
		if len(s) >= 2 {
			last = x.sentence(s, last)
		}
	})
}

// entry makes a sentence of an item of an index, [[x]] — keeps logs for 14 days, by
// leaving the dash out.
func (x *extraction) entry(tokens []token) []token {
	n := 0
	for n < len(tokens) && tokens[n].link >= 0 && tokens[n].link == tokens[0].link {
		n++
	}
	if n == 0 || n >= len(tokens) || !wordIn(tokens[n].text, "—", "–", "-", ":") {
		return tokens
	}
	return slices.Delete(tokens, n, n+1)
}

// english reports whether a block can be English: most of its letters are of
// the Latin alphabet. Languages that share it are told by their words; see languages.
func (x *extraction) english(span schema.Span) bool {
	foreign := 0
	for _, c := range span.In(x.page.Source) {
		if c >= 0xC3 && c != 0xE2 {
			foreign++
		}
	}
	return foreign*20 < span.Len()
}

// defined makes a sentence of what defines a term and begins with a verb: the term is
// its subject.
func (x *extraction) defined(t *tokenizer, b *block, tokens []token) []token {
	if len(tokens) == 0 || tokens[0].kind != 'w' || tokens[0].link >= 0 || !tokens[0].is(isAuxiliary) && !tokens[0].is(isVerb) ||
		!tokens[0].is(isAuxiliary) && !plural(tokens[0].text) {
		return tokens
	}
	tokens = slices.Clone(tokens)
	tokens[0].capital = false
	before := tokenizer{page: x.page, words: x.words, link: x.linkFrom(b.term.Start)}
	return append(slices.Clone(before.read(b.term)), tokens...)
}

// keyValue reads **Key:** value and Key: value, of what the page is about or, in a
// definition, of the term.
func (x *extraction) keyValue(b *block) bool {
	span := b.span
	subject := x.about
	if b.term.Len() > 0 {
		name := plainText(string(b.term.In(x.page.Source)))
		subject = schema.Entity{Names: []string{name}, Link: x.linkIn(b.term)}
		subject.Sure = subject.Link >= 0 || x.page.Source[b.term.Start] == '`'
	}
	src := span.In(x.page.Source)
	if i := bytes.IndexByte(src, '\n'); i >= 0 {
		src = src[:i]
	}
	colon := bytes.IndexByte(src, ':')
	if colon <= 0 || colon > 50 || bytes.IndexByte(src[:colon], '[') >= 0 || bytes.IndexByte(src[:colon], '`') >= 0 {
		return false
	}
	value := colon + 1
	for value < len(src) && (src[value] == ' ' || src[value] == '*') {
		value++
	}
	key := strings.TrimSpace(strings.Trim(string(src[:colon]), "*_ "))
	text := strings.TrimSpace(string(src[value:]))
	words := 4
	if strings.Contains(key, " of ") || strings.Contains(key, " for ") {
		words = 7 // the attribute and its thing
	}
	if key == "" || text == "" || len(strings.Fields(key)) > words || strings.ContainsAny(key, ".,;!?") {
		return false
	}
	bold := src[0] == '*' || src[0] == '_'
	text = strings.TrimSuffix(text, ".")
	v := x.valueOf(schema.OriginList, text, nil)
	if v.Kind == schema.ValueNone || v.Kind == schema.ValueName && (!bold && !((b.item || b.term.Len() > 0) && x.words.Single(x.words.Words(key))) || len(v.Words) > 3) {
		return false
	}
	x.add(schema.OriginList, schema.Span{Start: span.Start + value, End: span.Start + value + len(text)}, subject, key, text, nil, nil)
	return true
}

// statement adds a claim of running text.
func (x *extraction) state(c schema.Claim) {
	section := x.section(c.Span.Start)
	if len(c.Terms) == 0 || len(x.claims) >= mostClaims {
		return
	}
	c.Definite = x.definite && c.From == schema.OriginSentence
	c.Page, c.Path, c.Section, c.Subject = x.page.ID, x.page.Path, section, schema.Entity{Link: -1}
	c.Scope = append(c.Scope, x.scope...)
	c.Scope = append(c.Scope, x.sectionScope(section)...)
	if versionNamed(c.Terms) {
		c.Scope = slices.DeleteFunc(c.Scope, isVersion) // its own, whatever the page is about
	}
	slices.Sort(c.Scope)
	c.Scope = slices.Compact(c.Scope)
	if len(c.Text) > longestValue {
		c.Text = strings.ToValidUTF8(c.Text[:longestValue], "") + "…"
	}
	c.Attr = attribute(&c)
	x.buffer = x.buffer[:0]
	for _, part := range section {
		x.buffer = append(append(x.buffer, part...), 0)
	}
	x.buffer = appendLower(append(append(x.buffer, c.Slot...), 0), c.Text)
	for i := range c.Terms {
		x.buffer = append(append(x.buffer, 0), c.Terms[i].Word...)
	}
	c.ID = xxh3.Hash(x.buffer)
	x.claims = append(x.claims, c)
}

// versionNamed reports whether the subject of a statement is a version of something: API v1.
func versionNamed(terms []schema.Term) bool {
	return slices.ContainsFunc(terms, func(t schema.Term) bool {
		return t.Part == schema.PartSubject && len(t.Word) > 1 && t.Word[0] == 'v' && isVersion(t.Word)
	})
}

// sectionScope returns the conditions that the headings above a place set. Claims
// come in the order of the page, so that those of one section are asked for in a row.
func (x *extraction) sectionScope(section []string) []string {
	if len(section) == 0 {
		return nil
	}
	if x.scoped == &section[0] && x.depth == len(section) {
		return x.conditions
	}
	x.scoped, x.depth, x.conditions = &section[0], len(section), nil
	for _, heading := range section {
		x.conditions = append(x.conditions, titled(heading)...)
	}
	return x.conditions
}

// attribute names what a statement says, for people.
func attribute(c *schema.Claim) schema.Attribute {
	switch {
	case strings.HasPrefix(c.Slot, whichSlot("")):
		noun, _, _ := strings.Cut(c.Text, " ")
		return schema.Attribute{Name: strings.ToLower(noun)}
	case c.Slot == "store":
		return schema.Attribute{Name: "storage"}
	case c.Slot == "use":
		return schema.Attribute{Name: "platform"}
	case c.Slot != "":
		return schema.Attribute{Name: c.Slot}
	}
	return schema.Attribute{Name: "statement"}
}

// list reads a list below a line with a colon as the set of its items.
func (x *extraction) list(t *tokenizer, items []block) bool {
	intro := items[0].intro
	if len(items) < 2 || len(items) > mostItems || x.untold(x.section(intro.Start)) || !x.english(intro) || len(x.foreign) > 0 && x.foreign[x.sectionIndex(intro.Start)] {
		return false
	}
	set := schema.Value{Kind: schema.ValueSet, Closed: true}
	var texts []string
	for i := range items {
		name := itemName(t.read(items[i].span))
		if name == "" {
			return false
		}
		set.Items = append(set.Items, name)
		texts = append(texts, strings.Trim(string(items[i].span.In(x.page.Source)), ",;. "))
	}
	tokens := t.read(intro)
	var last []token
	sentences(tokens, x.page.Source, func(s []token) { last = s })
	if n := len(last); n > 1 && last[n-1].text == ":" {
		last = last[:n-1]
	}
	s := x.parse(last, nil)
	if s.past || s.negative || len(last) > longestClause || len(last) < 1 {
		return true
	}
	noun, from := s.listed(len(last))
	if noun == "" {
		return true
	}
	slices.Sort(set.Items)
	set.Items = slices.Compact(set.Items)
	set.Words = []string{noun}
	terms := s.append(s.x.scratch.terms[:0], 0, from, schema.PartSubject)
	terms = s.append(terms, from+1, len(last), schema.PartSubject)
	x.state(schema.Claim{Span: schema.Span{Start: intro.Start, End: items[len(items)-1].span.End},
		Text: strings.Join(texts, ", "), From: schema.OriginList, Value: set, Terms: x.keep(terms), Scope: slices.Clone(s.scope)})
	return true
}

const (
	// mostItems bounds an enumeration.
	mostItems = 24
	// mostClaims bounds what is kept of one page.
	mostClaims = 2000
)

// itemName returns the folded words of an item that is a name; empty for others.
func itemName(tokens []token) string {
	var words []string
	for i := range tokens {
		t := &tokens[i]
		switch {
		case t.kind == 'p' && i == len(tokens)-1 && strings.Contains(".,;", t.text):
		case t.kind == 'p':
			return ""
		case !t.is(isEmpty):
			if t.word != "" {
				words = append(words, t.word)
			} else {
				words = append(words, t.text)
			}
		}
	}
	if len(words) == 0 || len(words) > 4 {
		return ""
	}
	return strings.Join(words, " ")
}

// listed returns the plural noun that says what is listed, and where it stands:
// the last one before end that a word such as these or a number announces, or the first.
func (s *statement) listed(end int) (noun string, at int) {
	for i := end - 1; i >= 0; i-- {
		t := &s.tokens[i]
		if t.kind == 'w' && t.link < 0 && plural(t.text) && (i == 0 || !s.tokens[i-1].is(isCondition)) && !t.is(isAuxiliary) &&
			(i == 0 || i == end-1 || s.tokens[i-1].is(isDeterminer) || numberWord(s.tokens[i-1].text) != "" || wordIn(s.tokens[i-1].text, "following", "possible")) {
			return t.word, i
		}
	}
	if end > 2 && s.tokens[end-1].text == "are" { // the separate networks on stage are
		for i := 1; i < end-1; i++ {
			if t := &s.tokens[i]; t.kind == 'w' && t.link < 0 && plural(t.text) && !t.is(isAuxiliary) && (s.tokens[i+1].is(isCondition|isAuxiliary) || s.word(i+1) == "of") {
				return t.word, i
			}
		}
	}
	return "", 0
}

// sets adds the enumerations of the statement: these modes: a, b and c; the levels
// are a, b and c; reads a and b only.
func (s *statement) sets() {
	if s.listedAs() {
		return
	}
	for i := s.verb + 1; i < len(s.tokens); i++ {
		if s.tokens[i].text == ":" {
			if noun, at := s.listed(i); noun != "" {
				s.set(noun, at, i+1, true)
			}
			return
		}
	}
	verb := s.verb
	if at := s.governed(len(s.tokens)); at > 0 {
		verb = at
	} else if s.tokens[s.verb].text == "are" && s.verb > s.lead {
		head := s.verb - 1
		for i := s.lead + 1; i < s.verb; i++ {
			if t := &s.tokens[i]; wordIn(t.text, "of", "that", "which") || strings.HasSuffix(t.text, "ed") && s.tokens[i+1].text == "by" {
				head = i - 1
				break
			}
		}
		if s.tokens[head].kind == 'w' && plural(s.tokens[head].text) {
			s.set(s.tokens[head].word, head, s.verb+1, true)
			return
		}
	}
	if s.tokens[verb].kind == 'w' && !s.tokens[verb].is(isAuxiliary) {
		from := verb + 1
		for from < len(s.tokens) && (s.tokens[from].text == "only" || wordIn(s.tokens[from].text, "in", "on", "at", "to", "from", "for", "with")) && from < verb+3 {
			from++
		}
		if !s.enumerates(from) {
			return
		}
		if noun, names := s.itemNoun(from); noun != "" && noun != "object" {
			s.set(noun, names-1, names, true)
			s.verbOf(verb)
			return
		}
		if at := s.heading(from); at > 0 {
			s.set(s.tokens[at].word, at, at+1, false)
			return
		}
		name := "object:" + s.tokens[verb].word
		for _, t := range s.tokens[verb+1 : from] {
			if t.text != "only" {
				name += " " + t.text
			}
		}
		s.set(name, verb, from, false)
	}
}

// heading returns the plural noun, with an article, that says what is listed behind the verb,
// 0 for none: accepts the formats A, B and C.
func (s *statement) heading(from int) int {
	if from >= len(s.tokens) || !s.tokens[from].is(isDeterminer) {
		return 0
	}
	for i := from + 1; i+1 < len(s.tokens) && i < from+4; i++ {
		t, next := &s.tokens[i], &s.tokens[i+1]
		if t.kind != 'w' || t.is(isEmpty|isCondition) {
			return 0
		}
		if plural(t.text) && !t.capital && (next.capital || next.kind == 'c') {
			return i
		}
	}
	return 0
}

// enumerates reports whether words that join items stand behind a token; most sentences have none.
func (s *statement) enumerates(from int) bool {
	return from > 0 && s.tokens[from-1].text == ":" || slices.ContainsFunc(s.tokens[min(from, len(s.tokens)):], func(t token) bool { return t.text == "and" || t.text == "or" })
}

// oneLine returns a text with single blanks for all white space.
func oneLine(text []byte) string {
	if bytes.IndexByte(text, '\n') < 0 && bytes.IndexByte(text, '\t') < 0 && !bytes.Contains(text, []byte("  ")) {
		return string(text)
	}
	return strings.Join(strings.Fields(string(text)), " ")
}

// set adds the enumeration that begins at from.
func (s *statement) set(noun string, at, from int, closed bool) {
	if s.negative || !s.enumerates(from) || s.word(from) == "of" {
		return
	}
	set := schema.Value{Kind: schema.ValueSet, Closed: closed, Words: []string{noun}}
	for i := at + 1; i < from; i++ {
		set.Closed = set.Closed || s.tokens[i].text == "only"
	}
	joined, colon := false, s.tokens[from-1].text == ":"
	item := from
	i := from
	add := func(end int) bool {
		name := itemName(s.tokens[item:end])
		if name != "" {
			set.Items = append(set.Items, name)
		}
		item = end + 1
		return name != "" || item-1 == end && len(set.Items) > 0
	}
loop:
	for ; i < len(s.tokens); i++ {
		switch text := s.tokens[i].text; {
		case text == ",":
			if i > item && !add(i) || i == item {
				item = i + 1
			}
		case text == "and" || text == "or":
			if i > item && !add(i) || runsOn(s.tokens, i) {
				return
			}
			item = i + 1
			joined = true
		case text == "only" && len(set.Items) == 0 && item == i:
			set.Closed, item = true, i+1
		case text == "only":
			set.Closed = true
			break loop
		case wordIn(text, "such", "including", "like", "etc", "more", "others", "other", "e.g", "example", "…"):
			return
		case !colon && (s.x.words.weak[text] || s.x.words.condition[text]) || s.tokens[i].kind == 'p' || auxiliaries[text]:
			break loop
		}
	}
	end := i
	if item < end {
		add(end)
	}
	if !joined && !colon || len(set.Items) < 2 || len(set.Items) > mostItems || slices.ContainsFunc(s.values, func(v found) bool {
		return v.from >= from && v.from < end && !recurring(v.value.Quantity.Dimension)
	}) {
		return
	}
	slices.Sort(set.Items)
	set.Items = slices.Compact(set.Items)
	set.Closed = set.Closed || !slices.ContainsFunc(s.tokens[from:end], func(t token) bool { return t.kind != 'p' && weekdays[t.text] == 0 && !t.is(isEmpty) })
	s.stated = true
	span := schema.Span{Start: s.tokens[from].span.Start, End: s.tokens[end-1].span.End}
	terms := s.append(s.x.scratch.terms[:0], 0, s.lead, schema.PartCondition)
	terms = s.append(terms, s.lead, min(at, s.verb), schema.PartSubject)
	if at > s.verb && !s.tokens[s.verb].is(isAuxiliary) {
		terms = s.append(terms, s.verb, s.verb+1, schema.PartVerb)
	}
	if at < s.verb {
		terms = s.append(terms, at+1, s.verb, schema.PartSubject)
	} else if at > s.verb {
		terms = s.append(terms, s.verb+1, at, schema.PartObject)
	}
	terms = s.append(terms, end, len(s.tokens), schema.PartObject)
	s.x.state(schema.Claim{Span: span, Text: oneLine(span.In(s.x.page.Source)), From: schema.OriginSentence,
		Value: set, Terms: s.x.keep(slices.DeleteFunc(terms, func(t schema.Term) bool { return t.Word == "only" })), Scope: slices.Clone(s.scope)})
}
