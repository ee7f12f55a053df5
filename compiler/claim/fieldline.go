package claim

import (
	"bytes"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// A field line is a line that begins with a key in bold letters and a colon, **Retention:** 30
// days after the last visit. Several of them stand below each other without a blank
// line between. What it says is read in one of two ways: a key that is a verb, **Listens
// on:** port 7450, begins a sentence about the page; any other is the name of an
// attribute, and what stands beside the value says more of it.

// longestKey bounds, in bytes, the key of a field line.
const longestKey = 50

// keyEnd returns where the key in bold letters ends that a line begins with, and where what
// is behind its colon begins; 0 when it begins with none.
func keyEnd(line []byte) (key, value int) {
	if len(line) < 6 || line[0] != line[1] || line[0] != '*' && line[0] != '_' {
		return 0, 0
	}
	close := bytes.Index(line[2:min(len(line), longestKey+4)], line[:2])
	if close < 1 {
		return 0, 0
	}
	key, value = 2+close, 4+close
	switch {
	case line[key-1] == ':':
		key--
	case value < len(line) && line[value] == ':':
		value++
	default:
		return 0, 0
	}
	return key, value
}

// fieldLine reads a field line that is no plain key and value, or an item of a list that is one.
func (x *extraction) fieldLine(t *tokenizer, b *block) bool {
	src := b.span.In(x.page.Source)
	from := 2
	key, value := keyEnd(src)
	if key == 0 {
		from, key, value = plainKey(src)
	}
	if key == 0 || b.term.Len() > 0 || bytes.ContainsAny(src[:key], "[`.;!?,") {
		return false
	}
	if from == 0 && len(bytes.Fields(src[:key])) > 4 && !thinged(src[:key]) {
		return false
	}
	name := schema.Span{Start: b.span.Start + from, End: b.span.Start + key}
	rest := schema.Span{Start: b.span.Start + value, End: b.span.End}
	if len(bytes.Fields(name.In(x.page.Source))) > mostWords+2 {
		return false
	}
	said, plain := from > 0 && x.verbal(t, name, rest), x.keyValue(b)
	if listed := bytes.IndexByte(rest.In(x.page.Source), ','); plain && listed < 0 || said {
		return true
	}
	return x.valued(t, name, rest, from > 0) || plain
}

// thinged reports whether a key names its thing itself: weight of the door, gas for the kitchen.
func thinged(key []byte) bool {
	return bytes.Contains(key, []byte(" of ")) || bytes.Contains(key, []byte(" for ")) || bytes.Contains(key, []byte(" by "))
}

// plainKey returns where the key of an item ends, Deposit for the hall: 200 €, and where what is
// behind its colon begins.
func plainKey(line []byte) (from, key, value int) {
	key = bytes.Index(line[:min(len(line), longestKey)], []byte(": "))
	if key < 2 || line[0] < 'A' || line[0] > 'Z' {
		return 0, 0, 0
	}
	return 0, key, key + 2
}

// verbal reads a field line whose key is a verb as a sentence about the page.
func (x *extraction) verbal(t *tokenizer, name, rest schema.Span) bool {
	key := slices.Clone(t.read(name))
	if len(key) == 0 || key[0].kind != 'w' || !key[0].is(isVerb|isAuxiliary) {
		return false
	}
	done := strings.HasSuffix(key[0].text, "ed") || x.words.forms[key[0].text] != ""
	if !done && !plural(key[0].text) && !key[0].is(isAuxiliary) || done && (len(key) < 2 || !key[1].is(isCondition|isEmpty)) {
		return false
	}
	all := x.ofPage(append(key, t.read(rest)...), done)
	var last []schema.Term
	sentences(all, x.page.Source, func(s []token) {
		if len(s) >= 3 {
			last = x.sentence(s, last)
		}
	})
	return true
}

// valued reads a field line with one value among the words of its first sentence, or before its
// first comma. A key in plain letters names its thing itself, or what takes place.
func (x *extraction) valued(t *tokenizer, name, rest schema.Span, bold bool) bool {
	of, part := thinged(name.In(x.page.Source)), schema.PartObject
	if of {
		part = schema.PartSubject
	}
	l := x.label(name, part)
	if len(l.terms) == 0 || len(x.about.Names) > 0 || !bold && x.verb(t.read(name), 0) >= 0 {
		return false // nothing, of something else, or a sentence
	}
	var all [][]token
	sentences(t.read(rest), x.page.Source, func(s []token) { all = append(all, s) })
	first := all[0]
	if len(first) == 0 || len(first) > longestClause {
		return false
	}
	s, v, also, ok := x.fieldValue(first)
	day, both := 0, false
	if !ok && !bold {
		if day, both = s.scheduled(); both {
			v, ok = s.values[day].value, true
		}
	}
	thing := !bold && timed(v.Quantity.Dimension)
	if !ok || !bold && !of && !thing && v.Kind != schema.ValueSet {
		return false
	}
	terms := l.terms
	if !of && !thing {
		terms = slices.Concat([]schema.Term{{Link: -1, Part: schema.PartOwn}}, terms)
	}
	if (v.Kind == schema.ValueQuantity || v.Kind == schema.ValueVersion) && v.Quantity.Bound == schema.Exactly {
		v.Quantity.Bound = l.bound
	}
	if v.Kind == schema.ValueSet {
		for _, term := range l.terms {
			v.Words = append(v.Words, term.Word)
		}
		v.Closed = true
	}
	terms = slices.Concat(terms, also)
	x.field(s, name, schema.Claim{Value: v, Terms: terms, Label: terms, Role: l.role + s.role})
	if clock := s.values; both {
		terms = append(terms, schema.Term{Word: dayName(&v), Link: -1, Part: schema.PartCondition})
		x.field(s, name, schema.Claim{Value: clock[1-day].value, Terms: terms, Label: terms, Role: l.role + s.role})
	}
	for _, s := range all[1:] {
		if len(s) >= 3 {
			x.sentence(s, nil)
		}
	}
	return true
}

// fieldValue reads what stands behind the colon of a field line.
func (x *extraction) fieldValue(tokens []token) (s *statement, v schema.Value, also []schema.Term, ok bool) {
	s = &statement{x: x, tokens: tokens, verb: -1, alone: true}
	v, also, ok = s.among()
	comma := slices.IndexFunc(tokens, func(t token) bool { return t.text == "," })
	if ok || comma <= 0 {
		return s, v, also, ok
	}
	before := &statement{x: x, tokens: tokens[:comma], verb: -1, alone: true}
	if part, more, found := before.among(); found && part.Kind != schema.ValueSet {
		return before, part, more, true
	}
	return s, v, also, false
}

// field adds the claim of a field line, which is about the thing that its key names where that
// has a page.
func (x *extraction) field(s *statement, name schema.Span, c schema.Claim) {
	first, last := &s.tokens[0], &s.tokens[len(s.tokens)-1]
	c.Span = schema.Span{Start: first.span.Start, End: last.span.End}
	c.Text, c.From, c.Slot, c.Scope = oneLine(c.Span.In(x.page.Source)), schema.OriginList, SlotRow, slices.Clone(s.scope)
	before := len(x.claims)
	if x.state(c); len(x.claims) > before {
		added := &x.claims[before]
		added.Attr.Name = string(name.In(x.page.Source))
		added.Subject = schema.Entity{Names: []string{added.Attr.Name}, Link: -1, Sure: true}
	}
}

// timed reports whether a value says when something is.
func timed(d schema.Dimension) bool {
	return recurring(d) || d == schema.Clock || d == schema.ClockUTC || d == schema.Day || d == schema.DayOfYear
}
