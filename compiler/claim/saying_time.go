package claim

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// calendarRow reads a row of a calendar: its first cell is a day, another says in words what is then:
// | 11 March 2027 | the reading room is painted |.
func (x *sayer) calendarRow(row []schema.Cell) {
	v := x.words.ParseValue(row[0].Text, nil)
	if v.Kind != schema.ValueDate || v.Quantity.Dimension != schema.Day && v.Quantity.Dimension != schema.DayOfYear {
		return
	}
	for k := 1; k < len(row); k++ {
		if len(strings.Fields(row[k].Text)) < 2 || figures(row[k].Text) || !x.english(row[k].Span) || x.words.ParseValue(row[k].Text, nil).Kind == schema.ValueDate {
			continue
		}
		s := x.begin(schema.OriginTable, row[k].Span)
		if s == nil {
			return
		}
		tk := &tokenizer{page: x.page, words: x.words, link: x.linkFrom(row[k].Span.Start)}
		first := true
		sentences(tk.read(row[k].Span), x.page.Source, func(tokens []token) {
			if first {
				x.read(s, tokens, false)
			}
			first = false
		})
		if len(s.Values) > 0 {
			return // the day is of more than one thing
		}
		s.Lists, s.Facts = nil, nil
		s.Values = []SaidValue{{Span: row[0].Span, Text: strings.TrimSpace(row[0].Text), Class: classOfValue(&v), Value: v}}
		x.end(s)
		return
	}
}

// foundings are words of keys that give the year in which something began.
var foundings = wordSet(`since founded established opened introduced launched built installed`)

