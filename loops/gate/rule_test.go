//go:build unix

package gate

import (
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/schematest"
)

// What the plan says that a chunk may do to tests, in a language whose tests can
// be told apart.
func TestTestsRules(t *testing.T) {
	t.Parallel()
	const total = "-- price_test.go --\npackage price\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif Total(2, 3) != 5 {\n\t\tt.Error(\"not five\")\n\t}\n}\n"
	const zero = "-- zero_test.go --\npackage price\n\nimport \"testing\"\n\nfunc TestZero(t *testing.T) {\n\tif Total(0, 0) != 0 {\n\t\tt.Error(\"not zero\")\n\t}\n}\n"
	const more = "-- more_test.go --\npackage price\n\nimport \"testing\"\n\nfunc TestMore(t *testing.T) {\n\tif Total(1, 1) != 2 {\n\t\tt.Error(1)\n\t}\n}\n"
	move := loops.TestsRule{Kind: loops.TestsMove, From: "price_test.go", To: "zero_test.go"}
	cases := map[string]struct {
		rule   loops.TestsRule
		change string
		also   adjust
		effect loops.Effect
		gate   string
		says   string
	}{
		"characterize":      {loops.TestsRule{Kind: loops.TestsCharacterize}, more, nil, loops.Passed, "", ""},
		"characterize code": {loops.TestsRule{Kind: loops.TestsCharacterize}, more + clampCode, nil, loops.Unscoped, "scope", "price.go: is code"},
		"none":              {loops.TestsRule{Kind: loops.TestsNone}, more, nil, loops.Violation, "protected", "more_test.go"},
		"move":              {move, total + zero, nil, loops.Passed, "", ""},
		"move and change":   {move, total + "-- zero_test.go --\npackage price\n\nimport \"testing\"\n\nfunc TestZero(t *testing.T) {\n\tif Total(0, 0) < 0 {\n\t\tt.Error(\"not zero\")\n\t}\n}\n", nil, loops.Violation, "protected", "TestZero is gone"},
		"move and lose":     {move, total, nil, loops.Violation, "protected", "TestZero is gone"},
		"move and add":      {move, total + zero + "\nfunc TestAnother(t *testing.T) {}\n", nil, loops.Violation, "protected", "TestAnother differs from price_test.go"},
		"move and more":     {move, total + zero + more, nil, loops.Violation, "protected", "moves tests from price_test.go"},
		"move, tagged":      {move, total + "-- zero_test.go --\n//go:build ignore\n\n" + zero[len("-- zero_test.go --\n"):], nil, loops.Violation, "protected", "build constraint"},
		"unlocked":          {loops.TestsRule{}, "-- price_test.go --\npackage price\n\nimport \"testing\"\n\nfunc TestTotal(t *testing.T) {\n\tif Total(2, 3) != 6 {\n\t\tt.Error(\"not six\")\n\t}\n}\n-- price.go --\npackage price\n\n// Total is a and b, and one.\nfunc Total(a, b int) int { return a + b + 1 }\n", unlock("price_test.go"), loops.Note, "", ""},
	}
	for name, c := range schematest.Sample(cases, 1, 3) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t, price)
			r.write(c.change)
			j := newJudged(r)
			j.commands = loops.GateCommands{Test: []string{"go test -count=1 ./... 2>&1"}} // names no tests
			j.plan.Chunks[0].Tests = c.rule
			if c.also != nil {
				c.also(t, r, j)
			}
			j.expect(c.effect, c.gate, c.says)
		})
	}
}
