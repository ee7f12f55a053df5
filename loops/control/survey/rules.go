package survey

import (
	"fmt"
	"slices"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/plan"
)

// LeftOutError is a plan that a rule of the spec of execution does not let run.
type LeftOutError struct {
	Plan    string
	Refusal *plan.Refusal
}

func (e *LeftOutError) Error() string {
	return fmt.Sprintf("%s: rule %q excludes %s: %s", e.Refusal.Where, e.Refusal.Rule, e.Plan, e.Refusal.Why)
}

// Hint returns what to do.
func (e *LeftOutError) Hint() string {
	return "change the plan or the rule; 'wiki loop run execution' selects a plan that satisfies all rules"
}

// LeftOut returns which rule of the spec of execution does not let a plan run: a
// *LeftOutError, or nil.
func (v *Surveyor) LeftOut(l *repo.Loop, pl *loops.Plan, gates loops.GateCommands) error {
	rules := l.Spec.Rules()
	if l.Builtin || len(rules) == 0 {
		return nil
	}
	items := []plan.WorkItem{plan.PlanItem(pl)}
	if err := v.CountFiles(items); err != nil {
		return err
	}
	k := plan.Knowledge{Gates: gates, Past: make(map[string]plan.ItemState)}
	if slices.ContainsFunc(rules, func(r plan.Rule) bool { return r.Kind == plan.RuleFailed }) {
		failures, err := v.failures(pl)
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
func (v *Surveyor) failures(pl *loops.Plan) (n int, err error) {
	all, err := v.Summaries()
	if err != nil {
		return 0, err
	}
	for _, sum := range all {
		if sum.Loop != repo.ExecutionLoop || sum.Plan != pl.Path {
			continue
		}
		switch loops.Status(sum.Status) {
		case loops.Stopped, loops.GoalNotMet, loops.Rejected:
			if s, _, err := v.Store.Read(sum.ID); err == nil && s.Start.Plan.Hash == pl.Hash {
				n++
			}
		}
	}
	return n, nil
}
