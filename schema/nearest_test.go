package schema

import (
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	t.Parallel()
	known := []string{"title", "tags", "type", "description", "lint", "last_verified"}
	tests := []struct{ word, want string }{
		{"titel", "title"}, {"Title", "title"}, {"tag", "tags"}, {"descripton", "description"}, {"last-verified", "last_verified"},
		{"lnit", "lint"}, {"xyz", ""}, {"", ""}, {"a", ""}, {"tape", "type"}, {"completely", ""},
	}
	for _, tt := range tests {
		if got, ok := Nearest(tt.word, known); got != tt.want || ok != (tt.want != "") {
			t.Errorf("Nearest(%q) = %q, %v, want %q", tt.word, got, ok, tt.want)
		}
	}
}

func TestDistance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b       string
		most, want int
	}{
		{"quorum", "quorum", 2, 0}, {"xuorum", "quorum", 2, 1}, {"stgae", "stage", 1, 1}, {"admimistrater", "administrator", 2, 2},
		{"cat", "cattle", 2, 3}, {"abc", "xyz", 2, 3}, {"", "a", 1, 1}, {"straße", "strase", 1, 1}, {"", "", 0, 0},
		{strings.Repeat("a", 67), strings.Repeat("a", 64), 3, 3}, {strings.Repeat("a", 97) + "bc", strings.Repeat("a", 100), 3, 3},
	} {
		if got := Distance([]rune(c.a), []rune(c.b), c.most); got != c.want {
			t.Errorf("%q and %q are %d apart, want %d", c.a, c.b, got, c.want)
		}
	}
}
