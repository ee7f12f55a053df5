package secret

import (
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
