package fleet

import (
	"context"
	"path/filepath"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/control/repo"
)

// engine carries out the runs of one repository. How a run stands is read from its journal,
// whatever engine writes it.
type engine interface {
	// start begins a run of a plan, and returns its id as soon as its journal has begun. A run
	// that did not begin is a *process.NotBegunError.
	start(ctx context.Context, pl *loops.Plan) (id string, err error)
	// resume goes on with a run.
	resume(ctx context.Context, id string) error
	// alive reports whether somebody works on the plan's run.
	alive(pl *loops.Plan) bool
	// stop ends the work on a run, which can be resumed.
	stop(ctx context.Context, id string) error
	// owned reports whether a fleet started the run, or resumed it last.
	owned(id string) bool
}

// embedded carries out runs in processes of this program, one each, in sessions of their own:
// neither the crash of one nor that of the fleet ends others.
type embedded struct{ *process.Processes }

// ownedFile marks a run that a fleet started or resumed: who stops the fleet stops it too.
const ownedFile = "fleet"

// patience is how long a runner has to end after it was asked to.
const patience = 30 * time.Second

func newEngine(r *repo.Repo) engine { return embedded{process.New(r)} }

func (e embedded) start(ctx context.Context, pl *loops.Plan) (string, error) {
	id, err := e.Detach(ctx, pl.Name, e.Self[0], []string{"-C", e.Root, "loop", "run", pl.Path})
	if err != nil {
		return id, err
	}
	return id, e.own(id)
}

func (e embedded) resume(ctx context.Context, id string) error {
	if err := e.own(id); err != nil {
		return err
	}
	return e.DetachResume(ctx, id, e.Self[0], []string{"-C", e.Root, "loop", "resume", id})
}

func (e embedded) own(id string) error {
	return files.ReplacePath(filepath.Join(e.Store.Folder(id), ownedFile), []byte("started by wiki loop fleet\n"), 0o644)
}

func (e embedded) owned(id string) bool {
	_, err := files.ReadPath(filepath.Join(e.Store.Folder(id), ownedFile), files.Run)
	return err == nil
}

func (e embedded) alive(pl *loops.Plan) bool { return e.Alive(pl.Name) }

func (e embedded) stop(ctx context.Context, id string) error { return e.Stop(ctx, id, patience) }
