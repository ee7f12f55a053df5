package claim

import (
	"time"

	"github.com/loopwiki/wiki/schema"
)

// minus reports whether the number at a token is below zero: a minus stands right before it, and
// nothing right before that.
func (s *statement) minus(i int) bool {
	if i == 0 || !wordIn(s.tokens[i-1].text, "−", "-") || s.tokens[i-1].span.End != s.tokens[i].span.Start {
		return false
	}
	return i == 1 || s.tokens[i-2].span.End < s.tokens[i-1].span.Start
}

// upper returns the upper end of a range of which both ends have the unit, from 2 °C to 8 °C, and
// where it ends; 0 when no range begins with a value.
func (s *statement) upper(v *found, u schema.Unit) (hi float64, to int) {
	at := v.to
	if len(v.nouns) > 0 || u.Dimension == "" || at+1 >= len(s.tokens) {
		return 0, 0
	}
	opened := v.from > 0 && wordIn(s.tokens[v.from-1].text, "from", "between")
	switch w := s.tokens[at].text; {
	case wordIn(w, "–", "-", "to"):
	case opened && wordIn(w, "and", "until"):
	default:
		return 0, 0
	}
	at++
	sign := 1.0
	if wordIn(s.tokens[at].text, "−", "-") {
		sign, at = -1, at+1
	}
	if at >= len(s.tokens) || s.tokens[at].kind != 'n' {
		return 0, 0
	}
	hi, _, rest, ok := leadingNumber(s.tokens[at].text)
	if !ok || rest != "" {
		return 0, 0
	}
	end := found{from: at, to: at + 1}
	if s.unit(&end) != u {
		return 0, 0
	}
	return sign * hi, end.to
}

// season reads the last day of a time of every year that begins on a day: from 15 June to 20
// August. It returns where the date ends.
func (s *statement) season(i int, q *schema.Quantity) (to int) {
	to = i + 2
	opened := i > 0 && wordIn(s.tokens[i-1].text, "from", "between")
	switch w := s.word(to); {
	case wordIn(w, "–", "-"):
	case opened && wordIn(w, "to", "until", "till", "through", "and"):
	default:
		return to
	}
	if to+2 >= len(s.tokens) {
		return to
	}
	end := statement{x: s.x, tokens: s.tokens[to+1 : min(to+3, len(s.tokens))], verb: -1}
	if v, ok := end.date(0); ok && v.value.Quantity.Dimension == schema.DayOfYear && v.to == 2 && s.yearAt(to+3) == 0 {
		if q.Hi = v.value.Quantity.Hi; q.Hi < q.Lo {
			q.Hi += 32 * float64(time.December)
		}
		return to + 3
	}
	return to
}

// monthsOf reads the months from one to another: from May to September.
func (s *statement) monthsOf(i int) (v found, ok bool) {
	first, last := months[s.word(i)], months[s.word(i+2)]
	dash := wordIn(s.word(i+1), "–", "-")
	if first == 0 || last == 0 || first == last || !s.tokens[i].capital || s.negative || s.yearAt(i+3) > 0 ||
		!dash && !(wordIn(s.word(i-1), "from", "between") || s.alone) || !dash && !wordIn(s.word(i+1), "to", "until", "till", "through", "and") {
		return v, false
	}
	if next := i + 3; next < len(s.tokens) && s.tokens[next].kind == 'n' || i > 0 && s.tokens[i-1].kind == 'n' {
		return v, false
	}
	q := schema.Quantity{Dimension: schema.MonthOfYear, Lo: float64(first), Hi: float64(last)}
	if q.Hi < q.Lo {
		q.Hi += float64(time.December)
	}
	return found{from: i, to: i + 3, value: schema.Value{Kind: schema.ValueQuantity, Quantity: q}}, true
}
