package claim

import (
	"slices"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/schema"
)

// values adds the values among the tokens of a statement, and returns which tokens are theirs.
func (x *sayer) values(s *Saying, st *statement) (inside []bool) {
	tokens := st.tokens
	inside = make([]bool, len(tokens))
	for i := 0; i < len(tokens); {
		v, ok := st.valueAt(i)
		if !ok || v.value.Kind == schema.ValueQuantity && v.value.Quantity.Dimension == "" && len(v.nouns) == 0 && !st.alone && !st.assigned(&v) || st.article(&v) || st.firstDay(v.from) != "" || st.allOf(&v) {
			i = max(v.to, i+1)
			continue
		}
		said := SaidValue{From: v.from}
		end := v.to
		if n := len(v.nouns); n > 0 {
			said.Counted, end = tokens[v.nouns[n-1]].word, min(end, v.nouns[0]) // nouns stay words
		}
		st.qualify(&v)
		st.limit(&v)
		if st.ofThings(&v, &said) {
			end = v.to - 1 // nouns stay words
		}
		if st.word(v.from-1) == "every" && wordIn(st.word(v.from-2), "about", "around", "roughly", "approximately", "nearly", "almost") {
			v.value.Quantity.Approx = true
		}
		said.To = min(max(v.to, end), len(tokens))
		for k := v.from; k < min(end, len(tokens)); k++ {
			inside[k] = !wordIn(tokens[k].text, "night", "morning", "evening", "afternoon") // every night tells when, too
		}
		said.Span = schema.Span{Start: tokens[v.from].span.Start, End: tokens[said.To-1].span.End}
		said.Text = string(said.Span.In(x.page.Source))
		all := []schema.Value{v.value}
		if wordIn(said.Counted, "cent", "ct", "eurocent") {
			all, said.Counted = cents(v.value), ""
		}
		if amount, ok := st.amount(&v); ok {
			all = append(all, amount)
		}
		if c := &tokens[v.from]; c.kind == 'c' {
			all = append(all, occasions(c.text)...)
		}
		if rate, ok := often(&v.value, said.Text); ok {
			all = append(all, rate)
		}
		if q, ok := recurs(&v.value, st.word(v.from-1), said.Text); ok && !wordIn(st.word(v.to), "and", "or", ",", "&") {
			all = append(all, schema.Value{Kind: schema.ValueQuantity, Quantity: q})
		}
		for _, value := range all {
			if said.Value, said.Class = value, classOfValue(&value); said.Class == "ordinal" && said.To < len(tokens) {
				said.Class += ":" + tokens[said.To].word // the third field
			}
			s.Values = append(s.Values, said)
		}
		i = max(said.To, i+1)
	}
	return inside
}

// allOf reports whether a number only says of how many things, told before, something is so: all three run there.
func (s *statement) allOf(v *found) bool {
	return v.value.Kind == schema.ValueQuantity && s.word(v.from-1) == "all" && s.tokens[v.from].is(isNumber) && (v.to >= len(s.tokens) || len(v.nouns) == 0 || s.tokens[v.nouns[0]].is(isVerb) && !plural(s.tokens[v.nouns[0]].text))
}

// kindOf returns which kind of thing a well-known name is.
func (x *sayer) kindOf(words []string) string {
	for _, w := range words {
		if c := x.words.classes[w]; c != "" {
			return "class:" + c
		}
	}
	return ""
}

// classOfValue is what a value can be compared with.
func classOfValue(v *schema.Value) string {
	switch v.Kind {
	case schema.ValueQuantity, schema.ValueDate:
		if d := string(v.Quantity.Dimension); !strings.HasPrefix(d, "count:") {
			return d
		}
		return ""
	case schema.ValueVersion:
		return "version"
	case schema.ValueBool:
		return "yes"
	}
	return "name"
}

// restricts are the words that begin a condition which is rarely left unsaid.
var restricts = wordSet(`for during when if unless with without except outside until whenever where`)

// clauseMarks are words that begin another clause.
var clauseMarks = wordSet(`so because which while since although though whereas but who whose whatever what whoever`)

// doubts marks the values, from the given one on, that stand in a clause which tells of another
// time, or of what might be.
func (s *statement) doubts(said *Saying, first int) {
	tokens := s.tokens
	defer func() { s.tokens = tokens }()
	supposing := s.supposes()
	for from := 0; from < len(tokens); {
		to := from + 1
		for to < len(tokens) && tokens[to].kind != 'p' && !clauseMarks[tokens[to].text] {
			to++
		}
		s.tokens, s.past, s.was = tokens[from:to], false, false
		s.parsed()
		doubted := s.past || s.was && !s.since() || supposing
		other := to // what stands behind instead is not so
		for i := from; i < to; i++ {
			if other == to && tokens[i].text == "instead" && i+1 < to && tokens[i+1].text == "of" {
				other = i
			}
			doubted = doubted || tokens[i].text == "will" && !aside(tokens[from:to], i-from)
		}
		for i := first; i < len(said.Values); i++ {
			if v := &said.Values[i]; (doubted || v.From > other) && v.From >= from && v.From < to && v.Value.Kind != schema.ValueDate { // when it was stays true
				v.Doubted = true
			}
		}
		for i := range said.Facts {
			if f := &said.Facts[i]; doubted && f.At >= from && f.At < to {
				f.Doubted = true
			}
		}
		from = to
	}
}

