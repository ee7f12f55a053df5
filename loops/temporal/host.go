//go:build unix

package temporal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	enums "go.temporal.io/api/enums/v1"
	taskqueue "go.temporal.io/api/taskqueue/v1"
	"go.temporal.io/api/workflowservice/v1"

	"github.com/loopwiki/wiki/loops/run"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
)

// Host carries out the commands of runs on one machine.
type Host struct {
	ID   string
	Root string // of clones and worktrees, absolute
	Wiki string // the program
	// Env is what the program is started with.
	Env       []string
	Artifacts Artifacts
	// Keep leaves the clones of runs that are over.
	Keep bool

	Client    client.Client
	Converter converter.DataConverter
	Namespace string

	mu     sync.Mutex
	stored map[string]map[string]stamp // by unique name of the run
}

// lostType is the type of errors after which a command is repeated.
const lostType = "lost"

func lost(err error) error {
	return temporal.NewNonRetryableApplicationError(err.Error(), lostType, nil)
}

func failed(err error) error {
	return temporal.NewNonRetryableApplicationError(err.Error(), run.StepFailed, nil)
}

// Step carries out a command.
func (h *Host) Step(ctx context.Context, w Work) (Done, error) {
	done := Done{Host: h.ID}
	for _, name := range []string{w.Step.Run, w.Name} { // they become folders below the root
		if name == "" || filepath.Base(name) != name || name[0] == '.' {
			return done, failed(fmt.Errorf("%q can't be the name of a run or a repository", name))
		}
	}
	c := h.clone(&w)
	if err := h.ensure(ctx, c); err != nil {
		return done, stoppedOr(ctx, lost(err))
	}
	out, err := h.step(ctx, c, w.Step)
	var behind *run.StepError
	if errors.As(err, &behind) && behind.Kind == run.StepBehind {
		if w.Step, err = h.whole(ctx, &w); err == nil {
			out, err = h.step(ctx, c, w.Step)
		}
	}
	if err != nil {
		var refused *run.StepError
		if errors.As(err, &refused) && refused.Kind == run.StepFailed {
			return done, failed(err)
		}
		return done, stoppedOr(ctx, lost(err))
	}
	done.Outcome = out
	// Whether it was stopped or not: what was done is to be seen by others.
	ctx = context.WithoutCancel(ctx)
	if w.Step.Command != nil && out.Event.Commit != "" {
		if err := c.push(ctx, out.Event.Commit, &w); err != nil {
			return done, lost(err)
		}
	}
	if err := h.store(ctx, c, &w); err != nil {
		return done, lost(err)
	}
	if w.Over && w.Step.Command == nil && !h.Keep {
		return done, h.remove(c, &w)
	}
	return done, nil
}

// stoppedOr returns that an activity was cancelled, if the run was stopped, and else why it
// is lost. A worker that ends loses its commands.
func stoppedOr(ctx context.Context, err error) error {
	select {
	case <-activity.GetWorkerStopChannel(ctx):
		return lost(errors.New("its worker was stopped"))
	default:
	}
	if ctx.Err() != nil {
		return temporal.NewCanceledError()
	}
	return err
}

// whole returns the request with all events before it, from the history of its workflow.
func (h *Host) whole(ctx context.Context, w *Work) (run.StepRequest, error) {
	q := w.Step
	r := Reader{Client: h.Client, Converter: h.Converter, Workflow: activity.GetInfo(ctx).WorkflowExecution.ID, First: w.First}
	all, err := r.ReadAll(ctx)
	if err != nil {
		return q, err
	}
	// The history may have gone on, if this try came late.
	q.Events = append(all[:min(len(all), q.First-1):min(len(all), q.First-1)], q.Events...)
	q.First = 1
	return q, nil
}

// store puts what the command left where others find it.
func (h *Host) store(ctx context.Context, c *clone, w *Work) error {
	if h.Artifacts == nil {
		return nil
	}
	id := unique(w.Step.Run, w.First)
	h.mu.Lock()
	if h.stored == nil {
		h.stored = make(map[string]map[string]stamp)
	}
	if h.stored[id] == nil {
		h.stored[id] = make(map[string]stamp)
	}
	stored := h.stored[id] // a run has one command at a time
	h.mu.Unlock()
	return store(ctx, h.Artifacts, id, filepath.Join(c.dir, ".loopwiki"), w.Step.Run, stored)
}

// remove removes what a run that is over needs no more.
func (h *Host) remove(c *clone, w *Work) error {
	h.mu.Lock()
	delete(h.stored, unique(w.Step.Run, w.First))
	h.mu.Unlock()
	return os.RemoveAll(filepath.Dir(c.dir))
}

// seen is how long ago a host that is alive polled at most: a poll lasts a minute.
const seen = 90 * time.Second

// Alive reports whether a worker polls a queue.
func (h *Host) Alive(ctx context.Context, queue string) (bool, error) {
	r, err := h.Client.WorkflowService().DescribeTaskQueue(ctx, &workflowservice.DescribeTaskQueueRequest{
		Namespace: h.Namespace, TaskQueue: &taskqueue.TaskQueue{Name: queue, Kind: enums.TASK_QUEUE_KIND_NORMAL}, TaskQueueType: enums.TASK_QUEUE_TYPE_ACTIVITY,
	})
	if err != nil {
		return false, err
	}
	for _, p := range r.GetPollers() {
		if time.Since(p.GetLastAccessTime().AsTime()) < seen {
			return true, nil
		}
	}
	return false, nil
}

// clone returns the clone of a run on this host.
func (h *Host) clone(w *Work) *clone {
	sum := sha256.Sum256([]byte(w.Repository))
	name := w.Name + "-" + hex.EncodeToString(sum[:6])
	want := w.Head
	if want == "" {
		want = w.Base
	}
	return &clone{
		url: w.Repository, cache: filepath.Join(h.Root, "cache", name+".git"), dir: filepath.Join(h.Root, "runs", unique(w.Step.Run, w.First), w.Name),
		base: w.Base, want: want, branch: "loop/" + w.Step.Plan, env: h.Env,
	}
}
