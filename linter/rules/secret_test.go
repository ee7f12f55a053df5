package rules

import (
	"bytes"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/linter/report"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/secret"
)

// secretPage compiles the page of the rule's first example.
func secretPage(t *testing.T) (*compiler.Wiki, *linter.Result) {
	t.Helper()
	ar, err := txtar.ParseFile("testdata/secret.txtar")
	if err != nil {
		t.Fatal(err)
	}
	w := compileCase(t, linter.Cases(ar)[0])
	return w, lint(t, w, "secret")
}

// TestSecretsAreNotPrinted writes findings in every format and searches the output for
// the secrets.
func TestSecretsAreNotPrinted(t *testing.T) {
	t.Parallel()
	w, res := secretPage(t)
	rep := report.New(w, res)
	rep.From, rep.Frames = schema.Info, true
	for _, f := range report.Formats() {
		var b bytes.Buffer
		if err := report.Write(f.Name, &b, rep); err != nil {
			t.Fatal(err)
		}
		for _, d := range res.Findings {
			text := string(d.Span.In(w.Pages()[0].Source))
			if tail := text[len(text)-min(len(text), 12):]; strings.Contains(b.String(), tail) {
				t.Errorf("%s prints %s", f.Name, d.Message)
			}
		}
	}
}

// TestFingerprintsHoldNoSecret changes a secret and finds the same fingerprint.
func TestFingerprintsHoldNoSecret(t *testing.T) {
	t.Parallel()
	var prints []string
	for _, token := range []string{"A" + "KIAZ7Q3M5RTK2LWXB4N", "A" + "KIAQ6X2N4VHJ7PTZC3D"} {
		w := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# A\n\n"+token+"\n"))
		for _, d := range lint(t, w, "secret").Findings {
			prints = append(prints, d.Fingerprint)
		}
	}
	if len(prints) != 2 || prints[0] != prints[1] {
		t.Errorf("got the fingerprints %v", prints)
	}
}

// TestSecretShapes checks that expired secrets and other text are not taken for secrets.
func TestSecretShapes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"https://deploy:h7Gq2nVx9Lp@git.acme.io/x":        true,
		"https://deploy:h7Gq2nVx9Lp@git.example.com/x":    false,
		"https://deploy:h7Gq2nVx9Lp@localhost:8080/x":     false,
		"https://deploy:${PASSWORD_1}@git.acme.io/x":      false,
		"https://deploy:password123@git.acme.io/x":        false,
		"https://git.acme.io/x:y@z1234567":                false,
		"https://deploy@git.acme.io/":                     false,
		"see https://a.io and mail me: bob:x1y2z3w4@c.io": false,
	} {
		found := false
		for at := range text {
			_, ok := passwordInURL([]byte(text), at)
			found = found || ok && text[at+1:min(len(text), at+4)] == "://"
		}
		if found != want {
			t.Errorf("%s: found %v", text, found)
		}
	}
}

// TestSecretFindsTokensOfAllVendors plants a random token of every shape that the gate
// and the redactor know.
func TestSecretFindsTokensOfAllVendors(t *testing.T) {
	t.Parallel()
	chance := rand.New(rand.NewPCG(3, 4))
	for i := range secret.Shapes {
		s := &secret.Shapes[i]
		var letters []byte
		for b := range 256 {
			if of := s.Of; of[b] && strings.IndexByte("./=+_-", byte(b)) < 0 && (of != secret.UpperNum || secret.Upper32[b]) { // AWS writes base 32
				letters = append(letters, byte(b))
			}
		}
		body := make([]byte, s.Least)
		for k := range body {
			body[k] = letters[chance.IntN(len(letters))]
		}
		switch {
		case strings.HasPrefix(s.Prefix, "gh") && s.Least == 36: // the last six letters are a checksum
			const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
			for sum, k := crc32.ChecksumIEEE(body[:30]), 35; k >= 30; k-- {
				body[k] = digits[sum%62]
				sum /= 62
			}
		case strings.HasPrefix(s.Prefix, "xox"):
			body = []byte("2468013579-2468013579135-" + string(body[:24]))
		case strings.HasPrefix(s.Prefix, "hooks.slack.com"):
			body = []byte("04QZ7K2M9X/B05RT8W3LNC/" + string(body[:24]))
		}
		token := s.Prefix + string(body)
		w := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# A\n\nThe key is "+token+" there.\n"))
		if found := lint(t, w, "secret").Findings; len(found) != 1 || string(found[0].Span.In(w.Pages()[0].Source)) != token {
			t.Errorf("%s %s: found %v", s.What, token, found)
		}
	}
}
