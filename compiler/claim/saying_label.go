package claim

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// bold begins and ends bold type.
const bold = "**"

// label returns how many tokens the label has that a sentence begins with, in bold type and with a
// colon; 0 for none. It names what its value is of, and says of nothing that it is done.
func (s *statement) label() int {
	src, t := s.x.page.Source, s.tokens
	if start := t[0].span.Start; start < len(bold) || string(src[start-len(bold):start]) != bold {
		return 0
	}
	for i := 1; i < len(t) && i < mostSaidWords; i++ {
		before := schema.Span{Start: t[i-1].span.End, End: t[i].span.Start}
		ends := before.Len() >= len(bold) && strings.Contains(string(before.In(src)), bold) // words of a link have one span
		switch {
		case t[i].text == ":" && (ends || strings.HasPrefix(string(src[t[i].span.End:min(len(src), t[i].span.End+len(bold))]), bold)):
			return i
		case ends:
			return 0
		}
	}
	return 0
}

// longestName bounds, in tokens, the name that stands behind a label.
const longestName = 4

// labelledName reads a line that is a label in bold and a name, as a field would be: **Owner:** Petra Quist. What is
// well known is found as such.
func (x *sayer) labelledName(b *block, tokens []token) {
	colon := slices.IndexFunc(tokens, func(t token) bool { return t.text == ":" })
	if colon < 1 || colon > 3 || !bytes.HasSuffix(x.page.Source[:tokens[0].span.Start], []byte("**")) {
		return
	}
	rest := tokens[colon+1:]
	if n := len(rest); n > 0 && rest[n-1].text == "." {
		rest = rest[:n-1]
	}
	ofState := tokens[colon-1].word == x.words.concept("status")
	if len(rest) == 0 || len(rest) > longestName || slices.ContainsFunc(rest, func(t token) bool {
		return t.kind != 'w' || !t.capital && !ofState || t.link >= 0 || x.words.classes[t.text] != ""
	}) || ofState && len(rest) == 1 {
		return // one word for a state is found as such
	}
	span := schema.Span{Start: rest[0].span.Start, End: rest[len(rest)-1].span.End}
	s := x.begin(originOf(*b), span)
	if s == nil {
		return
	}
	single := false
	for i := range tokens[:colon] {
		if w := tokens[i].word; w != "" && !tokens[i].is(isEmpty|isDeterminer) {
			s.Words = append(s.Words, SaidWord{Concept: w, Link: tokens[i].link, At: -1, Label: true})
			single = single || x.words.columns[w] != "" || x.words.Single([]string{w})
		}
	}
	if single && x.whole(s, span, string(span.In(x.page.Source)), nil) {
		x.end(s)
	}
}

// owning are words of headings below which a list says who answers for what.
var owning = wordSet(`own owns owned owner owners ownership responsible responsibility responsibilities maintainer maintainers`)

// ownedItem reads an item that is a link, a colon and a name, below a heading about who owns what: - [[player-sdk]]: Team
// Devices.
func (x *sayer) ownedItem(b *block, tokens []token) {
	colon := slices.IndexFunc(tokens, func(t token) bool { return t.text == ":" })
	if !b.item || colon < 1 || tokens[0].link < 0 || tokens[colon-1].link != tokens[0].link || colon+1 >= len(tokens) || len(tokens)-colon-1 > longestName {
		return
	}
	if !slices.ContainsFunc(append(slices.Clip(x.section(b.span.Start)), x.page.Title), func(heading string) bool { return anyWord(heading, owning) }) {
		return
	}
	rest := tokens[colon+1:]
	span := schema.Span{Start: rest[0].span.Start, End: rest[len(rest)-1].span.End}
	s := x.begin(schema.OriginList, span)
	if s == nil {
		return
	}
	s.Words = append(s.Words, SaidWord{Concept: x.words.concept("owner"), Link: -1, At: -1, Label: true})
	for i := range tokens[:colon] {
		if w := tokens[i].word; w != "" {
			s.Words = append(s.Words, SaidWord{Concept: w, Link: tokens[i].link, At: -1, Label: true})
		}
	}
	if x.whole(s, span, string(span.In(x.page.Source)), nil) {
		x.end(s)
	}
}