// since reports whether what was is only from when a time is counted: 14 days after it was created.
func (s *statement) since() bool {
	was := slices.IndexFunc(s.tokens, func(t token) bool { return wordIn(t.text, "was", "were") })
	return was > 1 && slices.ContainsFunc(s.tokens[max(0, was-4):was], func(t token) bool { return wordIn(t.text, "after", "since", "once", "from") })
}

// valueAt reads the value that begins at a token.
func (s *statement) valueAt(i int) (v found, ok bool) {
	t := &s.tokens[i]
	if t.link >= 0 {
		return v, false
	}
	if t.text == "every" && wordIn(s.word(i+1), "second", "other") && weekdays[s.word(i+2)] > 0 {
		const fortnight = 14 * 24 * 60 * 60
		return found{from: i, to: i + 3, value: schema.Value{Kind: schema.ValueQuantity, Quantity: schema.Quantity{Dimension: schema.Duration, Lo: fortnight, Hi: fortnight, Step: fortnight / 2}}}, true
	}
	if s.word(i+1) == "quarter" && !wordIn(s.word(i+2), "of", "hour", "hours", "past", "to") {
		if v, ok = s.quarterly(i); ok {
			return v, true
		}
	}
	if v, ok = s.eachNight(i); ok {
		return v, true
	}
	if code, ok := s.statusCode(i); ok {
		return code, true
	}
	if wordIn(t.text, "weekdays", "workdays") && i > 0 {
		return found{from: i, to: i + 1, value: schema.Value{Kind: schema.ValueQuantity, Quantity: schema.Quantity{Dimension: schema.Weekday, Lo: 1, Hi: 5}}}, true
	}
	if t.kind == 'n' || t.is(isMoment) || s.partsHour(i) {
		if v, ok = s.date(i); ok {
			return v, true
		}
		if weekdays[t.text] > 0 && s.word(i+1) == "," && i+2 < len(s.tokens) && s.tokens[i+2].kind == 'n' {
			if v, ok = s.date(i + 2); ok && v.value.Quantity.Dimension == schema.Day {
				v.from = i // Tuesday, 31 March 2026
				return v, true
			}
		}
		if t.is(isMoment) && t.capital && weekdays[t.text] > 0 {
			return s.days(i), true
		}
		if v, ok = s.moment(i); ok {
			return v, true
		}
	}
	if t.is(isNumber) && s.word(i-1) != "" {
		if v, ok = s.clock(i); ok { // at ten in the evening
			return v, true
		}
	}
	if t.capital && !(t.text == "http" && len(s.word(i+1)) == 3) && (s.x.words.classes[t.text] != "" || i+1 < len(s.tokens) && strings.Contains(s.tokens[i+1].text, ".") || s.usedAt(i)) {
		if v, ok = s.version(i); ok {
			return v, true
		}
	}
	if t.kind == 'n' && (strings.Count(t.text, ".") > 1 || strings.HasSuffix(t.text, ".x")) {
		lo, hi, ok := versionInterval(t.text)
		v = found{from: i, to: i + 1, value: schema.Value{Kind: schema.ValueVersion, Quantity: schema.Quantity{Dimension: schema.Version, Lo: lo, Hi: hi}}}
		s.later(&v)
		return v, ok
	}
	if i > 0 {
		if v, ok = s.numbering(i); ok {
			return v, true
		}
	}
	if t.kind != 'w' || t.is(isFigure) {
		return s.quantity(i)
	}
	return v, false
}

// days reads one day of the week or a range of them, Monday to Friday.
func (s *statement) days(i int) found {
	day := weekdays[s.word(i)]
	q := schema.Quantity{Dimension: schema.Weekday, Lo: day, Hi: day, Step: 1}
	to := i + 1
	if last := weekdays[s.word(i+2)]; last > day && wordIn(s.word(i+1), "to", "-", "–", "through", "until") {
		q.Hi, q.Step, to = last, 0, i+3
	}
	return found{from: i, to: to, value: schema.Value{Kind: schema.ValueQuantity, Quantity: q}}
}

