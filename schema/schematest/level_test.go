package schematest

import (
	"slices"
	"testing"
)

func TestSample(t *testing.T) {
	cases := map[string]int{"e": 5, "a": 1, "d": 4, "b": 2, "c": 3}
	sample := func() (names []string, sum int) {
		for name, n := range Sample(cases, 1, 2) {
			names, sum = append(names, name), sum+n
		}
		return names, sum
	}
	t.Setenv("CI", "")
	if names, sum := sample(); !*long && (!slices.Equal(names, []string{"a", "c", "e"}) || sum != 9) {
		t.Errorf("somebody who waits gets %v, %d", names, sum)
	}
	t.Setenv("CI", "true")
	if names, sum := sample(); len(names) != 5 || sum != 15 {
		t.Errorf("a machine that checks a change gets %v, %d", names, sum)
	}
}

// A skipped variant is not missing: WIKI_REQUIRE does not make it fail.
func TestNeedThorough(t *testing.T) {
	t.Setenv("WIKI_REQUIRE", "git,thorough")
	for _, ci := range []string{"", "true"} {
		t.Setenv("CI", ci)
		skipped := true
		t.Run("ci="+ci, func(t *testing.T) {
			defer func() { skipped = t.Skipped() }()
			NeedThorough(t, "a form")
		})
		if want := ci == "" && !*long; skipped != want {
			t.Errorf("with CI=%q it is skipped: %t", ci, skipped)
		}
	}
}
