package conflict

import (
	"slices"
	"strings"
	"unicode"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// factClasses are what facts are compared within, by their kind, before what they are about.
var factClasses = [...]string{claim.FactDone: "done:", claim.FactNeeded: "needed:", claim.FactThere: "there:", claim.FactBefore: "before:", claim.FactAll: "all:"}

// denied is something that is denied somewhere.
type denied struct {
	kind    claim.FactKind
	concept string
}

// facts makes mentions of what one page denies and another says. Almost all that pages say
// nobody denies.
func (m *matcher) facts(all []*told) {
	paths := map[denied][]string{}
	for _, t := range all {
		for i := range t.Facts {
			if f := &t.Facts[i]; f.Denied {
				key := denied{f.Kind, f.Concept}
				paths[key] = append(paths[key], t.Path)
			}
		}
	}
	for _, t := range all {
		for i := range t.Facts {
			f := &t.Facts[i]
			on := paths[denied{f.Kind, f.Concept}]
			if !f.Denied && !slices.ContainsFunc(on, func(path string) bool { return path != t.Path }) {
				continue
			}
			v := &claim.SaidValue{Span: f.Span, Text: string(f.Span.In(t.page.Source)), Class: factClasses[f.Kind] + f.Concept, From: f.At, To: f.At + 1, Doubted: f.Doubted,
				Value: schema.Value{Kind: schema.ValueBool, Bool: !f.Denied}}
			t.values[v.Class] = 1 // however often it says so
			m.all = append(m.all, &mention{SaidValue: v, said: t, order: len(m.all), fact: f})
		}
	}
}

// contrary reports whether one of two mentions denies what the other says, and all of it.
func contrary(a, b *mention) bool {
	if a.Value.Bool {
		a, b = b, a
	}
	if a.Value.Bool || !b.Value.Bool || b.fact.InCase && !a.fact.Never {
		return false
	}
	says := func(concept string) bool {
		return slices.ContainsFunc(b.said.Saying.Words, func(w claim.SaidWord) bool { return w.Concept == concept })
	}
	return !slices.ContainsFunc(a.fact.Words, func(concept string) bool {
		parts := strings.Split(concept, "-") // a saying has those of third-party
		return slices.ContainsFunc(parts, func(part string) bool { return !says(part) }) && !says(concept) && !numbered(b.said, concept)
	})
}

// numbered reports whether a number stands in a saying, which is none of its words: 32-bit.
func numbered(t *told, number string) bool {
	if number[0] < '0' || number[0] > '9' {
		return false
	}
	text := string(t.Span.In(t.page.Source))
	return slices.Contains(strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) && r != '.' && r != ',' }), number)
}
