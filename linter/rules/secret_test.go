package rules

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/linter/report"
	"github.com/loopwiki/wiki/schema"
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
