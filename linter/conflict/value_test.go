package conflict

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

func TestCompare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want Relation
	}{
		{"20 minutes", "900 s", Apart}, {"15 min", "900 s", Same}, {"half", "900 s", Incomparable},
		{"24 months", "2 years", Compatible}, {"12 months", "6 months", Apart}, {"30 days", "1 month", Compatible},
		{"2 GB", "2 GiB", Compatible}, {"2 GB", "4 GiB", Apart}, {"50 %", "0.5", Incomparable},
		{"16", "12", Apart}, {"16", "16.2", Compatible}, {"16", "16.7", Apart}, {"3.4", "3.42", Compatible}, {"1 h", "45 min", Apart},
		{"about 5", "5.4", Compatible}, {"about 5", "9", Apart}, {"30-60 s", "45 s", Compatible}, {"30-60 s", "61 s", Apart},
		{"up to 16", "12", Compatible}, {"up to 16", "17", Apart}, {"at least 16", "17", Compatible}, {"at least 16", "12", Apart},
		{"up to 16", "up to 24", Apart}, {"up to 16", "at least 24", Apart}, {"up to 24", "at least 16", Compatible},
		{"4 relays", "8 relays", Apart}, {"4 relays", "8 zones", Incomparable}, {"4 relays", "4", Incomparable},
		{"yes", "on", Same}, {"yes", "no", Apart}, {"yes", "3", Incomparable},
		{"Lea Brandt", "Noor Haddad", Apart}, {"Lea", "Lea Brandt", Compatible}, {"MIT", "mit", Same},
	} {
		a, b := claim.ParseValue(c.a, nil), claim.ParseValue(c.b, nil)
		if got := Compare(a, b); got != c.want {
			t.Errorf("%s and %s are %v, want %v (%+v, %+v)", c.a, c.b, got, c.want, a.Quantity, b.Quantity)
		}
		if got := Compare(b, a); got != c.want {
			t.Errorf("%s and %s are %v, want %v", c.b, c.a, got, c.want)
		}
	}
}

func TestCompareStatus(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		want Relation
	}{
		{"active", "stable", Same}, {"accepted", "Draft", Apart}, {"Running", "draft", Incomparable}, {"running", "Running", Same}, {"3", "draft", Incomparable},
	} {
		if got := CompareStatus(claim.ParseValue(c.a, nil), claim.ParseValue(c.b, nil)); got != c.want {
			t.Errorf("%s and %s are %v, want %v", c.a, c.b, got, c.want)
		}
	}
}

// What holds of all quantities: each is the same as itself; the order does not
// matter; counting in a smaller unit changes nothing; a value twice as large
// is another; and what is within a range or a limit does not contradict it.
func TestLawsOfQuantities(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	conversions := []struct {
		large, small string
		factor       int
	}{{"min", "s", 60}, {"h", "min", 60}, {"weeks", "days", 7}, {"MiB", "KiB", 1024}, {"km", "m", 1000}, {"GHz", "MHz", 1000}, {"kg", "g", 1000}}
	parse := func(format string, args ...any) schema.Value {
		text := fmt.Sprintf(format, args...)
		v := claim.ParseValue(text, nil)
		if v.Kind != schema.ValueQuantity {
			t.Fatalf("%q is no quantity", text)
		}
		return v
	}
	expect := func(a, b schema.Value, want Relation) {
		t.Helper()
		if got, back := Compare(a, b), Compare(b, a); got != want || back != want {
			t.Errorf("%+v and %+v are %v, %v backwards; want %v", a.Quantity, b.Quantity, got, back, want)
		}
	}
	for range 2000 {
		c := conversions[r.IntN(len(conversions))]
		n := 1 + r.IntN(100000)
		a := parse("%d %s", n, c.large)
		expect(a, a, Same)
		expect(a, parse("%d %s", n*c.factor, c.small), Same)
		expect(a, parse("%d %s", 2*n, c.large), Apart)
		expect(a, parse("%d-%d %s", max(0, n-r.IntN(10)), n+1+r.IntN(10), c.large), Compatible)
		expect(a, parse("up to %d %s", n+r.IntN(10), c.large), Compatible)
		expect(a, parse("at least %d %s", n+1+r.IntN(10), c.large), Apart)
		expect(a, parse("about %d %s", int(math.Ceil(float64(n)*1.1)), c.large), Compatible)
	}
}
