package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// releaseHeads are heads of first columns that name versions.
var releaseHeads = wordSet(`version release`)

// dateHeads are heads of columns with the date of the row: of a release, that it was released.
var dateHeads = wordSet(`date released release day`)

// releases reads a table with a row for each version of something: when it was released, until
// when it is supported, what it works with. The thing is named by the head of the first column,
// App version, or by the row, Operator console 5.2. dates is set to read dates only, where
// a page tells of the past.
func (x *extraction) releases(t *schema.Table, dates bool) {
	if len(t.Head) < 2 || !anyWord(t.Head[0].Text, releaseHeads) {
		return
	}
	of := slices.DeleteFunc(x.label(t.Head[0].Span, schema.PartSubject).terms, func(term schema.Term) bool {
		return term.Word == x.words.concept("version") || term.Word == x.words.concept("release")
	})
	l := x.labels(t, map[string]int{})
	for _, row := range t.Rows {
		if len(row) < 2 {
			continue
		}
		name := x.label(row[0].Span, schema.PartSubject).terms
		number := slices.IndexFunc(name, func(term schema.Term) bool { return term.Word != "" && term.Word[0] >= '0' && term.Word[0] <= '9' })
		if number < 0 || len(of) == 0 && len(name) < 2 {
			continue
		}
		name[number].Word = strings.TrimSuffix(name[number].Word, ".x")
		l.row = label{terms: slices.Concat(of, []schema.Term{{Word: x.words.concept("version"), Link: -1, Part: schema.PartSubject}}, name)}
		for j := 1; j < len(row) && j < len(t.Head); j++ {
			x.released(l, row, j, dates)
		}
	}
}

// released reads one cell of the row of a version.
func (x *extraction) released(l *labels, row []schema.Cell, j int, dates bool) {
	before := len(x.claims)
	head := l.heads[j]
	if words := split(l.table.Head[j].Text); len(words) == 1 && dateHeads[words[0]] {
		l.heads[j].terms = []schema.Term{{Word: x.words.concept("release"), Link: -1, Part: schema.PartObject}}
	}
	v, _, ok := l.among(row[j].Span)
	if v2, date := parseDate(plainText(row[j].Text)); date {
		v, ok = v2, true
	}
	if ok && (v.Kind == schema.ValueDate || !dates && v.Kind == schema.ValueVersion) {
		l.rest(row, j, slices.Concat(l.row.terms, l.heads[j].terms), head.role, head.bound, nil)
	}
	l.heads[j] = head
	for i := before; i < len(x.claims); i++ {
		x.claims[i].Subject = schema.Entity{Link: -1}
		if c := &x.claims[i]; c.Value.Kind == schema.ValueDate {
			c.Scope = slices.DeleteFunc(c.Scope, func(s string) bool { return isYear(s) })
		}
	}
}

// isYear reports whether a condition is a year, of which a date in it is one.
func isYear(s string) bool {
	return len(s) == 4 && strings.Trim(s, "0123456789") == ""
}

// product returns the product that the head of a column names, whose versions are in it: Android,
// minimum Python; empty for none.
func (x *extraction) product(terms []schema.Term) string {
	found := ""
	for _, term := range terms {
		switch x.words.Class(term.Word) {
		case "system", "language", "database":
			if found != "" {
				return ""
			}
			found = term.Word
		}
	}
	return found
}

// versionOf reads a number of a column that is headed by a product as its version: 12, 12 and later.
func (x *extraction) versionOf(product string, cell schema.Cell) (v schema.Value, ok bool) {
	t := &tokenizer{page: x.page, words: x.words, link: x.linkFrom(cell.Span.Start)}
	s := &statement{x: x, tokens: t.read(cell.Span), verb: -1, alone: true}
	if len(s.tokens) == 0 || len(s.tokens) > 4 || s.tokens[0].kind != 'n' {
		return v, false
	}
	lo, hi, ok := versionInterval(s.tokens[0].text)
	f := found{to: 1, value: schema.Value{Kind: schema.ValueVersion, Words: []string{product}, Quantity: schema.Quantity{Dimension: schema.Version, Lo: lo, Hi: hi}}}
	s.later(&f)
	return f.value, ok && f.to == len(s.tokens)
}
