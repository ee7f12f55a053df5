package claim_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// A word for a condition restricts what is said, or only stands in the sentence.
func TestScopeOfSayings(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]string{
		"The night pump holds 40 litres.":                                          "night",
		"A call is answered within 30 minutes, day and night.":                     "",
		"A call is answered within 30 minutes at night.":                           "night",
		"A vendor that works for us is paid within 30 days.":                       "",
		"The staging tank is emptied at 16:00 local time.":                         "staging",
		"The local tank holds 40 litres.":                                          "local",
		"The tank lasts for 5 days, so a weekend is no reason to call.":            "",
		"The tank is full, so a weekend takes 40 litres.":                          "weekend",
		"The tank lasts for 5 days on a weekend, so nobody has to call the plant.": "weekend",
	} {
		p := compilertest.Compile(t, compilertest.Write(t, "-- pump.md --\n# Pump\n\n"+sentence+"\n")).Pages()[0]
		said := claim.English().Sayings(p)
		said = slices.DeleteFunc(said, func(s claim.Saying) bool { // the other clause
			return !slices.ContainsFunc(s.Values, func(v claim.SaidValue) bool { return v.Value.Kind == schema.ValueQuantity })
		})
		if len(said) != 1 || strings.Join(said[0].Scope, " ") != want {
			t.Errorf("%s: %+v", sentence, said)
		}
	}
}

// A stage is an installation where something is in it, and no stage of a theatre.
func TestStages(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]string{
		"In stage the desk takes 40 cards.":       "stage",
		"The desk takes 40 cards on stage.":       "stage",
		"The stage manager takes 40 cards.":       "",
		"At this stage the desk takes 40 cards.":  "",
		"The lift of the stage takes 40 cards.":   "",
		"In staging the desk takes 40 cards.":     "staging",
		"The first stage of the pump takes 40 l.": "",
	} {
		p := compilertest.Compile(t, compilertest.Write(t, "-- pump.md --\n# Pump\n\n"+sentence+"\n")).Pages()[0]
		said := claim.English().Sayings(p)
		if len(said) == 0 || strings.Join(said[0].Scope, " ") != want {
			t.Errorf("%s: %+v", sentence, said)
		}
	}
}

// A page about what stands in for a thing may say something of the thing itself.
func TestScopeOfTheRealThing(t *testing.T) {
	t.Parallel()
	for page, want := range map[string]string{
		"# Local kitchen\n\nWhoever calls the real oven waits for 30 seconds.\n":       "",
		"# Test tills\n\nThe live till takes 400 EUR.\n":                               "",
		"# Ward\n\n## Staging\n\nThe actual ward has 24 beds.\n":                       "",
		"# Local kitchen\n\nThe oven waits for 30 seconds.\n":                          "local",
		"# Local kitchen\n\nThe oven is not the real oven and waits for 30 seconds.\n": "local",
		"# Local kitchen\n\nIn staging the real oven waits for 30 seconds.\n":          "staging",
		"# Winter season\n\nThe real oven waits for 30 seconds.\n":                     "winter",
		"# Local kitchen\n\nIt takes real bread 30 seconds.\n":                         "local",
	} {
		p := compilertest.Compile(t, compilertest.Write(t, "-- pump.md --\n"+page)).Pages()[0]
		said := claim.English().Sayings(p)
		if len(said) != 1 || strings.Join(said[0].Scope, " ") != want {
			t.Errorf("%s: %+v", page, said)
		}
	}
}

// A sentence is doubted where its own verb tells of what will be.
func TestFutureOfARelativeClause(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]bool{
		"A pump that will carry brine is tested for 8 hours.":   false,
		"A pump that carries brine will be tested for 8 hours.": true,
		"The pump will be tested for 8 hours.":                  true,
	} {
		p := compilertest.Compile(t, compilertest.Write(t, "-- pump.md --\n# Pump\n\n"+sentence+"\n")).Pages()[0]
		if said := claim.English().Sayings(p); len(said) != 1 || len(said[0].Values) != 1 || said[0].Values[0].Doubted != want {
			t.Errorf("%s: %+v", sentence, said)
		}
	}
}

// A reason is a sentence of its own: what it says is said under no condition, and not of what the other clause is about.
func TestReasonsAreSentences(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string][]string{
		"Since the sorter packs parcels with straw, the crates are easy to carry.":        {"sorter packs parcels with straw", "crates are easy to carry"},
		"Crates are opened first, since the sorter refuses parcels of more than 6 kg.":    {"Crates are opened first", "sorter refuses parcels of more than 6 kg"},
		"Crates are opened first, because it refuses parcels of more than 6 kg.":          {"Crates are opened first, because it refuses parcels of more than 6 kg"},
		"Since 2019 the sorter takes parcels of up to 6 kg, and the crates are not used.": {"Since 2019 the sorter takes parcels of up to 6 kg, and the crates are not used"},
	} {
		p := compilertest.Compile(t, compilertest.Write(t, "-- pump.md --\n# Pump\n\n"+sentence+"\n")).Pages()[0]
		var got []string
		for _, s := range claim.English().Sayings(p) {
			if text := strings.TrimPrefix(string(s.Span.In(p.Source)), "the "); !s.Part && !slices.Contains(got, text) {
				got = append(got, text)
				if strings.HasPrefix(text, "sorter packs") && slices.ContainsFunc(s.Words, func(w claim.SaidWord) bool { return w.When && w.Subject }) {
					t.Errorf("%s: a condition: %v", sentence, s.Words)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", sentence, got, want)
		}
	}
}
