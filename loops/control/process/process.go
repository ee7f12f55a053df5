// Package process manages the processes that run plans: it locks a plan, starts a run in the
// background, stops it, and removes worktrees and temporary folders that are no longer
// needed.
package process

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/control/intake"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/schema/text"
)

// Processes are those that run the plans of a repository, and what they leave behind.
type Processes struct{ *repo.Repo }

// New returns the processes of a repository.
func New(r *repo.Repo) *Processes { return &Processes{r} }

// IdleError is a run that nobody runs.
type IdleError struct{ ID string }

func (e *IdleError) Error() string { return "no process runs " + e.ID }

// Stop asks the runner of a run to end, and waits until it has, and until
// nothing that it started is alive.
func (r *Processes) Stop(ctx context.Context, id string, patience time.Duration) error {
	s, _, err := r.Store.Read(id)
	if err != nil {
		return err
	}
	pid, ok := r.Owner(s.Start.Plan.Name)
	if !ok || s.Status.Over() {
		return &IdleError{id}
	}
	if err := terminate(pid); err != nil {
		return fmt.Errorf("stop process %d: %w", pid, err)
	}
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if !r.Alive(s.Start.Plan.Name) {
			return r.sweep(ctx, s)
		}
		if err := repo.Sleep(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
	return fmt.Errorf("process %d is still running; see what it does with 'wiki loop logs %s'", pid, id)
}

// sweep ends what a runner left that had no time for it. While another goes on
// with the run nothing is swept: that one has done it, and what is alive is its own.
func (r *Processes) sweep(ctx context.Context, s loops.State) error {
	held, _, err := contain.Lock(r.Store.Lock(s.Start.Plan.Name), "wiki, which stops a run")
	if err != nil {
		if r.Alive(s.Start.Plan.Name) {
			return nil
		}
		return err
	}
	_, err = r.Container().Sweep(ctx, s.Start.Run)
	return errors.Join(err, held.Release())
}

// GC removes the worktrees that nobody needs, and says in a line each what
// became of them.
func (r *Processes) GC(ctx context.Context, dryRun bool) ([]string, error) {
	ids, err := r.Store.IDs()
	if err != nil {
		return nil, err
	}
	var owned []contain.Owned
	for _, id := range ids {
		if s, _, err := r.Store.Read(id); err == nil && s.Place.Path != "" {
			owned = append(owned, contain.Owned{Run: id, Folder: r.Store.Folder(id), Over: s.Status.Over()})
		}
	}
	left, err := contain.GC(ctx, r.Checkout(), owned, dryRun)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, l := range left {
		out = append(out, leftover(l, dryRun))
	}
	if dryRun {
		return out, nil
	}
	switch n := contain.SweepScratch(); {
	case n == 1:
		out = append(out, "removed  a temporary folder of a killed run")
	case n > 1:
		out = append(out, fmt.Sprintf("removed  %d temporary folders of killed runs", n))
	}
	return out, r.tidy()
}

// Discard removes the worktree of a run that needs it no more.
func (r *Processes) Discard(ctx context.Context, id string) error {
	_, err := contain.GC(ctx, r.Checkout(), []contain.Owned{{Run: id, Folder: r.Store.Folder(id), Over: true}}, false)
	return err
}

// leftover says in a line what became of a worktree.
func leftover(l contain.Leftover, dryRun bool) string {
	word := "kept   "
	switch {
	case l.Removed && dryRun:
		word = "remove "
	case l.Removed:
		word = "removed"
	}
	line := fmt.Sprintf("%s %s  %.1f MB  %s", word, l.Path, float64(l.Size)/1e6, l.Why)
	if l.Saved != "" {
		line += "; uncommitted changes are on " + l.Saved
	}
	if n := len(l.Ignored); n > 0 {
		line += "; including ignored files, " + text.Count(n, "file")
	}
	return line
}

// BusyError is a plan that somebody runs already.
type BusyError struct {
	Plan string
	Err  error
}

func (e *BusyError) Error() string {
	return fmt.Sprintf("plan %s is already running: %v", e.Plan, e.Err)
}

// Hint returns what to do.
func (e *BusyError) Hint() string {
	return "follow that run with 'wiki loop logs -f', or end it with 'wiki loop stop'"
}

func (e *BusyError) Unwrap() error { return e.Err }

// Lock takes the plan for this process, and removes what runs left that are over. The
// note says from whom the lock was, if its last runner died with it.
func (r *Processes) Lock(name string) (release func(), note string, err error) {
	held, note, err := contain.Lock(r.Store.Lock(name), fmt.Sprintf("wiki, process %d", os.Getpid()))
	var busy *contain.Busy
	if errors.As(err, &busy) {
		return nil, "", &BusyError{name, err}
	}
	if err != nil {
		return nil, "", err
	}
	if err := r.tidy(); err != nil {
		return nil, "", errors.Join(err, held.Release())
	}
	return func() { _ = held.Release() }, note, nil
}

// tidy removes what the runs that are over need no more, and temporary folders of
// runners that did not live to remove them.
func (r *Processes) tidy() error {
	contain.SweepScratch()
	ids, err := r.Store.IDs()
	if err != nil {
		return err
	}
	for _, id := range ids {
		kept, err := fs.Glob(files.DirFS(r.Store.Folder(id), files.Text), intake.File+"*") // a path may hold what a pattern does
		if err == nil && len(kept) > 0 && r.Over(id) {
			err = intake.New(r.Repo).Forget(id)
		}
		if err != nil {
			return err
		}
	}
	return nil
}
