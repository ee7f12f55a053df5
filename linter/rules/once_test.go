package rules

import (
	"fmt"
	"slices"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

// TestOneFindingPerPlace lints with several rules that could each report the same place.
func TestOneFindingPerPlace(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, files string
		rules, want []string
	}{
		{"links to a wanted page", "-- a.md --\n[[Limits]] [[b]]\n-- b.md --\n[[Limits]] [[a]] [[Limits]]\n-- c.md --\n[[limits]] [[Ghost]]\n",
			[]string{"broken-wikilink", "wanted-page"}, []string{"wanted-page a.md:1", "broken-wikilink b.md:1", "broken-wikilink b.md:1", "broken-wikilink c.md:1", "broken-wikilink c.md:1"}},
		{"links to a wanted page without that rule", "-- a.md --\n[[Limits]] [[b]]\n-- b.md --\n[[Limits]] [[a]]\n-- c.md --\n[[Limits]]\n",
			[]string{"broken-wikilink"}, []string{"broken-wikilink a.md:1", "broken-wikilink b.md:1", "broken-wikilink c.md:1"}},
		{"a wikilink cut in the last cell", "-- a.md --\n| a | b |\n|---|---|\n| x | [[b|B]] |\n\n[[b|\nB]]\n-- b.md --\n[[a]]\n",
			[]string{"malformed-wikilink", "table-shape"}, []string{"table-shape a.md:3", "malformed-wikilink a.md:5"}},
		{"a wikilink cut in the first cell", "-- a.md --\n| a | b |\n|---|---|\n| [[b|B]] | x |\n-- b.md --\n[[a]]\n",
			[]string{"malformed-wikilink", "table-shape"}, []string{"table-shape a.md:3"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got []string
			for _, d := range lint(t, compilertest.Compile(t, compilertest.Write(t, c.files)), c.rules...).Findings {
				got = append(got, fmt.Sprintf("%s %s:%d", d.Rule, d.Path, d.From.Line))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
