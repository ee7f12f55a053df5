package gate

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/secret"
)

// TestGateAndTranscriptsAgree plants a token of every shape in a diff and in what a maker
// prints: the gate finds it, and the transcript does not have it.
func TestGateAndTranscriptsAgree(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(1, 2))
	for i := range secret.Shapes {
		s := &secret.Shapes[i]
		var letters []byte
		for b := range 256 {
			if s.Of[b] && b != '.' && b != '/' && b != '=' && b != '+' {
				letters = append(letters, byte(b))
			}
		}
		body := make([]byte, s.Least)
		for k := range body {
			body[k] = letters[chance.IntN(len(letters))]
		}
		token := s.Prefix + string(body)
		text := "the maker wrote " + token + " there\n"
		if found := secretsIn(&change{path: "a.txt", now: []byte(text)}); len(found) != 1 || found[0].Line != 1 {
			t.Errorf("the gate finds %v in %s", found, token)
		}
		if clean, _ := loops.Redact([]byte(text), nil); strings.Contains(string(clean), string(body)) {
			t.Errorf("a transcript has %s", clean)
		}
	}
}