// longestTerm bounds, in tokens, the term of a glossary.
const longestTerm = 4

// termed adds the names that a glossary lists at the end of what it says of a term: **Loan state** —
// how far a loan is: asked for, out or returned. Joined by or they are all that there are. It reports
// whether there are any.
func (x *sayer) termed(s *Saying, st *statement) bool {
	t := st.tokens
	if x.oneOfTerm(s, st) {
		return true
	}
	dash := slices.IndexFunc(t, func(t token) bool { return t.text == "—" || t.text == "–" })
	if dash < 1 || dash > longestTerm || !bytes.HasSuffix(x.page.Source[:t[0].span.Start], []byte("**")) || t[dash-1].kind != 'w' {
		return false
	}
	colon := slices.IndexFunc(t, func(t token) bool { return t.text == ":" })
	if colon < dash || slices.ContainsFunc(t[:colon], func(t token) bool {
		return t.is(isNegation) || wordIn(t.text, "was", "were", "had", "could", "might", "former", "formerly", "previously")
	}) {
		return false
	}
	items, to := st.namesFrom(colon + 1)
	if len(items) < 3 || to < len(t) && t[to].kind != 'p' || slices.Contains(items, "") {
		return false
	}
	set := schema.Value{Kind: schema.ValueSet}
	if slices.ContainsFunc(t[colon:to], func(t token) bool { return t.text == "or" }) {
		set.Closed, set.Words = true, []string{t[dash-1].word}
	}
	slices.Sort(items)
	set.Items = slices.Compact(items)
	before := len(s.Lists)
	x.listing(s, st, colon+1, to, set)
	return len(s.Lists) > before
}

// oneOfTerm adds the names of which a term is one, as a glossary gives nothing else: **Alarm class:** minor, major or
// critical.
func (x *sayer) oneOfTerm(s *Saying, st *statement) bool {
	t := st.tokens
	colon := slices.IndexFunc(t, func(t token) bool { return t.text == ":" })
	if colon < 1 || colon > longestTerm || !bytes.HasSuffix(x.page.Source[:t[0].span.Start], []byte("**")) || t[colon-1].kind != 'w' {
		return false
	}
	items, to := st.namesFrom(colon + 1)
	if len(items) < 3 || to < len(t) && t[to].kind != 'p' || slices.Contains(items, "") || !slices.ContainsFunc(t[colon:to], func(t token) bool { return t.text == "or" }) {
		return false
	}
	slices.Sort(items)
	before := len(s.Lists)
	x.listing(s, st, colon+1, to, schema.Value{Kind: schema.ValueSet, Items: slices.Compact(items), Closed: true, Words: []string{t[colon-1].word}})
	return len(s.Lists) > before
}

// defined is a term that a block begins with in bold and that it says more of: **Desk:** the calendar of the rooms; its
// status is beta.
type defined struct {
	words []SaidWord
	scope []string // conditions that the term is the name of: **Staging:**
	end   int      // where the term ends
}

// defined returns the term that a block of tokens defines, nil for none.
func (x *sayer) defined(tokens []token) *defined {
	colon := slices.IndexFunc(tokens, func(t token) bool { return t.text == ":" })
	if colon < 1 || colon > longestTerm || !bytes.HasSuffix(x.page.Source[:tokens[0].span.Start], []byte("**")) {
		return nil
	}
	d := &defined{end: tokens[colon].span.End}
	for i := range tokens[:colon] {
		t := &tokens[i]
		if t.word != "" && t.kind != 'p' && !t.is(isEmpty|isDeterminer) {
			d.words = append(d.words, SaidWord{Concept: t.word, Link: t.link, At: -1, Subject: true, Name: t.kind == 'c'})
		}
		if colon == 1 {
			d.scope = append(d.scope, Conditions(t.text)...)
		}
	}
	return d
}

// saidOf adds the term to a sentence behind it that begins with it, its or they, and the conditions to all of them.
func (d *defined) saidOf(s *Saying, tokens []token) {
	if d == nil || tokens[0].span.Start < d.end {
		return
	}
	s.Scope = append(s.Scope, d.scope...)
	if wordIn(tokens[0].text, "it", "its", "they", "their") {
		s.OfPage = false
		s.Words = append(slices.Clone(d.words), s.Words...)
	}
}

