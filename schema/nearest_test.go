package schema

import "testing"

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
