package temporal

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"github.com/loopwiki/wiki/loops/run"
	"go.temporal.io/sdk/activity"
)

// The times of a step.
const (
	beat     = time.Second      // between signs of life
	patience = 10 * time.Second // until a step that was stopped is killed
)

// step starts the program for one command, and waits for its answer. It gives signs of life
// meanwhile. When the context ends, the program ends its agent and then itself.
func (h *Host) step(ctx context.Context, c *clone, q run.StepRequest) (run.Outcome, error) {
	var none run.Outcome
	request, err := json.Marshal(q)
	if err != nil {
		return none, err
	}
	cmd := exec.Command(h.Wiki, "-C", c.dir, "loop", "step")
	cmd.Env, cmd.Dir = h.Env, c.dir
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // Ctrl-C is for the worker
	said := &bytes.Buffer{}
	cmd.Stderr = said
	in, err := cmd.StdinPipe()
	if err != nil {
		return none, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return none, err
	}
	if err := cmd.Start(); err != nil {
		return none, &run.StepError{Kind: run.StepFailed, Message: fmt.Sprintf("start %s: %v", h.Wiki, err)}
	}
	go func() { _, _ = in.Write(append(request, '\n')) }() // one that died is known by what follows
	replies := make(chan run.StepReply)
	go func() {
		defer close(replies)
		d := json.NewDecoder(bufio.NewReader(out))
		for {
			var r run.StepReply
			if d.Decode(&r) != nil {
				return
			}
			replies <- r
		}
	}()
	last := h.listen(ctx, replies, func() { in.Close() }, func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) })
	in.Close()
	err = cmd.Wait()
	switch {
	case last.Error != nil:
		return none, last.Error
	case last.Outcome != nil:
		return *last.Outcome, nil
	}
	return none, fmt.Errorf("wiki loop step: %w: %s", errors.Join(err, ctx.Err()), strings.TrimSpace(said.String()))
}

// listen returns the last reply. It stops and then kills what does not end with the context.
func (h *Host) listen(ctx context.Context, replies <-chan run.StepReply, stop, kill func()) (last run.StepReply) {
	tick := time.NewTicker(beat)
	defer tick.Stop()
	now := Heartbeat{Host: h.ID}
	done := ctx.Done()
	var late <-chan time.Time
	for {
		select {
		case r, ok := <-replies:
			if !ok {
				return last
			}
			if r.Progress != nil {
				now.Progress = *r.Progress
				continue
			}
			last = r
		case <-tick.C:
			activity.RecordHeartbeat(ctx, now)
		case <-done:
			done = nil
			stop()
			late = time.After(patience)
		case <-late:
			kill()
		}
	}
}
