package control

import (
	"context"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
)

// TestBuiltInSpecsAreEnforced checks that what the specs of this program say limits their
// loops: below wiki.yaml, which is above it, and above what nobody says.
func TestBuiltInSpecsAreEnforced(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]struct {
		clock      time.Duration
		iterations int
		requests   int
	}{
		"audit": {2 * time.Hour, 7, 2}, "documentation": {2 * time.Hour, 20, 1}, "execution": {8 * time.Hour, 20, 2},
	} {
		var l *repo.Loop
		for _, b := range plan.Builtin() {
			if b.Name == name {
				spec, faults := plan.ParseLoopSpec(plan.BuiltinFolder+"/"+name+".md", b.Src, nil)
				l = &repo.Loop{Spec: spec, Src: b.Src, Faults: faults, Builtin: true}
			}
		}
		limited := func(c schema.LoopsConfig, f Flags) loops.Start {
			p := New(&repo.Repo{Config: c})
			start := loops.Start{Loop: name, Limits: p.Limits()}
			if err := p.starter().applySpec(context.Background(), &start, l, f); err != nil {
				t.Fatal(err)
			}
			return start
		}
		got := limited(schema.LoopsConfig{}, Flags{})
		b := got.Limits.Budget
		if time.Duration(b.Clock) != want.clock || b.Iterations != want.iterations || b.PullRequests != want.requests || b.USD != 5 || b.Tokens != 2_000_000 {
			t.Errorf("%s: %+v", name, b)
		}
		if e := got.Escalation; !e.Context || e.SameReason != 0 || len(e.Areas) > 0 {
			t.Errorf("%s: %+v", name, e)
		}
		var c schema.LoopsConfig
		c.Budget.Clock, c.Budget.Iterations = schema.Timespan(time.Minute), 4
		if b := limited(c, Flags{USD: 2}).Limits.Budget; time.Duration(b.Clock) != time.Minute || b.Iterations != 4 || b.USD != 2 {
			t.Errorf("%s below wiki.yaml: %+v", name, b)
		}
	}
}
