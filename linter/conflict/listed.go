package conflict

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// countOf is before the noun of which a list and a number say how many there are.
const countOf = "count:"

// setClasses returns all that a list of names may be compared with: other lists, single names
// of the kind that all of its names are of, how many there are.
func setClasses(v *claim.SaidValue) []string {
	out := []string{claim.ClassListed}
	if v.Class != claim.ClassListed {
		out = append(out, v.Class)
	}
	if of := v.Value.Words; v.Value.Closed && len(of) > 0 && !strings.Contains(of[0], ":") {
		out = append(out, countOf+kindOf(of[0]))
	}
	return out
}

// kindOf returns one noun for all that say of what kind things are: eight kinds of leave, the types
// of leave.
func kindOf(noun string) string {
	if noun == "kind" || noun == "sort" {
		return "type"
	}
	return noun
}

// lists makes mentions of what is listed. Where a page says how many there are, that is
// compared with what others say.
func (m *matcher) lists(all []*told) {
	counted := map[[2]string]bool{}
	for _, t := range all {
		for i := range t.Values {
			if noun := t.Values[i].Counted; noun != "" {
				counted[[2]string{t.Path, noun}] = true
			}
		}
	}
	for _, t := range all {
		for i := range t.Lists {
			v := t.Lists[i]
			if of := v.Value.Words; len(of) > 0 && counted[[2]string{t.Path, of[0]}] {
				v.Value.Words = nil
			}
			t.values[v.Class]++
			m.all = append(m.all, &mention{SaidValue: &v, said: m.besideList(t, &v), order: len(m.all)})
		}
	}
}

// besideList returns a saying without the names that it lists: they are its value, and nobody who lists others says them.
// What is said of all of them is said of their names.
func (m *matcher) besideList(t *told, list *claim.SaidValue) *told {
	in := func(w claim.SaidWord) bool { return w.At >= list.From && w.At < list.To }
	if !slices.ContainsFunc(t.Saying.Words, in) || slices.ContainsFunc(t.Saying.Words, func(w claim.SaidWord) bool { return in(w) && w.Subject }) {
		return t
	}
	s := *t.Saying
	s.Near = slices.Clone(t.Near)
	for _, w := range t.Saying.Words {
		if in(w) {
			s.Near = append(s.Near, w.Concept)
		}
	}
	return m.without(t, &s, in)
}

// besideName returns a saying without the words of a name that is a value of it: whoever says another name does not say them.
func (m *matcher) besideName(t *told, name *claim.SaidValue) *told {
	in := func(w claim.SaidWord) bool { return w.At >= name.From && w.At < name.To }
	if name.Value.Kind != schema.ValueName || !strings.HasPrefix(name.Class, "class:") || t.Part || !slices.ContainsFunc(t.Saying.Words, in) {
		return t
	}
	s := *t.Saying
	return m.without(t, &s, in)
}

// without returns a saying told again without some of its words; as it is where the others tell nothing.
func (m *matcher) without(t *told, s *claim.Saying, left func(claim.SaidWord) bool) *told {
	s.Words = slices.DeleteFunc(slices.Clone(t.Saying.Words), left)
	if !slices.ContainsFunc(s.Words, func(w claim.SaidWord) bool { return !m.vague(w.Concept) }) {
		return t
	}
	again := m.tell(t.page, s)
	again.values = t.values
	for i := range again.words {
		again.words[i].weight = m.weightOf(again.words[i].Concept)
	}
	return again
}

// setsClash reports whether a list of names can not be what another value says: a list that has
// one name instead of another, or that lacks one and is whole; a name that it does not have;
// another number of names.
func setsClash(a, b *schema.Value) bool {
	if a.Kind != schema.ValueSet {
		a, b = b, a
	}
	switch b.Kind {
	case schema.ValueSet:
		return listsClash(a, b)
	case schema.ValueName:
		return len(b.Words) == 1 && !slices.ContainsFunc(claim.English().Concepts(b.Words[0]), func(w string) bool { return slices.Contains(a.Items, w) })
	case schema.ValueQuantity:
		q, n := &b.Quantity, float64(len(a.Items))
		return q.Lo > 1 && q.Hi <= mostListed && q.Bound == schema.Exactly && (n < q.Lo || n > q.Hi)
	}
	return false
}

// mostListed is up to how many things are counted by listing them.
const mostListed = 24

// listsClash reports whether two lists that have much in common can not both be right: one is
// whole and lacks what the other has, or each has something instead of what the other has.
func listsClash(a, b *schema.Value) bool {
	if ofWeekdays(a.Items) && ofWeekdays(b.Items) {
		return !slices.Equal(a.Items, b.Items) // nobody says on some of the days only
	}
	inB, inA := among(a.Items, b.Items), among(b.Items, a.Items)
	shared := min(inA, inB)
	all := len(a.Items) + len(b.Items) - shared
	switch more, less := inB < len(a.Items), inA < len(b.Items); {
	case a.Closed && less, b.Closed && more:
		return 3*shared >= all
	default:
		return more && less && 2*shared >= all
	}
}

// ofWeekdays reports whether all names are those of days of the week.
func ofWeekdays(items []string) bool {
	return !slices.ContainsFunc(items, func(item string) bool { return !weekdays[item] })
}

var weekdays = map[string]bool{"monday": true, "tuesday": true, "wednesday": true, "thursday": true, "friday": true, "saturday": true, "sunday": true}

// among counts the names that a list has, whole or shortened: Live Preview, Live Preview modes.
func among(names, list []string) (n int) {
	for _, a := range names {
		if slices.ContainsFunc(list, func(b string) bool {
			return a == b || strings.HasPrefix(a, b+" ") || strings.HasPrefix(b, a+" ") || strings.HasSuffix(a, " "+b) || strings.HasSuffix(b, " "+a)
		}) {
			n++
		}
	}
	return n
}