// assigned reports whether a number without a unit stands where only a value can: behind a
// word that gives it, such as port or to.
func (s *statement) assigned(v *found) bool {
	before := s.word(v.from - 1)
	if ends := v.to >= len(s.tokens) || s.tokens[v.to].kind == 'p'; ends && v.from > 0 && (s.x.words.measured[s.tokens[v.from-1].word] || s.word(v.from-3) == "number" && s.word(v.from-2) == "of") {
		return true // batch size 200
	}
	return v.from > 0 && (s.x.words.numbering[before] || wordIn(before, "to", "is", "are", "be", "of", ":", "=", "at", "than", "with", "most", "least", "by")) && (v.to >= len(s.tokens) || s.tokens[v.to].kind == 'p' || s.bare(v))
}

// amount returns the amount of a rate of money: who names the price of a month may leave the
// month out.
func (s *statement) amount(v *found) (schema.Value, bool) {
	q := v.value.Quantity
	name, rate := strings.CutPrefix(string(q.Dimension), "rate:money:")
	if !rate {
		return schema.Value{}, false
	}
	for i := v.to - 1; i > v.from; i-- {
		unit := s.word(i)
		if adverb := adverbs[unit]; adverb != "" {
			unit = adverb
		}
		if u, ok := s.x.words.UnitOf(unit); ok && u.Dimension == schema.Duration {
			q.Lo, q.Hi, q.Step, q.Dimension = q.Lo*u.Hi, q.Hi*u.Lo, q.Step*u.Lo, schema.Dimension("money:"+name)
			return schema.Value{Kind: schema.ValueQuantity, Quantity: q}, true
		}
	}
	return schema.Value{}, false
}

// lowerCase are kinds whose names are no words and are written in lower case.
var lowerCase = wordSet(`compression hash filesystem`)

// kinds adds names of well-known kinds, names written as code, and words of which others
// say the opposite.
func (x *sayer) kinds(s *Saying, st *statement, inside []bool) {
	for i := range st.tokens {
		t := &st.tokens[i]
		if inside[i] {
			continue
		}
		v := SaidValue{Span: t.span, Text: t.text, From: i, To: i + 1}
		name := x.words.spelled(t.text)
		if st.scripted(i) && x.words.classes[name+"js"] != "" {
			name, v.Span.End, v.To = name+"js", st.tokens[i+2].span.End, i+3
		}
		switch o, opposed := x.words.opposite[t.word]; {
		case t.kind == 'w' && st.whichOf(i) != "":
			v.Class, v.Value = st.whichOf(i), schema.Value{Kind: schema.ValueName, Words: []string{t.text}}
		case t.kind == 'w' && x.words.classes[name] != "" && (t.capital || t.link >= 0 || lowerCase[x.words.classes[name]]) && !(x.words.classes[name] == "protocol" && st.titled(i)):
			v.Class, v.Value = "class:"+x.words.classes[name], schema.Value{Kind: schema.ValueName, Words: []string{name}}
		case t.text == "local" && wordIn(st.word(i+1), "time", "times") && wordIn(st.word(i-1), "in", "the", "as", ":", "is"):
			v.Class, v.Value, v.To = "class:timezone", schema.Value{Kind: schema.ValueName, Words: []string{"local"}}, i+2
		case st.unaided(i) != 0:
			v.Class, v.Value, v.To = "pole:"+automaticPole(), schema.Value{Kind: schema.ValueBool, Bool: st.unaided(i) > 0}, i+2
			inside[i+1] = true
		case st.inPlain(i) > 0:
			v.Class, v.Value, v.To = "pole:"+encryptedPole(), schema.Value{Kind: schema.ValueBool}, i+st.inPlain(i)
		case st.sharing(i) != 0:
			v.Class, v.Value = "pole:share", schema.Value{Kind: schema.ValueBool, Bool: st.sharing(i) > 0}
		case st.codeName(i) != "":
			v.Class, v.Value = st.codeName(i), schema.Value{Kind: schema.ValueName, Words: []string{t.text}}
			inside[i] = len(s.Values) == 0 // beside a measure it names what that is of
		case t.kind == 'c' && variable(t.span.In(x.page.Source)):
			v.Class, v.Value = "code", schema.Value{Kind: schema.ValueName, Words: []string{t.text}}
		case t.kind == 'w' && opposed && t.text != "loss" && !nounOf(t.text) && !st.either(i) && !st.nearTo(i) && !st.titled(i) && (len(t.text) > 3 || t.text != "on" && t.text != "off" || st.switched(i)):
			v.Class, v.Value = "pole:"+o.concept, schema.Value{Kind: schema.ValueBool, Bool: o.negative == st.deniedAt(i)}
		default:
			continue
		}
		if v.To > i+1 {
			v.Span.End = st.tokens[v.To-1].span.End
			v.Text = strings.ToLower(string(v.Span.In(x.page.Source)))
		}
		s.Values = append(s.Values, v)
	}
}

