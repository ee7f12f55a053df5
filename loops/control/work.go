package control

import (
	"context"
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
		f, ok = b.Undated(args[0])
	}
	if !ok {
		return nil, &repo.NoPlanError{Given: args[0]}
	}
	return c.read(b, f)
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
	queue, err := survey.New(c.Repo).Queue(b)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, q := range queue {
		switch {
		case !q.Pending():
		case q.LeftOut != nil:
			out = append(out, q.LeftOut.Error())
		default:
			return c.read(b, q.File)
		}
	}
	return nil, &NothingPendingError{len(queue), out}
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
