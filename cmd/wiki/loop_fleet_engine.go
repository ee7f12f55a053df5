package main

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/control/repo"
)

// fleetElsewhere carries out runs of a fleet with the program of another engine, as the
// commands of a person do.
type fleetElsewhere struct{}

func (fleetElsewhere) Start(ctx context.Context, r *repo.Repo, pl *loops.Plan) (string, error) {
	out, err := call(ctx, r.Self[0], "-C", r.Root, "loop", "run", pl.Path, "--detach")
	return strings.TrimSpace(out), err
}

func (fleetElsewhere) Resume(ctx context.Context, r *repo.Repo, id string) error {
	path, err := findEngine(control.New(r))
	if err != nil {
		return err
	}
	_, err = call(ctx, path, "resume", "-C", r.Root, "--detach", id)
	return err
}

func (fleetElsewhere) Stop(ctx context.Context, r *repo.Repo, id string) error {
	_, err := call(ctx, r.Self[0], "-C", r.Root, "loop", "stop", id)
	return err
}

func (fleetElsewhere) Refresh(ctx context.Context, r *repo.Repo) error {
	return refreshed(ctx, control.New(r), "")
}

// call runs a program, and returns what it printed. One that failed is a
// process.NotBegunError with what it said.
func call(ctx context.Context, path string, args ...string) (string, error) {
	var out, said bytes.Buffer
	c := exec.CommandContext(ctx, path, args...)
	c.Stdout, c.Stderr = &out, &said
	err := c.Run()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		err = &process.NotBegunError{Code: max(1, exit.ExitCode()), Said: said.Bytes()}
	}
	return out.String(), err
}