// foundedIn makes the days of a year of the number that a key gives as the year in which something began: since: 2021.
func (x *sayer) foundedIn(s *Saying, key string) {
	if len(s.Values) != 1 || !anyWord(key, foundings) || s.Values[0].Value.Kind != schema.ValueQuantity {
		return
	}
	v := &s.Values[0]
	year, err := strconv.Atoi(strings.Trim(v.Text, "\"'"))
	if err != nil || year < 1700 || year >= 2200 {
		return
	}
	const day = 24 * 60 * 60
	from, to := time.Date(year, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(year+1, 1, 1, 0, 0, 0, 0, time.UTC)
	v.Value = schema.Value{Kind: schema.ValueDate, Quantity: schema.Quantity{Dimension: schema.Day, Lo: float64(from.Unix() / day), Hi: float64(to.Unix()/day) - 1}}
	v.Class = classOfValue(&v.Value)
}

// cronLine is a line of a crontab: when, what, and the comment above it.
type cronLine struct {
	when, note schema.Span
	command    string
}

// cronLanguages are the languages that a fence with a crontab gives.
var cronLanguages = wordSet(`cron crontab text txt console`)

// crontab returns the lines of a block that is a crontab from its first line to the last, as
// crontab(5) has them; none of other blocks, and of commands alone.
func crontab(src []byte, f *schema.Fence) (out []cronLine) {
	if f.Language != "" && !cronLanguages[f.Language] {
		return nil
	}
	var above schema.Span
	for at := f.Content.Start; at < f.Content.End && len(out) < mostSettings; {
		end := f.Content.End
		if i := bytes.IndexByte(src[at:end], '\n'); i >= 0 {
			end = at + i
		}
		line := schema.Span{Start: at, End: end}
		at = end + 1
		text := strings.TrimSpace(string(line.In(src)))
		switch {
		case text == "":
			above = schema.Span{}
			continue
		case text[0] == '#':
			above = schema.Span{Start: line.Start + strings.IndexByte(string(line.In(src)), '#') + 1, End: line.End}
			continue
		}
		fields := strings.Fields(text)
		if len(fields) < 6 || len(text) > longestSetting {
			return nil
		}
		when := strings.Join(fields[:5], " ")
		start := strings.Index(string(line.In(src)), when)
		if cronFields(when) == nil || start < 0 {
			return nil
		}
		start += line.Start
		out = append(out, cronLine{schema.Span{Start: start, End: start + len(when)}, above, strings.Join(fields[5:], " ")})
		above = schema.Span{}
	}
	return out
}

// scheduled adds the sayings of the lines of a crontab: what the comment above says runs then, or
// else the command.
func (x *sayer) scheduled(lines []cronLine, intro string) {
	for i := range lines {
		l := &lines[i]
		s := x.begin(schema.OriginCode, l.when)
		if s == nil {
			return
		}
		command := x.words.Concepts(l.command)
		s.Near = append(x.words.Concepts(intro), x.words.concept("start"), x.words.concept("run"))
		if l.note.Len() > 0 {
			x.purpose(s, (&tokenizer{page: x.page, words: x.words, link: len(x.page.Links)}).read(l.note))
			s.Near = append(s.Near, command...)
		} else {
			for _, w := range command {
				s.Words = append(s.Words, SaidWord{Concept: w, Link: -1, At: -1, Label: true})
			}
		}
		text := string(l.when.In(x.page.Source))
		for _, o := range occasions(text) {
			s.Values = append(s.Values, SaidValue{Span: l.when, Text: text, Value: o, Class: classOfValue(&o)})
		}
		x.end(s)
	}
}

// cronDays are the days of the week as crontab(5) shortens them.
var cronDays = map[string]float64{"sun": 0, "mon": 1, "tue": 2, "wed": 3, "thu": 4, "fri": 5, "sat": 6}

// cronFields returns the five fields of a time as crontab(5) has them, with ranges, lists and names
// of days; nil for other texts.
func cronFields(text string) []string {
	f := strings.Fields(text)
	if len(f) != 5 || len(text) > 40 || !strings.Contains(text, "*") {
		return nil
	}
	for i, field := range f {
		if strings.ContainsRune("/,-", rune(field[0])) {
			return nil
		}
		for part := range strings.FieldsFuncSeq(field, func(r rune) bool { return strings.ContainsRune("*/,-", r) }) {
			if _, _, rest, ok := leadingNumber(part); ok && rest == "" && !strings.Contains(part, ".") {
				continue
			}
			if _, day := cronDays[strings.ToLower(part)]; !day || i != 4 {
				return nil
			}
		}
	}
	return f
}

// occasions returns the time of day and the days of the week at which a line of cron starts what it
// starts.
func occasions(text string) (out []schema.Value) {
	f := cronFields(text)
	if f == nil {
		return nil
	}
	at := func(d schema.Dimension, lo, hi float64) {
		q := schema.Quantity{Dimension: d, Lo: lo, Hi: hi}
		if lo == hi {
			q.Step = 1
		}
		out = append(out, schema.Value{Kind: schema.ValueQuantity, Quantity: q})
	}
	minute, _, rest, ok := leadingNumber(f[0])
	hour, _, more, also := leadingNumber(f[1])
	if !ok || !also || rest != "" || more != "" {
		return nil
	}
	at(schema.Clock, 60*hour+minute, 60*hour+minute)
	first, last, isRange := strings.Cut(f[4], "-")
	if lo := cronDay(first); lo > 0 && !isRange {
		at(schema.Weekday, lo, lo)
	} else if hi := cronDay(last); lo > 0 && hi > lo {
		at(schema.Weekday, lo, hi)
	}
	return out
}

// cronDay returns the day of the week of a field, from Monday, which is 1; 0 for none and for several.
func cronDay(field string) float64 {
	day, known := cronDays[strings.ToLower(field)]
	if !known {
		n, _, rest, ok := leadingNumber(field)
		if day = n; !ok || rest != "" || n > 7 {
			return 0
		}
	}
	if day == 0 {
		day = 7
	}
	return day
}

// scheduledAt adds the times of a line of cron, and reports whether there are any.
func scheduledAt(s *Saying, span schema.Span, text string) bool {
	all := occasions(strings.Trim(text, "` "))
	for _, o := range all {
		s.Values = append(s.Values, SaidValue{Span: span, Text: strings.TrimSpace(text), Value: o, Class: classOfValue(&o)})
	}
	return len(all) > 0
}

// recurs returns the days of the week of what is done every day, and the time between two of what is done on the same
// day each week. before is the word before the value.
func recurs(v *schema.Value, before, text string) (q schema.Quantity, ok bool) {
	const day = 24 * 60 * 60
	switch q = v.Quantity; {
	case v.Kind != schema.ValueQuantity:
		return q, false
	case q.Dimension == schema.Duration && q.Lo == day && q.Hi == day && wordIn(split(text)[0], "every", "each", "daily") && !strings.HasSuffix(text, "night"):
		return schema.Quantity{Dimension: schema.Weekday, Lo: 1, Hi: 7}, true
	case q.Dimension == schema.Weekday && q.Lo == q.Hi && q.Step == 1 && (wordIn(before, "every", "each") || before == "on" && strings.HasSuffix(text, "s")):
		return schema.Quantity{Dimension: schema.Duration, Lo: 7 * day, Hi: 7 * day, Step: 7 * day}, true
	}
	return q, false
}

// eachNight reads every night, each morning: what is done then is done once a day.
func (s *statement) eachNight(i int) (v found, ok bool) {
	if !wordIn(s.word(i), "every", "each") || !wordIn(s.word(i+1), "night", "morning", "evening", "afternoon") {
		return v, false
	}
	const day = 24 * 60 * 60
	return found{from: i, to: i + 2, value: schema.Value{Kind: schema.ValueQuantity, Quantity: schema.Quantity{Dimension: schema.Duration, Lo: day, Hi: day, Step: day}}}, true
}

// quarterly reads every quarter, each quarter.
func (s *statement) quarterly(i int) (v found, ok bool) {
	u, ok := s.x.words.UnitOf("quarter-year")
	if !ok || !wordIn(s.word(i), "every", "each") {
		return v, false
	}
	return found{from: i, to: i + 2, value: schema.Value{Kind: schema.ValueQuantity, Quantity: schema.Quantity{Dimension: u.Dimension, Lo: u.Lo, Hi: u.Hi, Step: u.Lo}}}, true
}

// ended are participles of what is no more from a day on, and going what goes on until one.
var (
	ended = wordSet(`switched turned shut retired removed discontinued sunset closed dropped deleted withdrawn decommissioned ends end stops expires`)
	going = wordSet(`available supported maintained working works kept served serviced accepted usable online reachable`)
)

// ending notes that a day is the last on which something works, in however many words it says so: is
// available until 30 June, is switched off on 30 June, support ends on 30 June.
func (x *sayer) ending(s *Saying, st *statement, first int) {
	x.bounded(s, st, first)
	i := slices.IndexFunc(s.Values[first:], func(v SaidValue) bool { return v.Value.Kind == schema.ValueDate && v.From > 1 })
	if i < 0 || !st.endsAt(s.Values[first+i].From) {
		return
	}
	for _, w := range []string{"support", "end"} {
		concept := x.words.concept(w)
		if !slices.ContainsFunc(s.Words, func(w SaidWord) bool { return w.Concept == concept }) {
			s.Near = append(s.Near, concept)
		}
	}
	s.Denied = false // nobody means that it is not so
	for i := range s.Words {
		if w := &s.Words[i]; w.At >= 0 && !w.Subject && (ended[st.word(w.At)] || going[st.word(w.At)] || wordIn(st.word(w.At), "keep", "keeps")) {
			w.Concept, w.Verb = x.words.concept("end"), true
		}
	}
	s.Words = slices.DeleteFunc(s.Words, func(w SaidWord) bool {
		return w.At > 0 && ended[st.word(w.At-1)] && wordIn(st.word(w.At), "off", "down")
	})
}

// endsAt reports whether a date is the last on which what is said goes on.
func (s *statement) endsAt(at int) bool {
	lead := s.word(at - 1)
	until := wordIn(lead, "until", "till", "through") || wordIn(lead, "of", "the") && slices.ContainsFunc(s.tokens[:at], func(t token) bool { return t.text == "end" })
	for i := at - 1; i >= 0; i-- {
		if s.tokens[i].kind == 'p' {
			return false
		}
		if t := &s.tokens[i]; ended[t.text] && (i > 0 && (s.tokens[i-1].is(isAuxiliary) || s.word(i-1) == "be") || wordIn(t.text, "ends", "end", "stops", "expires")) && wordIn(lead, "on", "at", "from", "after", "with", "by", "in", "of", "the") || until && going[t.text] {
			return true
		}
	}
	return false
}

// bounded notes that something begins or ends where a word before a date says so: the lease of the land, until June 2032.
func (x *sayer) bounded(s *Saying, st *statement, first int) {
	for _, v := range s.Values[first:] {
		if v.Value.Kind != schema.ValueDate {
			continue
		}
		switch st.word(v.From - 1) {
		case "until", "till":
			s.Near = append(s.Near, x.words.concept("end"))
		case "since":
			s.Near = append(s.Near, x.words.concept("begin"), x.words.concept("introduce"))
		}
	}
}

// lasting says of what is there for some time in one word that it is kept, from whichever end it is told:
// is deleted after 30 days, is valid for 30 days, expires after 30 days.
func (x *sayer) lasting(s *Saying) {
	if !slices.ContainsFunc(s.Values, func(v SaidValue) bool {
		return v.Value.Kind == schema.ValueQuantity && v.Value.Quantity.Dimension == schema.Duration
	}) {
		return
	}
	for i := range s.Words {
		if w := &s.Words[i]; (w.Verb || w.Label || w.Concept == x.words.concept("valid")) && x.words.Lifetime(w.Concept) {
			w.Concept = x.words.concept("keep")
		}
	}
}

// aged makes ages of bare numbers behind a label that speaks of the age of somebody: minimum age: 21.
func (x *sayer) aged(s *Saying, tokens []token) {
	year, ok := x.words.UnitOf("years")
	for i := range s.Values {
		v := &s.Values[i]
		q := &v.Value.Quantity
		if !ok || v.Value.Kind != schema.ValueQuantity || q.Dimension != schema.Dimensionless || v.Counted != "" || v.From > len(tokens) ||
			!slices.ContainsFunc(tokens[:v.From], func(t token) bool { return t.text == "age" }) {
			continue
		}
		q.Lo, q.Hi, q.Step, q.Dimension = q.Lo*year.Lo, q.Hi*year.Hi, q.Step*year.Hi, schema.Duration
		v.Class = string(schema.Duration)
	}
}

// often returns as a rate how often something is done in a unit of time, which is read as the time between
// two of them: 100 times per minute.
func often(v *schema.Value, text string) (schema.Value, bool) {
	q := v.Quantity
	if v.Kind != schema.ValueQuantity || q.Dimension != schema.Duration || q.Lo <= 0 || !slices.Contains(split(text), "times") {
		return schema.Value{}, false
	}
	q.Lo, q.Hi, q.Dimension, q.Step = 1/q.Hi, 1/q.Lo, "rate:", 0
	return schema.Value{Kind: schema.ValueQuantity, Quantity: q}, true
}

// andHalf reports whether "and a half" or "and a quarter" stands at a token, and how much that adds.
func (s *statement) andHalf(i int) (more float64, ok bool) {
	if s.word(i) != "and" || s.word(i+1) != "a" {
		return 0, false
	}
	more, ok = map[string]float64{"half": 0.5, "quarter": 0.25}[s.word(i+2)]
	return more, ok
}

// withHalf returns the digits of a number that a half is added to, before its unit: two and a half hours.
func (s *statement) withHalf(text string, to int) (string, int) {
	more, ok := s.andHalf(to)
	n, _, rest, number := leadingNumber(text)
	if !ok || !number || rest != "" || to+3 >= len(s.tokens) || !s.isUnit(to+3) {
		return text, to
	}
	return strconv.FormatFloat(n+more, 'f', -1, 64), to + 3
}

// quarters returns the digits of so many quarters of a unit at a token, and where they end: a quarter of
// an hour, three quarters of a mile.
func (s *statement) quarters(i int) (text string, to int) {
	n := map[string]float64{"a": 1, "one": 1, "three": 3}[s.word(i)]
	if n == 0 || !wordIn(s.word(i+1), "quarter", "quarters") || s.word(i+2) != "of" || !wordIn(s.word(i+3), "a", "an") || i+4 >= len(s.tokens) || !s.isUnit(i+4) {
		return "", i
	}
	return strconv.FormatFloat(n/4, 'f', -1, 64), i + 4
}

// soMany reports whether one unit stands at a token that more is added to: an hour and a half.
func (s *statement) soMany(i int) bool {
	_, ok := s.andHalf(i + 2)
	return ok && wordIn(s.word(i), "a", "an", "one") && s.isUnit(i+1)
}

// firstDay returns the verb that the words at a token stand for: the first day of the season is when it begins.
func (s *statement) firstDay(i int) string {
	if s.word(i+1) != "day" || i+2 < len(s.tokens) && s.word(i+2) != "of" && !s.tokens[i+2].is(isAuxiliary) {
		return ""
	}
	switch s.word(i) {
	case "first", "opening":
		return "begin"
	case "last", "final", "closing":
		return "end"
	}
	return ""
}
