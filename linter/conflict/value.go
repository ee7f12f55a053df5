package conflict

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Relation is the relation of two values of one attribute.
type Relation uint8

// The relations.
const (
	Incomparable Relation = iota // of different kinds or dimensions: nothing can be said
	Same                         // the same value, in whatever units and words
	Compatible                   // both can hold: one is rounded, a range, a limit
	Apart                        // they can't both hold
)

func (r Relation) String() string {
	return [...]string{"incomparable", "same", "compatible", "apart"}[r]
}

// Compare puts two values in relation. It is symmetric, and every value that
// can be compared at all is the same as itself.
func Compare(a, b schema.Value) Relation {
	if a.Kind != b.Kind || a.Kind == schema.ValueNone {
		return Incomparable
	}
	switch a.Kind {
	case schema.ValueQuantity:
		return compareQuantities(a.Quantity, b.Quantity)
	case schema.ValueBool:
		return sameOrApart(a.Bool == b.Bool)
	case schema.ValueName:
		return compareNames(a.Words, b.Words)
	}
	if a.Items != nil || b.Items != nil {
		return comparePatterns(a, b)
	}
	if a.Quantity.Dimension == "" || b.Quantity.Dimension == "" {
		if len(a.Words) > 0 && slices.Equal(a.Words, b.Words) {
			return Same
		}
		return Incomparable
	}
	return compareQuantities(a.Quantity, b.Quantity)
}

func sameOrApart(same bool) Relation {
	if same {
		return Same
	}
	return Apart
}

// compareNames compares words: names that share one may be the same, shortened.
func compareNames(a, b []string) Relation {
	if slices.Equal(a, b) {
		return Same
	}
	for _, w := range a {
		for _, v := range b {
			if strings.HasPrefix(w, v) || strings.HasPrefix(v, w) {
				return Compatible
			}
		}
	}
	return Apart
}

// comparePatterns compares names with numbers: PowerShell 2.0 and 3.0.
func comparePatterns(a, b schema.Value) Relation {
	if !slices.Equal(a.Words, b.Words) || len(a.Items) != len(b.Items) {
		return Incomparable
	}
	r := Same
	for i := range a.Items {
		x, y := number(a.Items[i]), number(b.Items[i])
		switch {
		case a.Items[i] == b.Items[i]:
		case x.Step == 0 || y.Step == 0 || compareQuantities(x, y) == Apart:
			return Apart
		default:
			r = Compatible
		}
	}
	return r
}

// number reads a number that is in a name; its step is 0 when it can't be read.
func number(text string) (q schema.Quantity) {
	text = strings.ReplaceAll(text, ",", "")
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return q
	}
	q = schema.Quantity{Lo: v, Hi: v, Step: 1}
	if i := strings.IndexByte(text, '.'); i >= 0 {
		q.Decimals = len(text) - i - 1
		q.Step = math.Pow10(-q.Decimals)
	}
	return q
}

// roughly is the tolerance of an approximate number.
const roughly = 0.15

// tiny is the relative difference that counting in other units may make.
const tiny = 1e-9

// compareQuantities compares intervals of possible values. Two limits in the same
// direction are compared by their values.
func compareQuantities(a, b schema.Quantity) Relation {
	if a.Dimension != b.Dimension {
		return Incomparable
	}
	if a.Bound == b.Bound && a.Approx == b.Approx && near(a.Lo, b.Lo) && near(a.Hi, b.Hi) {
		return Same
	}
	alo, ahi := reach(a, b)
	blo, bhi := reach(b, a)
	if a.Bound != b.Bound {
		alo, ahi = open(a.Bound, alo, ahi)
		blo, bhi = open(b.Bound, blo, bhi)
	}
	if notAbove(alo, bhi) && notAbove(blo, ahi) {
		return Compatible
	}
	return Apart
}

// open returns what a limit leaves open.
func open(bound schema.Bound, lo, hi float64) (float64, float64) {
	switch bound {
	case schema.AtMost:
		lo = math.Inf(-1)
	case schema.AtLeast:
		hi = math.Inf(1)
	}
	return lo, hi
}

// reach widens the interval of q by the tolerance of "about", and by rounding and
// truncation if q is the coarser one.
func reach(q, other schema.Quantity) (lo, hi float64) {
	lo, hi = q.Lo, q.Hi
	if q.Step > other.Step && other.Step > 0 {
		lo, hi = lo-q.Step*(1-1e-3), hi+q.Step*(1-1e-3)
	}
	if q.Approx {
		lo, hi = lo-roughly*math.Abs(lo), hi+roughly*math.Abs(hi)
	}
	return lo, hi
}

// notAbove reports whether a ≤ b, up to the error of counting in other units.
func notAbove(a, b float64) bool { return a <= b || near(a, b) }

func near(a, b float64) bool {
	return math.Abs(a-b) <= tiny*math.Max(math.Abs(a), math.Abs(b))
}

// counted takes the noun off what counts something, so that 12 files and 12 in a column of files compare.
func counted(v schema.Value) schema.Value {
	if strings.HasPrefix(string(v.Quantity.Dimension), "count:") {
		v.Quantity.Dimension = schema.Dimensionless
	}
	return v
}

// distinctive reports whether two places with this value are likely about the same
// thing: 0, 1, 100 % and small sets of words are in every second table.
func distinctive(v schema.Value) bool {
	switch v.Kind {
	case schema.ValueQuantity:
		q := v.Quantity
		return q.Lo != 0 && !(q.Lo == 1 && q.Hi == 1)
	case schema.ValueDate:
		return true
	case schema.ValueVersion:
		return v.Items == nil || slices.ContainsFunc(v.Items, func(n string) bool { return n != "0" && n != "1" && n != "100" })
	}
	return false
}
