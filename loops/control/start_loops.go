package control

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/audit"
	"github.com/loopwiki/wiki/loops/control/cast"
	"github.com/loopwiki/wiki/loops/control/modes"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/control/worklist"
	"github.com/loopwiki/wiki/loops/plan"
)

// audit returns what a run of a loop with an auditor is decided by.
func (s starter) audit(ctx context.Context, l *repo.Loop, f Flags) (loops.Start, error) {
	none := loops.Start{}
	if err := l.Runnable(); err != nil {
		return none, err
	}
	roles, err := cast.Roles(s.Config.Roles).Loop(l.Spec, f.Given)
	if err != nil {
		return none, err
	}
	pl := *AuditWork(l).Plan
	// Its log and its pages wait on the branch for a person, while the next audit runs.
	if pl.Name, err = s.freeName(ctx, l.Spec.Name+"-"+s.Now().UTC().Format("2006-01-02")); err != nil {
		return none, err
	}
	start, err := s.base(ctx, l.Spec.Name, &pl, roles, f)
	if err != nil {
		return none, err
	}
	start.Gates = loops.GateCommands{}
	start.Audit = &loops.AuditRequest{Month: s.Now().Format("2006-01"), Plans: audit.MostPlans}
	if b, ok := l.Spec.Budget("max items per run"); ok {
		start.Audit.Plans = min(start.Audit.Plans, int(b.N))
	}
	if _, ok := roles[loops.Writer]; ok {
		start.Audit.Pages = audit.MostPages
	}
	return start, s.applySpec(ctx, &start, l, f)
}

// documentation returns what a run that documents is decided by, its id aside.
func (s starter) documentation(ctx context.Context, l *repo.Loop, since string, f Flags) (loops.Start, error) {
	none := loops.Start{}
	if err := l.Runnable(); err != nil {
		return none, err
	}
	base, err := s.Git(ctx, "rev-parse", "--verify", "HEAD^{commit}")
	if err != nil {
		return none, fmt.Errorf("the repository has no commits: %w", err)
	}
	mode, _, err := modes.New(s.Repo).Mode(ctx, l.Spec.Name, f.Mode, written(l))
	if err != nil {
		return none, err
	}
	from, err := worklist.New(s.Repo).Span(ctx, l.Spec.Name, since, mode)
	if err != nil {
		return none, err
	}
	request, err := worklist.New(s.Repo).List(ctx, l.Spec, from, base)
	if err != nil {
		return none, err
	}
	roles, err := cast.Roles(s.Config.Roles).Loop(l.Spec, f.Given)
	var nobody *cast.NobodyError
	if errors.As(err, &nobody) && len(request.Pages) == 0 {
		err = nil // there is nothing to write
	}
	if err != nil {
		return none, err
	}
	name, err := s.freeName(ctx, l.Spec.Name+"-"+s.Now().UTC().Format("2006-01-02"))
	if err != nil {
		return none, err
	}
	pl := loops.Plan{Name: name, Title: "Documentation since " + request.From}
	if !l.Builtin {
		pl.Context = l.Spec.Purpose
	}
	if l.Spec.Name != loops.DocumentationLoop {
		pl.Title = l.Spec.Title + " since " + request.From
	}
	start, err := s.base(ctx, l.Spec.Name, &pl, roles, f)
	if err != nil {
		return none, err
	}
	start.Base, start.Gates, start.Documentation = base, loops.GateCommands{}, request
	return start, s.applySpec(ctx, &start, l, f)
}

// freeName returns the first name whose branch nobody has.
func (s starter) freeName(ctx context.Context, name string) (string, error) {
	have, err := s.Git(ctx, "for-each-ref", "--format=%(refname)", "refs/heads/loop/")
	if err != nil {
		return "", err
	}
	taken := strings.Fields(have)
	for n := 1; ; n++ {
		try := name
		if n > 1 {
			try = fmt.Sprintf("%s-%d", name, n)
		}
		pl := loops.Plan{Name: try}
		if !slices.Contains(taken, "refs/heads/"+pl.Branch()) {
			return try, nil
		}
	}
}

// planning returns what a run that plans is decided by.
func (s starter) planning(ctx context.Context, r plan.Request, f Flags) (loops.Start, error) {
	planner, err := cast.Roles(s.Config.Roles).Adviser(loops.Planner, f.Given)
	if err != nil {
		return loops.Start{}, err
	}
	path := r.Path
	if rel, inside := s.Relative(path); inside {
		path = rel
	}
	pl := loops.Plan{Name: "from-" + slugOf(path), Path: path, Title: "Plans from " + path}
	start, err := s.base(ctx, loops.PlanLoop, &pl, map[loops.Role]loops.Casting{loops.Planner: planner}, f)
	start.Gates = loops.GateCommands{}
	start.Spec = &loops.SpecRequest{As: string(r.As), Month: r.Month}
	return start, err
}
