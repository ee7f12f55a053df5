package control

import (
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/controltest"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/control/task"
	"github.com/loopwiki/wiki/loops/plan"
)

// Who may repair a red base: whoever says so, but no autonomous run, and no loop whose spec
// does not.
func TestWhoMayRepair(t *testing.T) {
	t.Parallel()
	s := starter{controltest.Open(t, pricing)}
	spec := func(gates ...plan.SpecGate) *Item {
		return &Item{pass: &Pass{Loop: &repo.Loop{Spec: &plan.LoopSpec{Path: "agents/loops/x.md", Gates: gates}}}}
	}
	may := plan.SpecGate{Kind: plan.GateRedBase}
	for name, c := range map[string]struct {
		red  bool
		f    Flags
		task *task.Task
		item *Item
		mode loops.Mode
		want loops.Repair
		says string
	}{
		"a plan":                      {mode: loops.Draft},
		"a plan that says so":         {red: true, mode: loops.Draft, want: loops.RepairAsked},
		"a flag":                      {f: Flags{Repair: true}, mode: loops.Shadow, want: loops.RepairAsked},
		"an autonomous one":           {red: true, mode: loops.Autonomous, says: "which an autonomous run may not"},
		"a task":                      {task: &task.Task{}, mode: loops.Draft, want: loops.RepairVerify},
		"a task that fixes":           {task: &task.Task{Mode: "fix"}, mode: loops.Draft, want: loops.RepairAsked},
		"a task that explores":        {task: &task.Task{Mode: "explore"}, mode: loops.Draft},
		"an autonomous task":          {task: &task.Task{}, mode: loops.Autonomous},
		"a loop":                      {item: spec(), mode: loops.Draft},
		"a loop that says so":         {item: spec(may), mode: loops.Draft, want: loops.RepairAsked},
		"a loop's plan that says so":  {red: true, item: spec(), mode: loops.Draft, says: "agents/loops/x.md does not allow"},
		"an autonomous loop that may": {item: spec(may), mode: loops.Autonomous},
	} {
		got, err := s.repair(&Work{Plan: &loops.Plan{Path: "plans/a.md", RedBase: c.red}, Task: c.task, Item: c.item}, c.f, c.mode)
		if got != c.want || (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}
