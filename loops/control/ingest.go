package control

import (
	"context"
	"path"

	"github.com/loopwiki/wiki/compiler/ingest"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/intake"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/control/repo"
)

// Ingest has a writer make pages of sources, on a branch: the sources are registered
// there first.
func (c *Controller) Ingest(ctx context.Context, work intake.Work, writer loops.Casting, f Flags, live *Live) (loops.State, error) {
	var none loops.State
	if err := repo.Supported(); err != nil {
		return none, err
	}
	request, err := intake.New(c.Repo).Request(ctx, work)
	if err != nil {
		return none, err
	}
	b := work.Batch
	name := "ingest-" + slugOf(path.Base(request.Sources[0].Path))
	if len(request.Sources) > 1 {
		name = "ingest-" + slugOf(b.Title)
	}
	pl := loops.Plan{Name: name, Path: request.Sources[0].Path, Title: intake.Title + ingest.Plain(b.Title)}
	start, err := c.starter().base(ctx, loops.IngestLoop, &pl, map[loops.Role]loops.Casting{loops.Writer: writer}, f)
	if err != nil {
		return none, err
	}
	start.Gates, start.Ingest = loops.GateCommands{}, request
	if err := c.Store.Make(); err != nil {
		return none, err
	}
	release, note, err := process.New(c.Repo).Lock(name)
	if err != nil {
		return none, err
	}
	defer release()
	if last, ok := c.Latest(pl.Path); ok && !loops.Status(last.Status).Over() {
		return none, unfinished(last)
	}
	all, err := c.Summaries()
	if err != nil {
		return none, err
	}
	if err := c.Andon().MayStart(all); err != nil {
		return none, err
	}
	if start.Run, err = c.Store.Create(name, c.Now()); err != nil {
		return none, err
	}
	if err := intake.Keep(c.Store.Folder(start.Run), b); err != nil {
		return none, err
	}
	d := c.driver(nil)
	live.attach(d)
	if note != "" {
		live.Say("note: the lock is " + note)
	}
	return d.Begin(ctx, start)
}
