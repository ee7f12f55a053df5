package claim

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
)

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
	case q.Dimension == schema.Duration && q.Lo == day && q.Hi == day && wordIn(split(text)[0], "every", "each", "daily"):
		return schema.Quantity{Dimension: schema.Weekday, Lo: 1, Hi: 7}, true
	case q.Dimension == schema.Weekday && q.Lo == q.Hi && q.Step == 1 && (wordIn(before, "every", "each") || before == "on" && strings.HasSuffix(text, "s")):
		return schema.Quantity{Dimension: schema.Duration, Lo: 7 * day, Hi: 7 * day, Step: 7 * day}, true
	}
	return q, false
}

// quarterly reads every quarter, each quarter.
func (s *statement) quarterly(i int) (v found, ok bool) {
	u, ok := s.x.words.UnitOf("quarter-year")
	if !ok || !wordIn(s.word(i), "every", "each") {
		return v, false
	}
	return found{from: i, to: i + 2, value: schema.Value{Kind: schema.ValueQuantity, Quantity: schema.Quantity{Dimension: u.Dimension, Lo: u.Lo, Hi: u.Hi, Step: u.Lo}}}, true
}
