package linter

import (
	"context"
	"slices"
	"testing"

	"github.com/loopwiki/wiki/schema"
)

// TestContradictionsRunFewRules checks which rules run for contradictions alone, and that
// the others still take their places.
func TestContradictionsRunFewRules(t *testing.T) {
	t.Parallel()
	check := func(*Pass) {}
	rule := func(r Rule) *Rule {
		r.Severity, r.Check = schema.Warning, check
		return &r
	}
	all := []*Rule{
		rule(Rule{ID: "conflict", Group: Contradiction}), rule(Rule{ID: "judged", Group: Judged, NeedsJudge: true}), rule(Rule{ID: "notice", Group: Judged, Notice: true}),
		rule(Rule{ID: "other", Group: Links}), rule(Rule{ID: "secret", Group: Hygiene, FindsSecrets: true}), rule(Rule{ID: "void", Group: Contradiction, Last: func(*Pass, *Outcome) {}}),
	}
	for _, c := range []struct {
		name string
		cfg  Config
		want []string
	}{
		{"without a judge", Config{}, []string{"conflict"}},
		{"with a judge", Config{Judge: nobody{}}, []string{"conflict", "judged", "secret"}},
		{"without a rule", Config{Except: []string{"conflict"}}, nil},
	} {
		c.cfg.Rules = all
		sel, err := choose(c.cfg, schema.LintConfig{})
		if err != nil {
			t.Fatal(err)
		}
		sel.contradictions()
		var got []string
		for _, r := range sel.rules {
			got = append(got, r.ID)
		}
		if slices.Sort(got); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v run, want %v", c.name, got, c.want)
		}
		if !sel.runs("other", "a.md") {
			t.Errorf("%s: the other rules don't count as running", c.name)
		}
	}
}

type nobody struct{}

func (nobody) Judge(context.Context, []schema.Doubt) Judgement { return Judgement{} }
