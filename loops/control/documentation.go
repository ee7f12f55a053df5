package control

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
)

// workFile is the work list of a run that documents, in its folder.
const workFile = "worklist.md"

// Document keeps the wiki true of what changed since a revision, a day, a span of
// time, or for "" since the loop's last run that did. id is that of a run whose folder was
// made already, or "".
func (c *Controller) Document(ctx context.Context, l *repo.Loop, since string, f Flags, id string, live *Live) (loops.State, error) {
	var none loops.State
	if err := repo.Supported(); err != nil {
		return none, err
	}
	if err := c.Store.Make(); err != nil {
		return none, err
	}
	release, _, err := process.New(c.Repo).Lock(l.Spec.Name) // one at a time, whatever day it is
	if err != nil {
		return none, err
	}
	defer release()
	all, err := c.Summaries()
	if err != nil {
		return none, err
	}
	if err := c.underWay(all, l.Spec.Name, id); err != nil {
		return none, err
	}
	if err := c.Andon().MayStart(all); err != nil {
		return none, err
	}
	if err := c.stepBack(ctx, live); err != nil {
		return none, err
	}
	start, err := c.starter().documentation(ctx, l, since, f)
	if err != nil {
		return none, err
	}
	releaseRun, note, err := process.New(c.Repo).Lock(start.Plan.Name)
	if err != nil {
		return none, err
	}
	defer releaseRun()
	if id == "" {
		if id, err = c.Store.Create(l.Spec.Name, c.Now()); err != nil {
			return none, err
		}
	}
	start.Run, start.Wall = id, loops.Duration(f.Timeout)
	if err := files.ReplacePath(filepath.Join(c.Store.Folder(id), workFile), []byte(run.WorkList(start.Documentation)), 0o644); err != nil {
		return none, err
	}
	s, err := c.drive(ctx, &Work{Plan: &start.Plan}, start, f.Notify, note, live)
	return s, errors.Join(err, c.stepBack(ctx, live))
}

// underWay returns why a loop that documents can't begin anew: an *[UnfinishedError] for a run
// that can go on, or nil. id is that of a run whose folder was made already, or "".
func (c *Controller) underWay(all []schema.RunSummary, loop, id string) error {
	for _, r := range all {
		if r.Loop == loop && r.ID != id && !loops.Status(r.Status).Over() && !c.Lost(&r) {
			return unfinished(r)
		}
	}
	return nil
}
