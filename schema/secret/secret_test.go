package secret

import (
	"slices"
	"strings"
	"testing"
)

func TestSecretsAreFoundWholeAndTruncated(t *testing.T) {
	t.Parallel()
	for i := range Shapes {
		s := &Shapes[i]
		var letters strings.Builder
		for b := range 256 {
			if s.Of[b] {
				letters.WriteByte(byte(b))
			}
		}
		body := strings.Repeat(letters.String(), 10)
		for _, n := range []int{s.Least, s.Part} {
			token := s.Prefix + body[:n]
			text := "key: " + token + " end"
			got, from, to := Find([]byte(text), 0)
			if got == nil || got.What != s.What || text[from:to] != token {
				t.Errorf("%s: found %v, %q", token, got, text[from:to])
			}
		}
		if got, _, _ := Find([]byte("x"+s.Prefix+body[:s.Least]), 0); got == s {
			t.Errorf("%s is found within a word", s.Prefix)
		}
		if got, _, _ := Find([]byte(s.Prefix+body[:s.Part-1]+" "), 0); got == s {
			t.Errorf("%s is found with too little behind it", s.Prefix)
		}
		if s.Part > s.Least || s.Least > s.Most {
			t.Errorf("%s: %d, %d, %d", s.Prefix, s.Part, s.Least, s.Most)
		}
	}
}

// Lengths behind the prefix, of tokens as vendors give them out and of the least
// that is still taken for one.
func TestLengths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		prefix            string
		whole, part, less int
	}{
		{"sk-ant-", 101, 10, 80}, {"AKIA", 16, 16, 16}, {"ghp_", 36, 20, 36}, {"github_pat_", 82, 20, 82}, {"glpat-", 20, 16, 20},
		{"xoxb-", 50, 10, 40}, {"sk_live_", 99, 10, 24}, {"AIza", 35, 30, 35}, {"npm_", 36, 30, 36}, {"gsk_", 52, 20, 52}, {"xai-", 80, 30, 70},
	} {
		i := slices.IndexFunc(Shapes, func(s Shape) bool { return s.Prefix == c.prefix })
		if s := Shapes[i]; s.Part != c.part || s.Least != c.less || c.whole < s.Least || c.whole > s.Most {
			t.Errorf("%s: part %d, least %d, most %d; tokens have %d, and %d or %d are enough", s.Prefix, s.Part, s.Least, s.Most, c.whole, c.part, c.less)
		}
	}
}
