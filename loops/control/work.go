package control

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/control/survey"
	"github.com/loopwiki/wiki/loops/control/task"
	"github.com/loopwiki/wiki/loops/plan"
)

// Work is a plan that was found, and the file that it was read from.
type Work struct {
	Plan *loops.Plan
	Src  []byte
	File string // absolute
	// Task is set for a task file of others.
	*task.Task
	// Item is set for what a loop selected.
	Item *Item
}

// Find returns the work that the arguments of run name: execution alone, or a plan
// by its path or name. Task files are for [OpenTask].
func (c *Controller) Find(ctx context.Context, dir string, args []string) (*Work, error) {
	if len(args) > 0 && args[0] == "execution" {
		args = args[1:]
	}
	b, err := c.Book(ctx)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	switch {
	case len(args) > 1:
		return nil, fmt.Errorf("one plan at a time: unexpected argument %q", args[1])
	case len(args) == 0:
		return c.first(b)
	}
	f, ok := b.Find(dir, args[0])
	if !ok {
		f, ok = undated(b, args[0])
	}
	if !ok {
		return nil, &repo.NoPlanError{Given: args[0]}
	}
	return c.read(b, f)
}

// undated finds a plan by its name without the date.
func undated(b *plan.Book, name string) (plan.File, bool) {
	for _, f := range b.Files {
		if n := f.Plan.Name; len(n) > len("2006-01-") && n[len("2006-01-"):] == name {
			return f, true
		}
	}
	return plan.File{}, false
}

// read refuses a plan that can't be run.
func (c *Controller) read(b *plan.Book, f plan.File) (*Work, error) {
	pl, faults := plan.Check(f.Path, f.Src, b.Around(c.Getenv("PATH")))
	if plan.Refused(faults) {
		return nil, &repo.FaultyError{File: f.Path, Faults: faults}
	}
	if pl.Rejected != "" {
		return nil, fmt.Errorf("%s is rejected: %s", f.Path, pl.Rejected)
	}
	return &Work{Plan: pl, Src: f.Src, File: b.Path(f.Path)}, nil
}

// first returns the first plan that is pending.
func (c *Controller) first(b *plan.Book) (*Work, error) {
	known := b.Around(c.Getenv("PATH")).Plans
	plan.Order(known)
	done := make(map[string]bool)
	for _, k := range known {
		done[k.Plan.Name] = k.Status == plan.Done
	}
	proposed, err := c.Proposed()
	if err != nil {
		return nil, err
	}
	l, err := c.Builtin(repo.ExecutionLoop)
	if err != nil {
		return nil, err
	}
	gates, _ := l.Spec.Commands(c.Commands(), true)
	var out []string
	for _, k := range known {
		ready := k.Status == plan.Pending && proposed[k.Plan.Path] == ""
		for _, d := range k.Plan.DependsOn {
			ready = ready && done[plan.NameOf(d)]
		}
		if !ready {
			continue
		}
		var left *survey.LeftOutError
		if err := survey.New(c.Repo).LeftOut(l, k.Plan, gates); errors.As(err, &left) {
			out = append(out, left.Error())
			continue
		} else if err != nil {
			return nil, err
		}
		if f, ok := b.Find(c.Root, k.Plan.Path); ok {
			return c.read(b, f)
		}
	}
	return nil, &NothingPendingError{len(known), out}
}

// NothingPendingError is a repository without a plan that could be run.
type NothingPendingError struct {
	Plans int
	// LeftOut says of plans that are pending why the spec does not let them run.
	LeftOut []string
}

func (e *NothingPendingError) Error() string {
	if e.Plans == 0 {
		return "no plans in plans/"
	}
	if len(e.LeftOut) > 0 {
		return "no pending plan may run" + leftOutList(e.LeftOut)
	}
	return fmt.Sprintf("none of the %d plans is pending", e.Plans)
}

// Hint returns what to do.
func (e *NothingPendingError) Hint() string {
	return "see 'wiki plan list' for their status, or create one with 'wiki plan new TITLE'"
}

// leftOutList returns what was left out, a line each.
func leftOutList(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return "\n  " + strings.Join(all, "\n  ")
}
