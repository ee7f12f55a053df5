package control

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/agent"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// FindRun returns the run that is named, the latest if none is.
func (p *Place) FindRun(args []string) (string, error) {
	given := ""
	if len(args) > 0 {
		given = args[0]
	}
	return p.Store.Find(given)
}

// Alive reports whether somebody runs a plan now.
func (p *Place) Alive(plan string) bool {
	_, ok := p.owner(plan)
	return ok
}

// owner returns the process that holds a plan's lock.
func (p *Place) owner(plan string) (int, bool) {
	_, pid, held := contain.Holder(p.Store.Lock(plan))
	return pid, held
}

// Summaries are what became of all runs.
func (p *Place) Summaries() ([]schema.RunSummary, error) { return p.Store.Summaries(p.Alive) }

// Current are the runs that are not over, and the last one.
func (p *Place) Current() ([]schema.RunSummary, error) { return p.Store.Current(p.Alive) }

// Latest is the last run of a plan, by the plan's path.
func (p *Place) Latest(path string) (schema.RunSummary, bool) {
	all, err := p.Summaries()
	if err != nil {
		return schema.RunSummary{}, false
	}
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Plan == path {
			return all[i], true
		}
	}
	return schema.RunSummary{}, false
}

// ResumeCommand says how a person goes on with an agent's session of a run.
func (p *Place) ResumeCommand(s loops.State) func(loops.Role, string) string {
	return func(r loops.Role, session string) string {
		a, err := agent.Find(s.Start.Roles[r], nil)
		if err != nil {
			return ""
		}
		return a.Resume(session)
	}
}

// IdleError is a run that nobody runs.
type IdleError struct{ ID string }

func (e *IdleError) Error() string { return "nobody runs " + e.ID }

// Stop asks the runner of a run to end, and waits until it has, and until
// nothing that it started is alive.
func (p *Place) Stop(ctx context.Context, id string, patience time.Duration) error {
	s, _, err := p.Store.Read(id)
	if err != nil {
		return err
	}
	pid, ok := p.owner(s.Start.Plan.Name)
	if !ok || s.Status.Over() {
		return &IdleError{id}
	}
	if err := terminate(pid); err != nil {
		return fmt.Errorf("ask process %d to end: %w", pid, err)
	}
	for end := time.Now().Add(patience); time.Now().Before(end); {
		if !p.Alive(s.Start.Plan.Name) {
			return p.sweep(ctx, s)
		}
		if err := sleep(ctx, 50*time.Millisecond); err != nil {
			return err
		}
	}
	return fmt.Errorf("process %d does not end; see what it does with 'wiki loop logs %s'", pid, id)
}

// sweep ends what a runner left that had no time for it. While another goes on
// with the run nothing is swept: that one has done it, and what is alive is its own.
func (p *Place) sweep(ctx context.Context, s loops.State) error {
	held, _, err := contain.Lock(p.Store.Lock(s.Start.Plan.Name), "wiki, which stops a run")
	if err != nil {
		if p.Alive(s.Start.Plan.Name) {
			return nil
		}
		return err
	}
	_, err = p.Container().Sweep(ctx, s.Start.Run)
	return errors.Join(err, held.Release())
}

// GC removes the worktrees that nobody needs, and says in a line each what
// became of them.
func (p *Place) GC(ctx context.Context, dryRun bool) ([]string, error) {
	ids, err := p.Store.IDs()
	if err != nil {
		return nil, err
	}
	var owned []contain.Owned
	for _, id := range ids {
		if s, _, err := p.Store.Read(id); err == nil && s.Place.Path != "" {
			owned = append(owned, contain.Owned{Run: id, Folder: p.Store.Folder(id), Over: s.Status.Over()})
		}
	}
	left, err := contain.GC(ctx, contain.Repo{Dir: p.Root, Env: p.gitEnv()}, owned, dryRun)
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
		out = append(out, "removed  a temporary folder of a run that died")
	case n > 1:
		out = append(out, fmt.Sprintf("removed  %d temporary folders of runs that died", n))
	}
	return out, p.tidy()
}

// discard removes the worktree of a run that needs it no more.
func (p *Place) discard(ctx context.Context, id string) error {
	_, err := contain.GC(ctx, contain.Repo{Dir: p.Root, Env: p.gitEnv()}, []contain.Owned{{Run: id, Folder: p.Store.Folder(id), Over: true}}, false)
	return err
}

// leftover says in a line what became of a worktree.
func leftover(l contain.Leftover, dryRun bool) string {
	word := "kept   "
	switch {
	case l.Removed && dryRun:
		word = "would go"
	case l.Removed:
		word = "removed"
	}
	text := fmt.Sprintf("%s %s  %.1f MB  %s", word, l.Path, float64(l.Size)/1e6, l.Why)
	if l.Saved != "" {
		text += "; what was not committed is on " + l.Saved
	}
	if n := len(l.Ignored); n > 0 {
		text += "; with it what git ignores, " + loops.Count(n, "file")
	}
	return text
}

// LogOptions say what Logs prints.
type LogOptions struct {
	Follow      bool // until the run ends
	Transcripts bool // what agents printed
	Flush       func() error
}

// Logs prints what happened in a run.
func (p *Place) Logs(ctx context.Context, id string, o LogOptions, w io.Writer) error {
	var s loops.State
	for seen := 0; ; {
		_, events, err := p.Store.Read(id)
		if err != nil {
			return err
		}
		for _, e := range events[seen:] {
			s, _ = loops.Step(s, e)
			if line := run.Line(e, &s); line != "" {
				text.Fprintf(w, "%s\n", line)
			}
			if o.Transcripts && e.Role != nil {
				p.transcript(w, id, e.Role.Evidence)
			}
		}
		seen = len(events)
		if err := o.Flush(); err != nil {
			return err
		}
		if !o.Follow || s.Status != loops.Running || !p.Alive(s.Start.Plan.Name) && seen > 1 {
			return nil
		}
		if sleep(ctx, 200*time.Millisecond) != nil {
			return nil // who looks has seen enough; the run goes on
		}
	}
}

func (p *Place) transcript(w io.Writer, id, evidence string) {
	for _, name := range []string{"stdout", "stderr"} {
		said, err := files.ReadPath(filepath.Join(p.Store.Folder(id), filepath.FromSlash(evidence), name), files.Run)
		if err == nil && len(said) > 0 {
			text.Fprintf(w, "---- %s/%s\n%s\n", evidence, name, text.Block(said))
		}
	}
}
