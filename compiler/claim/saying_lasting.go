package claim

import (
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// lasting says of what is there for some time in one word that it is kept, from whichever end it is told:
// is deleted after 30 days, is valid for 30 days, expires after 30 days.
func (x *sayer) lasting(s *Saying) {
	if !slices.ContainsFunc(s.Values, func(v SaidValue) bool {
		return v.Value.Kind == schema.ValueQuantity && v.Value.Quantity.Dimension == schema.Duration
	}) {
		return
	}
	for i := range s.Words {
		if w := &s.Words[i]; (w.Verb || w.Label || w.Concept == x.words.concept("valid")) && x.words.Lifetime(w.Concept) {
			w.Concept = x.words.concept("keep")
		}
	}
}

// aged makes ages of bare numbers behind a label that speaks of the age of somebody: minimum age: 21.
func (x *sayer) aged(s *Saying, tokens []token) {
	year, ok := x.words.UnitOf("years")
	for i := range s.Values {
		v := &s.Values[i]
		q := &v.Value.Quantity
		if !ok || v.Value.Kind != schema.ValueQuantity || q.Dimension != schema.Dimensionless || v.Counted != "" || v.From > len(tokens) ||
			!slices.ContainsFunc(tokens[:v.From], func(t token) bool { return t.text == "age" }) {
			continue
		}
		q.Lo, q.Hi, q.Step, q.Dimension = q.Lo*year.Lo, q.Hi*year.Hi, q.Step*year.Hi, schema.Duration
		v.Class = string(schema.Duration)
	}
}

// often returns as a rate how often something is done in a unit of time, which is read as the time between
// two of them: 100 times per minute.
func often(v *schema.Value, text string) (schema.Value, bool) {
	q := v.Quantity
	if v.Kind != schema.ValueQuantity || q.Dimension != schema.Duration || q.Lo <= 0 || !slices.Contains(split(text), "times") {
		return schema.Value{}, false
	}
	q.Lo, q.Hi, q.Dimension, q.Step = 1/q.Hi, 1/q.Lo, "rate:", 0
	return schema.Value{Kind: schema.ValueQuantity, Quantity: q}, true
}
