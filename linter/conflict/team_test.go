package conflict

import (
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

// People beside teams, what is at one place, and what a decision might have been.
func TestWhatIsNotOfOneThing(t *testing.T) {
	t.Parallel()
	table := func(head, row string) string { return "| " + head + " |\n|---|---|\n| " + row + " |\n" }
	owner := func(name string) string { return "---\nowner: " + name + "\n---\n# Weather mast\n\nA mast.\n" }
	onCall := "# On call\n\n" + table("Area | Team", "[[weather-mast]] | Harbour") + "| [[sluice]] | Quay |\n"
	decision := func(kind, heading string) string {
		return "---\ntype: " + kind + "\nstatus: accepted\n---\n# Store of readings\n\n## " + heading + "\n\nThe weather mast stores readings in MongoDB.\n"
	}
	for name, c := range map[string]struct {
		pages string
		want  bool
	}{
		"a person and the team on call": {"-- a/weather-mast.md --\n" + owner("Ida Storm") + "-- b/on-call.md --\n" + onCall, false},
		"two people":                    {"-- a/weather-mast.md --\n" + owner("Ida Storm") + "-- b/owners.md --\n# Owners\n\n" + table("Area | Owner", "[[weather-mast]] | Odd Krag"), true},
		"two teams":                     {"-- a/weather-mast.md --\n" + owner("Team Quay") + "-- b/owners.md --\n# Owners\n\n" + table("Area | Owner", "[[weather-mast]] | Team Harbour"), true},
		"what is here":                  {"-- a/heron.md --\n# Heron\n\nThe Heron is a boat.\n-- b/north.md --\n# North quay\n\nNine boats are moored here, five Herons and four tugs.\n-- b/south.md --\n# South quay\n\nFive boats are moored here, two Herons and three tugs.\n", false},
		"an option of a decision":       {"-- a/weather-mast.md --\n# Weather mast\n\nThe weather mast stores readings in SQLite.\n-- b/store.md --\n" + decision("decision", "Options"), false},
		"the option that was chosen":    {"-- a/weather-mast.md --\n# Weather mast\n\nThe weather mast stores readings in SQLite.\n-- b/store.md --\n" + decision("decision", "Chosen option"), true},
		"the options of something else": {"-- a/weather-mast.md --\n# Weather mast\n\nThe weather mast stores readings in SQLite.\n-- b/store.md --\n" + decision("reference", "Options"), true},
		"where more is written":         {"-- a/weather-mast.md --\n# Weather mast\n\nIt has two sensors. The other sensors are in [[sensor-list]].\n-- b/wind.md --\n# Wind\n\nOn the weather mast the other sensors are in [[wind-tables]].\n", false},
	} {
		w := compilertest.Compile(t, compilertest.Write(t, c.pages))
		reported := false
		for _, found := range Search(w, claim.English().Claims) {
			reported = reported || found.Score >= Warns
		}
		if reported != c.want {
			t.Errorf("%s: reported %v, want %v", name, reported, c.want)
		}
	}
}

// A number is a version of a product where it stands below one.
func TestNumbersBesideVersions(t *testing.T) {
	t.Parallel()
	holdApart(t, []minimal{
		{"The kiln control runs on Java 17.", "| Program | Tier |\n|---|---|\n| kiln control | 3 |", false},
		{"The kiln control runs on Java 17.", "| Program | Java |\n|---|---|\n| kiln control | 21 |", true},
		{"The kiln control runs on Java 17.", "| Program | Java version |\n|---|---|\n| kiln control | 17 |", false},
	})
}
