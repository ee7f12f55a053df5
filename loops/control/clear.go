package control

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
)

// OverlapError is a plan whose scope another run works in.
type OverlapError struct {
	Run    string
	Scopes []string
}

func (e *OverlapError) Error() string {
	return fmt.Sprintf("run %s works on the same files: %s", e.Run, strings.Join(e.Scopes, ", "))
}

// Hint returns what to do.
func (e *OverlapError) Hint() string { return "wait for it, or stop it with 'wiki loop stop'" }

// startable reports why a plan can't be begun now: another run works in its scope, or
// a plan that it depends on is not in the default branch.
func (c *Controller) startable(ctx context.Context, pl *loops.Plan) error {
	all, err := c.Summaries()
	if err != nil {
		return err
	}
	for _, r := range all {
		if r.Plan == pl.Path || loops.Status(r.Status) != loops.Running {
			continue
		}
		s, _, err := c.Store.Read(r.ID)
		if err != nil {
			continue
		}
		if both := plan.Overlap(pl.Scope, s.Start.Plan.Scope); len(both) > 0 {
			return &OverlapError{r.ID, both}
		}
	}
	if len(pl.DependsOn) == 0 {
		return nil
	}
	b, err := c.Book(ctx)
	if err != nil {
		return err
	}
	defer b.Close()
	for _, f := range b.Files {
		if status, why := b.Status(f); slices.Contains(pl.DependsOn, f.Plan.Name) && status != plan.Done {
			return fmt.Errorf("%s depends on %s, which is %s: %s", pl.Name, f.Plan.Name, status, cmp.Or(why, "not run"))
		}
	}
	return nil
}
