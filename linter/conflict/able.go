package conflict

import (
	"slices"
	"sync"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// able is the class of what a sentence says that a thing can do, which a table answers with yes
// or no.
const able = "able"

// abilities are verbs of such sentences, as concepts.
var abilities = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for _, verb := range []string{"support", "offer", "provide", "include"} {
		set[claim.English().Concepts(verb)[0]] = true
	}
	return set
})

// able makes mentions of what sentences say that things support, where tables say yes and no.
func (m *matcher) able(all []*told) {
	if !slices.ContainsFunc(m.all, func(x *mention) bool { return x.Class == "yes" && x.said.From == schema.OriginTable }) {
		return
	}
	for _, t := range all {
		if t.From == schema.OriginTable || t.Part {
			continue
		}
		for i := range t.Facts {
			f := &t.Facts[i]
			if f.Kind != claim.FactDone || !abilities()[f.Concept] {
				continue
			}
			t.values[able] = 1
			m.all = append(m.all, &mention{said: t, order: len(m.all), SaidValue: &claim.SaidValue{Span: f.Span, Text: string(f.Span.In(t.page.Source)), Class: able,
				From: f.At, To: f.At + 1, Doubted: f.Doubted, Value: schema.Value{Kind: schema.ValueBool, Bool: !f.Denied}}})
		}
	}
}

// answers reports whether a cell answers what a sentence says that a thing can do: their words for it
// have one in common.
func (m *matcher) answers(a, b *mention) bool {
	if m.answersByTitle(a, b) {
		return true
	}
	if a.Class != able {
		a, b = b, a
	}
	return b.Class == "yes" && b.said.From == schema.OriginTable && slices.ContainsFunc(a.said.Saying.Words, func(w claim.SaidWord) bool {
		return w.At >= a.To && slices.ContainsFunc(b.said.Saying.Words, func(o claim.SaidWord) bool { return o.Label && o.Concept == w.Concept })
	})
}
