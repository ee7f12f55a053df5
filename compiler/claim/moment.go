package claim

import (
	"math"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// zones are how many minutes clocks of a zone are ahead of UTC, in winter and in
// summer: people write CET all year.
var zones = map[string][2]float64{"utc": {}, "gmt": {}, "z": {}, "wet": {0, 60}, "west": {0, 60}, "bst": {60, 60}, "cet": {60, 120}, "cest": {60, 120}, "eet": {120, 180}, "eest": {120, 180},
	"msk": {180, 180}, "est": {-300, -240}, "edt": {-300, -240}, "pst": {-480, -420}, "pdt": {-480, -420}, "jst": {540, 540}}

// weekdays are the names of the days of the week and what they are shortened to.
var weekdays = func() map[string]float64 {
	m := map[string]float64{}
	for d := time.Sunday; d <= time.Saturday; d++ {
		name, n := strings.ToLower(d.String()), float64((d+6)%7+1)
		m[name], m[name+"s"], m[name[:3]] = n, n, n
	}
	delete(m, "sat")
	delete(m, "sun")
	return m
}()

var seasons = map[string]float64{"spring": 0, "summer": 1, "autumn": 2, "fall": 2, "winter": 3}

// ordinals are the words that count an event: after the third attempt.
var ordinals = map[string]string{"second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6", "seventh": "7", "eighth": "8", "ninth": "9", "tenth": "10"}

// momentWords are the first words that a time or a frequency may begin with, other than
// digits; a value that begins with none is not looked at.
var momentWords = wordSet(`noon midnight from between every q1 q2 q3 q4 h1 h2 first second third fourth`)

// reader reads a text that stands in no page, one after another.
type reader struct {
	page   schema.Page
	x      extraction
	tokens []token
}

var texts = sync.Pool{New: func() any { return &reader{} }}

// moment reads a text that is a time of day, a day of the week, a quarter or a
// frequency and nothing else.
func (l *Lexicon) moment(text string) (v schema.Value, ok bool) {
	if len(text) > 40 {
		return v, false
	}
	digit := text[0] >= '0' && text[0] <= '9'
	if half := text[max(0, len(text)-2):]; digit && strings.IndexByte(text, ':') < 0 && strings.IndexByte(text, 'Q') < 0 && !strings.EqualFold(half, "am") && !strings.EqualFold(half, "pm") && !strings.EqualFold(half, ".m") {
		return v, false
	}
	end := strings.IndexFunc(text, func(r rune) bool { return r == ' ' || r == '-' || r > 127 })
	if end < 0 {
		end = len(text)
	}
	first := strings.ToLower(text[:end])
	_, season := seasons[first]
	if _, adverb := adverbs[first]; !digit && !momentWords[first] && weekdays[first] == 0 && months[first] == 0 && !season && !adverb {
		return v, false
	}
	r := texts.Get().(*reader)
	defer texts.Put(r)
	r.page.Source = append(r.page.Source[:0], text...)
	t := tokenizer{page: &r.page, words: l, out: r.tokens[:0]}
	r.tokens = t.read(schema.Span{End: len(text)})
	r.x.page, r.x.words = t.page, l
	s := &r.x.reading
	*s = statement{x: &r.x, tokens: r.tokens, alone: true, values: s.values[:0]}
	f, ok := s.moment(0)
	if !ok {
		f, ok = s.eachNight(0)
	}
	if !ok {
		at := 0
		if first == "every" && len(s.tokens) > 2 {
			at = 1
		}
		f, ok = s.quantity(at)
		ok = ok && f.value.Quantity.Dimension == schema.Duration && (first == "every" || len(s.tokens) == 1)
	}
	return f.value, ok && f.to == len(s.tokens)
}

// moment reads a time of day, a day of the week, or a quarter or season of a year.
func (s *statement) moment(i int) (v found, ok bool) {
	if v, ok = s.quarter(i); ok {
		return v, true
	}
	if s.tokens[i].kind != 'n' { // a name of a day, a month or a season
		if v, ok = s.weekday(i); ok {
			return v, true
		}
		if v, ok = s.monthsOf(i); ok {
			return v, true
		}
		if v, ok = s.yearly(i); ok {
			return v, true
		}
	}
	return s.clock(i)
}

func (s *statement) word(i int) string {
	if i < 0 || i >= len(s.tokens) || s.tokens[i].link >= 0 {
		return ""
	}
	return s.tokens[i].text
}

// yearAt returns the year that a token is, 0 for none.
func (s *statement) yearAt(i int) int {
	if w := s.word(i); len(w) == 4 && s.tokens[i].kind == 'n' {
		if y, err := strconv.Atoi(w); err == nil && y >= 1700 && y < 2200 {
			return y
		}
	}
	return 0
}

// quarter reads Q3 2026, 2026-Q3, H1 2026, the third quarter of 2026 and spring 2026.
func (s *statement) quarter(i int) (v found, ok bool) {
	w, year, to := s.word(i), 0, 0
	switch {
	case s.yearAt(i+1) > 0:
		year, to = s.yearAt(i+1), i+2
	case s.word(i+1) == "quarter" && s.word(i+2) == "of" && s.yearAt(i+3) > 0:
		n := ordinals[w]
		if w == "first" {
			n = "1"
		}
		w, year, to = "q"+n, s.yearAt(i+3), i+4
	case s.yearAt(i) > 0:
		year, to = s.yearAt(i), i+2
		if w = s.word(i + 1); w == "-" {
			w, to = s.word(i+2), i+3
		}
	default:
		return v, false
	}
	if n, season := seasons[w]; season {
		at := float64(4*year) + n
		return found{from: i, to: to, value: schema.Value{Kind: schema.ValueDate, Quantity: schema.Quantity{Dimension: schema.Season, Lo: at, Hi: at}}}, true
	}
	if len(w) != 2 || w[0] != 'q' && w[0] != 'h' || w[1] < '1' || w[1] > '4' || w[0] == 'h' && w[1] > '2' {
		return v, false
	}
	months := 3
	if w[0] == 'h' {
		months = 6
	}
	from := time.Date(year, time.Month(1+months*int(w[1]-'1')), 1, 0, 0, 0, 0, time.UTC)
	q := schema.Quantity{Dimension: schema.Day, Lo: float64(from.Unix() / 86400), Hi: float64(from.AddDate(0, months, 0).Unix()/86400) - 1}
	return found{from: i, to: to, value: schema.Value{Kind: schema.ValueDate, Quantity: q}}, true
}

// weekday reads on Mondays, every Tuesday, Monday to Friday. Where a clause names
// several that are no range, any of them may be left out elsewhere.
func (s *statement) weekday(i int) (v found, ok bool) {
	name, until, _ := strings.Cut(s.word(i), "-") // Mon-Fri
	day := weekdays[name]
	if day == 0 || !s.tokens[i].capital || s.negative || !s.alone && !wordIn(s.word(i-1), "on", "every", "each", "from") {
		return v, false
	}
	q := schema.Quantity{Dimension: schema.Weekday, Lo: day, Hi: day, Step: 1}
	to := i + 1
	if last := weekdays[s.word(i+2)]; last > day && wordIn(s.word(i+1), "to", "-", "–", "through") {
		q.Hi, q.Step, to = last, 0, i+3
	}
	if last := weekdays[until]; last > day {
		q.Hi, q.Step = last, 0
	} else if until != "" {
		return v, false
	}
	if verb := s.word(s.verb); !s.alone && (verb == "is" || verb == "are") && s.verb != i-2 && !s.happens(i) {
		return v, false // is free on Sundays
	}
	for k := range s.tokens {
		if (k < i || k >= to) && weekdays[s.word(k)] > 0 {
			return v, false
		}
	}
	return found{from: i, to: to, value: schema.Value{Kind: schema.ValueQuantity, Quantity: q}}, true
}

// yearly reads in October, every March, in autumn: when in any year something happens.
// Where something is, such as closed, it may also be at another time.
func (s *statement) yearly(i int) (v found, ok bool) {
	w := s.word(i)
	month, season := months[w], -1.0
	if n, known := seasons[w]; known {
		season = n
	}
	if month == 0 && season < 0 || month > 0 && !s.tokens[i].capital || s.negative || !s.alone && !wordIn(s.word(i-1), "in", "every", "each") {
		return v, false
	}
	if next := s.word(i + 1); wordIn(next, "and", "or", "to", "-", "–", ",", "until") || i+1 < len(s.tokens) && s.tokens[i+1].kind == 'n' {
		return v, false
	}
	if verb := s.word(s.verb); !s.alone && (i <= s.verb || (verb == "is" || verb == "are") && s.verb != i-2 && !s.happens(i)) {
		return v, false
	}
	q := schema.Quantity{Dimension: schema.MonthOfYear, Lo: float64(month), Hi: float64(month), Step: 1}
	if season >= 0 {
		q = schema.Quantity{Dimension: schema.SeasonOfYear, Lo: season, Hi: season, Step: 1}
	}
	return found{from: i, to: i + 1, value: schema.Value{Kind: schema.ValueQuantity, Quantity: q}}, true
}

// recurring reports whether a value is a day, a month or a season of no year, which beside
// another value says when that holds.
func recurring(d schema.Dimension) bool {
	return d == schema.Weekday || d == schema.MonthOfYear || d == schema.SeasonOfYear
}

// clock reads 08:00, 8:30 pm, 9 am, noon and midnight, with a zone behind it, and
// from one to another.
func (s *statement) clock(i int) (v found, ok bool) {
	at, to, sure := s.timeOfDay(i)
	if to == 0 || !sure && !s.alone && !wordIn(s.word(i-1), "at", "from", "until", "till", "by", "before", "after", "to", "between", "around", "daily") {
		return v, false
	}
	q := schema.Quantity{Dimension: schema.Clock, Lo: at, Hi: at, Step: 1}
	if wordIn(s.word(to), "to", "-", "–", "until", "and") && (s.word(to) != "and" || s.word(i-1) == "between") {
		if end, next, _ := s.timeOfDay(to + 1); next > 0 {
			q.Hi, q.Step, to = end, 0, next
			if end < at {
				q.Hi += 24 * 60
			}
		}
	}
	if zone, end := s.zone(to); end > to {
		to = end
		q.Dimension, q.Lo, q.Hi = schema.ClockUTC, q.Lo-zone[1], q.Hi-zone[0]
		for q.Lo < 0 {
			q.Lo, q.Hi = q.Lo+24*60, q.Hi+24*60
		}
		for q.Lo >= 24*60 {
			q.Lo, q.Hi = q.Lo-24*60, q.Hi-24*60
		}
	}
	return found{from: i, to: to, value: schema.Value{Kind: schema.ValueQuantity, Quantity: q}}, true
}

// zonesInWords are the zones of [zones] by their names, without time.
var zonesInWords = map[string]string{"central european": "cet", "central european summer": "cest", "eastern european": "eet", "western european": "wet", "coordinated universal": "utc",
	"universal": "utc", "greenwich mean": "gmt", "british summer": "bst", "eastern": "est", "eastern standard": "est", "pacific": "pst", "pacific standard": "pst", "japan standard": "jst", "moscow": "msk"}

// zone returns how many minutes clocks of the zone that a token names are ahead of UTC, in winter and in
// summer, and where its name ends; the token itself for none.
func (s *statement) zone(at int) (ahead [2]float64, end int) {
	for n := 3; n > 0; n-- {
		if s.word(at+n) != "time" {
			continue
		}
		name := s.word(at)
		for k := at + 1; k < at+n; k++ {
			name += " " + s.word(k)
		}
		if short := zonesInWords[name]; short != "" {
			return zones[short], at + n + 1
		}
	}
	ahead, known := zones[s.word(at)]
	if !known || s.word(at) == "z" && !s.tokens[at].capital {
		return ahead, at
	}
	sign := s.word(at + 1)
	if hours, err := strconv.ParseFloat(s.word(at+2), 64); err == nil && hours < 15 && (sign == "+" || sign == "-") {
		if sign == "-" {
			hours = -hours
		}
		return [2]float64{60 * hours, 60 * hours}, at + 3
	}
	return ahead, at + 1
}

// timeOfDay returns the minutes since midnight of the time that begins at a token, and
// where it ends, 0 when none does. It is sure when the words say that it is one.
func (s *statement) timeOfDay(i int) (minutes float64, to int, sure bool) {
	switch w := s.word(i); {
	case w == "noon":
		return 12 * 60, i + 1, false
	case w == "midnight":
		return 0, i + 1, false
	case s.partsHour(i):
		return s.partOfHour(i)
	case wordIn(s.word(i-1), "past", "to") && wordIn(s.word(i-2), "half", "quarter"):
		return 0, 0, false
	case w == "" || s.tokens[i].kind != 'n' && !s.tokens[i].is(isNumber):
		return 0, 0, false
	}
	if minutes, to, ok := s.spoken(i); ok {
		return minutes, to, true
	}
	if s.tokens[i].kind != 'n' {
		return 0, 0, false
	}
	hours, rest, exact := strings.Cut(s.tokens[i].text, ":")
	half, ends := s.halfOfDay(i + 1)
	if !exact && half != "" {
		hours, rest, exact = strings.Cut(s.tokens[i].text, ".")
	}
	h, err := strconv.Atoi(hours)
	if err != nil || h > 24 || len(hours) > 2 || exact && len(rest) != 2 {
		return 0, 0, false
	}
	m := 0
	if exact {
		if m, err = strconv.Atoi(rest); err != nil || m > 59 {
			return 0, 0, false
		}
	}
	to = i + 1
	switch {
	case half != "" && h >= 1 && h <= 12:
		h %= 12
		if half == "pm" {
			h += 12
		}
		to, sure = ends, true
	case !exact:
		return 0, 0, false
	default:
		_, sure = zones[s.word(to)]
		sure = sure || len(s.tokens[i].text) == 5
	}
	return float64((60*h + m) % (24 * 60)), to, sure
}

// halfOfDay returns am or pm where a token says so, and where that ends; empty for others: 4 am, 4 a.m.
func (s *statement) halfOfDay(at int) (half string, end int) {
	switch w := s.word(at); {
	case w == "am" || w == "pm":
		return w, at + 1
	case (w == "a" || w == "p") && s.word(at+1) == "." && s.word(at+2) == "m":
		if end = at + 3; s.word(end) == "." {
			end++
		}
		return w + "m", end
	}
	return "", at
}

// partsHour reports whether a time may begin at a token that is read by partOfHour.
func (s *statement) partsHour(i int) bool {
	return wordIn(s.word(i), "half", "quarter") && wordIn(s.word(i+1), "past", "to") && i+2 < len(s.tokens)
}

// partOfHour reads half past two in the morning, a quarter to six in the evening. Without the half of the day nobody can
// tell which is meant.
func (s *statement) partOfHour(i int) (minutes float64, to int, sure bool) {
	more := map[string]float64{"half past": 30, "quarter past": 15, "quarter to": -15}[s.word(i)+" "+s.word(i+1)]
	hour := i + 2
	text := s.tokens[hour].text
	if s.tokens[hour].kind != 'n' {
		text = numberWord(text)
	}
	h, err := strconv.Atoi(text)
	half, to := s.halfOfDay(hour + 1)
	if half == "" && wordIn(s.word(to), "in", "at") {
		part := to + 1
		if s.word(part) == "the" {
			part++
		}
		half = map[string]string{"morning": "am", "afternoon": "pm", "evening": "pm", "night": "pm"}[s.word(part)]
		if to = part + 1; half == "pm" && s.word(part) == "night" && h < 6 {
			half = "am"
		}
	}
	if more == 0 || err != nil || h < 1 || h > 12 || half == "" {
		return 0, 0, false
	}
	if h %= 12; half == "pm" {
		h += 12
	}
	return math.Mod(float64(60*h)+more+24*60, 24*60), to, true
}

// spoken reads a full hour as it is spoken: six in the morning, 6 o'clock in the evening.
func (s *statement) spoken(i int) (minutes float64, to int, ok bool) {
	text := s.tokens[i].text
	if s.tokens[i].kind != 'n' {
		text = numberWord(text)
	}
	h, err := strconv.Atoi(text)
	if err != nil || h < 1 || h > 24 {
		return 0, 0, false
	}
	to = i + 1
	if wordIn(s.word(to), "o'clock", "o’clock") {
		to, ok = to+1, true
	}
	if h <= 12 && s.word(to) == "in" && s.word(to+1) == "the" && wordIn(s.word(to+2), "morning", "afternoon", "evening") {
		if h %= 12; s.word(to+2) != "morning" {
			h += 12
		}
		return float64(60 * h), to + 3, true
	}
	return float64(60 * h % (24 * 60)), to, ok && h > 12
}

// cron returns how often a line of cron runs what it starts; only what runs at even
// intervals is read. The format is that of crontab(5).
func cron(text string) (q schema.Quantity, ok bool) {
	if strings.Count(text, " ") < 4 {
		return q, false
	}
	f := strings.Fields(text)
	if len(f) != 5 || len(text) > 30 || strings.Trim(text, "0123456789*/ ") != "" {
		return q, false
	}
	every := func(field string, unit, of float64) float64 {
		step, isStep := strings.CutPrefix(field, "*/")
		n, err := strconv.ParseFloat(step, 64)
		switch {
		case field == "*":
			return unit
		case isStep && err == nil && n >= 1 && of/n == float64(int(of/n)):
			return n * unit
		case !isStep && err == nil:
			return of * unit
		}
		return 0
	}
	fixed := func(fields ...string) bool {
		for _, f := range fields {
			if strings.ContainsAny(f, "*/") {
				return false
			}
		}
		return true
	}
	lo, hi := 0.0, 0.0
	switch {
	case f[1] == "*" && f[2] == "*" && f[3] == "*" && f[4] == "*":
		lo = every(f[0], 60, 60)
		hi = lo
	case fixed(f[0]) && f[2] == "*" && f[3] == "*" && f[4] == "*":
		lo = every(f[1], 3600, 24)
		hi = lo
	case fixed(f[0], f[1], f[4]) && f[2] == "*" && f[3] == "*":
		lo, hi = 7*86400, 7*86400
	case fixed(f[0], f[1], f[2]) && f[3] == "*" && f[4] == "*":
		lo, hi = 28*86400, 31*86400
	}
	return schema.Quantity{Lo: lo, Hi: hi, Dimension: schema.Duration}, lo > 0
}

// happens reports whether the statement says what is done, is collected, and not how
// something is.
func (s *statement) happens(end int) bool {
	at := s.governed(end)
	if s.word(s.verb+1) == "due" || s.word(s.verb+1) == "done" {
		return true
	}
	return at > 0 && !s.tokens[at].is(isOpposite)
}
