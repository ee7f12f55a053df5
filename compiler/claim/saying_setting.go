package claim

import (
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// named returns the name of what a line is about, as a line beside it or above it in its item of a list gives it; false for a line
// of an item that has none.
func (l *setLine) named(names map[string][]string) (name []string, ok bool) {
	name, ok = names[strings.Join(l.path, ".")], true
	for k, part := range l.path {
		if strings.HasPrefix(part, itemMark) && len(name) == 0 {
			name = names[strings.Join(l.path[:k+1], ".")]
			ok = len(name) > 0
		}
	}
	return name, ok
}

// thousands is a number of which a letter says how many thousands or millions it is: 10k.
var thousands = schema.Expression(`^[0-9]+(?:\.[0-9]+)?[kKM]$`)

// inFull returns such a number in digits.
func inFull(text string) string {
	n, err := strconv.ParseFloat(text[:len(text)-1], 64)
	if err != nil {
		return text
	}
	if text[len(text)-1] == 'M' {
		n *= 1000
	}
	return strconv.FormatFloat(n*1000, 'f', -1, 64)
}

// iso is a duration as ISO 8601 writes it, of weeks, days, hours, minutes and seconds: P30D, PT1M.
var iso = schema.Expression(`^P(?:([0-9]{1,4})W)?(?:([0-9]{1,5})D)?(?:T(?:([0-9]{1,5})H)?(?:([0-9]{1,6})M)?(?:([0-9]{1,7})S)?)?$`)

// isoDuration returns the seconds of such a duration, 0 for others.
func isoDuration(text string) (seconds int) {
	m := iso().FindStringSubmatch(text)
	if m == nil {
		return 0
	}
	for i, length := range []int{7 * 86400, 86400, 3600, 60, 1} {
		n, _ := strconv.Atoi(m[i+1]) // nothing is none
		seconds += n * length
	}
	return seconds
}

// settingList adds the names that a setting lists: formats: [png, jpeg]. Of a list of one port it is that.
func (x *sayer) settingList(s *Saying, l *setLine) {
	if len(l.items) == 1 && anyWord(l.key, ports) {
		text := string(l.items[0].In(x.page.Source))
		port := text[strings.LastIndexByte(text, ':')+1:]
		if span := (schema.Span{Start: l.items[0].End - len(port), End: l.items[0].End}); allDigits(port) {
			s.Words = append(s.Words, SaidWord{Concept: "port", Link: -1, At: -1, Label: true})
			if x.whole(s, span, port, nil) {
				x.end(s)
			}
		}
		return
	}
	set := schema.Value{Kind: schema.ValueSet, Closed: true}
	var names []string
	for _, item := range l.items {
		t := (&tokenizer{page: x.page, words: x.words, link: len(x.page.Links)}).read(item)
		name := itemName(t)
		if name == "" || slices.ContainsFunc(t, func(t token) bool { return t.kind == 'n' }) || strings.ContainsAny(string(item.In(x.page.Source)), "/\\:*") {
			return
		}
		set.Items = append(set.Items, name)
		names = append(names, strings.ToLower(string(item.In(x.page.Source))))
	}
	if len(set.Items) < 2 || len(set.Items) > mostItems {
		return
	}
	slices.Sort(set.Items)
	set.Items = slices.Compact(set.Items)
	if words := split(l.key); len(words) > 0 {
		set.Words = []string{x.words.concept(words[len(words)-1])}
	}
	s.Lists = append(s.Lists, SaidValue{Span: l.value, Text: oneLine(l.value.In(x.page.Source)), Value: set, Class: x.classOfList(names)})
	x.end(s)
}

// ports are the words of keys whose values are ports.
var ports = wordSet(`port ports expose`)

// ClassWord is what the classes of words begin with that a setting gives as the value of an attribute, or a sentence says that it is:
// log_level: debug, the log level is warning. The attribute follows.
const ClassWord = "class:word:"

// plainWord is a word that can be the value of a setting.
var plainWord = schema.Expression(`^[a-z][a-z]+(?:[-_][a-z]+)*$`)

// wordOf adds the word that a setting gives as the value of what its key ends with.
func (x *sayer) wordOf(s *Saying, key string) {
	words := split(key)
	if len(s.Values) == 0 || s.Values[0].Value.Kind != schema.ValueName || s.Values[0].Class != "name" || len(words) == 0 {
		return
	}
	text := strings.Trim(s.Values[0].Text, "`\"'")
	last := words[len(words)-1]
	concept := x.attributeOf(&token{kind: 'w', text: last, word: x.words.concept(last), link: -1})
	if concept == "" || !plainWord().MatchString(text) {
		return
	}
	v := s.Values[0]
	v.Class, v.Value = ClassWord+concept, schema.Value{Kind: schema.ValueName, Words: []string{strings.ReplaceAll(text, "_", "-")}}
	s.Values = append(s.Values, v)
}

// wordIs adds the word that a sentence says an attribute is or is set to: the noun at a token.
func (x *sayer) wordIs(s *Saying, st *statement, noun int) {
	t := st.tokens
	concept := x.attributeOf(&t[noun])
	if concept == "" || st.past || st.negative {
		return
	}
	at := st.copula(noun)
	if at < 0 {
		return
	}
	for at++; at < len(t) && wordIn(t[at].text, "set", "to", "always", "the", "still", "now"); at++ {
	}
	if at >= len(t) || t[at].kind != 'w' && t[at].kind != 'c' || t[at].capital || t[at].link >= 0 || t[at].is(isAuxiliary|isDeterminer|isPronoun|isNegation|isCondition) || participle(&t[at], x.words) || x.words.Opposed(t[at].word) || t[at].is(isVerb) && at+1 < len(t) && t[at+1].is(isCondition) || !plainWord().MatchString(t[at].text) ||
		at+1 < len(t) && t[at+1].kind != 'p' && !t[at+1].is(isCondition|isConjunction) || listed(t, at+1) || st.unsure(at-1) {
		return
	}
	x.part(s, st, &filler{value: SaidValue{Class: ClassWord + concept, From: at, To: at + 1, Value: schema.Value{Kind: schema.ValueName, Words: []string{t[at].text}}}, from: noun, to: noun + 1})
}

// copula returns where it stands that the noun at a token, of something or not, is what follows; -1 for nowhere.
func (s *statement) copula(noun int) int {
	is := func(i int) bool { return wordIn(s.word(i), "is", "stays", "remains", ":") }
	if is(noun + 1) {
		return noun + 1
	}
	if !wordIn(s.word(noun+1), "of", "for", "in") {
		return -1
	}
	for at := noun + 2; at < len(s.tokens) && at < noun+furthestOf && s.tokens[at].kind != 'p'; at++ {
		if is(at) {
			return at
		}
	}
	return -1
}
