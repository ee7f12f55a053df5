package fleet

import (
	"context"
	"errors"
	"path/filepath"
	"sync"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/run"
)

// engine carries out the runs of one repository. How a run stands is read from its journal,
// whatever engine writes it.
type engine interface {
	// start begins a run of a plan, and returns its id as soon as its journal has begun. A run
	// that did not begin is a *process.NotBegunError.
	start(ctx context.Context, pl *loops.Plan) (id string, err error)
	// resume goes on with a run.
	resume(ctx context.Context, id string) error
	// alive reports whether somebody works on the plan's run of that id.
	alive(ctx context.Context, pl *loops.Plan, id string) bool
	// stop ends the work on a run, which can be resumed.
	stop(ctx context.Context, id string) error
	// owned reports whether a fleet started the run, or resumed it last.
	owned(id string) bool
}

// Elsewhere carries out runs with another engine than this program.
type Elsewhere interface {
	// Start hands a plan over, and returns the id of the run. A run that did not begin is a
	// *process.NotBegunError.
	Start(ctx context.Context, r *repo.Repo, pl *loops.Plan) (id string, err error)
	// Resume lets a run go on, and Stop ends the work on it.
	Resume(ctx context.Context, r *repo.Repo, id string) error
	Stop(ctx context.Context, r *repo.Repo, id string) error
	// Refresh brings the journals of runs that are not over up to date.
	Refresh(ctx context.Context, r *repo.Repo) error
}

// embedded carries out runs in processes of this program, one each, in sessions of their own:
// neither the crash of one nor that of the fleet ends others.
type embedded struct {
	*process.Processes
	mark
}

// patience is how long a runner has to end after it was asked to.
const patience = 30 * time.Second

// engineFor returns what carries out a run of the member's repository; a run without an id is
// a new one.
func (f *Fleet) engineFor(m *member, id string) engine {
	there := m.repo.Config.Engine != "" && m.repo.Config.Engine != embeddedEngine
	if id != "" {
		_, there, _ = m.repo.Store.Engine(id)
	}
	if there {
		return remote{f.Elsewhere, m.repo, mark{m.repo.Store}, &m.refreshed}
	}
	return embedded{process.New(m.repo), mark{m.repo.Store}}
}

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

func (e embedded) alive(_ context.Context, pl *loops.Plan, _ string) bool { return e.Alive(pl.Name) }

func (e embedded) stop(ctx context.Context, id string) error { return e.Stop(ctx, id, patience) }

// remote has runs carried out elsewhere. This program reads what came of them.
type remote struct {
	elsewhere Elsewhere
	*repo.Repo
	mark
	last *refreshed
}

func (e remote) start(ctx context.Context, pl *loops.Plan) (string, error) {
	id, err := e.elsewhere.Start(ctx, e.Repo, pl)
	if err != nil {
		return id, err
	}
	return id, e.own(id)
}

func (e remote) resume(ctx context.Context, id string) error {
	return errors.Join(e.own(id), e.elsewhere.Resume(ctx, e.Repo, id))
}

func (e remote) stop(ctx context.Context, id string) error { return e.elsewhere.Stop(ctx, e.Repo, id) }

// alive is true as well while nobody can say how the run stands.
func (e remote) alive(ctx context.Context, _ *loops.Plan, id string) bool {
	e.last.refresh(ctx, func() { _ = e.elsewhere.Refresh(ctx, e.Repo) })
	s, _, err := e.Store.Read(id)
	return err == nil && s.Status == loops.Running || errors.As(err, new(*run.NotBegunError))
}

// refreshEvery is how often the journals of a repository's runs are brought up to date while
// it is waited for them.
const refreshEvery = 2 * time.Second

// refreshed is when they were.
type refreshed struct {
	sync.Mutex
	at time.Time
}

// refresh calls, if nobody did lately. Who comes meanwhile waits for it.
func (r *refreshed) refresh(ctx context.Context, call func()) {
	r.Lock()
	defer r.Unlock()
	if time.Since(r.at) > refreshEvery && ctx.Err() == nil {
		call()
		r.at = time.Now()
	}
}

// mark tells the runs that a fleet started or resumed last: who stops the fleet stops them.
type mark struct{ store *run.Store }

// ownedFile is in the folder of such a run.
const ownedFile = "fleet"

func (m mark) own(id string) error {
	return files.ReplacePath(filepath.Join(m.store.Folder(id), ownedFile), []byte("started by wiki loop fleet\n"), 0o644)
}

func (m mark) owned(id string) bool {
	_, err := files.ReadPath(filepath.Join(m.store.Folder(id), ownedFile), files.Run)
	return err == nil
}
