package conflict

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema"
)

// matching is a wiki of so many pages that words can be weighed, with two pages more.
func matching(pages ...string) string {
	var b strings.Builder
	things := []string{"Anvil", "Bellows", "Crane", "Derrick", "Easel", "Furnace", "Gantry", "Hoist", "Ingot", "Jigsaw", "Kiln", "Ladle", "Mandrel", "Nozzle", "Oven"}
	kinds := []string{"painted green", "checked by the foreman", "stored below the stairs", "covered with canvas", "bought from a neighbour", "shown to visitors"}
	for _, thing := range things {
		fmt.Fprintf(&b, "-- yard/%s.md --\n# %s\n\n", strings.ToLower(thing), thing)
		for i := range 12 {
			fmt.Fprintf(&b, "The %s of part %c is %s.\n\n", strings.ToLower(things[(i*7+len(thing))%len(things)]), 'a'+i, kinds[(i+len(thing))%len(kinds)])
		}
	}
	for i, page := range pages {
		title, body, _ := strings.Cut(page, "|")
		fmt.Fprintf(&b, "-- %c/%s.md --\n# %s\n\n%s\n", 'p'+i, strings.ReplaceAll(strings.ToLower(title), " ", "-"), title, body)
	}
	return b.String()
}

func TestMatches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, a, b string
		want       bool
	}{
		{"said in other words", "Dock planner|Once paired, the dock planner sends a truck report every 5 minutes.", "Settings|The truck report of the dock planner is sent at an interval of 600 s.", true},
		{"the same", "Dock planner|Once paired, the dock planner sends a truck report every 10 minutes.", "Settings|The truck report of the dock planner is sent at an interval of 600 s.", false},
		{"another day", "Dock planner|On Sundays the dock planner sends its truck report at 08:00.", "Settings|The truck report of the dock planner is sent at 11:00.", false},
		{"another role", "Dock planner|By default the dock planner sends a truck report every 5 minutes.", "Settings|The dock planner sends a truck report every 600 s on average.", false},
		{"what might be", "Dock planner|The dock planner sends a truck report every 5 minutes.", "Settings|The dock planner would send a truck report every 600 s.", false},
		{"opposites", "Dock planner|The dock planner is turned on at 08:00.", "Settings|The dock planner is turned off at 11:00.", false},
		{"about", "Dock planner|The dock planner sends a truck report every 5 minutes.", "Settings|The dock planner sends a truck report about every 600 s.", false},
		{"nothing in common", "Dock planner|The dock planner rests for 5 minutes.", "Settings|Visitors wait at the door for 600 s.", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := compilertest.Compile(t, compilertest.Write(t, matching(c.a, c.b)))
			if got := matchesOf(w); (len(got) > 0) != c.want {
				t.Errorf("%v", got)
			}
		})
	}
}

// Of two pages alone nobody can tell which words are rare.
func TestMatchesOfFewSayings(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# Dock planner\n\nThe dock planner sends a truck report every 5 minutes.\n-- b.md --\n# Settings\n\nThe dock planner sends a truck report every 600 s.\n"))
	if got := Matches(w, claim.English().Sayings); len(got) > 0 {
		t.Errorf("%v", got)
	}
}

// What is found is the same again, in whichever order pages come, and each mention is part of
// one contradiction.
func TestMatchesAreStable(t *testing.T) {
	t.Parallel()
	w := compilertest.Compile(t, filepath.Join("testdata/orchard-freight", "wiki"))
	first := Matches(w, claim.English().Sayings)
	if len(first) == 0 {
		t.Fatal("nothing is found")
	}
	used := map[string]bool{}
	for _, c := range first {
		for _, s := range c.Sides {
			at := fmt.Sprint(s.Path, s.Span, s.Value)
			if used[at] {
				t.Errorf("%s is in two", at)
			}
			used[at] = true
		}
		if c.Score < leastScore || c.Score >= Errs {
			t.Errorf("score %v", c.Score)
		}
	}
	again := Matches(w, claim.English().Sayings)
	if !slices.EqualFunc(first, again, func(a, b schema.Conflict) bool {
		return a.Score == b.Score && a.Sides[0].ID == b.Sides[0].ID && a.Sides[1].ID == b.Sides[1].ID
	}) {
		t.Error("another result")
	}
}
