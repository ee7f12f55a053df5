package task

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
)

// OpenCircuitError is a breaker that stays open until a person resets it.
type OpenCircuitError struct{ File, Reason string }

func (e *OpenCircuitError) Error() string {
	return fmt.Sprintf("the breaker of %s is OPEN: %s", e.File, cmp.Or(e.Reason, "an earlier run made no progress"))
}

// Hint returns what to do.
func (e *OpenCircuitError) Hint() string {
	return "see .lodeloop/progress.md for the reason, fix the stories, and restart with --reset"
}

// Circuit returns the breaker that a run of lodeloop's begins with.
func (t *Task) Circuit() (loops.Breaker, error) {
	var none loops.Breaker
	if t.Plan.Format != loops.LodeloopTask {
		return none, nil
	}
	root, err := files.Open(t.Workdir)
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
		return none, nil // what can't be read is made again, closed
	case b.State == loops.Open:
		return none, &OpenCircuitError{t.File, b.Reason}
	case !t.Resume:
		return none, nil
	}
	b.LastProgress = 0 // iterations are counted anew
	return b, nil
}

// SetAside moves the state of the task file to a new folder below parent, copies the
// file there, and returns which.
func (t *Task) SetAside(parent string, now time.Time) (string, error) {
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(parent, now.UTC().Format("2006-01-02T150405Z")+"-")
	if err != nil {
		return "", err
	}
	src, err := files.ReadPath(t.File, files.Run)
	if err != nil {
		return "", err
	}
	if err := files.ReplacePath(filepath.Join(dir, filepath.Base(t.File)), src, 0o644); err != nil {
		return "", err
	}
	at, name := t.progressFile()
	state := filepath.Join(at, name)
	if t.Plan.Format == loops.LodeloopTask {
		state = filepath.Join(at, plan.LodeloopFolder)
	}
	if err := os.Rename(state, filepath.Join(dir, filepath.Base(state))); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	return dir, nil
}

// Reopen takes the passes of all stories back.
func (t *Task) Reopen() error {
	root, err := files.Open(filepath.Dir(t.File))
	if err != nil {
		return err
	}
	defer root.Close()
	no := false
	var updates []plan.StoryUpdate
	for _, c := range t.Plan.Chunks {
		if c.Done {
			updates = append(updates, plan.StoryUpdate{ID: c.ID, Passes: &no})
		}
	}
	text, err := plan.UpdateStories(t.Src, updates...)
	if err != nil {
		return err
	}
	return replaceIn(root, filepath.Base(t.File), t.Src, text)
}
