package conflict

import (
	"slices"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// doer is what the classes of those begin with who do something; what is done follows.
const doer = "class:who:"

// receiving is the class of those who get something.
var receiving = sync.OnceValue(func() string { return doer + claim.English().Concepts("receive")[0] })

// openPlaces are the classes of places that names of several kinds can fill, known or not.
var openPlaces = map[string]bool{"class:store": true, "class:vendor": true, "class:place": true, "class:algorithm": true}

// unlike reports whether two mentions are compared elsewhere, or are no values: those of two
// labels by their names, names of one known kind by that, and pages of the wiki not at all.
func (m *matcher) unlike(a, b *mention) bool {
	if a.Class == able || b.Class == able {
		return !m.answers(a, b)
	}
	if strings.HasPrefix(a.Class, claim.ClassWord) && a.said.Part && b.said.Part {
		return true // what sentences say of a thing may be no value of it: the pressure is high
	}
	if !strings.HasPrefix(a.Class, doer) && !openPlaces[a.Class] {
		return false
	}
	if !a.said.Part && !b.said.Part && (!strings.HasPrefix(a.Class, doer) || m.oneAttribute(a, b)) {
		return true
	}
	if openPlaces[a.Class] {
		if ka, kb := m.knownAs(a), m.knownAs(b); ka != "" && ka == kb {
			return true
		}
	}
	return m.pageNamed(a) != m.pageNamed(b) && !(m.role(a) && m.role(b))
}

// role reports whether a name is that of a role or a team, of which some have a page.
func (m *matcher) role(a *mention) bool {
	actor, _ := m.lexicon.Actor(a.Value.Words[len(a.Value.Words)-1])
	return actor
}

// knownAs returns the kind of a well-known name.
func (m *matcher) knownAs(a *mention) string {
	words := a.Value.Words
	if len(words) == 0 {
		return ""
	}
	if words[0] == "sha" {
		return "hash"
	}
	return m.lexicon.Class(words[0])
}

// pageNamed reports whether a name is that of a page of the wiki.
func (m *matcher) pageNamed(a *mention) bool {
	words := m.titleWords(a.Text)
	slices.Sort(words)
	return len(words) > 0 && m.entities.called(slices.Compact(words)) != nil
}

// apart reports whether two mentions can not both hold. Of who does something this needs that
// one role alone does it, and under the same circumstances.
func (m *matcher) apart(a, b *mention) bool {
	switch {
	case barely(a, b):
		return m.bareApart(a, b)
	case ranged(a) && ranged(b) && a.Class == b.Class:
		return !near(a.Value.Quantity.Lo, b.Value.Quantity.Lo) || !near(a.Value.Quantity.Hi, b.Value.Quantity.Hi)
	case strings.HasPrefix(a.Class, doer):
		return (a.Only || b.Only || !a.May && !b.May) && m.roleApart(a, b) && !limited(a, b) && !limited(b, a)
	case a.Class == "name" && ofStates(a, b) && CompareStatus(a.Value, b.Value) == Same:
		return false // other words for one state
	case a.Class == claim.ClassSite:
		return m.sitesApart(a.Value.Words, b.Value.Words)
	case a.Class == "class:place":
		return regional(a) == regional(b) && compareNames(a.Value.Words, b.Value.Words) == Apart
	case (a.Class == "class:cipher" || a.Class == "class:hash" || a.Class == "class:protocol") && a.Class == b.Class && len(a.Value.Words)+len(b.Value.Words) > 2:
		return algorithmsApart(a.Value.Words, b.Value.Words)
	}
	return clash(a.SaidValue, b.SaidValue)
}

// ranged reports whether a mention is the range of something, and not what lies in it.
func ranged(a *mention) bool {
	q := &a.Value.Quantity
	return a.Value.Kind == schema.ValueQuantity && q.Lo < q.Hi && q.Step == 0 && a.said.has(rangeConcept())
}

// rangeConcept is what a range is called.
var rangeConcept = sync.OnceValue(func() string { return claim.English().Concepts("range")[0] })

// regional reports whether a place is the code of a region of a provider.
func regional(a *mention) bool { return strings.Contains(a.Value.Words[0], "-") }

// limited reports whether a stands beside a limit that b does not stand beside: invoices above
// 2,000 EUR.
func limited(a, b *mention) bool {
	return slices.ContainsFunc(a.said.Values, func(v claim.SaidValue) bool {
		if v.Span == a.Span || v.Value.Kind != schema.ValueQuantity || v.Value.Quantity.Bound == schema.Exactly {
			return false
		}
		return !slices.ContainsFunc(b.said.Values, func(o claim.SaidValue) bool { return comparedIn(&o) == comparedIn(&v) && !clash(&v, &o) })
	})
}

// algorithmsApart reports whether two names of algorithms differ in what both say: which one,
// its number, how it is used.
func algorithmsApart(a, b []string) bool {
	if a[0] != b[0] {
		return compareNames(a[:1], b[:1]) == Apart
	}
	number := func(words []string) (n, mode string) {
		for _, w := range words[1:] {
			if w[0] >= '0' && w[0] <= '9' {
				n = w
			} else {
				mode = w
			}
		}
		return n, mode
	}
	na, ma := number(a)
	nb, mb := number(b)
	if a[0] == "sha" && (na == "2" || na == "3" || nb == "2" || nb == "3") {
		return false // a family
	}
	return na != "" && nb != "" && na != nb || ma != "" && mb != "" && ma != mb
}

// roleApart reports whether two roles, of which what they are stands last, are filled by
// different people: not where one is the other's short form, initials or team.
func (m *matcher) roleApart(x, y *mention) bool {
	a, b := x.Value.Words, y.Value.Words
	fa, ca := m.lexicon.Actor(a[len(a)-1])
	fb, cb := m.lexicon.Actor(b[len(b)-1])
	ma, mb := a[:len(a)-1], b[:len(b)-1]
	switch {
	case slices.Equal(a, b), initials(a, b), initials(b, a):
		return false
	case !fa && !fb: // people, or teams of which only the name is said
		return compareNames(a, b) == Apart
	case fa != fb: // who fills the role nobody says, if it is a name
		other := x
		if fa {
			other = y
		}
		if strings.ToLower(other.Text) != other.Text || x.Class != receiving() {
			return false
		}
		return !slices.ContainsFunc(a, func(w string) bool { return slices.Contains(b, w) })
	case a[len(a)-1] == b[len(b)-1]:
		return len(ma) > 0 && len(mb) > 0 && !within(ma, mb) && !within(mb, ma)
	case ca != cb && (onDuty(ma) || onDuty(mb)):
		return false
	}
	return !slices.ContainsFunc(ma, func(w string) bool { return slices.Contains(mb, w) && !onDuty([]string{w}) }) // the sales lead, the head of sales
}

// onDuty reports whether a role is that of whoever has the shift.
func onDuty(words []string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return w == "on-call" || w == "duty" || w == "on-duty" })
}

// within reports whether all words of a are among those of b.
func within(a, b []string) bool {
	return !slices.ContainsFunc(a, func(w string) bool { return !slices.Contains(b, w) })
}

// initials reports whether a is the initials of b: DPO, data protection officer.
func initials(a, b []string) bool {
	if len(a) != 1 || len(a[0]) != len(b) || len(b) < 2 {
		return false
	}
	for i := range b {
		if a[0][i] != b[i][0] {
			return false
		}
	}
	return true
}
