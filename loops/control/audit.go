package control

import (
	"context"
	"errors"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/audit"
	"github.com/loopwiki/wiki/loops/control/cast"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/control/proposal"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/schema/text"
)

// AuditWork is what a run of a loop with an auditor is started with instead of a
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
func (p *Controller) Audit(ctx context.Context, l *repo.Loop, f Flags, id string, live *Live) (loops.State, error) {
	if err := repo.Supported(); err != nil {
		return loops.State{}, err
	}
	all, err := p.Summaries()
	if err != nil {
		return loops.State{}, err
	}
	if err := p.Andon().MayStart(all); err != nil {
		return loops.State{}, err
	}
	if err := p.after(ctx, live); err != nil {
		return loops.State{}, err
	}
	if err := p.Store.Make(); err != nil {
		return loops.State{}, err
	}
	release, _, err := process.New(p.Repo).Lock(l.Spec.Name) // one at a time, whatever day it is
	if err != nil {
		return loops.State{}, err
	}
	defer release()
	start, err := p.beginAudit(ctx, l, f)
	if err != nil {
		return loops.State{}, err
	}
	s, err := p.advise(ctx, start, f, id, live, func(folder string) error { return proposal.KeepRules(folder, l.Spec) })
	return s, errors.Join(err, p.after(ctx, live))
}

// beginAudit is what a run of a loop with an auditor is decided by.
func (p *Controller) beginAudit(ctx context.Context, l *repo.Loop, f Flags) (loops.Start, error) {
	none := loops.Start{}
	if err := l.Runnable(); err != nil {
		return none, err
	}
	roles, err := cast.Roles(p.Config.Roles).Loop(l.Spec, f.Given)
	if err != nil {
		return none, err
	}
	pl := *AuditWork(l).Plan
	// Its log and its pages wait on the branch for a person, while the next audit runs.
	if pl.Name, err = p.branchOf(ctx, l.Spec.Name+"-"+p.Now().UTC().Format("2006-01-02")); err != nil {
		return none, err
	}
	start, err := p.begin(ctx, l.Spec.Name, &pl, roles, f)
	if err != nil {
		return none, err
	}
	start.Gates = loops.GateCommands{}
	start.Audit = &loops.AuditRequest{Month: p.Now().Format("2006-01"), Plans: audit.MostPlans}
	if b, ok := l.Spec.Budget("max items per run"); ok {
		start.Audit.Plans = min(start.Audit.Plans, int(b.N))
	}
	if _, ok := roles[loops.Writer]; ok {
		start.Audit.Pages = audit.MostPages
	}
	return start, p.overridden(ctx, &start, l, f)
}

// AuditDryRun is what an audit would ask, and could cost. Nobody is called.
func (p *Controller) AuditDryRun(ctx context.Context, l *repo.Loop, f Flags) (string, error) {
	start, err := p.beginAudit(ctx, l, f)
	if err != nil {
		return "", err
	}
	pr, err := proposal.New(p.Repo).AuditPrompt(ctx, loops.PromptRequest{Start: &start, Worktree: p.Root})
	if err != nil {
		return "", err
	}
	var b strings.Builder
	c, most := start.Roles[loops.Auditor], start.Limits
	text.Fprintf(&b, "loop      %s, from %.12s\nauditor   %s\n", start.Loop, start.Base, strings.Join(strings.Fields(c.Agent+" "+c.Model+" "+strings.Join(c.Argv, " ")), " "))
	text.Fprintf(&b, "at most   %s, an estimate of $%.2f each, bounded by the budget of $%.2f\nkeeps     at most %s\n",
		loops.Count(most.Attempts+loops.MostPageCalls*start.Audit.Pages, "call"), most.EstimateUSD, most.Budget.USD, loops.Count(start.Audit.Plans, "plan"))
	if w, ok := start.Roles[loops.Writer]; ok {
		text.Fprintf(&b, "writes    at most %s, by %s\n", loops.Count(start.Audit.Pages, "page"), strings.Join(strings.Fields(w.Agent+" "+w.Model+" "+strings.Join(w.Argv, " ")), " "))
	}
	text.Fprintf(&b, "\n==== auditor: %d bytes\n", len(pr.Text))
	for _, part := range pr.Parts {
		text.Fprintf(&b, "     %-12s %d", part.Name, part.Size)
		if part.Cut > 0 {
			text.Fprintf(&b, ", %d cut", part.Cut)
		}
		b.WriteString("\n")
	}
	return b.String() + "\n" + pr.Text, nil
}
