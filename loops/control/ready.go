package control

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/diagnose"
	"github.com/loopwiki/wiki/loops/control/ready"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/run"
)

// Ready judges whether a loop may be automated, criterion by criterion. If all are met, the
// last one is whether a run would start now: it is judged by what starts one.
func (c *Controller) Ready(ctx context.Context, l *repo.Loop) ([]plan.Criterion, error) {
	all, err := ready.New(c.Repo).Ready(ctx, l)
	if err != nil {
		return nil, err
	}
	for _, criterion := range all {
		if !criterion.OK {
			return all, nil
		}
	}
	var why, do []string
	for _, m := range c.refusals(ctx, l) {
		why, do = append(why, m.What), append(do, m.Remedy)
	}
	start := plan.Criterion{ID: "start", OK: len(why) == 0, What: "a run would start", Why: strings.Join(why, "\n"), Do: strings.Join(slices.Compact(do), "; ")}
	return append(all, start), ctx.Err()
}

// refusals are why a loop can't be started now. What a run does before that costs time or
// money is left to it: whether its agents answer, and whether the base passes.
func (c *Controller) refusals(ctx context.Context, l *repo.Loop) []diagnose.Missing {
	start, err := c.startOf(ctx, l)
	if err == nil {
		return diagnose.New(c.Repo).Required(ctx, start.Roles)
	}
	var missing *run.MissingError
	var hinted interface{ Hint() string }
	switch {
	case errors.As(err, &missing):
		return []diagnose.Missing{{What: missing.What, Remedy: missing.Hint}}
	case errors.As(err, &hinted):
		return []diagnose.Missing{{What: err.Error(), Remedy: hinted.Hint()}}
	}
	return []diagnose.Missing{{What: err.Error(), Remedy: "remove the cause, then run 'wiki loop ready " + l.Spec.Name + "' again"}}
}

// startOf makes what a run of a loop is decided by, as far as that does not depend on the
// item or plan that it takes.
func (c *Controller) startOf(ctx context.Context, l *repo.Loop) (loops.Start, error) {
	switch l.Spec.Kind {
	case plan.AuditLoop:
		return c.starter().audit(ctx, l, Flags{})
	case plan.WikiLoop:
		all, err := c.Summaries()
		if err == nil {
			err = c.underWay(all, l.Spec.Name, "")
		}
		if err != nil {
			return loops.Start{}, err
		}
		return c.starter().documentation(ctx, l, "", Flags{})
	}
	return c.starter().spec(ctx, l, &loops.Plan{}, Flags{})
}
