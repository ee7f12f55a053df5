package conflict

import (
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// A page that lists something of many things is none of them: two ports are not of one page of ports.
func TestPagesThatListThings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, files string
		named       bool
	}{
		{"ports, by its folder", "-- reference/ports.md --\n# Ports\n\nAll of them.\n-- a.md --\n# Kiln\n\n| What | Port |\n|---|---|\n| lamp | 7410 |\n", false},
		{"limits, by its type", "-- limits.md --\n---\ntype: reference\n---\n# Limits\n\nAll of them.\n-- a.md --\n# Kiln\n\n| What | Limit |\n|---|---|\n| lamp limit | 7410 |\n", false},
		{"a thing", "-- parts/lamp.md --\n# Lamp\n\nA lamp.\n-- a.md --\n# Kiln\n\n| What | Port |\n|---|---|\n| lamp | 7410 |\n", true},
		{"a link to such a page", "-- reference/ports.md --\n# Ports\n\nAll of them.\n-- a.md --\n# Kiln\n\n[[ports]] has 7410 rows.\n", true},
	} {
		m := newMatcher(compilertest.Compile(t, compilertest.Write(t, c.files)))
		named := false
		for _, x := range m.all {
			named = named || x.said.Path == "a.md" && len(x.said.named) > 0
		}
		if named != c.named {
			t.Errorf("%s: a page is named: %v, want %v", c.name, named, c.named)
		}
	}
}

// A grade counts nothing.
func TestGradesAndCounts(t *testing.T) {
	t.Parallel()
	row := func(head, value string) string {
		return "| Kiln | " + head + " |\n|---|---|\n| lamp of the kiln | " + value + " |"
	}
	holdApart(t, []minimal{
		{"The lamp of the kiln has three bulbs.", row("Bulbs", "2"), true},
		{row("Tier", "1"), row("Tier", "2") + "\n\nThe list of all tiers.", true},
		{"The lamp of the kiln has three bulbs.", row("Tier", "2"), false},
		{"The lamp of the kiln has five switches.", row("Priority", "1"), false},
		{"A tray of the kiln has one vase.", "The kiln takes two trays.", false},
		{"Each shelf of the cellar has 40 jars.", "The cellar has 12 shelves, each for jars.", false},
		{"The shelf of the cellar has 40 jars.", "The shelf of the cellar has 60 jars.", true},
		{"The lamp of the kiln calls four people.", row("Severity", "2"), false},
	})
}

// A bare number is a version of what its row is about, and of a product only where that is named.
func TestVersionsWithoutAProduct(t *testing.T) {
	t.Parallel()
	row := func(head, value string) string {
		return "| What | " + head + " |\n|---|---|\n| loan app | " + value + " |"
	}
	holdApart(t, []minimal{
		{"The loan app needs Android 12 or newer.", row("Minimum Android", "10"), true},
		{"The loan app keeps its cards in PostgreSQL 15.", row("Database version", "14"), true},
		{"The loan app needs Android 12 or newer.", row("Version", "3.2"), false},
		{"The loan app runs on Python 3.12.", row("Release", "3.2"), false},
	})
}
