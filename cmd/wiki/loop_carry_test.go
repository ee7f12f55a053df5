package main

import (
	"slices"
	"testing"
)

func TestUndetached(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ args, want []string }{
		{[]string{"-C", "x", "loop", "run", "a", "--detach", "-n", "3"}, []string{"-C", "x", "loop", "run", "a", "-n", "3"}},
		{[]string{"loop", "run", "--detach=true", "--", "--detach"}, []string{"loop", "run", "--", "--detach"}},
		{nil, nil},
	} {
		if got := undetached(tt.args); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.args, got, tt.want)
		}
	}
}
