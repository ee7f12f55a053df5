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
