package claim

import (
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
