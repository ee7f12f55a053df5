package control

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/control/task"
	"github.com/loopwiki/wiki/schema"
)

// Unfinished returns the run of a task file that can be resumed.
func (c *Controller) Unfinished(w *Work) (schema.RunSummary, bool) {
	last, ok := c.Latest(w.Plan.Path)
	return last, ok && !loops.Status(last.Status).Over()
}

// Reset forgets what was done for a task file: its state, the passes of its
// stories, its runs' branch. A copy of all that is kept, and what it says in lines
// is where.
func (c *Controller) Reset(ctx context.Context, w *Work, live *Live) ([]string, error) {
	if last, ok := c.Unfinished(w); ok {
		if c.Alive(w.Plan.Name) {
			return nil, &process.BusyError{Plan: w.Plan.Name, Err: errors.New("run " + last.ID + " is not finished")}
		}
		if _, err := c.Resume(ctx, last.ID, &loops.Answer{By: "--reset"}, "", live); err != nil {
			return nil, err
		}
	}
	if err := c.Store.Make(); err != nil {
		return nil, err
	}
	release, _, err := process.New(c.Repo).Lock(w.Plan.Name)
	if err != nil {
		return nil, err
	}
	defer release()
	var said []string
	ids, err := c.Store.IDs()
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		s, _, err := c.Store.Read(id)
		if err != nil || s.Start.Plan.Path != w.Plan.Path {
			continue
		}
		saved, err := contain.SetAside(ctx, c.Checkout(), contain.Owned{Run: id, Folder: c.Store.Folder(id), Over: true})
		if err != nil {
			return said, err
		}
		if saved != "" {
			said = append(said, "the work of run "+id+" is on "+saved)
		}
	}
	kept, err := w.Task.SetAside(filepath.Join(filepath.Dir(c.Store.Folder("x")), ".reset"), c.Now())
	if err != nil {
		return said, err
	}
	return append(said, "the previous state is in "+kept), w.Task.Reopen()
}

// OpenTask reads a task file of others and opens the repository that its workdir lies
// in. mode is of agent-loop, "" to let its configuration say.
func OpenTask(ctx context.Context, file, mode string, getenv func(string) string) (*Controller, *Work, error) {
	t, err := task.Open(file, mode, getenv)
	if err != nil {
		return nil, nil, err
	}
	if info, err := os.Stat(t.Workdir); err != nil || !info.IsDir() {
		return nil, nil, fmt.Errorf("%s: workdir %s: not a directory", t.File, t.Workdir)
	}
	p, err := repo.Open(ctx, t.Workdir, getenv)
	if err != nil {
		return nil, nil, err
	}
	if rel, inside := p.Relative(t.File); inside {
		t.Plan.Path = rel
	}
	return New(p), taskWork(t), t.Locate(ctx)
}

// taskWork returns the work that a task file is.
func taskWork(t *task.Task) *Work { return &Work{Plan: t.Plan, Src: t.Src, File: t.File, Task: t} }

// lastRun returns the last run of a task file.
func (c *Controller) lastRun(w *Work) task.LastRun {
	last, ok := c.Latest(w.Plan.Path)
	if !ok {
		return task.LastRun{}
	}
	return task.LastRun{Folder: c.Store.Folder(last.ID), RunSummary: last}
}

// Standing says how a task file stands.
func (c *Controller) Standing(w *Work) (*task.Standing, error) {
	if last, ok := c.Latest(w.Plan.Path); ok {
		return w.Task.Standing(&last)
	}
	return w.Task.Standing(nil)
}