// either reports whether a word is one of two of which another may be so: allow or deny; if the call is allowed.
func (s *statement) either(i int) bool {
	if s.word(i+1) == "or" || i > 0 && s.word(i-1) == "or" {
		return true
	}
	for k := i - 1; k >= 0 && k > i-6 && s.tokens[k].kind != 'p'; k-- {
		if wordIn(s.tokens[k].text, "if", "whether") {
			return true
		}
	}
	return false
}

// nounOf reports whether a word is a noun made of a verb: that there is compression, "compression" alone does not say.
func nounOf(text string) bool {
	return text == "host" || text == "hosts" || strings.HasSuffix(text, "ption") || strings.HasSuffix(text, "ssion") || strings.HasSuffix(text, "ation")
}

// automaticPole is what automatic and manual have in common.
var automaticPole = sync.OnceValue(func() string {
	common, _ := English().Pole(English().concept("automatic"))
	return common
})

// encryptedPole is what encrypted and unencrypted have in common.
var encryptedPole = sync.OnceValue(func() string {
	common, _ := English().Pole(English().concept("encrypted"))
	return common
})

// inPlain returns how many tokens say that something can be read by anybody: in the clear, in plain text.
func (s *statement) inPlain(i int) int {
	switch w, next := s.word(i+1), s.word(i+2); {
	case s.word(i) != "in":
	case w == "the" && next == "clear", wordIn(w, "plain", "clear") && next == "text":
		return 3
	case wordIn(w, "plaintext", "cleartext", "plain-text", "clear-text"):
		return 2
	}
	return 0
}

// unaided returns 1 where the words at a token say that something happens by itself, -1 where they say that it is done
// by hand, 0 for others.
func (s *statement) unaided(i int) int {
	if s.word(i) != "by" {
		return 0
	}
	switch s.word(i + 1) {
	case "itself", "themselves":
		return 1
	case "hand":
		return -1
	}
	return 0
}

// sharing returns 1 where a token says that several have one thing in common, -1 where each has its own, 0 for others.
func (s *statement) sharing(i int) int {
	switch w, next := s.word(i), s.word(i+1); {
	case wordIn(w, "share", "shares") && i > 0 && next != "" && (s.tokens[i+1].is(isDeterminer|isNumber) || wordIn(next, "one", "a", "the")), w == "shared":
		return 1
	case w == "own" && wordIn(s.word(i-1), "its", "their", "his", "her", "an") && next != "" && s.tokens[i+1].kind == 'w' && !s.tokens[i+1].is(isCondition|isAuxiliary|isJoiner|isDeterminer):
		return -1
	}
	return 0
}

// scripted reports whether .js ends the name that begins at a token.
func (s *statement) scripted(i int) bool {
	return s.word(i+1) == "." && s.word(i+2) == "js" && s.tokens[i+2].span.Start == s.tokens[i].span.End+1
}

// variable reports whether a name written as code is that of a variable of the environment.
func variable(name []byte) bool {
	upper := false
	for i, c := range name {
		switch {
		case c >= 'A' && c <= 'Z':
			upper = true
		case c == '_' && i > 0, c >= '0' && c <= '9' && i > 0:
		default:
			return false
		}
	}
	return upper && len(name) > 4 && strings.Contains(string(name), "_")
}

// switched reports whether on or off says that something is.
func (s *statement) switched(i int) bool {
	after := s.word(i + 1)
	return i > 0 && (s.tokens[i-1].is(isAuxiliary) || s.tokens[i-1].is(isVerb) || wordIn(s.tokens[i-1].text, ":", "stays", "switched", "turned", "set", "to", "default", "defaults")) &&
		(after == "" || s.tokens[i+1].kind == 'p' || wordIn(after, "by", "when", "until", "unless", "if", "while", "at", "for", "in", "on", "during"))
}

// Pole returns the concept that a word and its opposite have in common, and whether the word
// is the one that denies it; other concepts are their own.
func (l *Lexicon) Pole(concept string) (common string, denied bool) {
	if o, ok := l.opposite[concept]; ok {
		return o.concept, o.negative
	}
	return concept, false
}

// Contrast returns the concept that two words have in common of which a thing can be at one only, and
// whether the word is the second of them: upper, lower.
func (l *Lexicon) Contrast(concept string) (common string, second, ok bool) {
	o, ok := l.contrast[concept]
	return o.concept, o.negative, ok
}

// ParseVersion reads the numbers that a version may stand for; without a dimension when the
// text is none.
func ParseVersion(text string) schema.Quantity {
	lo, hi, ok := versionInterval(strings.TrimSpace(text))
	if !ok {
		return schema.Quantity{}
	}
	return schema.Quantity{Dimension: schema.Version, Lo: lo, Hi: hi}
}

// Opposed reports whether another word says the opposite of a concept.
func (l *Lexicon) Opposed(concept string) bool { return l.opposite[concept] != opposite{} }
