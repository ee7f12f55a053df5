package claim

import (
	"bytes"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// unit reads what follows a number: a unit of measurement, or the nouns that
// say what is counted, which are noted.
func (s *statement) unit(v *found) schema.Unit {
	plain := schema.Unit{Lo: 1, Hi: 1}
	src := s.x.page.Source
	if v.from > 0 && v.to > 0 && s.tokens[v.from].kind == 'n' && wordIn(s.tokens[v.from-1].text, "$", "€", "£", "¥") {
		u, _ := s.x.words.UnitOf(s.tokens[v.from-1].text)
		return u
	}
	if v.from > s.lead && s.tokens[v.from].kind == 'n' {
		if u, ok := s.x.words.money(s.tokens[v.from-1].text); ok {
			v.from--
			return u
		}
	}
	if v.to > 0 && s.word(v.to) == "(" && s.word(v.to+2) == ")" && (s.tokens[v.to+1].kind == 'n' || s.tokens[v.to+1].is(isNumber)) {
		v.to += 3 // 30 (thirty) days
	}
	if wordIn(s.word(v.to), "calendar", "full", "whole", "consecutive", "entire") && v.to+1 < len(s.tokens) && s.isUnit(v.to+1) {
		v.to++
	}
	if s.word(v.to) == "per" && s.word(v.to+1) == "cent" {
		v.to += 2
		u, _ := s.x.words.UnitOf("percent")
		return u
	}
	if by := powers[s.word(v.to+1)]; by > 0 && v.to > 0 && wordIn(s.word(v.to), "per", "in") && s.tokens[v.from].kind == 'n' {
		v.to += 2 // 0.9 per thousand
		return schema.Unit{Dimension: schema.Ratio, Lo: 1 / by, Hi: 1 / by}
	}
	if v.to > 0 && v.to+1 < len(s.tokens) && s.hyphen(v.to) && s.tokens[v.to+1].kind == 'w' && !wordIn(s.tokens[v.to+1].text, "bit", "in", "to", "and", "way") {
		v.to++
		if _, unit := s.x.words.UnitOf(s.tokens[v.to].text); !unit {
			v.nouns = append(v.nouns, v.to) // a 12-character code
			v.to++
			return plain
		}
	}
	if v.to >= len(s.tokens) || v.to == 0 {
		return plain
	}
	if t := s.tokens[v.to]; wordIn(t.text, "working", "business") && v.to+1 < len(s.tokens) && wordIn(s.tokens[v.to+1].text, "day", "days") {
		v.to += 2
		return schema.Unit{Dimension: schema.WorkingTime, Lo: 1, Hi: 1}
	}
	if t := s.tokens[v.to]; wordIn(t.text, "×", "x") && v.to+1 < len(s.tokens) && s.tokens[v.to+1].text == "g" {
		v.to += 2 // so many times the acceleration of gravity
		u, _ := s.x.words.UnitOf("xg")
		return u
	}
	if t := s.tokens[v.to]; wordIn(t.text, "degrees", "degree") && v.to+1 < len(s.tokens) && s.tokens[v.to+1].text == "celsius" {
		v.to += 2
		u, _ := s.x.words.UnitOf("celsius")
		return u
	}
	if t := s.tokens[v.to]; wordIn(t.text, "square", "cubic") && v.to+1 < len(s.tokens) {
		if u, ok := s.x.words.UnitOf(t.text + " " + s.tokens[v.to+1].text); ok {
			v.to += 2
			return u
		}
	}
	// The unit as it stands in the file, which may hold marks: km/h, m³, °C.
	start := s.tokens[v.to].span.Start
	end := start
	for end < len(src) && !bytes.ContainsRune([]byte(" \t\r\n,;()[]<_|*`\"!?"), rune(src[end])) {
		end++
	}
	text := string(bytes.TrimRight(src[start:end], ".:"))
	if s.tokens[v.to].link < 0 {
		if u, ok := s.x.words.UnitOf(text); ok {
			for v.to < len(s.tokens) && s.tokens[v.to].span.Start < start+len(text) {
				v.to++
			}
			return u
		}
		if u, ok := s.unitPerTime(text); ok {
			v.to++
			return u
		}
	}
	return s.counted(v, plain)
}

// unitPerTime returns the unit before the stroke of one that is counted by time, whose rest [statement.rate]
// reads: kg/h, MB/s.
func (s *statement) unitPerTime(text string) (u schema.Unit, ok bool) {
	of, by, found := strings.Cut(text, "/")
	if !found {
		return u, false
	}
	time, known := s.x.words.UnitOf(by)
	if u, ok = s.x.words.UnitOf(of); !known || time.Dimension != schema.Duration || u.Dimension == schema.Duration {
		return u, false
	}
	return u, ok
}

// counted notes the nouns behind a number: 420 passengers, four wheelchair spaces.
func (s *statement) counted(v *found, plain schema.Unit) schema.Unit {
	for i := v.to; i < len(s.tokens) && i < v.to+3; i++ {
		t := &s.tokens[i]
		if t.kind != 'w' || t.is(isEmpty) || t.is(isDeterminer) || t.is(isCondition) || t.is(isWeak) || t.is(isAuxiliary) ||
			i == s.verb || wordIn(t.text, "of", "per", "before", "after", "late", "ahead", "more", "less", "long", "times", "time", "together", "again", "apart", "alone") || s.tokens[v.from].text == "every" {
			break
		}
		if i > v.to && (s.tokens[i-1].link >= 0 && t.link != s.tokens[i-1].link || t.is(isVerb) && !t.capital && plural(s.tokens[i-1].text)) {
			break
		}
		v.nouns = append(v.nouns, i)
		if (plural(t.text) || wordIn(t.text, "people", "children", "men", "women")) && t.link < 0 {
			break // six people take part
		}
	}
	if n := len(v.nouns); n > 0 {
		v.to = v.nouns[n-1] + 1
	}
	return plain
}

func plural(w string) bool {
	return len(w) > 3 && w[len(w)-1] == 's' && w[len(w)-2] != 's' && !strings.HasSuffix(w, "ous")
}

// rate reads what a number is counted by: 28 people per minute, 10 times per
// minute, every 60 seconds.
func (s *statement) rate(v *found, q *schema.Quantity) {
	times := false
	at := v.to
	if at < len(s.tokens) && wordIn(s.tokens[at].text, "times", "time") {
		times = true
		at++
	}
	times = times || wordIn(s.tokens[v.from].text, "once", "twice")
	if wordIn(s.word(at), "for", "in", "through", "out", "away", "off", "aboard") && wordIn(s.word(at+1), "each", "every", "per") && at+2 < len(s.tokens) && s.isUnit(at+2) {
		at++ // for each hour, lets so many through every minute
	}
	if to := s.material(at); to > at && !times && q.Dimension != schema.Duration {
		u, _ := s.x.words.UnitOf(s.tokens[to+1].text)
		if u.Dimension == schema.Duration {
			s.per(v, q, u, v.to) // of what it is stays among the words
		}
		return
	}
	if adverb := adverbs[s.word(at)]; adverb != "" && !times && strings.HasPrefix(string(q.Dimension), "money:") {
		u, _ := s.x.words.UnitOf(adverb)
		s.per(v, q, u, at+1)
		return
	}
	and := s.both(at)
	if and {
		at += 2
	}
	if at+1 >= len(s.tokens) || !and && !wordIn(s.tokens[at].text, "per", "a", "an", "each", "every", "/") || !s.isUnit(at+1) && s.word(at+1) != "quarter" {
		if times && s.tokens[v.from].text != "once" {
			v.to = at
			q.Dimension = "count:time"
		}
		return
	}
	u, _ := s.x.words.UnitOf(s.tokens[at+1].text)
	if s.word(at+1) == "quarter" && (times || s.word(at) == "per") {
		u, _ = s.x.words.UnitOf("quarter-year")
	}
	if u.Dimension != schema.Duration {
		return
	}
	v.to = at + 2
	switch {
	case times && q.Lo > 0: // so often, or at such an interval
		q.Lo, q.Hi, q.Dimension, q.Step = u.Lo/q.Hi, u.Hi/q.Lo, schema.Duration, 0
	default:
		s.per(v, q, u, at+2)
	}
}

// both reports whether a thing and a unit of time say together by what is counted: per seat and
// month.
func (s *statement) both(at int) bool {
	return at+3 < len(s.tokens) && wordIn(s.tokens[at].text, "per", "each") && s.tokens[at+1].kind == 'w' && !s.isUnit(at+1) && wordIn(s.tokens[at+2].text, "and", "per", "a") &&
		s.isUnit(at+3) && (s.tokens[at+3].text != "second" || at+4 == len(s.tokens) || s.tokens[at+4].kind != 'w')
}

// material returns where what is behind of, in so much of something a day, ends and the
// unit of time begins; 0 for none.
func (s *statement) material(at int) int {
	if s.word(at) != "of" {
		return 0
	}
	for i := at + 2; i < at+5 && i+1 < len(s.tokens) && s.tokens[i-1].kind == 'w' && !s.tokens[i-1].is(isCondition|isAuxiliary); i++ {
		if wordIn(s.tokens[i].text, "per", "a", "an", "each", "every") && s.isUnit(i+1) {
			return i
		}
	}
	return 0
}

// per makes a rate of what is counted by a unit of time and ends at a token.
func (s *statement) per(v *found, q *schema.Quantity, u schema.Unit, to int) {
	v.to = to
	q.Lo, q.Hi, q.Step = q.Lo/u.Hi, q.Hi/u.Lo, q.Step/u.Lo
	q.Dimension = "rate:" + q.Dimension
}

// qualify reads what stands before a value: up to, at least, about, every.
func (s *statement) qualify(v *found) {
	if v.value.Kind == schema.ValueDate {
		return
	}
	q := &v.value.Quantity
	if v.from > 0 && wordIn(s.tokens[v.from-1].text, "~", "≈", "≤", "≥", "<", ">", "±", "$", "€", "£", "¥", "between") {
		switch s.tokens[v.from-1].text {
		case "~", "≈":
			q.Approx = true
		case "≤", "<":
			q.Bound = schema.AtMost
		case "≥", ">":
			q.Bound = schema.AtLeast
		}
		v.from--
	}
	for again := true; again; {
		again = false
		for back := min(5, v.from-s.lead); back > 0 && !again; back-- {
			for _, p := range s.x.words.phrases[s.tokens[v.from-back].text] {
				if p.kind != "bound" || len(p.words) != back || !startsWith(s.tokens[v.from-back:v.from], p.words) {
					continue
				}
				switch p.name {
				case "max":
					q.Bound = schema.AtMost
				case "min":
					q.Bound = schema.AtLeast
					if s.negative && wordIn(p.words[len(p.words)-1], "than", "exceed", "above", "over") {
						q.Bound = schema.AtMost
					}
				default:
					q.Approx = true
				}
				v.from -= back
				again = true
				break
			}
		}
	}
	for v.to < len(s.tokens) {
		switch {
		case startsWith(s.tokens[v.to:], []string{"at", "most"}):
			q.Bound, v.to = schema.AtMost, v.to+2
		case startsWith(s.tokens[v.to:], []string{"at", "the", "most"}):
			q.Bound, v.to = schema.AtMost, v.to+3
		case startsWith(s.tokens[v.to:], []string{"or", "more"}), startsWith(s.tokens[v.to:], []string{"and", "more"}), startsWith(s.tokens[v.to:], []string{"at", "least"}):
			q.Bound, v.to = schema.AtLeast, v.to+2
		case startsWith(s.tokens[v.to:], []string{"or", "less"}), startsWith(s.tokens[v.to:], []string{"or", "fewer"}):
			q.Bound, v.to = schema.AtMost, v.to+2
		default:
			return
		}
	}
}
