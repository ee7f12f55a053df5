package control

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/cast"
	"github.com/loopwiki/wiki/loops/control/modes"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/control/survey"
	"github.com/loopwiki/wiki/loops/control/task"
	"github.com/loopwiki/wiki/loops/plan"
)

// starter makes what runs are decided by, all but their ids.
type starter struct{ *repo.Repo }

func (c *Controller) starter() starter { return starter{c.Repo} }

// plan makes what a run of the execution loop is decided by, its id aside.
func (s starter) plan(ctx context.Context, pl *loops.Plan, f Flags) (loops.Start, error) {
	none := loops.Start{}
	l, err := s.Builtin(repo.ExecutionLoop)
	if err != nil {
		return none, err
	}
	roles, err := cast.Roles(s.Config.Roles).Execution(f.Given)
	if !l.Builtin {
		roles, err = cast.Roles(s.Config.Roles).Loop(l.Spec, f.Given)
	}
	if err != nil {
		return none, err
	}
	start, err := s.base(ctx, l.Spec.Name, pl, roles, f)
	if err != nil {
		return start, err
	}
	if l.Builtin {
		return start, s.applySpec(ctx, &start, l, f)
	}
	w, err := repo.Wiki(ctx, s.Root)
	if err != nil {
		return none, err
	}
	var missing []plan.SpecGate
	if start.Gates, missing = l.Spec.Commands(start.Gates, w != nil); len(missing) > 0 {
		return none, &UnheldError{l.Spec, missing}
	}
	if err := survey.New(s.Repo).LeftOut(l, pl, start.Gates); err != nil {
		return none, err
	}
	return start, s.applySpec(ctx, &start, l, f)
}

// base makes what a run of any loop is decided by, with who plays in it.
func (s starter) base(ctx context.Context, loop string, pl *loops.Plan, roles map[loops.Role]loops.Casting, f Flags) (loops.Start, error) {
	base, err := s.Git(ctx, "rev-parse", "--verify", "HEAD^{commit}")
	if err != nil {
		return loops.Start{}, fmt.Errorf("the repository has no commits: %w", err)
	}
	spent, err := s.Store.SpentOn(s.Now())
	if err != nil {
		return loops.Start{}, err
	}
	gates, err := s.Andon().Commands(s.Commands())
	if err != nil {
		return loops.Start{}, err
	}
	limits := s.Limits()
	limits.Budget.Iterations = cmp.Or(f.Iterations, limits.Budget.Iterations)
	limits.Budget.USD = cmp.Or(f.USD, limits.Budget.USD)
	mode, notes, err := modes.New(s.Repo).Mode(ctx, loop, f.Mode, "")
	if err != nil {
		return loops.Start{}, err
	}
	return loops.Start{
		Loop: loop, Plan: *pl, Mode: mode, Notes: notes, Opened: f.Opened, Limits: limits, Base: base, Roles: roles, SpentToday: spent, Gates: gates,
	}, nil
}

// written returns the mode that a spec asks for which stands for a built-in loop's; that
// of this program asks for nothing.
func written(l *repo.Loop) string {
	if l.Builtin {
		return ""
	}
	return string(l.Spec.Mode)
}

// applySpec gives a built-in loop the limits and the escalation of its spec: of this
// program's below what wiki.yaml says, and of one that stands for that above it, with
// the mode and all that always goes to a person.
func (s starter) applySpec(ctx context.Context, start *loops.Start, l *repo.Loop, f Flags) (err error) {
	start.Limits, start.Escalation = s.LimitsOf(l), l.Spec.Escalation()
	if l.Builtin {
		start.Escalation = l.Spec.Said()
	}
	start.Limits.Budget.Iterations = cmp.Or(f.Iterations, start.Limits.Budget.Iterations)
	start.Limits.Budget.USD = cmp.Or(f.USD, start.Limits.Budget.USD)
	if l.Builtin {
		return nil
	}
	start.Mode, start.Notes, err = modes.New(s.Repo).Mode(ctx, start.Loop, f.Mode, written(l))
	return err
}

// spec makes what any run of a spec is decided by.
func (s starter) spec(ctx context.Context, l *repo.Loop, pl *loops.Plan, f Flags) (loops.Start, error) {
	roles, err := cast.Roles(s.Config.Roles).Loop(l.Spec, f.Given)
	if err != nil {
		return loops.Start{}, err
	}
	return s.base(ctx, l.Spec.Name, pl, roles, f)
}

// item makes what a run of a loop's item is decided by.
func (s starter) item(ctx context.Context, w *Work, f Flags) (loops.Start, error) {
	pass := w.Item.pass
	spec := pass.Loop.Spec
	start, err := s.spec(ctx, pass.Loop, w.Plan, f)
	if err != nil {
		return start, err
	}
	start.Limits, start.Mode, start.Notes = w.Item.limits, pass.Mode, pass.notes
	start.Limits.Budget.RoleUSD = s.Limits().Budget.RoleUSD
	start.Gates, _ = spec.Commands(start.Gates, pass.Survey.Wiki)
	start.Escalation = spec.Escalation()
	start.Control = &loops.Control{Loop: spec.Name, Pass: pass.ID, Item: w.Item.item.ID, Report: spec.Traits().Whole}
	if start.Control.Report {
		start.Gates = loops.GateCommands{}
	}
	return start, nil
}

// work makes what a run is decided by.
func (s starter) work(ctx context.Context, w *Work, f Flags) (start loops.Start, err error) {
	switch {
	case w.Item != nil:
		start, err = s.item(ctx, w, f)
	case w.Task != nil:
		start, err = s.task(ctx, w.Task, f)
	default:
		start, err = s.plan(ctx, w.Plan, f)
	}
	if err == nil {
		start.Repair, err = s.repair(w, f, start.Mode)
	}
	return start, err
}

// task makes what a run of a task file is decided by.
func (s starter) task(ctx context.Context, t *task.Task, f Flags) (loops.Start, error) {
	t.Adopt(&s.Config)
	roles, err := t.Cast(cast.Roles(s.Config.Roles), f.Given)
	if err != nil {
		return loops.Start{}, err
	}
	start, err := s.base(ctx, repo.ExecutionLoop, t.Plan, roles, f)
	if err != nil {
		return start, err
	}
	if start.Base, err = t.Base(ctx); err != nil {
		return start, err
	}
	start.Limits = t.LimitsOver(start.Limits, s.Config.Budget, f.Iterations)
	if start.Breaker, err = t.Circuit(); err != nil {
		return start, err
	}
	if start.Plan.Goal == "" {
		start.Plan.Checks = slices.Concat(start.Gates.Build, start.Gates.Lint, start.Gates.Test)
	}
	return start, nil
}

// Bounds returns how many plans one call of execution carries out at most, and how many
// pull requests it opens: as the spec says that stands for it, or wiki.yaml; 0 is
// any number.
func (c *Controller) Bounds() (items, requests int, err error) {
	limits := c.Limits()
	l, err := c.Builtin(repo.ExecutionLoop)
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
