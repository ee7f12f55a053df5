package conflict

import (
	"testing"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/compiler/compilertest"
)

// What is quoted of each side can be read by itself: a sentence, a row with the head of its column, a key with its value.
func TestSidesAreQuoted(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, a, b, want string }{
		{"a sentence and a row", "Dock planner|The dock planner sends a truck report every 5 minutes.", "Settings|| Report | Sent every |\n|---|---|\n| truck report of the dock planner | 600 s |",
			"dock planner sends a truck report every 5 minutes / truck report of the dock planner, Sent every: 600 s"},
		{"a column of values", "Dock planner|The dock planner sends a truck report every 5 minutes.", "Settings|| Setting | Value |\n|---|---|\n| interval of the truck report of the dock planner | 600 s |",
			"dock planner sends a truck report every 5 minutes / interval of the truck report of the dock planner: 600 s"},
		{"a field", "Dock planner|The truck report of the dock planner is sent every 5 minutes.", "Settings|- truck report interval of the dock planner:: 600 s",
			"of the dock planner is sent every 5 minutes / truck report interval of the dock planner:: 600 s"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := compilertest.Compile(t, compilertest.Write(t, matching(c.a, c.b)))
			got := ""
			for _, m := range Matches(w, claim.English().Sayings) {
				got += m.Sides[0].Text + " / " + m.Sides[1].Text
			}
			if got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
