package claim

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// numberWords are the words for numbers, by their value.
var numberWords = map[string]float64{"zero": 0, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19, "twenty": 20,
	"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "dozen": 12, "once": 1, "twice": 2}

// adverbs say how often something happens, by the unit.
var adverbs = map[string]string{"hourly": "hour", "daily": "day", "weekly": "week", "monthly": "month", "yearly": "year", "annually": "year", "nightly": "day", "quarterly": "quarter-year", "fortnightly": "fortnight"}

// powers multiply the number before them.
var powers = map[string]float64{"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "dozen": 12}

// months are the names of the months and what they are shortened to.
var months = func() map[string]time.Month {
	m := map[string]time.Month{}
	for i := time.January; i <= time.December; i++ {
		name := strings.ToLower(i.String())
		m[name], m[name[:3]] = i, i
	}
	delete(m, "mar")
	return m
}()

// numberWord returns the digits of a number word, with hyphens: twenty-five.
func numberWord(w string) string {
	if n, ok := numberWords[w]; ok {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	if a, b, ok := strings.Cut(w, "-"); ok && numberWords[a] >= 20 && numberWords[b] > 0 && numberWords[b] < 10 {
		return strconv.FormatFloat(numberWords[a]+numberWords[b], 'f', -1, 64)
	}
	return ""
}

// find notes the values of the statement from left to right.
func (s *statement) find() {
	s.workdays()
	for i := s.lead; i < len(s.tokens); {
		t := &s.tokens[i]
		var v found
		ok := false
		if t.kind == 'n' || t.is(isMoment|isNumber) || s.partsHour(i) {
			if v, ok = s.date(i); !ok {
				v, ok = s.moment(i)
			}
		}
		if !ok && t.capital {
			v, ok = s.version(i)
		}
		if !ok && i > s.verb+1 && t.link < 0 {
			v, ok = s.numbering(i)
		}
		if !ok && t.link < 0 && (t.kind != 'w' || t.is(isFigure)) {
			v, ok = s.quantity(i)
		}
		if !ok {
			i++
			continue
		}
		s.qualify(&v)
		s.values = append(s.values, v)
		i = v.to
	}
	if len(s.values) > 1 {
		s.values = slices.DeleteFunc(s.values, s.each)
	}
	if n := len(s.values); n > 1 && s.values[n-1].from > s.verb {
		s.values = slices.DeleteFunc(s.values, func(v found) bool { return v.to <= s.verb && len(v.nouns) > 0 }) // one lane costs so much
	}
	if _, both := s.scheduled(); both {
		return
	}
	s.values = slices.DeleteFunc(s.values, func(v found) bool { // a day of the week or a month beside another value says when that holds
		if len(s.values) < 2 || !recurring(v.value.Quantity.Dimension) {
			return false
		}
		if q := &v.value.Quantity; q.Dimension == schema.Weekday && q.Lo == 1 && q.Hi == 5 {
			s.join(v.from, v.to, workday)
		}
		return true
	})
}

// each reports whether a value is the one thing that another is counted by: in one box, which is
// per box.
func (s *statement) each(v found) bool {
	return v.to > v.from+1 && s.tokens[v.from].text == "one" && len(v.nouns) > 0 && v.from > s.verb+1 && v.from > 0 && wordIn(s.tokens[v.from-1].text, "in", "into", "on", "onto", "per", "for", "to")
}

// founded are participles that a table gives the year of: opened 2013.
var founded = wordSet(`opened built founded started established introduced launched renovated installed closed retired added bought`)

// date reads 2025-03-31, 31 March 2025, March 31, 2025, March 2025, and a year
// behind in, since or until.
func (s *statement) date(i int) (v found, ok bool) {
	day := func(lo, hi time.Time, to int) (found, bool) {
		q := schema.Quantity{Dimension: schema.Day, Lo: float64(lo.Unix() / 86400), Hi: float64(hi.Unix()/86400) - 1}
		return found{from: i, to: to, value: schema.Value{Kind: schema.ValueDate, Quantity: q}}, true
	}
	if at, to, ok := s.numericDate(i); ok {
		return day(at, at.AddDate(0, 0, 1), to)
	}
	t, ends := s.plainDate(i)
	end := func(last int) int { // of the token of the date with that number
		if ends == nil {
			return i + last + 1
		}
		return ends[last]
	}
	year := func(k int) int {
		if k < len(t) && t[k].kind == 'n' && len(t[k].text) == 4 {
			if y, err := strconv.Atoi(t[k].text); err == nil && y >= 1700 && y < 2200 {
				return y
			}
		}
		return 0
	}
	number := func(k int) int {
		if k < len(t) && t[k].kind == 'n' {
			if d, err := strconv.Atoi(t[k].text); err == nil && d >= 1 && d <= 31 {
				return d
			}
		}
		return 0
	}
	month := func(k int) time.Month {
		if k < len(t) && t[k].capital {
			if t[k].text == "mar" && k > 0 && t[k-1].kind == 'n' {
				return time.March // a name elsewhere
			}
			return months[t[k].text]
		}
		return 0
	}
	date := func(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }
	switch {
	case number(0) > 0 && month(1) > 0 && year(2) > 0:
		at := date(year(2), month(1), number(0))
		return day(at, at.AddDate(0, 0, 1), end(2))
	case month(0) > 0 && number(1) > 0 && len(t) > 2 && t[2].text == "," && year(3) > 0:
		at := date(year(3), month(0), number(1))
		return day(at, at.AddDate(0, 0, 1), end(3))
	case month(0) > 0 && year(1) > 0:
		return day(date(year(1), month(0), 1), date(year(1), month(0)+1, 1), end(1))
	case year(0) > 0 && i+1 < len(s.tokens) && s.isUnit(i+1): // a cache of 2048 MB
	case year(0) > 0 && i > 0 && (wordIn(s.tokens[i-1].text, "in", "since", "until", "by", "of", "from") || s.alone && founded[s.tokens[i-1].text]):
		return day(date(year(0), 1, 1), date(year(0)+1, 1, 1), i+1)
	case number(0) > 0 && month(1) > 0, month(0) > 0 && number(1) > 0: // of no year: compared with such only
		at := float64(32*max(month(0), month(1)) + time.Month(max(number(0), number(1))))
		q := schema.Quantity{Dimension: schema.DayOfYear, Lo: at, Hi: at}
		to := s.season(i, &q)
		return found{from: i, to: to, value: schema.Value{Kind: schema.ValueDate, Quantity: q}}, true
	}
	return v, false
}

// numericDate reads 2025-03-31, 31.03.2025 and 31/03/2025, where the day can be told from the month, and returns where it
// ends.
func (s *statement) numericDate(i int) (at time.Time, to int, ok bool) {
	t := s.tokens[i:]
	if t[0].kind != 'n' {
		return at, 0, false
	}
	if n := len(t[0].text); n >= len("2.1.2006") && n <= len(time.DateOnly) {
		for _, format := range []string{time.DateOnly, "2.1.2006"} {
			if at, err := time.Parse(format, t[0].text); err == nil {
				return at, i + 1, true
			}
		}
	}
	if len(t) < 5 || t[1].text != "/" || t[3].text != "/" || len(t[4].text) != 4 {
		return at, 0, false
	}
	first, err := strconv.Atoi(t[0].text)
	second, also := strconv.Atoi(t[2].text)
	if err != nil || also != nil || first <= 12 && second <= 12 && first != second {
		return at, 0, false // nobody can tell
	}
	if second > 12 {
		first, second = second, first
	}
	at, err = time.Parse("2/1/2006", strconv.Itoa(first)+"/"+strconv.Itoa(second)+"/"+t[4].text)
	return at, i + 5, err == nil
}

// longestDate bounds, in tokens, a date that is written in words.
const longestDate = 4

// plainDate returns the tokens of a date without what stands within it, and where each ends: 31st of March 2026,
// 31-Mar-2026. Where nothing does, ends is nil, and each ends where the next begins.
func (s *statement) plainDate(i int) (t []token, ends []int) {
	joined := func(k int) bool { return k > i && s.tokens[k].span.Start == s.tokens[k-1].span.End }
	suffix := func(k int) bool {
		return wordIn(s.tokens[k].text, "st", "nd", "rd", "th") && joined(k) && s.tokens[k-1].kind == 'n'
	}
	plain := true
	for k := i; k < len(s.tokens) && k < i+longestDate; k++ {
		plain = plain && (k == i || !joined(k) || s.tokens[k].text == ",")
	}
	if plain { // as most are
		return s.tokens[i:min(i+longestDate, len(s.tokens))], nil
	}
	for k := i; k < len(s.tokens) && len(t) < longestDate; k++ {
		w := &s.tokens[k]
		if k > i && (suffix(k) || w.text == "of" && k > i+1 && suffix(k-1) || w.text == "-" && joined(k) && k+1 < len(s.tokens) && joined(k+1) && len(t) < 3) {
			if len(ends) > 0 {
				ends[len(ends)-1] = k + 1
			}
			continue
		}
		t, ends = append(t, *w), append(ends, k+1)
	}
	return t, ends
}

func wordIn(w string, among ...string) bool {
	for _, a := range among {
		if w == a {
			return true
		}
	}
	return false
}

// version reads a name and the number of its version: Debian 12, Python 3.11.
func (s *statement) version(i int) (v found, ok bool) {
	at := i + 1
	if s.tokens[i].text == "node" && s.word(at) == "." && s.word(at+1) == "js" {
		at += 2
	}
	if at >= len(s.tokens) || i < s.verb || !s.tokens[i].capital || s.tokens[i].kind == 'c' || s.tokens[at].kind != 'n' || s.x.words.numbered[s.tokens[i].text] {
		return v, false
	}
	if s.currency(i) {
		return v, false
	}
	number := s.tokens[at].text
	if strings.ContainsAny(number, ",:-_") || at+1 < len(s.tokens) && s.isUnit(at+1) || s.word(at+1) == "%" {
		return v, false
	}
	lo, hi, ok := versionInterval(number)
	if !ok {
		return v, false
	}
	q := schema.Quantity{Dimension: schema.Version, Lo: lo, Hi: hi}
	v = found{from: i, to: at + 1, value: schema.Value{Kind: schema.ValueVersion, Words: []string{toolName(s.tokens[i].text)}, Quantity: q}}
	s.later(&v)
	return v, true
}

// later reads what is behind a version that others may follow: or later, and newer, +.
func (s *statement) later(v *found) {
	rest := s.tokens[v.to:]
	switch {
	case len(rest) > 1 && s.word(v.from-1) != "from" && wordIn(rest[0].text, "to", "through", "-", "–") && rest[1].kind == 'n' && (len(rest) == 2 || !s.isUnit(v.to+2)):
		if _, hi, ok := versionInterval(rest[1].text); ok && hi > v.value.Quantity.Hi {
			v.value.Quantity.Hi = hi
			v.to += 2
		}
	case len(rest) > 1 && (rest[0].text == "and" || rest[0].text == "or") && wordIn(rest[1].text, "later", "newer", "above", "higher", "up", "upwards", "onwards"):
		v.value.Quantity.Bound = schema.AtLeast
		v.to += 2
	case len(rest) > 2 && rest[0].text == "and" && rest[1].text == "nothing" && wordIn(rest[2].text, "older", "lower", "earlier", "below"):
		v.value.Quantity.Bound = schema.AtLeast
		v.to += 3
	case len(rest) > 0 && wordIn(rest[0].text, "+", "onwards", "upwards"):
		v.value.Quantity.Bound = schema.AtLeast
		v.to++
	}
}

// versionInterval returns the numbers that a version may stand for: 16 is any
// 16.x, 3.11 any 3.11.x.
func versionInterval(number string) (lo, hi float64, ok bool) {
	scale := 1e6
	for part := range strings.SplitSeq(strings.TrimSuffix(number, ".x"), ".") {
		n, err := strconv.Atoi(part)
		if err != nil || n > 999 || scale < 1 {
			return 0, 0, false
		}
		lo += float64(n) * scale
		scale /= 1000
	}
	return lo, lo + scale*1000 - 1, true
}

func (s *statement) isUnit(i int) bool {
	_, ok := s.x.words.UnitOf(s.tokens[i].text)
	return ok && s.tokens[i].kind == 'w' && s.tokens[i].text != "a"
}

// quantity reads a number with its unit or with what is counted.
func (s *statement) quantity(i int) (v found, ok bool) {
	if u, adverb := adverbs[s.tokens[i].text]; adverb && (i+1 == len(s.tokens) || s.tokens[i+1].kind == 'p') {
		unit, _ := s.x.words.UnitOf(u)
		return found{from: i, to: i + 1, value: schema.Value{Kind: schema.ValueQuantity, Quantity: schema.Quantity{Lo: unit.Lo, Hi: unit.Hi, Dimension: schema.Duration}}}, true
	}
	if s.tokens[i].kind == 'c' {
		q, ok := cron(s.tokens[i].text)
		return found{from: i, to: i + 1, value: schema.Value{Kind: schema.ValueQuantity, Quantity: q}}, ok
	}
	if v, ok = s.fraction(i); ok {
		return v, true
	}
	text, to := s.figure(i)
	if text == "" {
		return v, false
	}
	lo, step, rest, ok := leadingNumber(text)
	if cents, comma := strings.CutPrefix(rest, ","); ok && comma && len(cents) == 2 && allDigits(cents) && to < len(s.tokens) && s.currency(to) { // 0,60 €
		lo, step, rest, ok = leadingNumber(strings.Replace(text, ",", ".", 1))
	}
	if !ok || rest != "" {
		return v, false
	}
	hi := lo
	if to+1 < len(s.tokens) && wordIn(s.tokens[to].text, "to", "-", "–", "and") && (s.tokens[to].text != "and" || i > 0 && s.tokens[i-1].text == "between") {
		if upper, end := s.figure(to + 1); upper != "" {
			if h, _, rest, ok := leadingNumber(upper); ok && rest == "" && h > lo {
				hi, to, step = h, end, 0
			}
		}
	}
	if lo == hi && s.word(i-1) == "between" && s.tokens[i].kind == 'w' {
		return v, false // between two runs
	}
	v = found{from: i, to: to}
	if s.minus(i) {
		if v.from, lo = i-1, -lo; hi == -lo {
			hi = lo
		}
	}
	u := s.unit(&v)
	if more, ok := s.andHalf(v.to); ok && u.Dimension != "" && hi == lo {
		lo, hi, v.to = lo+more, hi+more, v.to+3
	}
	if upper, to := s.upper(&v, u); to > 0 && hi == lo && upper > lo {
		hi, v.to, step = upper, to, 0
	}
	q := schema.Quantity{Lo: (lo - u.Zero) * u.Lo, Hi: (hi - u.Zero) * u.Hi, Dimension: u.Dimension, Step: step * u.Hi}
	if lo-u.Zero < 0 {
		q.Lo = (lo - u.Zero) * u.Hi
	}
	if hi-u.Zero < 0 {
		q.Hi = (hi - u.Zero) * u.Lo
	}
	s.rate(&v, &q)
	v.value = schema.Value{Kind: schema.ValueQuantity, Quantity: q}
	return v, true
}

// fractions are the words for parts of a whole.
var fractions = map[string]float64{"half": 1. / 2, "third": 1. / 3, "thirds": 1. / 3, "quarter": 1. / 4, "quarters": 1. / 4, "fifth": 1. / 5, "fifths": 1. / 5, "tenth": 1. / 10}

// fraction reads half of the members, a third of, two thirds of.
func (s *statement) fraction(i int) (v found, ok bool) {
	at, times := i, 1.0
	if n := s.word(i); n == "a" || n == "one" || n == "two" || n == "three" {
		times, at = max(1, numberWords[n]), i+1
	}
	part := fractions[s.word(at)]
	if part == 0 || at == i && s.word(at) != "half" || s.word(at+1) != "of" || !wordIn(s.word(at+2), "the", "all", "its", "their", "our") {
		return v, false
	}
	q := schema.Quantity{Dimension: schema.Ratio, Lo: times * part, Hi: times * part, Step: 0.01, Decimals: 2}
	return found{from: i, to: at + 1, value: schema.Value{Kind: schema.ValueQuantity, Quantity: q}}, true
}

// figure returns the digits of the number at a token and where it ends; empty
// when there is none, or when it numbers something.
func (s *statement) figure(i int) (text string, to int) {
	t := &s.tokens[i]
	to = i + 1
	switch {
	case t.kind == 'n':
		if i > 1 && i+1 == s.verb && s.tokens[i-1].kind == 'w' && !s.tokens[i-1].is(isDeterminer|isCondition|isQuantified|isNumber|isWeak|isEmpty|isPronoun|isLight|isJoiner) && s.tokens[i-1].word != "" && !s.isUnit(i+1) && !s.currency(i-1) {
			return "", i // part of a name: app 3
		}
		if i > 0 && i < s.verb && s.tokens[i-1].capital && s.tokens[i-1].kind == 'w' && !wordIn(s.tokens[i-1].text, "about", "some", "over", "under", "the") && i+1 == s.verb && !s.currency(i-1) {
			return "", i // part of a name: policy 7
		}
		if i == 1 && s.tokens[0].capital && s.tokens[0].kind == 'w' && len(s.tokens) > 3 && plural(s.tokens[2].text) && !s.isUnit(2) && s.tokens[3].is(isDeterminer) {
			return "", i // part of a name: Perch 5 shows the code
		}
		if strings.ContainsAny(t.text, ":-x") || strings.Count(t.text, ".") > 1 || i > 0 && (s.x.words.numbered[s.tokens[i-1].text] && s.tokens[i-1].kind == 'w' && s.numbers(i-1) || wordIn(s.tokens[i-1].text, "#", "/", "v")) {
			return "", i
		}
		text = t.text
	case s.soMany(i):
		return "1", i + 1
	case t.kind == 'w' && t.text == "half" && i+2 < len(s.tokens) && s.tokens[i+1].text == "a" && s.tokens[i+2].text == "dozen":
		return "6", i + 3
	case t.kind == 'w' && t.text == "half" && i+2 < len(s.tokens) && wordIn(s.tokens[i+1].text, "a", "an"):
		return "0.5", i + 2
	case t.kind == 'w' && (t.text == "a" || t.text == "an") && i+1 < len(s.tokens) && (s.tokens[i+1].text == "dozen" || i > 0 && wordIn(s.tokens[i-1].text, "than", "for", "within", "after", "keep", "keeps", "buffers", "about", "take", "takes", "last", "lasts") && s.isUnit(i+1)):
		if s.tokens[i+1].text == "dozen" {
			return "12", i + 2
		}
		return "1", i + 1
	case t.text == "every" && i+2 < len(s.tokens) && wordIn(s.tokens[i+1].text, "second", "other") && s.isUnit(i+2):
		return "2", i + 2
	case t.kind == 'w' && t.text == "every" && i+1 < len(s.tokens) && s.isUnit(i+1):
		if next := i + 2; next < len(s.tokens) && s.tokens[next].kind == 'w' && s.tokens[next].link < 0 && s.word(i+1) == "day" && wordIn(s.tokens[next].text, "ticket", "tickets", "pass", "passes", "trip", "visitor", "visitors", "rate", "card", "cards") {
			return "", i // every day ticket
		}
		return "1", i + 1
	case t.text == "single" && t.link < 0 && i > 0 && i+1 < len(s.tokens) && wordIn(s.tokens[i-1].text, "a", "one", "only") && s.tokens[i+1].kind == 'w' && s.tokens[i+1].link < 0:
		return "1", i + 1
	case ordinals[t.text] != "" && i > 1 && wordIn(s.tokens[i-2].text, "after", "until", "by") && wordIn(s.tokens[i-1].text, "the", "a") && i+1 < len(s.tokens) && s.tokens[i+1].kind == 'w':
		text = ordinals[t.text]
	case t.kind == 'w' && t.link < 0:
		if text, to = s.quarters(i); text != "" {
			return text, to
		}
		text, to = numberWord(t.text), i+1
		if t.text == "once" && i > 0 && s.tokens[i-1].text == "at" {
			return "", i // together
		}
		if t.text == "once" && i+2 < len(s.tokens) && !(wordIn(s.word(i+1), "a", "an", "per", "each", "every") && s.isUnit(i+2) && (i+3 >= len(s.tokens) || !s.tokens[i+3].is(isAuxiliary|isVerb))) && (s.tokens[i+1].is(isPronoun) || !s.tokens[i+1].is(isCondition|isNumber) && s.x.opens(s.tokens[i+1:])) {
			return "", i // as soon as
		}
		if t.text == "one" && i+1 < len(s.tokens) && (wordIn(s.tokens[i+1].text, "of", "another", "or") || s.tokens[i+1].kind == 'p') {
			return "", i // a pronoun
		}
	}
	for text != "" && to < len(s.tokens) && powers[s.tokens[to].text] > 0 {
		lo, _, _, ok := leadingNumber(text)
		if !ok {
			return "", i
		}
		text = strconv.FormatFloat(lo*powers[s.tokens[to].text], 'f', -1, 64)
		to++
	}
	return s.withHalf(text, to)
}

// numbers reports whether the word before a number is a noun that it numbers,
// and no preposition or article.
func (s *statement) numbers(i int) bool {
	w := s.tokens[i].text
	if i+2 < len(s.tokens) && wordIn(s.tokens[i+2].text, "times", "time") {
		return false // retries a batch 3 times
	}
	return !emptyWords[w] && !determiners[w] && !s.x.words.condition[w] && !s.x.words.weak[w] && !wordIn(w, "over", "under", "about") && w != "run"
}

// numbering reads which of several things of a kind is meant: on port 9443, in room 12,
// the third working day.
func (s *statement) numbering(i int) (v found, ok bool) {
	t := s.tokens[i:]
	q := schema.Quantity{}
	switch {
	case t[0].kind == 'n' && t[0].text[len(t[0].text)-1] != 'x' && wordIn(s.tokens[i-1].text, "version", "firmware", "release"):
		lo, hi, ok := versionInterval(t[0].text)
		v = found{from: i, to: i + 1, value: schema.Value{Kind: schema.ValueVersion, Quantity: schema.Quantity{Dimension: schema.Version, Lo: lo, Hi: hi}}}
		s.later(&v)
		return v, ok
	case t[0].kind == 'n' && s.x.words.numbering[s.tokens[i-1].text] && (len(t) == 1 || !s.isUnit(i+1)):
		lo, _, rest, ok := leadingNumber(t[0].text)
		if !ok || rest != "" || strings.ContainsAny(t[0].text, ",:-") {
			return v, false
		}
		q.Lo = lo
	case s.tokens[i-1].text == "the" && len(t) > 1 && t[1].kind == 'w' && t[0].kind == 'w' && (ordinals[t[0].text] != "" || t[0].text == "first") &&
		(i < 2 || !wordIn(s.tokens[i-2].text, "after", "until", "by")):
		q.Lo, _ = strconv.ParseFloat(ordinals[t[0].text], 64)
		q.Lo, q.Dimension = max(q.Lo, 1), "ordinal"
	default:
		return v, false
	}
	q.Hi = q.Lo
	return found{from: i, to: i + 1, value: schema.Value{Kind: schema.ValueQuantity, Quantity: q}}, true
}

// currency reports whether a token is the name of one: EUR 18.
func (s *statement) currency(i int) bool {
	_, ok := s.x.words.money(s.tokens[i].text)
	return ok
}
