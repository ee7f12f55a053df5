package temporal

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	enums "go.temporal.io/api/enums/v1"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/run"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// The limits of activities. What a command may take is for the kernel and the host's
// configuration to say.
const (
	heartbeat = 30 * time.Second // after which a silent worker is lost
	longest   = 24 * time.Hour
	settling  = 2 * time.Minute
)

// retryNothing leaves it to the kernel whether a command is repeated.
var retryNothing = &temporal.RetryPolicy{MaximumAttempts: 1}

// work returns what an activity is told, with all events that no history holds yet.
func (l *loop) work(c *loops.Command) Work {
	s := &l.state
	sub := l.in.Submission
	return Work{
		Step:       run.StepRequest{Version: run.StepVersion, Run: s.Start.Run, Plan: s.Start.Plan.Name, First: l.sent + 1, Events: l.unsent, Command: c, Files: sub.Files},
		Repository: sub.Repository, Name: sub.Name, Base: s.Start.Base, Head: s.Head, Branch: s.Place.Branch, Queue: sub.Engine.TaskQueue,
		First: workflow.GetInfo(l.ctx).FirstRunID, Over: s.Status.Over(),
	}
}

// execute has the host of the run carry a command out. Where there is none, because the
// run is new or its host is gone, any host takes the run.
func (l *loop) execute(c loops.Command) (Done, error) {
	for {
		done, err := l.activity(l.host, c)
		if !notStarted(err) {
			return done, err
		}
		alive, err := l.alive()
		if err != nil || alive {
			if err != nil {
				return done, err
			}
			continue // it has other work
		}
		return done, l.move()
	}
}

// activity schedules one on the queue of a host, "" for that of all, and waits until it
// ends. A stop cancels it, unless what it does must not be left half done.
func (l *loop) activity(host string, c loops.Command) (Done, error) {
	o := workflow.ActivityOptions{
		TaskQueue: l.in.Submission.Engine.TaskQueue, StartToCloseTimeout: longest, HeartbeatTimeout: heartbeat, WaitForCancellation: true, RetryPolicy: retryNothing,
		Summary: string(c.Kind) + " " + string(c.Role),
	}
	if host != "" {
		o.TaskQueue, o.ScheduleToStartTimeout = HostQueue(o.TaskQueue, host), cmp.Or(l.in.Patience, DefaultPatience)
	}
	ctx, cancel := workflow.WithCancel(workflow.WithActivityOptions(l.ctx, o))
	defer cancel()
	f := workflow.ExecuteActivity(ctx, StepName, l.work(&c))
	l.sent, l.unsent = l.sent+len(l.unsent), nil
	for !f.IsReady() {
		l.untilStopped(f, func() {
			if c.Kind != loops.Commit && c.Kind != loops.WriteReport {
				cancel()
			}
		})
	}
	var done Done
	err := f.Get(ctx, &done)
	if done.Host != "" {
		l.host = done.Host
	}
	return done, err
}

// settle lets the host see that the runner ends.
func (l *loop) settle() error {
	o := workflow.ActivityOptions{
		TaskQueue: l.in.Submission.Engine.TaskQueue, ScheduleToStartTimeout: cmp.Or(l.in.Patience, DefaultPatience), StartToCloseTimeout: settling, HeartbeatTimeout: heartbeat, RetryPolicy: retryNothing,
		Summary: "end of the runner",
	}
	if l.host != "" {
		o.TaskQueue = HostQueue(o.TaskQueue, l.host)
	}
	f := workflow.ExecuteActivity(workflow.WithActivityOptions(l.ctx, o), StepName, l.work(nil))
	l.sent, l.unsent = l.sent+len(l.unsent), nil
	return f.Get(l.ctx, nil)
}

// alive asks any worker whether the host of the run polls its queue.
func (l *loop) alive() (alive bool, err error) {
	q := l.in.Submission.Engine.TaskQueue
	ctx := workflow.WithActivityOptions(l.ctx, workflow.ActivityOptions{TaskQueue: q, StartToCloseTimeout: time.Minute, Summary: "is the host alive?"})
	err = workflow.ExecuteActivity(ctx, AliveName, HostQueue(q, l.host)).Get(ctx, &alive)
	return alive, err
}

// notStarted reports whether an activity ended because no worker took it.
func notStarted(err error) bool {
	var t *temporal.TimeoutError
	return errors.As(err, &t) && t.TimeoutType() == enums.TIMEOUT_TYPE_SCHEDULE_TO_START
}

// cause says why an activity had no answer, without what differs from try to try.
func cause(err error) string {
	var t *temporal.TimeoutError
	var app *temporal.ApplicationError
	switch {
	case errors.As(err, &t):
		return fmt.Sprintf("no sign of life from its worker (%v)", t.TimeoutType())
	case errors.As(err, &app):
		return app.Message()
	}
	return err.Error()
}
