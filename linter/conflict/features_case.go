package conflict

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// circumstances measures what may tell two values apart.
func (m *matcher) circumstances(a, b *mention, x *features) {
	s, t := a.said, b.said
	x.flag(featRoleOneSided, (len(a.roles) == 0) != (len(b.roles) == 0))
	x.flag(featExact, (a.Value.Quantity.Bound == schema.Exactly) != (b.Value.Quantity.Bound == schema.Exactly))
	lead, other := leadOf(a), leadOf(b)
	x.flag(featLead, lead != "" && other != "" && lead != other)
	x.flag(featLeadOne, (lead == "") != (other == ""))
	x.flag(featDenied, a.Value.Kind != schema.ValueBool && deniesIt(a) != deniesIt(b))
	x.set(featDistinct, float64(bothWays(s, t, func(w *toldWord) bool { return m.lexicon.Distinct(w.Concept) })))
	x.set(featNames, float64(bothWays(s, t, func(w *toldWord) bool { return w.Name })))
	x.set(featNamesBoth, float64(min(strangeNames(s, t), strangeNames(t, s))))
	x.flag(featCaseValue, caseValue(a, b) || caseValue(b, a))
	x.set(featModifiers, float64(m.modifiers(s, t)+m.modifiers(t, s))/2)
	x.set(featWhen, float64(bothWays(s, t, func(w *toldWord) bool { return w.When && !w.Verb && w.weight > 0.25 })))
	x.set(featMany, math.Log2(float64(max(1, s.values[comparedIn(a.SaidValue)])*max(1, t.values[comparedIn(b.SaidValue)]))))
	x.set(featOtherValues, float64(otherValues(a, b)+otherValues(b, a)))
	x.set(featBothClash, float64(bothClash(a, b)))
	x.flag(featBeforeVerb, beforeVerb(a) || beforeVerb(b))
	x.set(featRatio, distance(a.SaidValue, b.SaidValue))
}

// deniesIt reports whether a saying denies something. Who denies what is beyond a limit, says the limit: no
// room has more than 40 seats.
func deniesIt(a *mention) bool { return a.said.Denied && a.Value.Quantity.Bound == schema.Exactly }

// bothClash counts the kinds of further values of which both sayings have some and none in common.
func bothClash(a, b *mention) (n int) {
	seen := map[string]bool{}
	for i := range a.said.Values {
		v := &a.said.Values[i]
		if v.Span == a.Span || v.Class == a.Class || seen[v.Class] {
			continue
		}
		seen[v.Class] = true
		some, same := false, false
		for k := range b.said.Values {
			if o := &b.said.Values[k]; o.Class == v.Class && o.Span != b.Span {
				some = true
				same = same || !clash(v, o)
			}
		}
		if some && !same {
			n++
		}
	}
	return n
}

// beforeVerb reports whether a value stands before the verb of its saying.
func beforeVerb(a *mention) bool {
	if a.To == 0 {
		return false // all of a cell: the verb is one of the description beside it
	}
	after := false
	for i := range a.said.Saying.Words {
		if w := &a.said.Saying.Words[i]; w.Verb && w.At >= 0 {
			if w.At < a.From {
				return false
			}
			after = true
		}
	}
	return after
}

// caseValue reports whether a stands behind the verb and another value before it that b does not
// stand beside: that one says in which case a holds.
func caseValue(a, b *mention) bool { return len(caseValues(a, b)) > 0 }

// otherValues counts the further measures that a stands beside and b does not.
func otherValues(a, b *mention) (n int) {
	for i := range a.said.Values {
		v := &a.said.Values[i]
		if v.Span == a.Span || v.Value.Kind == schema.ValueBool || v.Value.Kind == schema.ValueName {
			continue
		}
		if !slices.ContainsFunc(b.said.Values, func(o claim.SaidValue) bool { return comparedIn(&o) == comparedIn(v) && !clash(v, &o) }) {
			n++
		}
	}
	return n
}

// distance says how far two values are from each other: in powers of ten, in years, of lists which part only one has.
func distance(a, b *claim.SaidValue) float64 {
	qa, qb := &a.Value.Quantity, &b.Value.Quantity
	switch {
	case a.Value.Kind == schema.ValueSet && b.Value.Kind == schema.ValueSet:
		common := 0
		for _, item := range a.Value.Items {
			if slices.Contains(b.Value.Items, item) {
				common++
			}
		}
		return 1 - float64(common)/float64(max(1, len(a.Value.Items)+len(b.Value.Items)-common))
	case a.Value.Kind == schema.ValueDate && qa.Dimension == schema.Day:
		return math.Abs(qa.Lo-qb.Lo) / 365
	case a.Value.Kind != schema.ValueQuantity || moment(qa.Dimension) || qa.Lo <= 0 || qb.Lo <= 0:
		return 0
	}
	return math.Abs(math.Log10(qa.Hi / qb.Hi))
}

// leads are the words that say what a value is of what: an interval, a duration, a delay.
var leads = map[string]string{"every": "every", "each": "every", "per": "every", "for": "for", "lasts": "for", "last": "for", "after": "after", "within": "within", "in": "within",
	"before": "before", "until": "until", "from": "from", "since": "from", "at": "at", "on": "at"}

// leadOf returns which words lead to a value.
func leadOf(a *mention) string {
	src := a.said.page.Source
	text := strings.ToLower(string(src[min(a.said.Span.Start, a.Span.Start):a.Span.Start]))
	words := strings.Fields(text)
	lead := ""
	if f := strings.Fields(strings.ToLower(a.Text)); len(f) > 0 {
		lead = leads[f[0]]
	}
	for i := len(words) - 1; i >= max(0, len(words)-2) && lead == ""; i-- {
		lead = leads[words[i]]
	}
	if lead == "after" && a.said.has(keptConcept()) {
		return "for" // is deleted after
	}
	return lead
}

// keptConcept is what something is said to be that is there for some time.
var keptConcept = sync.OnceValue(func() string { return claim.English().Concepts("keep")[0] })
