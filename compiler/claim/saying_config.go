package claim

import (
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// configured reads the configuration in fenced blocks of code: each line that gives a key a value
// says so, unless what stands around the block says that it is not in force.
func (x *sayer) configured(all []block) {
	n := 0
	for i := range x.page.Fences {
		f := &x.page.Fences[i]
		for n < len(all) && all[n].span.End <= f.Span.Start {
			n++
		}
		tab := crontab(x.page.Source, f)
		intro, step := x.announced(all[:n], f)
		if f.Unclosed || step || x.shown(f, intro) {
			continue
		}
		language := formatOf(x.page.Source, f)
		if configReaders[language] == nil && len(tab) == 0 {
			x.pinned(f, intro)
			x.remarked(f)
			continue
		}
		if len(tab) > 0 {
			x.scheduled(tab, intro)
			continue
		}
		lines, head := settings(x.page.Source, f.Content, language)
		if len(lines) == 0 {
			x.remarked(f)
		}
		x.settled(lines, intro, string(head.In(x.page.Source)))
	}
}

// announced returns the last sentence of the paragraph before a block, and whether the block is
// part of a step, which says what to do and not what is.
func (x *sayer) announced(before []block, f *schema.Fence) (intro string, step bool) {
	src := x.page.Source
	if len(before) == 0 {
		return "", indented(src, f.Span.Start)
	}
	last := &before[len(before)-1]
	if indented(src, f.Span.Start) {
		return "", !expecting(oneLine(last.span.In(src)))
	}
	if strings.TrimSpace(string(src[last.span.End:f.Span.Start])) != "" {
		return "", false
	}
	intro = oneLine(last.span.In(src))
	for _, end := range []string{". ", "? ", "! "} {
		if i := strings.LastIndex(intro, end); i > 0 && i+2 < len(intro) {
			intro = intro[i+2:]
		}
	}
	return intro, last.item
}

// expecting reports whether a step says what is to be found: check that production still has the
// usual values.
func expecting(text string) bool {
	words := split(text)
	return len(words) > 3 && wordIn(words[0], "check", "verify", "confirm", "ensure") && wordIn(words[1], "that", "whether") &&
		slices.ContainsFunc(words, func(w string) bool { return wordIn(w, "has", "have", "still", "is", "are", "reads", "says", "holds") })
}

// indented reports whether white space stands before a block on its line, as in an item.
func indented(src []byte, at int) bool {
	return src[at] == ' ' || src[at] == '\t' || at > 0 && (src[at-1] == ' ' || src[at-1] == '\t')
}

// showing are the words by which a heading or the text before a block of configuration says that it
// shows what could be, what was, or what a program writes; showingFirst those that begin what can
// be done.
var (
	showing = wordSet(`example examples sample samples template templates skeleton snippet old older previous previously legacy deprecated
	former formerly bad wrong broken invalid avoid don't never not no instead output outputs response responses request requests prints printed returns
	returned answers fixture fixtures mock dummy fake placeholder suppose imagine might could would can may optional optionally tutorial illustration
	e.g test tests rejected proposed planned quickstart walkthrough alternative alternatively override overrides`)
	// showingPages are those of them that say so of all of a page or a section.
	showingPages = wordSet(`example examples sample samples template templates skeleton snippet old older previous previously legacy deprecated
	former formerly bad wrong broken invalid avoid output fixture fixtures mock dummy fake placeholder tutorial illustration
	test tests rejected proposed planned quickstart walkthrough alternative alternatively override overrides optional`)
	// inForce are words of a text before a block which say that it is what is set.
	inForce      = wordSet(`default defaults shipped ships installs installed production live deployed effective committed`)
	showingFirst = wordSet(`before to if when for or should unless suppose say try once after`)
)

// shown reports whether a block of configuration is an example, or otherwise not in force.
func (x *sayer) shown(f *schema.Fence, intro string) bool {
	if i := x.sectionIndex(f.Span.Start); len(x.foreign) > 0 && x.foreign[i] {
		return true
	}
	words := split(strings.ReplaceAll(intro, "’", "'"))
	if len(words) > 0 && showingFirst[words[0]] && strings.HasSuffix(intro, ":") || likeThis(words) || strings.Contains(strings.ToLower(intro), "n't ") {
		return true
	}
	if shows(intro, showing) {
		return true
	}
	if anyWord(intro, inForce) {
		return false // whatever the page is for
	}
	at := strings.TrimSuffix(x.page.Path, path.Ext(x.page.Path))
	for _, text := range append([]string{x.page.Title, at}, x.section(f.Span.Start)...) {
		if shows(text, showingPages) {
			return true
		}
	}
	return false
}

// likeThis reports whether words announce what something could look like.
func likeThis(words []string) bool {
	i := slices.Index(words, "like")
	return i >= 0 && (i+1 == len(words) || wordIn(words[i+1], "this", "so", "these", "that", "below"))
}

// namingKeys are the keys whose value says what the lines beside it are about.
var namingKeys = wordSet(`part article name id job service component app application task title queue stream topic`)

// settled adds the sayings of the lines of a block. intro is what is said before the block, comment at its head.
func (x *sayer) settled(lines []setLine, intro, comment string) {
	around := strings.Join([]string{intro, comment}, " ")
	head, scope := split(around), append(conditionsAround(intro), conditional(split(comment))...)
	if anyWord(around, exemplary) {
		return
	}
	near := x.words.Concepts(around)
	has := func(word string) bool { return slices.Contains(head, word) }
	everywhere := has("everywhere") || has("all") && has("environments") || has("every") && has("environment")
	names := map[string][]string{}
	for i := range lines {
		if l := &lines[i]; namingKeys[strings.ToLower(l.key)] && len(l.items) == 0 {
			names[strings.Join(l.path, ".")] = x.words.Concepts(string(l.value.In(x.page.Source)))
		}
	}
	for i := range lines {
		l := &lines[i]
		text := string(l.value.In(x.page.Source))
		if namingKeys[strings.ToLower(l.key)] && len(l.items) == 0 {
			continue
		}
		name, ok := l.named(names)
		if !ok {
			continue // of one of several things, nobody says which
		}
		s := x.begin(schema.OriginCode, l.value)
		if s == nil {
			return
		}
		if s.Scope = append(s.Scope, scope...); everywhere {
			s.Scope = nil
		}
		if has("default") || has("defaults") {
			s.Roles = append(s.Roles, "default")
		}
		s.Near = near
		x.setting(s, l, text, name)
	}
}

// exemplary are the words of a comment at the head of a block that is no configuration in force: the
// name of a file of tests, of an example.
var exemplary = wordSet(`example examples sample samples template templates test tests fixture fixtures mock mocks dist`)

// conditional returns those of some words that are conditions, such as names of environments.
func conditional(words []string) (out []string) {
	for _, w := range words {
		if conditionWords[w] && w != "us" && w != "web" {
			out = append(out, w)
		}
	}
	return out
}

// conditionsAround returns the conditions that a text before a block sets for it: all of a sentence that announces it, of
// others what it is about. A nightly export is none.
func conditionsAround(text string) []string {
	text = strings.TrimRight(text, " \n")
	announces := strings.HasSuffix(text, ":")
	if i := strings.LastIndex(strings.TrimRight(text, ".:"), ". "); i >= 0 {
		text = text[i+2:]
	}
	if announces {
		return conditional(split(text))
	}
	return titled(text)
}

// setting adds what one line of configuration says: its key, those that it lies below and the
// name beside it are labels of the value.
func (x *sayer) setting(s *Saying, l *setLine, text string, name []string) {
	label := func(concept string) {
		s.Words = append(s.Words, SaidWord{Concept: concept, Link: -1, At: -1, Label: true})
	}
	for _, w := range name {
		label(w)
	}
	path := slices.DeleteFunc(slices.Clone(l.path), func(key string) bool { return strings.HasPrefix(key, itemMark) })
	for _, key := range append(slices.Clone(path), l.key) {
		for _, w := range x.words.Concepts(key) {
			label(w)
		}
		s.Scope = append(s.Scope, Conditions(key)...)
	}
	value := l.value
	if len(l.items) > 0 {
		x.settingList(s, l)
		return
	}
	if v, ok := x.imageOf(value); ok && strings.EqualFold(l.key, "image") {
		s.Values = append(s.Values, v, x.productOf(&v))
		x.end(s)
		return
	}
	if port, ok := listensOn(l.key, text, value); ok {
		value, text = port, string(port.In(x.page.Source))
		label("port")
	}
	x.measured(s, l.key)
	full := strings.ToLower(strings.Join(append(path, l.key), "."))
	s.Near = append(slices.Clip(s.Near), full, strings.ToLower(l.key))
	note := string(l.note.In(x.page.Source))
	unit := x.settingUnitOf(l.key, note)
	if note != "" && !strings.ContainsAny(note, "/\\") && (unit == nil || strings.Contains(note, " ")) {
		x.purpose(s, (&tokenizer{page: x.page, words: x.words, link: len(x.page.Links)}).read(l.note))
	}
	amount := text
	switch {
	case binary().MatchString(text):
		amount += "B" // 512Mi, as orchestrators write amounts of memory
	case thousands().MatchString(text) && unit == nil:
		amount = inFull(text)
	default:
		if seconds := isoDuration(text); seconds > 0 {
			amount = strconv.Itoa(seconds) + " s"
		}
	}
	if !x.whole(s, value, amount, unit) && !x.rateOf(s, value, text) {
		return
	}
	if amount != text {
		s.Values[0].Text = text
	}
	minutes(s, text, l.key, note)
	x.attributeCell(s, l.key)
	x.wordOf(s, l.key)
	x.release(s, l.key)
	if cronFields(text) != nil { // a schedule says when something begins
		s.Near = append(s.Near, x.words.concept("start"), x.words.concept("run"))
	}
	for i := range s.Values {
		x.words.reckon(s, &s.Values[i], []string{l.key, note})
	}
	x.end(s)
}

// binary is an amount of memory without its unit.
var binary = schema.Expression(`^[0-9]+(?:\.[0-9]+)?[KMGT]i$`)

// rateOf adds the rate that the text of a setting is: 20/s, 100 per minute.
func (x *sayer) rateOf(s *Saying, span schema.Span, text string) bool {
	if text == "" || text[0] < '0' || text[0] > '9' || !strings.Contains(text, "/") && !strings.Contains(text, " per ") {
		return false
	}
	var read Saying
	tk := &tokenizer{page: x.page, words: x.words, link: len(x.page.Links)}
	if tokens := tk.read(span); len(tokens) > 2 && len(tokens) <= longestRate {
		x.read(&read, tokens, true)
	}
	if len(read.Values) != 1 || !strings.HasPrefix(read.Values[0].Class, "rate:") {
		return false
	}
	s.Values = append(s.Values, read.Values[0])
	return true
}

// longestRate bounds, in tokens, the text of a rate.
const longestRate = 6

// minutes makes minutes of a length that a setting gives by a bare m, as programs write durations: 15m. What is
// long, wide or far away is meant in metres.
func minutes(s *Saying, text string, names ...string) {
	q := &s.Values[0].Value.Quantity
	if s.Values[0].Value.Kind != schema.ValueQuantity || q.Dimension != schema.Length || !strings.HasSuffix(text, "m") || strings.ContainsAny(text, " .") ||
		!allDigits(strings.TrimSuffix(text, "m")) || slices.ContainsFunc(names, func(name string) bool { return anyWord(name, extents) }) {
		return
	}
	q.Dimension, q.Lo, q.Hi, q.Step = schema.Duration, q.Lo*60, q.Hi*60, q.Step*60
	s.Values[0].Class = string(schema.Duration)
}

// extents are words of keys by which a setting says how far, high or large something is.
var extents = wordSet(`length height width depth distance altitude radius diameter size range elevation span thickness perimeter offset spacing gap clearance cpu`)

// settingUnitOf returns the unit of a number as the key or the comment beside it gives it: ttl_ms,
// # seconds; nil when neither does.
func (x *sayer) settingUnitOf(key, note string) *schema.Unit {
	if _, ok := x.words.perTime(key); ok {
		return nil
	}
	if u := NameUnit(key); u != nil {
		return u
	}
	if u, ok := x.words.UnitOf(strings.ToLower(key)); ok && len(key) > 2 && u.Dimension != schema.Dimensionless {
		return &u // dpi: 203
	}
	if u, ok := x.words.UnitOf(strings.TrimSpace(note)); ok && u.Dimension != schema.Dimensionless {
		return &u
	}
	words := split(note)
	if len(words) > 1 && words[0] == "in" {
		words = words[1:]
	}
	if len(words) > 0 && (len(words) == 1 || plural(words[0])) {
		if u, ok := x.words.UnitOf(words[0]); ok && u.Dimension != schema.Dimensionless {
			return &u
		}
	}
	return nil
}

// listening are words of keys whose value is the address on which something listens.
var listening = wordSet(`listen listener bind addr address`)

// everyHost are the hosts of such an address: all of the machine's, or itself. Another host is a
// peer.
var everyHost = wordSet(`0.0.0.0 127.0.0.1 localhost * [::] [::1]`)

// listensOn returns the port of the address on which something listens, by the key and the value of
// a line of configuration: listen = "0.0.0.0:7480".
func listensOn(key, text string, value schema.Span) (port schema.Span, ok bool) {
	host, digits, found := strings.Cut(text, ":")
	if i := strings.LastIndexByte(text, ':'); i > 0 {
		host, digits = text[:i], text[i+1:]
	}
	if !found || host != "" && !everyHost[strings.ToLower(host)] || len(digits) < 2 || len(digits) > 5 || strings.Trim(digits, "0123456789") != "" || !anyWord(key, listening) {
		return schema.Span{}, false
	}
	return schema.Span{Start: value.End - len(digits), End: value.End}, true
}
