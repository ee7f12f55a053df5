package control

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
)

// OpenCircuitError is a breaker that stays open until a person resets it.
type OpenCircuitError struct{ File, Reason string }

func (e *OpenCircuitError) Error() string {
	return fmt.Sprintf("the breaker of %s is OPEN: %s", e.File, or(e.Reason, "an earlier run got nowhere"))
}

// Hint says what to do.
func (e *OpenCircuitError) Hint() string {
	return "see .lodeloop/progress.md for why, correct the stories, and begin anew with --reset"
}

// circuit is the breaker that a run of lodeloop's begins with.
func (w *Work) circuit() (loops.Breaker, error) {
	var none loops.Breaker
	if w.Plan.Format != loops.LodeloopTask {
		return none, nil
	}
	root, err := files.Open(w.Workdir)
	if err != nil {
		return none, err
	}
	defer root.Close()
	src, err := readIn(root, path.Join(plan.LodeloopFolder, plan.LodeloopCircuit))
	if err != nil || src == nil {
		return none, err
	}
	b, err := plan.ReadCircuit(src)
	switch {
	case err != nil:
		return none, nil // what can not be read is made again, closed
	case b.State == loops.Open:
		return none, &OpenCircuitError{w.File, b.Reason}
	case !w.Resume:
		return none, nil
	}
	b.LastProgress = 0 // iterations are counted anew
	return b, nil
}

// Unfinished is the run of a task file that can be resumed.
func (p *Place) Unfinished(w *Work) (schema.RunSummary, bool) {
	last, ok := p.Latest(w.Plan.Path)
	return last, ok && !loops.Status(last.Status).Over()
}

// Reset forgets what was done for a task file: its state, the passes of its
// stories, its runs' branch. A copy of all that is kept, and what it says in lines
// is where.
func (p *Place) Reset(ctx context.Context, w *Work, live *Live) ([]string, error) {
	if last, ok := p.Unfinished(w); ok {
		if p.Alive(w.Plan.Name) {
			return nil, &BusyError{w.Plan.Name, errors.New("run " + last.ID + " is not over")}
		}
		if _, err := p.GoOn(ctx, last.ID, &loops.Answer{By: "--reset"}, "", live); err != nil {
			return nil, err
		}
	}
	if err := p.Store.Make(); err != nil {
		return nil, err
	}
	release, _, err := p.lock(w.Plan.Name)
	if err != nil {
		return nil, err
	}
	defer release()
	var said []string
	ids, err := p.Store.IDs()
	if err != nil {
		return nil, err
	}
	for _, id := range ids {
		s, _, err := p.Store.Read(id)
		if err != nil || s.Start.Plan.Path != w.Plan.Path {
			continue
		}
		saved, err := contain.SetAside(ctx, contain.Repo{Dir: p.Root, Env: p.gitEnv()}, contain.Owned{Run: id, Folder: p.Store.Folder(id), Over: true})
		if err != nil {
			return said, err
		}
		if saved != "" {
			said = append(said, "what run "+id+" did is on "+saved)
		}
	}
	kept, err := p.keep(w)
	if err != nil {
		return said, err
	}
	return append(said, "the state as it was is in "+kept), w.reopen()
}

// keep moves the state of a task file away, and copies the file there.
func (p *Place) keep(w *Work) (string, error) {
	parent := filepath.Join(filepath.Dir(p.Store.Folder("x")), ".reset")
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(parent, p.Now().UTC().Format("2006-01-02T150405Z")+"-")
	if err != nil {
		return "", err
	}
	src, err := files.ReadPath(w.File, files.Run)
	if err != nil {
		return "", err
	}
	if err := files.ReplacePath(filepath.Join(dir, filepath.Base(w.File)), src, 0o644); err != nil {
		return "", err
	}
	at, name := w.progressFile()
	state := filepath.Join(at, name)
	if w.Plan.Format == loops.LodeloopTask {
		state = filepath.Join(at, plan.LodeloopFolder)
	}
	if err := os.Rename(state, filepath.Join(dir, filepath.Base(state))); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return dir, nil
}

// reopen takes the passes of all stories back.
func (w *Work) reopen() error {
	root, err := files.Open(filepath.Dir(w.File))
	if err != nil {
		return err
	}
	defer root.Close()
	no := false
	var updates []plan.StoryUpdate
	for _, c := range w.Plan.Chunks {
		if c.Done {
			updates = append(updates, plan.StoryUpdate{ID: c.ID, Passes: &no})
		}
	}
	text, err := plan.UpdateStories(w.Src, updates...)
	if err != nil {
		return err
	}
	return replaceIn(root, filepath.Base(w.File), w.Src, text)
}
