package control

import (
	"context"
	"errors"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/control/proposal"
	"github.com/loopwiki/wiki/loops/control/repo"
)

// AuditWork returns what a run of a loop with an auditor is started with instead of a
// plan: it is called by the loop's name, as a plan is by its own.
func AuditWork(l *repo.Loop) *Work {
	pl := &loops.Plan{Name: l.Spec.Name, Path: l.Spec.Name, Title: "Audit"}
	if !l.Builtin {
		pl.Title, pl.Context = l.Spec.Title, l.Spec.Purpose
	}
	return &Work{Plan: pl}
}

// Audit has an auditor look for what is wrong, and makes plans of it. The run waits
// for a person if there are any. id is that of a run whose folder was made already,
// or "".
func (c *Controller) Audit(ctx context.Context, l *repo.Loop, f Flags, id string, live *Live) (loops.State, error) {
	if err := repo.Supported(); err != nil {
		return loops.State{}, err
	}
	all, err := c.Summaries()
	if err != nil {
		return loops.State{}, err
	}
	if err := c.Andon().MayStart(all); err != nil {
		return loops.State{}, err
	}
	if err := c.stepBack(ctx, live); err != nil {
		return loops.State{}, err
	}
	if err := c.Store.Make(); err != nil {
		return loops.State{}, err
	}
	release, _, err := process.New(c.Repo).Lock(l.Spec.Name) // one at a time, whatever day it is
	if err != nil {
		return loops.State{}, err
	}
	defer release()
	start, err := c.starter().audit(ctx, l, f)
	if err != nil {
		return loops.State{}, err
	}
	s, err := c.runAdviser(ctx, start, f, id, live, func(folder string) error { return proposal.KeepRules(folder, l.Spec) })
	return s, errors.Join(err, c.stepBack(ctx, live))
}
