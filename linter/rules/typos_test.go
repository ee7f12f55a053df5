package rules

import (
	"slices"
	"testing"
)

func TestTypos(t *testing.T) {
	t.Parallel()
	x := typos{slugs: []string{"letter", "leter", "latter", "lettre", "ünïcode"}}
	x.sort()
	for s, want := range map[string][]string{
		"letter": {"letter"},
		"leter":  {"leter", "letter"}, // itself, and one of equal letters left out
		"ltter":  {"latter", "letter"},
		"ünïcod": {"ünïcode"},
		"nïcode": {"ünïcode"},
		"lette":  {"letter", "lettre"},
		"other":  nil,
	} {
		if got := slices.Collect(x.like(s)); !slices.Equal(got, want) {
			t.Errorf("like %q: %q, want %q", s, got, want)
		}
	}
	if got := slices.Collect(new(typos).like("letter")); got != nil {
		t.Errorf("none is like %q", got)
	}
}
