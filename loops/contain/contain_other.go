//go:build !unix

package contain

import (
	"context"
	"errors"
	"io"
	"os"

	"github.com/loopwiki/wiki/loops"
)

var errSystem = errors.New("loops run on Linux and macOS only: other systems can't end a run's processes reliably; use WSL")

// Run refuses.
func (c *container) Run(context.Context, loops.Process) (loops.Exit, error) {
	return loops.Exit{}, errSystem
}

// Sweep refuses.
func (c *container) Sweep(context.Context, string) (int, error) { return 0, errSystem }

// Supervise refuses.
func Supervise(context.Context, io.Reader, io.Writer) error { return errSystem }

func probe(Options) reach {
	return reach{level: loops.Bare, open: []string{"loops do not run on this system"}}
}

// Lock refuses.
func Lock(string, string) (*Held, string, error) { return nil, "", errSystem }

// Release gives the lock back.
func (h *Held) Release() error { return h.file.Close() }

// Scratch makes a temporary folder; done removes it.
func Scratch() (dir string, done func() error, err error) {
	dir, err = os.MkdirTemp("", "wiki-run-*")
	return dir, func() error { return os.RemoveAll(dir) }, err
}

// SweepScratch finds nothing: here no run is carried out that could die.
func SweepScratch() int { return 0 }

// Holder finds nobody.
func Holder(string) (string, int, bool) { return "", 0, false }
