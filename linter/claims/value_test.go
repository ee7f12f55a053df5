package claims

import (
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
)

func TestNormalised(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"15 min": "900 s", "about 5": "~ 5", "at most 3 km": "≤ 3000 m", "10-20 s": "10–20 s", "yes": "true", "8080": "8080", "2 months": "4838400–5356800 s",
	} {
		if got := Normalised(claim.ParseValue(text, nil)); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