// longestAnswer bounds, in tokens, an answer that says no more than a value.
const longestAnswer = 8

// asking are the words of a question that are no part of what its answer says.
var asking = wordSet(`how long much many often what when where which who whom do does did is are can may must q`)

// answered reads an answer that says nothing but a value with the words of its question, which stands before it or is
// the heading: How long is a lot kept? Ten years.
func (x *sayer) answered(b *block, tokens []token) {
	question, all, asked := "", tokens, 0
	if q := slices.IndexFunc(tokens, func(t token) bool { return t.text == "?" }); q > 1 {
		asked = q
		question = string(schema.Span{Start: tokens[0].span.Start, End: tokens[q].span.Start}.In(x.page.Source))
		tokens = tokens[q+1:]
	} else if section := x.section(b.span.Start); len(section) > 0 && strings.HasSuffix(section[len(section)-1], "?") && x.opensSection(b.span.Start) {
		question = section[len(section)-1]
	}
	for len(tokens) > 0 && (tokens[0].kind == 'p' || tokens[0].text == "a" && len(tokens) > 1 && tokens[1].text == ":") {
		tokens = tokens[1:]
	}
	if end := slices.IndexFunc(tokens, func(t token) bool { return wordIn(t.text, ".", ";", "?", "(") }); end >= 0 {
		tokens = tokens[:end]
	}
	if asked > 1 && len(tokens) > 0 && wordIn(tokens[0].text, "yes", "no") {
		x.agreed(b, all[:asked], tokens[0].text == "no")
		return
	}
	if question == "" || len(tokens) == 0 || len(tokens) > longestAnswer || slices.ContainsFunc(tokens, func(t token) bool { return t.is(isAuxiliary|isPronoun|isNegation) || wordIn(t.text, "if", "but") }) {
		return
	}
	s := x.begin(originOf(*b), schema.Span{Start: tokens[0].span.Start, End: tokens[len(tokens)-1].span.End})
	if s == nil {
		return
	}
	x.read(s, tokens, true)
	if len(s.Values) == 0 {
		return
	}
	for w := range wordsOf(plainText(question)) {
		if c := x.words.Concepts(w); len(c) == 1 && !asking[strings.ToLower(w)] {
			s.Words = append(s.Words, SaidWord{Concept: c[0], Link: -1, At: -1, Subject: true})
		}
	}
	s.Scope = append(s.Scope, Conditions(question)...)
	x.end(s)
}

// agreed reads a question that is answered with yes or no as what the answer says: Can guests book a room? No.
func (x *sayer) agreed(b *block, question []token, no bool) {
	if !question[0].is(isAuxiliary) && !wordIn(question[0].text, "can", "do", "does", "is", "are", "may", "must", "will") || len(question) > longestClause {
		return
	}
	verb := 2 // behind what the question is of
	for verb < len(question) && !(question[verb].is(isVerb) && !question[verb-1].is(isDeterminer) && !question[verb].capital && (question[0].text == "can" || question[verb-1].text != "of")) {
		verb++
	}
	if verb == len(question) {
		return
	}
	told := append(slices.Clone(question[1:verb]), question[0])
	told[verb-1].capital = false
	if wordIn(question[0].text, "do", "does") {
		told = told[:len(told)-1]
	}
	told = append(told, question[verb:]...)
	s := x.begin(originOf(*b), schema.Span{Start: question[0].span.Start, End: question[len(question)-1].span.End})
	if s == nil {
		return
	}
	parts := len(x.parts)
	x.read(s, told, false)
	if no {
		x.parts = x.parts[:parts] // which tell what is not so
		s.Denied, s.Values, s.Lists = !s.Denied, nil, nil
		for i := range s.Facts {
			s.Facts[i].Denied = !s.Facts[i].Denied
		}
	}
	x.end(s)
}

// announcing reads the paragraph before a list but for its last sentence, which announces the items:
// what stands before that is said as in any other paragraph.
func (x *sayer) announcing(t *tokenizer, intro schema.Span) {
	b := &block{span: intro}
	var before []token
	sentences(t.read(intro), x.page.Source, func(tokens []token) {
		x.sentence(b, before, nil, nil)
		before = tokens
	})
}

