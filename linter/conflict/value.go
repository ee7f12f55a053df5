package conflict

import (
	"math"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/schema"
)

// Relation says how two values of one attribute stand to each other.
type Relation uint8

// The relations.
const (
	Incomparable Relation = iota // of different kinds or dimensions: nothing can be said
	Same                         // the same value, in whatever units and words
	Compatible                   // both can hold: one is rounded, a range, a limit
	Apart                        // they can not both hold
)

func (r Relation) String() string {
	return [...]string{"incomparable", "same", "compatible", "apart"}[r]
}

// Compare puts two values in relation. It is symmetric, and every value that
// can be compared at all is the same as itself.
func Compare(a, b schema.Value) Relation {
	if a.Kind != b.Kind {
		return Incomparable
	}
	switch a.Kind {
	case schema.ValueQuantity:
		return compareQuantities(a.Quantity, b.Quantity)
	case schema.ValueBool:
		if a.Bool != b.Bool {
			return Apart
		}
		return Same
	case schema.ValueName:
		return compareNames(a.Words, b.Words)
	case schema.ValueVersion, schema.ValueDate:
		if a.Quantity.Dimension == "" || b.Quantity.Dimension == "" {
			if len(a.Words) > 0 && slices.Equal(a.Words, b.Words) {
				return Same
			}
			return Incomparable
		}
		return compareQuantities(a.Quantity, b.Quantity)
	case schema.ValueFact:
		if a.Bool != b.Bool {
			return Apart
		}
		return Same
	case schema.ValueSet:
		return compareSets(a, b)
	}
	return Incomparable
}

// compareNames compares words: names that share one may be the same, shortened.
func compareNames(a, b []string) Relation {
	if slices.Equal(a, b) {
		return Same
	}
	if p, q := specific(a), specific(b); len(p) > 0 && len(q) > 0 {
		a, b = p, q
	}
	if oneOfKind(a, b) {
		return Apart
	}
	for _, w := range a {
		for _, v := range b {
			if w == v || (strings.HasPrefix(w, v) || strings.HasPrefix(v, w)) && !bothPlaces(w, v) {
				return Compatible
			}
		}
	}
	return Apart
}

// bothPlaces reports whether two words are nouns for places, of which none is short for the other: cabin, cabinet.
func bothPlaces(a, b string) bool {
	return claim.English().Site(a) != "" && claim.English().Site(b) != ""
}

// oneOfKind reports whether two names of several words end alike and are told apart by the
// words before: the Main Lab and the Cold Lab, eu-west-1 and eu-central-1.
func oneOfKind(a, b []string) bool {
	n := len(a)
	if n < 2 || n != len(b) || a[n-1] != b[n-1] {
		return false
	}
	for i := range a {
		if a[i] != b[i] && (strings.HasPrefix(a[i], b[i]) || strings.HasPrefix(b[i], a[i])) {
			return false // shortened
		}
	}
	return true
}

// specific leaves out what says which kind of thing a name is: team.
func specific(words []string) []string {
	return slices.DeleteFunc(slices.Clone(words), claim.English().Generic)
}

// compareSets compares enumerations. Two that are complete must be equal; one
// that is must hold what the other names. Sets that have little in common list
// different things.
func compareSets(a, b schema.Value) Relation {
	if slices.Equal(a.Items, b.Items) {
		return Same
	}
	shared := 0
	for _, item := range a.Items {
		if slices.Contains(b.Items, item) {
			shared++
		}
	}
	apart := a.Closed && b.Closed || a.Closed && shared < len(b.Items) || b.Closed && shared < len(a.Items)
	switch {
	case shared == 0 || 3*shared < len(a.Items)+len(b.Items)-shared:
		return Incomparable
	case apart:
		return Apart
	}
	return Compatible
}

