package process

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/run"
)

// runnerLog is what a detached runner prints, in the run's folder.
const runnerLog = "runner.log"

// NotBegunError is a detached runner that ended before its run began.
type NotBegunError struct {
	Code int    // its exit status
	Said []byte // what it printed
}

func (e *NotBegunError) Error() string {
	return fmt.Sprintf("the run did not start: exit status %d", e.Code)
}

// Detach starts this program again in a session of its own, which runs the plan,
// and waits until the run has begun. What keeps it from beginning is said here;
// afterwards its words go to a file in the run's folder.
func (r *Processes) Detach(ctx context.Context, plan, self string, args []string) (id string, err error) {
	if id, err = r.Store.Create(plan, r.Now()); err != nil {
		return "", err
	}
	at := slices.Index(args, "--")
	if at < 0 {
		at = len(args)
	}
	err = r.background(ctx, id, self, slices.Insert(slices.Clone(args), at, "--id", id))
	if err != nil && ctx.Err() == nil { // the run never was
		err = errors.Join(err, os.RemoveAll(r.Store.Folder(id)))
	}
	return id, err
}

// DetachResume is Detach for a run that began earlier. One that has nothing left to
// do ends with a NotBegunError, too.
func (r *Processes) DetachResume(ctx context.Context, id, self string, args []string) error {
	return r.background(ctx, id, self, args)
}

// background starts this program in a session of its own, and waits until it writes to
// the journal of the run.
func (r *Processes) background(ctx context.Context, id, self string, args []string) error {
	folder := r.Store.Folder(id)
	log, err := openLog(folder)
	if err != nil {
		return err
	}
	defer log.Close()
	said, err := log.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	before := journalSize(folder)
	c := exec.Command(self, args...)
	c.Stdout, c.Stderr = log, log // and it starts where this process did: paths mean the same
	apart(c)
	if err := c.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for {
		if journalSize(folder) > before {
			return nil
		}
		select {
		case err := <-ended:
			if journalSize(folder) > before {
				return nil
			}
			return notBegun(folder, said, err)
		case <-ctx.Done():
			return context.Cause(ctx) // the runner goes on
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// openLog opens what a runner prints to.
func openLog(folder string) (*os.File, error) {
	root, err := files.Open(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.OpenFile(runnerLog, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
}

// journalSize returns how many bytes a run's journal has, 0 if there is none.
func journalSize(folder string) int64 {
	info, err := os.Stat(filepath.Join(folder, run.JournalFile))
	if err != nil {
		return 0
	}
	return info.Size()
}

// notBegun returns why a runner ended before it wrote to its journal. What it printed
// begins at an offset of its log.
func notBegun(folder string, from int64, ended error) error {
	log, err := files.ReadPath(filepath.Join(folder, runnerLog), files.Run)
	if err != nil {
		return err
	}
	said := log[min(from, int64(len(log))):]
	var exit *exec.ExitError
	switch {
	case errors.As(ended, &exit):
		return &NotBegunError{max(1, exit.ExitCode()), said}
	case ended != nil:
		return ended
	}
	return &NotBegunError{0, said}
}
