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
	name := schema.Span{Start: b.span.Start + from, End: b.span.Start + key}
	rest := schema.Span{Start: b.span.Start + value, End: b.span.End}
	if len(bytes.Fields(name.In(x.page.Source))) > mostWords+2 {
		return false
	}
	said, plain := from > 0 && x.verbal(t, name, rest), x.keyValue(b)
	return said || plain || x.valued(t, name, rest, from > 0)
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
// first comma. A key in plain letters names its thing itself.
func (x *extraction) valued(t *tokenizer, name, rest schema.Span, bold bool) bool {
	of := bytes.Contains(name.In(x.page.Source), []byte(" of ")) || bytes.Contains(name.In(x.page.Source), []byte(" for "))
	part := schema.PartObject
	if of {
		part = schema.PartSubject
	}
	l := x.label(name, part)
	if len(l.terms) == 0 || len(x.about.Names) > 0 || !bold && (!of || x.verb(t.read(name), 0) >= 0) {
		return false // nothing, of something else, or a sentence
	}
	var first []token
	var more [][]token
	sentences(t.read(rest), x.page.Source, func(s []token) {
		if first == nil {
			first = s
		} else {
			more = append(more, s)
		}
	})
	if len(first) == 0 || len(first) > longestClause {
		return false
	}
	s := &statement{x: x, tokens: first, verb: -1, alone: true}
	v, also, ok := s.among()
	if comma := slices.IndexFunc(first, func(t token) bool { return t.text == "," }); !ok && comma > 0 {
		s = &statement{x: x, tokens: first[:comma], verb: -1, alone: true}
		if v, also, ok = s.among(); v.Kind == schema.ValueSet {
			return false
		}
	}
	if !ok {
		return false
	}
	terms := l.terms
	if !of {
		terms = slices.Concat([]schema.Term{{Link: -1, Part: schema.PartOwn}}, l.terms)
	}
	span := schema.Span{Start: first[0].span.Start, End: first[len(first)-1].span.End}
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
	before := len(x.claims)
	x.state(schema.Claim{Span: span, Text: oneLine(span.In(x.page.Source)), From: schema.OriginList, Value: v, Terms: terms, Label: terms,
		Slot: SlotRow, Role: l.role + s.role, Scope: slices.Clone(s.scope)})
	if len(x.claims) > before {
		x.claims[before].Attr.Name = string(name.In(x.page.Source))
	}
	for _, s := range more {
		if len(s) >= 3 {
			x.sentence(s, nil)
		}
	}
	return true
}
