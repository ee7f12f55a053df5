package schematest

import (
	"slices"
	"strings"
	"testing"
)

func TestVary(t *testing.T) {
	t.Parallel()
	seeds := []string{`{"a": [1]}`, "", "title: b\n"}
	got := Vary(90, seeds...)
	if again := Vary(90, seeds...); !slices.Equal(got, again) {
		t.Error("the second time it gave other texts")
	}
	if len(got) != 93 || !slices.Equal(got[:3], seeds) {
		t.Errorf("%d texts, which begin with %q", len(got), got[:3])
	}
	for _, want := range []string{`{"": [1]}`, `"a": [1]}`, `{"a": []}`, `{"a": [1]`, ": b\n", "title: \n", "title: b"} {
		if !slices.Contains(got, want) {
			t.Errorf("nothing is left out as in %q", want)
		}
	}
	sorted := slices.Sorted(slices.Values(got))
	if n := len(slices.Compact(sorted)); n != len(got) {
		t.Errorf("%d of %d texts are different", n, len(got))
	}
}

// However long a seed is, no more are made of it, and of the whole of it.
func TestVaryLong(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("a ", 5000)
	got := Vary(100, long)
	if len(got) != 101 {
		t.Errorf("%d texts", len(got))
	}
	for _, s := range got {
		if len(s) > 2*len(long) {
			t.Errorf("%d bytes are made of %d", len(s), len(long))
		}
	}
}
