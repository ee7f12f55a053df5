package claim

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// describingHeads are the heads of columns that say what the key of a row is for.
var describingHeads = wordSet(`description meaning purpose explanation effect use usage note notes comment comments remark remarks details what`)

// keyed reports whether a row gives the value of a key: one that is written as code, or any in a
// table whose heads say so.
func keyed(t *schema.Table, row []schema.Cell, src []byte) bool {
	if row[0].Span.Len() == 0 {
		return false
	}
	return src[row[0].Span.Start] == '`' || valueColumn(t) > 0 || anyWord(t.Head[0].Text, keyHeads) && len(t.Head) > 2 && anyWord(t.Head[len(t.Head)-1].Text, describingHeads)
}

// describes reports whether a cell says in words what the key of its row is for: its numbers are
// no values of the key.
func (x *sayer) describes(t *schema.Table, row []schema.Cell, k int) bool {
	if k == 0 || k >= len(row) || k >= len(t.Head) || k == valueColumn(t) || !keyed(t, row, x.page.Source) {
		return false
	}
	words := strings.Fields(row[k].Text)
	if len(words) < 3 || anyWord(t.Head[k].Text, conditionHeads) || anyWord(t.Head[k].Text, ownerHeads) {
		return false
	}
	switch v := x.words.ParseValue(row[k].Text, nil); v.Kind {
	case schema.ValueNone:
		return anyWord(t.Head[k].Text, describingHeads) || !figures(row[k].Text)
	case schema.ValueName:
		return anyWord(t.Head[k].Text, describingHeads) || slices.ContainsFunc(words, func(w string) bool { return w[0] >= 'a' && w[0] <= 'z' })
	}
	return false
}

// figures reports whether a text begins with a number: 10 and later.
func figures(text string) bool {
	text = plainText(text)
	return text != "" && text[0] >= '0' && text[0] <= '9'
}

// explain adds to the saying of a cell what its row says of the key: how long the relay keeps a
// message. It belongs to the value as the key does.
func (x *sayer) explain(s *Saying, t *schema.Table, row []schema.Cell, j int) {
	if v := valueColumn(t); v > 0 && v != j {
		return
	}
	for k := 1; k < len(row) && k < len(t.Head); k++ {
		if k == j || !x.describes(t, row, k) {
			continue
		}
		tk := &tokenizer{page: x.page, words: x.words, link: x.linkFrom(row[k].Span.Start)}
		first := true
		sentences(tk.read(row[k].Span), x.page.Source, func(tokens []token) {
			if first {
				x.purpose(s, tokens)
			}
			first = false
		})
	}
}

// mostPurpose bounds how many words of a description are kept.
const mostPurpose = 16

// purpose adds the words of a description behind those that only say that a value is one. What
// stands in brackets or behind a comma says more of the value.
func (x *sayer) purpose(s *Saying, tokens []token) {
	st := &statement{x: &x.extraction, tokens: tokens, verb: -1}
	tokens = tokens[min(st.describing(), len(tokens)):]
	if end := slices.IndexFunc(tokens, func(t token) bool { return wordIn(t.text, "(", ",", ";", ":") }); end > 2 {
		tokens = tokens[:end]
	}
	if len(tokens) == 0 {
		return
	}
	var d Saying
	x.read(&d, tokens, false)
	s.Words = append(s.Words, d.Words[:min(len(d.Words), mostPurpose)]...)
	if len(tokens) != 2 || tokens[1].text != "time" { // in local time
		s.Scope = append(s.Scope, d.Scope...)
	}
	s.Roles = append(s.Roles, d.Roles...)
}

// unitOf returns the unit of a number that brings none, as the description or the name of its row
// gives it; nil when neither does.
func (x *sayer) unitOf(t *schema.Table, row []schema.Cell, j int) *schema.Unit {
	if _, ok := x.words.perTime(row[0].Text); ok {
		return nil
	}
	if keyed(t, row, x.page.Source) {
		_, unit := x.words.attributeUnit("value" + x.settingUnit(t, row, j))
		return unit
	}
	if text := row[0].Text; strings.ContainsAny(text, "([") {
		_, unit := x.words.attributeUnit(text)
		return unit
	}
	return NameUnit(row[0].Text)
}

// measured takes the word for the unit off the labels of a saying: wait_ms is what is waited.
func (x *sayer) measured(s *Saying, name string) {
	words := split(name)
	if NameUnit(name) == nil || len(words) < 2 {
		return
	}
	unit := x.words.concept(words[len(words)-1])
	s.Words = slices.DeleteFunc(s.Words, func(w SaidWord) bool { return w.Label && w.Concept == unit })
}

// released adds the version that a token names to the labels: 3.x is which of them a row is of.
func (x *sayer) released(s *Saying, t *token) {
	if t.kind == 'n' && isVersion(t.text) {
		s.Words = append(s.Words, SaidWord{Concept: t.text, Link: t.link, At: -1, Label: true})
	}
}

