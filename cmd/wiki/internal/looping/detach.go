package looping

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

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
	return fmt.Sprintf("the run did not begin: exit status %d", e.Code)
}

// Detach starts this program again in a session of its own, which runs the plan,
// and waits until the run has begun. What keeps it from beginning is said here;
// afterwards its words go to a file in the run's folder.
func (p *Place) Detach(ctx context.Context, w *Work, self string, args []string) (id string, err error) {
	if id, err = p.Store.Create(w.Plan.Name, p.Now()); err != nil {
		return "", err
	}
	folder := p.Store.Folder(id)
	log, err := os.Create(filepath.Join(folder, runnerLog))
	if err != nil {
		return "", err
	}
	defer log.Close()
	at := slices.Index(args, "--")
	if at < 0 {
		at = len(args)
	}
	c := exec.Command(self, slices.Insert(slices.Clone(args), at, "--id", id)...)
	c.Stdout, c.Stderr = log, log // and it starts where this process did: paths mean the same
	apart(c)
	if err := c.Start(); err != nil {
		return "", errors.Join(err, os.RemoveAll(folder))
	}
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	for {
		if info, err := os.Stat(filepath.Join(folder, run.JournalFile)); err == nil && info.Size() > 0 {
			return id, nil
		}
		select {
		case err := <-ended:
			return id, p.notBegun(folder, err)
		case <-ctx.Done():
			return id, context.Cause(ctx) // the runner goes on
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// notBegun is why a runner ended, nil if its run had begun after all. The folder
// of a run that never was goes.
func (p *Place) notBegun(folder string, ended error) error {
	if _, err := os.Stat(filepath.Join(folder, run.JournalFile)); err == nil {
		return nil
	}
	said, err := os.ReadFile(filepath.Join(folder, runnerLog))
	if err != nil {
		return err
	}
	var exit *exec.ExitError
	switch {
	case errors.As(ended, &exit):
		err = &NotBegunError{max(1, exit.ExitCode()), said}
	case ended != nil:
		err = ended
	default:
		err = fmt.Errorf("the runner ended without a run: %s", said)
	}
	return errors.Join(err, os.RemoveAll(folder))
}
