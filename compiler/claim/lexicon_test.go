package claim_test

import (
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

func TestNewLexicon(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"verb keep", "noun: house", "keep"} {
		if _, problem := claim.NewLexicon(text); problem == "" {
			t.Errorf("%q was read", text)
		}
	}
	l, problem := claim.NewLexicon("# words\n\nform mouse: mice\nsame begin: start\nverb: start\n")
	if problem != "" {
		t.Fatal(problem)
	}
	if got := l.Words("Mice start"); len(got) != 2 || got[0] != "begin" || got[1] != "mous" {
		t.Errorf("the words are %v", got)
	}
	if !l.Verb("begin") || l.Light("begin") {
		t.Error("a verb that another word stands for is none")
	}
}

// What a wiki adds to the lexicon holds for it alone.
func TestExtended(t *testing.T) {
	t.Parallel()
	config := &schema.ClaimsConfig{Same: map[string][]string{"keep": {"hoard"}}, Slots: map[string][]string{"captain": {"command by"}},
		Classes: map[string][]string{"database": {"OurSQL"}}, Opposite: map[string][]string{"armed": {"safe"}}}
	l := claim.English().Extended(config)
	if l.Words("hoards")[0] != claim.Words("keeps")[0] || claim.Words("hoards")[0] == claim.Words("keeps")[0] {
		t.Error("hoard is not keep, or is so for everyone")
	}
	if l.Class("oursql") != "database" || claim.English().Class("oursql") != "" {
		t.Error("oursql is no database, or is one for everyone")
	}
	if claim.English().Extended(&schema.ClaimsConfig{}) != claim.English() {
		t.Error("nothing to add makes another lexicon")
	}
	units := claim.English().Extended(&schema.ClaimsConfig{Units: map[string][]string{"14 days": {"sprint", "sprints"}, "24 bottles": {"crate", "crates"}, "1 beat": {"beat", "bt"}}})
	for a, b := range map[string]string{"2 sprints": "28 days", "3 crates": "72 bottles", "4 bt": "4 beat"} {
		x, y := units.ParseValue(a, nil).Quantity, units.ParseValue(b, nil).Quantity
		if x.Dimension == "" || x.Dimension != y.Dimension || x.Lo != y.Lo || x.Hi != y.Hi {
			t.Errorf("%s is %+v, %s %+v", a, x, b, y)
		}
	}
	if _, ok := claim.English().UnitOf("sprint"); ok {
		t.Error("a sprint is a unit for everyone")
	}
	page := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# Gannet\n\nThe Gannet is commanded by Ida Holm. The cargo hatch is safe.\n")).Pages()[0]
	slot, denied := false, false
	for _, c := range l.Claims(page) {
		slot = slot || c.Slot == "captain" && c.Text == "Ida Holm"
		denied = denied || c.Value.Kind == schema.ValueFact && !c.Value.Bool
	}
	if !slot || !denied {
		t.Errorf("the captain was read: %v, that it is not armed: %v", slot, denied)
	}
}
