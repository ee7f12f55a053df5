package temporal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	enums "go.temporal.io/api/enums/v1"
	"go.temporal.io/api/serviceerror"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/run"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
)

// Remote is a run on a Temporal server, as a checkout of its repository sees it.
type Remote struct {
	Client    client.Client
	Converter converter.DataConverter
	Store     *run.Store
	Artifacts Artifacts
	// Root is the checkout's.
	Root   string
	ID     string
	Engine run.Engine
}

// BusyError is a plan that a workflow carries out already.
type BusyError struct{ Plan, Workflow string }

func (e *BusyError) Error() string {
	return fmt.Sprintf("plan %s is carried out already by the workflow %s", e.Plan, e.Workflow)
}

// workflowID names the workflow of a plan: a plan of a repository has one at a time.
func workflowID(sub *run.Submission) string {
	sum := sha256.Sum256([]byte(sub.Repository))
	return "loop/" + sub.Name + "-" + hex.EncodeToString(sum[:4]) + "/" + sub.Start.Plan.Name
}

// Start starts the workflow of a run, and notes in the run's folder which it is.
func Start(ctx context.Context, c client.Client, s *run.Store, in Input) (run.Engine, error) {
	sub := &in.Submission
	e := sub.Engine
	e.Workflow = workflowID(sub)
	w, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{
		ID: e.Workflow, TaskQueue: e.TaskQueue, WorkflowIDReusePolicy: enums.WORKFLOW_ID_REUSE_POLICY_ALLOW_DUPLICATE,
		WorkflowIDConflictPolicy: enums.WORKFLOW_ID_CONFLICT_POLICY_FAIL, WorkflowExecutionErrorWhenAlreadyStarted: true,
		Memo: map[string]any{"run": sub.Start.Run, "repository": sub.Repository, "plan": sub.Start.Plan.Path, "status": string(loops.Running)},
	}, WorkflowName, in)
	var busy *serviceerror.WorkflowExecutionAlreadyStarted
	if errors.As(err, &busy) {
		return e, &BusyError{sub.Start.Plan.Name, e.Workflow}
	}
	if err != nil {
		return e, fmt.Errorf("start the workflow: %w", err)
	}
	e.First = w.GetRunID()
	return e, s.SetEngine(sub.Start.Run, e)
}

// reader returns a reader of the run's journal.
func (r *Remote) reader(follow bool) *Reader {
	return &Reader{Client: r.Client, Converter: r.Converter, Workflow: r.Engine.Workflow, First: r.Engine.First, Follow: follow}
}

// Export writes the journal of the run, as far as its history has it, and what the run left
// beside it, into the checkout. It returns what the run has come to.
func (r *Remote) Export(ctx context.Context) (loops.State, error) {
	events, err := r.reader(false).ReadAll(ctx)
	if err != nil {
		return loops.State{}, err
	}
	if events, err = r.Store.Extend(r.ID, 1, events); err != nil {
		return loops.State{}, err
	}
	return r.arrived(ctx, loops.Fold(events))
}

// arrived brings what the run left into the checkout.
func (r *Remote) arrived(ctx context.Context, s loops.State) (loops.State, error) {
	if r.Artifacts != nil {
		if err := fetch(ctx, r.Artifacts, unique(r.ID, r.Engine.First), filepath.Join(r.Root, ".loopwiki"), r.ID); err != nil {
			return s, err
		}
	}
	if s.Status.Over() {
		return s, r.Store.Finish(s)
	}
	return s, nil
}

// Watch follows the run until its runner ends, which is at the end of the run or when it
// waits, and shows each event that is new here. Events are written to the checkout's
// journal as they come. after says how many events were there before what is waited for.
func (r *Remote) Watch(ctx context.Context, after int, show func(e loops.Event, s *loops.State)) (loops.State, error) {
	events, err := r.Store.Extend(r.ID, 1, nil)
	if err != nil {
		return loops.State{}, err
	}
	s, have := loops.Fold(events), len(events)
	reader := r.reader(true)
	for {
		first, more, err := reader.Next(ctx)
		if errors.Is(err, ErrEnded) {
			break
		}
		if err != nil {
			return s, err
		}
		if _, err := r.Store.Extend(r.ID, first, more); err != nil {
			return s, err
		}
		ended := false
		for i, e := range more {
			n := first + i
			if n > have {
				s, _ = loops.Step(s, e)
				show(e, &s)
			}
			ended = n > after && (e.Kind == loops.Parked || e.Kind == loops.Finished)
		}
		if ended {
			break
		}
	}
	if s.Status.Over() { // what its host does last belongs to it
		within, cancel := context.WithTimeout(ctx, settling)
		defer cancel()
		_ = r.Client.GetWorkflow(within, r.Engine.Workflow, r.Engine.First).Get(within, nil) // how it ended is in the journal
	}
	return r.arrived(ctx, s)
}

// Signal tells the run's workflow something.
func (r *Remote) Signal(ctx context.Context, name string, arg any) error {
	err := r.Client.SignalWorkflow(ctx, r.Engine.Workflow, "", name, arg)
	var gone *serviceerror.NotFound
	if errors.As(err, &gone) {
		return fmt.Errorf("the workflow %s of run %s is not running any more", r.Engine.Workflow, r.ID)
	}
	return err
}

// Answer tells the run what a person decides about what it asks now.
func (r *Remote) Answer(ctx context.Context, s *loops.State, a loops.Answer) error {
	return r.Signal(ctx, AnswerSignal, Answer{Approve: a.Approve, By: a.By, Reason: a.Reason, Digest: Digest(s)})
}

// Stop stops the command in work, and waits until its programs have ended.
func (r *Remote) Stop(ctx context.Context, by string, within time.Duration) (loops.State, error) {
	events, err := r.Store.Extend(r.ID, 1, nil)
	if err != nil {
		return loops.State{}, err
	}
	// A run that waits takes no notice of it.
	if err := r.Signal(ctx, StopSignal, Stop{By: by}); err != nil {
		return loops.State{}, err
	}
	s, err := r.Export(ctx)
	if err != nil || s.Status != loops.Running {
		return s, err
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	return r.Watch(ctx, len(events), func(loops.Event, *loops.State) {})
}
