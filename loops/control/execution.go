package control

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
)

// executionLoop is the loop that carries out plans.
const executionLoop = "execution"

// LeftOutError is a plan that a rule of the spec of execution does not let run.
type LeftOutError struct {
	Plan    string
	Refusal *plan.Refusal
}

func (e *LeftOutError) Error() string {
	return fmt.Sprintf("%s: %q does not let %s run: %s", e.Refusal.Where, e.Refusal.Rule, e.Plan, e.Refusal.Why)
}

// Hint says what to do.
func (e *LeftOutError) Hint() string {
	return "change the plan, or the rule; 'wiki loop run execution' takes a plan that all rules let run"
}

// leftOut says which rule of the spec of execution does not let a plan run: a
// *LeftOutError, or nil.
func (p *Place) leftOut(l *Loop, pl *loops.Plan, gates loops.GateCommands) error {
	rules := l.Spec.Rules()
	if l.Builtin || len(rules) == 0 {
		return nil
	}
	items := []plan.WorkItem{plan.PlanItem(pl)}
	if err := p.countFiles(items); err != nil {
		return err
	}
	k := plan.Knowledge{Gates: gates, Past: make(map[string]plan.ItemState)}
	if slices.ContainsFunc(rules, func(r plan.Rule) bool { return r.Kind == plan.RuleFailed }) {
		failures, err := p.failures(pl)
		if err != nil {
			return err
		}
		k.Past[pl.Name] = plan.ItemState{Failures: failures}
	}
	if why := plan.Refuse(l.Spec.Path, rules, &items[0], k); why != nil {
		return &LeftOutError{pl.Path, why}
	}
	return nil
}

// failures counts the runs of a plan, as it is now, that failed: one that was changed
// since is another plan.
func (p *Place) failures(pl *loops.Plan) (n int, err error) {
	all, err := p.Summaries()
	if err != nil {
		return 0, err
	}
	for _, sum := range all {
		if sum.Loop != executionLoop || sum.Plan != pl.Path {
			continue
		}
		switch loops.Status(sum.Status) {
		case loops.Stopped, loops.GoalNotMet, loops.Rejected:
			if s, _, err := p.Store.Read(sum.ID); err == nil && s.Start.Plan.Hash == pl.Hash {
				n++
			}
		}
	}
	return n, nil
}

// Bounds are how many plans one call of execution carries out at most, and how many
// pull requests it opens: as the spec says that stands for it, or wiki.yaml; 0 is
// any number.
func (p *Place) Bounds() (items, requests int, err error) {
	limits := p.Limits()
	l, err := p.named(executionLoop)
	if err != nil {
		return 0, 0, err
	}
	if !l.Builtin {
		limits = l.Spec.Limits(limits)
		if b, ok := l.Spec.Budget("max items per run"); ok {
			items = int(b.N)
		}
	}
	return items, limits.Budget.PullRequests, nil
}

// leftOutList is what was left out, a line each.
func leftOutList(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return "\n  " + strings.Join(all, "\n  ")
}
