package claim_test

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

// facts runs sentences and what they say of all things of a kind, of what comes first and of what is denied.
func facts(t *testing.T, all map[string]string) {
	t.Helper()
	for text, want := range all {
		t.Run(text, func(t *testing.T) {
			t.Parallel()
			var got []string
			page := compilertest.Compile(t, compilertest.Write(t, "-- pump.md --\n# Pump\n\n"+text+"\n")).Pages()[0]
			for _, s := range claim.English().Sayings(page) {
				for _, f := range s.Facts {
					a, b, _ := strings.Cut(f.Concept, " ")
					switch {
					case f.Kind == claim.FactBefore && f.Denied:
						got = append(got, b+" before "+a)
					case f.Kind == claim.FactBefore:
						got = append(got, a+" before "+b)
					case f.Kind == claim.FactAll && f.Denied:
						got = append(got, "some "+f.Concept)
					case f.Kind == claim.FactAll:
						got = append(got, "all "+f.Concept)
					case f.Denied:
						got = append(got, "not "+f.Concept)
					}
				}
			}
			if got := strings.Join(got, ", "); got != want {
				t.Errorf("got %q, want %q", got, want)
			}
		})
	}
}

// All and only are told apart by the noun and what is done with it.
func TestAll(t *testing.T) {
	t.Parallel()
	facts(t, map[string]string{
		"All jobs are logged.":                 "all job log",
		"Every job is logged.":                 "all job log",
		"Only failed jobs are logged.":         "some job log",
		"Most jobs are logged.":                "some job log",
		"All failed jobs are logged.":          "",
		"Only jobs are logged.":                "",
		"All jobs were logged.":                "",
		"If a job fails, all jobs are logged.": "",
	})
}

// Sentences order things by what is done, by nouns and in lists.
func TestOrdersInSentences(t *testing.T) {
	t.Parallel()
	facts(t, map[string]string{
		"The migration runs before the rollout.":    "migr before rollout",
		"The migration runs after the rollout.":     "rollout before migr",
		"First the rollout, then the migration.":    "rollout before migr",
		"Discounts come first, then tax.":           "discount before tax",
		"Weigh the hen first, then move it.":        "weight before move",
		"First weigh the hen, then move it.":        "weight before move",
		"It runs in this order: parse, check, sum":  "pars before check, pars before sum, check before sum",
		"It runs in the order parse, check, sum.":   "pars before check, pars before sum, check before sum",
		"It runs in any order: parse, check, sum":   "",
		"Do not weigh the hen first, then move it.": "",
	})
}

// What nobody can do is denied.
func TestImpossible(t *testing.T) {
	t.Parallel()
	facts(t, map[string]string{
		"There is no way to restore a file.":       "not restor",
		"It is impossible to restore a file.":      "not restor",
		"It is not possible to restore a file.":    "not restor",
		"It is possible to restore a file.":        "",
		"If it is impossible to restore it, call.": "",
	})
}

// A noun behind before is no verb, and lists may be told their order behind them.
func TestOrdersOfNouns(t *testing.T) {
	t.Parallel()
	facts(t, map[string]string{
		"The brake is checked before the chain.":                     "brak before chain",
		"The chain is checked first, then the brake.":                "chain before brak",
		"A job passes the pump, the fan and the lid, in this order.": "pump before fan, pump before lid, fan before lid",
	})
}