// showingThis are the words of a text before a block by which what it denies is denied of the block:
// do not use this one, that never worked, not like the following.
var showingThis = wordSet(`do don't this these following below file files block config configuration settings setup version valid correct recommended`)

// refusing are the words of [showing] that deny something, of the block or of what it is about.
var refusing = wordSet(`not never no don't`)

// shows reports whether a text around a block of configuration says that it is none in force. A
// sentence that only denies something of what is set up does not: drafts are never sent.
func shows(text string, showing map[string]bool) bool {
	words := split(strings.ToLower(text))
	denies, this := false, len(words) > 0 && refusing[words[0]]
	for _, w := range words {
		switch {
		case refusing[w]:
			denies = true
		case oneOf(w, showing):
			return true
		}
		this = this || showingThis[w]
	}
	return denies && this
}

// inlineSetting is a setting with its value in the midst of a text: `photo.max_size: 8MB`.
var inlineSetting = schema.Expression("^`([A-Za-z][A-Za-z0-9_.-]*)( *[:=] *)([^ `'\"<>{}$]+)`$")

// advising are words of a sentence that says what to set, and not what is set.
var advising = wordSet(`set change use put add try pass raise lower increase decrease export append write turn enable disable override default defaults`)

// longestSettingText is how many bytes a text has at most in which settings are read: all of it says
// whether they are in force.
const longestSettingText = 1200

// inline reads the settings that a sentence gives as code. What it says besides stands near them.
func (x *sayer) inline(b *block, tokens []token) {
	if b.span.Len() > longestSettingText {
		return
	}
	for i := range tokens {
		if tokens[i].kind != 'c' || tokens[i].link >= 0 {
			continue
		}
		span := tokens[i].span
		src := x.page.Source
		for span.Start > b.span.Start && src[span.Start] != '`' {
			span.Start--
		}
		for span.End < b.span.End && (span.End == span.Start || src[span.End-1] != '`') {
			span.End++
		}
		m := inlineSetting().FindSubmatch(span.In(src))
		if m == nil || strings.HasPrefix(string(m[3]), "//") {
			continue
		}
		text := oneLine(b.span.In(src))
		if shows(text, showing) || anyWord(text, advising) || anyWord(text, showingFirst) {
			continue
		}
		s := x.begin(schema.OriginCode, span)
		if s == nil {
			return
		}
		for k := range tokens {
			if k != i && tokens[k].word != "" && tokens[k].kind == 'w' {
				s.Near = append(s.Near, tokens[k].word)
			}
			if tokens[k].is(isScope) && !tokens[k].capital {
				s.Scope = append(s.Scope, tokens[k].text)
			}
		}
		start := span.Start + 1 + len(m[1]) + len(m[2])
		l := &setLine{key: string(m[1]), value: schema.Span{Start: start, End: start + len(m[3])}}
		if parts := strings.Split(l.key, "."); len(parts) > 1 {
			l.path, l.key = parts[:len(parts)-1], parts[len(parts)-1]
		}
		x.setting(s, l, string(m[3]), nil)
	}
}

// leastSentence is how many tokens stand behind a label at least where they are a sentence of their own.
const leastSentence = 4

// unlabel takes the words of a label off a sentence that says all without it, verb and value: **Encryption:** the relay
// takes TLS 1.3. Who says the same elsewhere need not say them.
func (s *Saying) unlabel(tokens []token, label int) {
	if label == 0 || len(tokens)-label-1 < leastSentence || len(s.Values) == 0 {
		return
	}
	before := func(w SaidWord) bool { return w.At >= 0 && w.At < label }
	subject := slices.ContainsFunc(s.Words, func(w SaidWord) bool { return w.At > label && w.Subject })
	verb := slices.ContainsFunc(tokens[label+2:], func(t token) bool { return t.is(isVerb | isAuxiliary) })
	if !subject || !verb || !tokens[label+1].is(isDeterminer) && !tokens[label+1].capital {
		return
	}
	for _, w := range s.Words {
		if before(w) {
			s.Near = append(slices.Clip(s.Near), w.Concept)
		}
	}
	s.Words = slices.DeleteFunc(s.Words, before)
	s.Values = slices.DeleteFunc(s.Values, func(v SaidValue) bool { return v.To <= label && v.Value.Kind == schema.ValueBool })
}
