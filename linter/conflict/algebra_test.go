package conflict

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/loopwiki/wiki/schema"
)

// What holds of all values, of whatever kind: each is the same as itself, and the
// order of two does not matter; an enumeration that is complete contradicts what
// adds to it; a version that says less does not contradict one that says more.
func TestLawsOfValues(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	names := []string{"idle", "busy", "open", "closed", "hold"}
	random := func() schema.Value {
		switch r.IntN(4) {
		case 0:
			v := schema.Value{Kind: schema.ValueSet, Closed: r.IntN(2) == 0}
			for _, name := range names {
				if r.IntN(2) == 0 {
					v.Items = append(v.Items, name)
				}
			}
			return v
		case 1:
			lo := float64(r.IntN(4)) * 1e6
			return schema.Value{Kind: schema.ValueVersion, Quantity: schema.Quantity{Dimension: schema.Version, Lo: lo, Hi: lo + 999_999, Bound: schema.Bound(r.IntN(3))}}
		case 2:
			lo := float64(r.IntN(60))
			return schema.Value{Kind: schema.ValueDate, Quantity: schema.Quantity{Dimension: schema.Day, Lo: lo, Hi: lo + float64(r.IntN(30))}}
		}
		return schema.Value{Kind: schema.ValueFact, Bool: r.IntN(2) == 0}
	}
	for range 5000 {
		a, b := random(), random()
		if got := Compare(a, a); got != Same {
			t.Fatalf("%+v is %v to itself", a, got)
		}
		if x, y := Compare(a, b), Compare(b, a); x != y {
			t.Fatalf("%+v and %+v are %v, the other way round %v", a, b, x, y)
		}
		if a.Kind == schema.ValueVersion {
			finer := a
			finer.Quantity.Hi = finer.Quantity.Lo
			if got := Compare(a, finer); got == Apart {
				t.Fatalf("%+v contradicts what is more exact", a)
			}
		}
		if a.Kind == schema.ValueSet && a.Closed && len(a.Items) > 1 {
			more := schema.Value{Kind: schema.ValueSet, Items: append(slices.Clone(a.Items), "zone")}
			if got := Compare(a, more); got != Apart {
				t.Fatalf("%+v and one more are %v", a, got)
			}
		}
	}
}
