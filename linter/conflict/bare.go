package conflict

import (
	"slices"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// bareGroup is what numbers of settings that bring no unit and amounts with one are compared in: retention: 30, kept
// for 90 days. In which unit the number is nobody says; it is no other amount if it is the same in one of them.
const bareGroup = "bare"

// groups returns all that a mention may be compared with.
func groups(x *mention) []string {
	out := comparableTo(x.SaidValue)
	if bare(x) || amount(x) {
		out = append(out, bareGroup)
	}
	return out
}

// bare reports whether a mention is the number of a setting, without a unit.
func bare(x *mention) bool {
	setting := x.said.From == schema.OriginCode || x.said.From == schema.OriginFrontmatter ||
		x.said.From == schema.OriginTable && (slices.ContainsFunc(x.said.Keyed, func(key string) bool { return strings.ContainsAny(key, "._") }) || priced(x))
	return setting && x.Class == "" && x.Counted == "" && x.Value.Kind == schema.ValueQuantity && x.Value.Quantity.Dimension == ""
}

// priced reports whether a mention is a number that the head of its column or the label of its row calls a price: in which
// currency, all of the page says.
func priced(x *mention) bool {
	k, ok := x.said.at[priceConcept()]
	return ok && x.said.words[k].Label
}

// priceConcept is what a price, a fee and a cost are called.
var priceConcept = sync.OnceValue(func() string { return claim.English().Concepts("price")[0] })

// amount reports whether a mention is a number with a unit.
func amount(x *mention) bool {
	d := x.Value.Quantity.Dimension
	return x.Value.Kind == schema.ValueQuantity && d != "" && !strings.HasPrefix(string(d), "count:") && !moment(d) && d != schema.Version
}

// barely reports whether two mentions are a bare number and an amount.
func barely(a, b *mention) bool { return bare(a) && amount(b) || amount(a) && bare(b) }

// bareApart reports whether a bare number is no amount of the other mention, in none of the units of its dimension.
func (m *matcher) bareApart(a, b *mention) bool {
	if bare(b) {
		a, b = b, a
	}
	n, of := a.Value.Quantity, b.Value.Quantity
	dimension, rate := strings.CutPrefix(string(of.Dimension), "rate:")
	if rate && dimension == "" {
		return !slices.ContainsFunc(m.unitsOf(schema.Duration), func(u schema.Unit) bool { return near(n.Lo/u.Lo, of.Lo) || near(n.Lo/u.Hi, of.Hi) })
	}
	if rate {
		return false
	}
	return !near(n.Lo, of.Lo) && !slices.ContainsFunc(m.unitsOf(of.Dimension), func(u schema.Unit) bool {
		at := n.Lo - u.Zero
		return near(at*u.Lo, of.Lo) || near(at*u.Hi, of.Hi) || of.Lo <= at*u.Lo && at*u.Hi <= of.Hi
	})
}

// unitsOf is [claim.Lexicon.Units], kept.
func (m *matcher) unitsOf(d schema.Dimension) []schema.Unit {
	units, known := m.units[d]
	if !known {
		units = m.lexicon.Units(d)
		m.units[d] = units
	}
	return units
}