// statusClass returns the class of a word for the state of a thing, of pages and of what
// decisions and products go through.
func statusClass(words []string) schema.StatusClass {
	word := strings.Join(words, "_")
	switch word {
	case "rejected", "declined", "retired", "decommissioned", "discontinued", "cancelled", "closed", "defunct", "dead":
		return schema.StatusDeprecated
	case "suspended", "paused", "on_hold", "disabled", "inactive", "mothballed", "stopped", "out_of_service", "out_of_order", "out_of_use", "not_in_use":
		return schema.StatusStale
	case "approved", "adopted", "live", "production", "released", "operational", "supported", "fully_supported", "in_service", "in_use", "in_production", "in_operation", "in_force":
		return schema.StatusStable
	case "pilot", "trial", "experimental", "preview", "planned", "in_progress", "in_development", "under_construction", "not_started", "upcoming", "in_preparation", "in_testing":
		return schema.StatusDraft
	}
	return schema.StatusWord(word)
}

// CompareStatus compares two words for the state of a thing: by their classes,
// since active and stable say the same. Words that are not known say nothing.
func CompareStatus(a, b schema.Value) Relation {
	if a.Kind != schema.ValueName || b.Kind != schema.ValueName {
		return Incomparable
	}
	if slices.Equal(a.Words, b.Words) {
		return Same
	}
	ca, cb := statusClass(a.Words), statusClass(b.Words)
	switch {
	case ca == schema.StatusNone && cb == schema.StatusNone && len(a.Words) == 1 && len(b.Words) == 1:
		return Apart // two words of a vocabulary of the wiki's own
	case unready[stateWord(a)] && ready[stateWord(b)], ready[stateWord(a)] && unready[stateWord(b)]:
		return Apart
	case ca == schema.StatusNone || cb == schema.StatusNone:
		return Incomparable
	case ca == cb:
		return Same
	}
	return Apart
}

// unready and ready are words for states before and after something is released to everybody.
var (
	unready = map[string]bool{"alpha": true, "beta": true, "pilot": true, "preview": true, "prototype": true, "experimental": true}
	ready   = map[string]bool{"stable": true, "production": true, "ga": true, "released": true}
)

// stateWord is the word for a state, empty for several.
func stateWord(v schema.Value) string {
	if len(v.Words) != 1 {
		return ""
	}
	return strings.ToLower(v.Words[0])
}

// roughly is how far from what it says an approximate number may be.
const roughly = 0.15

// tiny is the relative difference that counting in other units may make.
const tiny = 1e-9

// compareQuantities compares the intervals of what may be meant. Two limits of
// one side are compared as what they are set to.
func compareQuantities(a, b schema.Quantity) Relation {
	if a.Dimension != b.Dimension {
		return Incomparable
	}
	if a.Bound == b.Bound && a.Approx == b.Approx && near(a.Lo, b.Lo) && near(a.Hi, b.Hi) {
		return Same
	}
	if whole(a) && whole(b) && a.Bound == b.Bound {
		return Apart // hours and days from one to another are all that there are
	}
	if discounted(a, b) || discounted(b, a) {
		return Compatible
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

// discounted reports whether a is what a year costs and b what a month does, and who pays for a
// year at once pays somewhat less.
func discounted(a, b schema.Quantity) bool {
	const year, month, least = 365 * 24 * 60 * 60, 28 * 24 * 60 * 60, 0.5
	if !strings.HasPrefix(string(a.Dimension), "rate:money:") || !counted(a.Step, year) || !counted(b.Step, month) {
		return false
	}
	return a.Lo < b.Hi && a.Hi > least*b.Lo
}

// counted reports whether the last digit of a rate is one of so many seconds.
func counted(step, seconds float64) bool {
	power := math.Log10(step * seconds)
	return step > 0 && math.Abs(power-math.Round(power)) < tiny
}

// whole reports whether a range tells all of the time that something is: hours of a day, days of
// a week, days or months of a year.
func whole(q schema.Quantity) bool {
	switch q.Dimension {
	case schema.Clock, schema.Weekday:
		return q.Step == 0
	case schema.DayOfYear, schema.MonthOfYear:
		return q.Step == 0 && q.Lo < q.Hi
	}
	return false
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

// reach widens the interval of q by what rounding, when one of the two has
// digits behind the point, or an "about" leaves open.
func reach(q, other schema.Quantity) (lo, hi float64) {
	lo, hi = q.Lo, q.Hi
	if q.Step > other.Step && other.Step > 0 && (q.Decimals > 0 || other.Decimals > 0) {
		lo, hi = lo-q.Step/2, hi+q.Step/2*(1-1e-3) // a half is rounded up
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