// editions adds the versions among the values of a saying to its words, where another value is
// what it says of them: support for firmware 2.x ends on 30 June.
func (x *sayer) editions(s *Saying, st *statement, first int) {
	other := func(v SaidValue) bool {
		return v.Value.Kind == schema.ValueDate || v.Value.Kind == schema.ValueQuantity && v.Value.Quantity.Dimension != ""
	}
	if !slices.ContainsFunc(s.Values[first:], other) {
		return
	}
	for i := first; i < len(s.Values); i++ {
		v := &s.Values[i]
		if v.Value.Kind != schema.ValueVersion {
			continue
		}
		for at := v.From; at < v.To; at++ {
			w := SaidWord{Link: st.tokens[at].link, At: at}
			if t := &st.tokens[at]; t.kind == 'n' && isVersion(t.text) {
				w.Concept = t.text
				s.Words = append(s.Words, w)
			} else if t.kind == 'w' && !t.is(isEmpty|isDeterminer|isPronoun|isCondition) {
				x.word(s, st, w)
			}
		}
	}
}

// counts makes rates of the amounts of a cell whose row or column says by which time they are
// counted, and shares of numbers that are called so.
func (x *sayer) counts(s *Saying, t *schema.Table, row []schema.Cell, j int) {
	names := []string{t.Head[j].Text, row[0].Text}
	for k := 1; k < len(row) && k < len(t.Head); k++ {
		if k != j && x.describes(t, row, k) {
			names = append(names, row[k].Text)
		}
	}
	for i := range s.Values {
		x.words.reckon(s, &s.Values[i], names)
	}
}

// reckon is what counts does to one value.
func (l *Lexicon) reckon(s *Saying, v *SaidValue, names []string) {
	q := v.Value.Quantity
	money := strings.HasPrefix(string(q.Dimension), "money:")
	if v.Value.Kind != schema.ValueQuantity || !money && q.Dimension != schema.Dimensionless {
		return
	}
	for _, name := range names {
		if u, ok := l.perTime(name); ok {
			amount := *v
			q.Lo, q.Hi, q.Step, q.Dimension = q.Lo/u.Hi, q.Hi/u.Lo, q.Step/u.Lo, "rate:"+q.Dimension
			v.Value.Quantity, v.Class = q, string(q.Dimension)
			if money { // who names it may leave the time out
				s.Values = append(s.Values, amount)
			}
			return
		}
		if words := split(name); q.Dimension == schema.Dimensionless && q.Lo > 0 && q.Hi <= 1 && q.Decimals > 0 && slices.ContainsFunc(words, func(w string) bool { return shares[w] }) {
			share := *v
			share.Value.Quantity.Dimension, share.Class = schema.Ratio, string(schema.Ratio)
			s.Values = append(s.Values, share)
			return
		}
	}
}

// shares are what numbers between 0 and 1 are called that others give in percent.
var shares = wordSet(`share ratio fraction percentage portion proportion`)

// perTime returns the unit of time by which a name says that its amount is counted, with what it
// is counted for besides: price per seat and month, rate_per_minute.
func (l *Lexicon) perTime(name string) (u schema.Unit, ok bool) {
	if u, ok = l.perUnit(name); ok {
		return u, ok
	}
	words := split(name)
	for i := 1; i+1 < len(words); i++ {
		if words[i] != "per" && words[i] != "each" {
			continue
		}
		for k := i + 1; k < len(words) && k < i+4; k++ {
			if u, ok = l.UnitOf(words[k]); ok && u.Dimension == schema.Duration && !plural(words[k]) && (k == i+1 || wordIn(words[k-1], "and", "per", "a", "each")) {
				return u, true
			}
		}
	}
	return schema.Unit{}, false
}

// versioned reads what stands below the head of a product as a version of
// it: 12 and later.
func (x *sayer) versioned(s *Saying, t *schema.Table, cell schema.Cell, j int) bool {
	product := x.product(x.plain(t.Head[j].Text))
	if product == "" {
		return false
	}
	v, ok := x.versionOf(product, cell)
	if ok {
		s.Values = append(s.Values, SaidValue{Span: cell.Span, Text: cell.Text, Value: v, Class: classOfValue(&v)})
	}
	return ok
}

// worded reports whether the words of a cell with a value are to be read one by one: those of a
// name, and those of a well-known one with a number behind it, which is its version.
func (x *sayer) worded(s *Saying) bool {
	v := &s.Values[0]
	if strings.HasPrefix(v.Class, "class:") && strings.ContainsAny(v.Text, "0123456789") {
		v.Value.Words = slices.DeleteFunc(v.Value.Words, func(w string) bool { return x.words.classes[w] == "" })
		return true
	}
	return v.Class == "name"
}
