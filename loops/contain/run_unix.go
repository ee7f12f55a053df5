//go:build unix

package contain

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/loopwiki/wiki/loops"
)

// Run runs a program below a supervisor. A context that ends stops it, in the
// time of grace.
func (c *container) Run(ctx context.Context, p loops.Process) (loops.Exit, error) {
	q, err := c.newRequest(p)
	if err != nil {
		return loops.Exit{}, err
	}
	if ctx.Err() != nil {
		return loops.Exit{Why: loops.EndedStopped, Code: -1, Level: q.Level}, nil
	}
	exit, err := c.supervised(ctx, q)
	if err != nil {
		return exit, fmt.Errorf("run %s: %w", p.Argv[0], err)
	}
	return exit, nil
}

// supervised starts a supervisor, and waits for what it has to say.
func (c *container) supervised(ctx context.Context, q request) (loops.Exit, error) {
	var out bytes.Buffer
	said := &tail{most: 4 << 10}
	args := slices.Clone(c.self[1:])
	if c.options.Place != "" {
		args = append(args, c.options.Place) // by which Above knows it
	}
	cmd := exec.Command(c.self[0], args...)
	cmd.Env, cmd.Dir = supervisorEnviron(), "/"
	cmd.Stdout, cmd.Stderr = &out, said
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	in, err := cmd.StdinPipe()
	if err != nil {
		return loops.Exit{}, fmt.Errorf("create a pipe: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return loops.Exit{}, fmt.Errorf("start the supervisor: %w", err)
	}
	defer in.Close()
	// A supervisor that dies early is known by what follows.
	_ = json.NewEncoder(in).Encode(q)
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	err = c.await(ctx, q, cmd, in, done)

	var r reply
	if jsonErr := json.Unmarshal(out.Bytes(), &r); jsonErr != nil {
		n, sweepErr := c.Sweep(context.WithoutCancel(ctx), q.Process.Mark)
		if err == nil {
			err = jsonErr
		}
		what, _ := loops.NewRedactor(q.Redact).Text(strings.TrimSpace(said.String()))
		return loops.Exit{Code: -1, Level: q.Level, Strays: n},
			errors.Join(fmt.Errorf("the supervisor died: %w: %s; killed %d leftover processes", err, what, n), sweepErr)
	}
	if r.Error != "" {
		return r.Exit, errors.New(r.Error)
	}
	return r.Exit, nil
}

// await waits for the supervisor, and passes on that it has to stop. One that
// outstays every limit is killed.
func (c *container) await(ctx context.Context, q request, cmd *exec.Cmd, in io.Writer, done <-chan error) error {
	limit := time.NewTimer(q.Process.Wall + 2*q.Process.Grace + lateness)
	defer limit.Stop()
	stop := ctx.Done()
	for {
		select {
		case err := <-done:
			return err
		case <-stop:
			stop = nil
			_ = json.NewEncoder(in).Encode(control{Stop: true}) // if it is gone, done says so
			limit.Reset(2*q.Process.Grace + lateness)
		case <-limit.C:
			_ = cmd.Process.Kill()
		}
	}
}

// tail keeps the last bytes that are written.
type tail struct {
	most int
	b    []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.b = append(t.b, p...)
	if over := len(t.b) - t.most; over > 0 {
		t.b = append(t.b[:0], t.b[over:]...)
	}
	return len(p), nil
}

func (t *tail) String() string { return string(t.b) }
