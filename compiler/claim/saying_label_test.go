package claim_test

import (
	"slices"
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

// A label in bold type says of nothing that it is done, whatever its words are.
func TestVerbsOfLabels(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]bool{
		"**Payout limit of the desk:** 40 EUR":               false,
		"**Charge of the pack**: 60 %":                       false,
		"**Rest between two firings :** 8 hours":             false,
		"**[[silo|Big silo, the cold silo]] load:** 8 t":     false,
		"**[Load of the silo](silo.md):** 8 t":               false,
		"**The desk limits a payout:** up to 40 EUR it pays": true,
		"The desk limits a payout to 40 EUR":                 true,
		"**The desk** limits a payout: to 40 EUR":            true,
	} {
		p := compilertest.Compile(t, compilertest.Write(t, "-- desk.md --\n# Desk\n\n"+sentence+"\n")).Pages()[0]
		verb := false
		for _, s := range claim.English().Sayings(p) {
			verb = verb || slices.ContainsFunc(s.Words, func(w claim.SaidWord) bool { return w.Verb })
		}
		if verb != want {
			t.Errorf("%s: a verb is read: %v, want %v", sentence, verb, want)
		}
	}
}

// What a callout says is said as in a paragraph, unless it quotes somebody or shows what could be.
func TestCallouts(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"a note over two lines", "# Kiln\n\n> [!NOTE]\n> The kiln and the\n> fan rest for 8 hours.\n", "time=8 hours", ""},
		{"an item", "# Kiln\n\n> [!tip] Lids\n> - The lid opens after 5 min.\n", "time=5 min", ""},
		{"an example", "# Kiln\n\n> [!example]\n> The kiln rests for 8 hours.\n", "", "8 hours"},
		{"of a name of its own", "# Kiln\n\n> [!released]\n> Came with version 8.1.\n", "", "8.1"},
		{"a quotation", "# Kiln\n\n> The kiln rests for 8 hours.\n", "", "8 hours"},
		{"an example in a note", "# Kiln\n\n> [!note]\n> > [!example]\n> > The kiln rests for 8 hours.\n", "", "8 hours"},
	})
}

// A label before a whole sentence need not be said again, and what stands beside a statement does not restrict it.
func TestBesideAStatement(t *testing.T) {
	t.Parallel()
	reads(t, []reading{
		{"a label", "# Relay\n\n**Encryption:** The relay takes TLS 1.3.\n", "^relay take; version=TLS 1.3\n", "encrypt"},
		{"a label with a value", "# Relay\n\n**Rest of the fan:** 5 minutes.\n", "time=5 minutes", ""},
		{"a footnote", "# Relay\n\nThe fan rests for 5 minutes.[^1]\n\n[^1]: Seen.\n", "^fan rest; time=5 minutes", ""},
		{"a second verb", "# Relay\n\nThe fan rests for 5 minutes and hums at night.\n", "time=5 minutes", ""},
		{"nothing older", "# Relay\n\nThe relay takes TLS 1.3 and nothing older.\n", "version=TLS 1.3 and nothing older", ""},
		{"a block behind a sentence", "# Relay\n\nA fan that no room needs rests.\n\n```ini\nfan_rest = 90 s\n```\n", "time=90 s", ""},
	})
}
