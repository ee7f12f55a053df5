package judge

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Command is a program that reads a prompt on standard input and prints the
// answer.
type Command struct {
	Argv    []string      // the program and its arguments
	Dir     string        // where it runs
	Env     []string      // its environment; nil is that of this process
	Timeout time.Duration // of one call
	Stderr  io.Writer     // takes what it says next to the answer; nil is nobody
	// Read extracts the answer from the output, or returns an error; status is the exit
	// code, negative for a killed program. Without Read, the whole output is the answer,
	// and any status but 0 a failure.
	Read func(printed []byte, status int) ([]byte, error)
}

// lingering is how long the output of a program that has ended is waited for,
// which another that it started may hold open.
const lingering = 500 * time.Millisecond

var (
	errTooLong = fmt.Errorf("output is longer than %d bytes", longestAnswer)
	errTooSlow = errors.New("timed out")
)

// Name implements [Backend]: the name of the program.
func (c *Command) Name() string {
	name := filepath.Base(c.Argv[0])
	return strings.TrimSuffix(name, filepath.Ext(name))
}

// Ask implements [Backend]. The program is the first of a group of processes, all of
// which are ended when it is done, takes too long or prints too much.
func (c *Command) Ask(ctx context.Context, prompt string) ([]byte, error) {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	late, cancel := context.WithTimeoutCause(ctx, c.Timeout, errTooSlow)
	defer cancel()
	out := &limited{most: longestAnswer, full: func() { stop(errTooLong) }}
	cmd := exec.CommandContext(late, c.Argv[0], c.Argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = c.Dir, c.Env, strings.NewReader(prompt), out, c.Stderr
	cmd.WaitDelay = lingering
	inGroup(cmd)
	cmd.Cancel = func() error { return endGroup(cmd) }
	err := cmd.Run()
	if cmd.Process != nil {
		_ = endGroup(cmd) // those that it left behind; none, most of the time
	}
	if late.Err() != nil {
		if cause := context.Cause(late); errors.Is(cause, errTooLong) {
			return nil, errTooLong
		} else if errors.Is(cause, errTooSlow) {
			return nil, fmt.Errorf("%w after %s", errTooSlow, c.Timeout)
		}
		return nil, context.Cause(late)
	}
	var exit *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrWaitDelay): // it ended well, and what it started did not
	case errors.Is(err, exec.ErrNotFound):
		return nil, fmt.Errorf("program %s not found in PATH", c.Name())
	case errors.As(err, &exit) && c.Read != nil:
	case errors.As(err, &exit):
		return nil, fmt.Errorf("%s ended with %s", c.Name(), exit.ProcessState)
	case err != nil:
		return nil, fmt.Errorf("could not start %s", c.Name())
	}
	if c.Read != nil {
		return c.Read(out.text.Bytes(), cmd.ProcessState.ExitCode())
	}
	return out.text.Bytes(), nil
}

// limited stores output up to a limit, and records whether there was more.
type limited struct {
	text bytes.Buffer
	most int
	full func()
}

func (l *limited) Write(b []byte) (int, error) {
	if l.text.Len()+len(b) > l.most {
		l.full()
		return 0, errTooLong
	}
	return l.text.Write(b)
}
