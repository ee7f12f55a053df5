package claim

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/loopwiki/wiki/schema"
)

// scheduled reports whether the values of the statement are a day of the week and a time of
// that day, and which is the day: every Sunday at 03:00. Both say when it is.
func (s *statement) scheduled() (day int, ok bool) {
	if len(s.values) != 2 {
		return 0, false
	}
	a, b := &s.values[0], &s.values[1]
	if b.value.Quantity.Dimension == schema.Weekday {
		a, b, day = b, a, 1
	}
	if d := b.value.Quantity.Dimension; a.value.Quantity.Dimension != schema.Weekday || a.value.Quantity.Step == 0 || d != schema.Clock && d != schema.ClockUTC {
		return 0, false
	}
	gap := s.values[1].from - s.values[0].to
	return day, gap >= 0 && gap < 3
}

// weekly are verbs of what is done on many days, each at its own time.
var weekly = wordSet(`open close`)

// schedule adds a claim for the day and one for the time, which holds on that day.
func (s *statement) schedule(day int) {
	both := [2]found{s.values[0], s.values[1]}
	s.values = append(s.values[:0], found{from: both[0].from, to: both[1].to})
	terms := s.terms(0)
	s.values = append(s.values[:0], both[:]...)
	on, at := both[day], both[1-day]
	if on.from < s.lead || at.from < s.lead {
		return
	}
	clock := append(slices.Clone(terms), schema.Term{Word: dayName(&on.value), Link: -1, Part: schema.PartCondition})
	s.claim(&at, clock)
	for i := range terms {
		if weekly[terms[i].Word] {
			return
		}
	}
	s.claim(&on, terms)
}

// dayName is the word for a day of the week as a condition.
func dayName(v *schema.Value) string {
	return strings.ToLower(time.Weekday(int(v.Quantity.Lo) % 7).String())
}

// workdays makes one word of what says that it is from Monday to Friday: on working days.
func (s *statement) workdays() {
	for i := s.lead; i+1 < len(s.tokens); i++ {
		if t := &s.tokens[i]; t.link < 0 && wordIn(t.text, "working", "business") && wordIn(s.tokens[i+1].text, "days", "day") && (i == 0 || s.tokens[i-1].kind != 'n' && !s.tokens[i-1].is(isNumber)) {
			s.join(i, i+2, workday)
		}
	}
}

// workday is the concept of the days from Monday to Friday.
const workday = "weekday"

// join makes one word of some tokens.
func (s *statement) join(from, to int, word string) {
	for i := from; i < to; i++ {
		t := &s.tokens[i]
		*t = token{span: t.span, text: t.text, kind: 'p', link: -1}
	}
	t := &s.tokens[from]
	t.text, t.word, t.kind = word, word, 'w'
}

// moments returns the day of the week and the time of day at which a line of cron runs what it
// starts, where it gives one of each; see crontab(5).
func moments(text string) (out []schema.Value) {
	f := strings.Fields(text)
	if len(f) != 5 || f[2] != "*" || f[3] != "*" {
		return nil
	}
	number := func(text string, most int) float64 {
		n, err := strconv.Atoi(text)
		if err != nil || n < 0 || n > most {
			return -1
		}
		return float64(n)
	}
	minute, hour := number(f[0], 59), number(f[1], 23)
	if minute < 0 || hour < 0 {
		return nil
	}
	day := number(f[4], 7)
	if day < 0 && f[4] != "*" {
		return nil
	}
	at := 60*hour + minute
	out = append(out, schema.Value{Kind: schema.ValueQuantity, Quantity: schema.Quantity{Dimension: schema.Clock, Lo: at, Hi: at, Step: 1}})
	if day < 0 {
		return out
	}
	if day == 0 {
		day = 7
	}
	return append(out, schema.Value{Kind: schema.ValueQuantity, Quantity: schema.Quantity{Dimension: schema.Weekday, Lo: day, Hi: day, Step: 1}})
}

// starts adds, for the setting of a row that is a line of cron, the day and the time at which
// it starts what the row describes. The setting is the claim added last.
func (x *extraction) starts(row []schema.Cell, j int, near []string) {
	values := moments(strings.Trim(row[j].Text, "` "))
	if len(values) == 0 || len(x.claims) == 0 {
		return
	}
	key := x.claims[len(x.claims)-1]
	if key.Span != row[j].Span || len(key.Terms) == 0 {
		return
	}
	for i, v := range values {
		terms := slices.Clone(key.Terms)
		if i == 0 && len(values) > 1 {
			terms = append(terms, schema.Term{Word: dayName(&values[1]), Link: -1, Part: schema.PartCondition})
		}
		if i == 0 && slices.ContainsFunc(row, func(c schema.Cell) bool { return strings.Contains(c.Text, "UTC") }) {
			v.Quantity.Dimension = schema.ClockUTC
		}
		x.state(schema.Claim{Span: row[j].Span, Text: plainText(row[j].Text), From: schema.OriginTable, Value: v, Terms: terms, Label: terms,
			Near: near, Slot: SlotRow, Scope: slices.Clone(key.Scope)})
		x.claims[len(x.claims)-1].Attr.Name = plainText(row[0].Text)
	}
}
