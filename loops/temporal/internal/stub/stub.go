package main

import (
	"context"
	"strings"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/run"
	engine "github.com/loopwiki/wiki/loops/temporal"
)

// queue is the task queue of stubs.
const queue = "stubs"

// chunks is the number of chunks of a plan.
const chunks = 2

// input is what the workflow of a plan is started with.
func input(id string) engine.Input {
	plan := loops.Plan{Name: id, Path: "plans/" + id + ".md"}
	for n := range chunks {
		plan.Chunks = append(plan.Chunks, loops.Chunk{ID: string(rune('1' + n)), Title: "Chunk"})
	}
	cast := loops.Casting{Agent: "command", Argv: []string{"sh", "maker.sh"}}
	return engine.Input{Submission: run.Submission{
		Version: run.StepVersion, Repository: "/srv/shop.git", Name: "shop", Engine: run.Engine{Name: "temporal", Namespace: "default", TaskQueue: queue},
		Start: loops.Start{
			Run: id, Loop: "execution", Mode: loops.Draft, Limits: loops.DefaultLimits(), Plan: plan, Base: strings.Repeat("0", 40),
			Roles: map[loops.Role]loops.Casting{loops.Maker: cast, loops.Checker: cast, loops.GoalChecker: cast},
		},
	}}
}

// start starts the workers of one host: one for the queue of all, and one for its own.
func start(c client.Client, host string) (stop func(), err error) {
	all := worker.New(c, queue, worker.Options{})
	own := worker.New(c, engine.HostQueue(queue, host), worker.Options{DisableWorkflowWorker: true})
	all.RegisterWorkflowWithOptions(engine.Loop, workflow.RegisterOptions{Name: engine.WorkflowName})
	for _, w := range []worker.Worker{all, own} {
		w.RegisterActivityWithOptions(func(_ context.Context, w engine.Work) (engine.Done, error) {
			return engine.Done{Host: host, Outcome: run.Outcome{Event: answer(w.Step.Command)}}, nil
		}, activity.RegisterOptions{Name: engine.StepName})
		w.RegisterActivityWithOptions(func(context.Context, string) (bool, error) { return true, nil }, activity.RegisterOptions{Name: engine.AliveName})
		if err := w.Start(); err != nil {
			return nil, err
		}
	}
	return func() { own.Stop(); all.Stop() }, nil
}

// answer says that all went well. Trees are as long as what was done.
func answer(c *loops.Command) loops.Event {
	if c == nil { // the runner ends
		return loops.Event{}
	}
	e := loops.Event{Key: c.Key}
	before := strings.Repeat("+", done(c))
	switch c.Kind {
	case loops.EnsureWorktree:
		e.Kind, e.Worktree = loops.WorktreeReady, &loops.PlaceResult{Path: "/srv/worktree", Branch: "loop/plan", Head: strings.Repeat("0", 40), Tree: before}
	case loops.TakeSnapshot:
		e.Kind, e.Snapshot = loops.SnapshotTaken, &loops.Snapshot{Tree: before}
	case loops.RunGates:
		e.Kind = loops.GatesEnded
	case loops.RunRole:
		r := loops.RoleResult{Report: loops.Report{Outcome: loops.OK, Usage: loops.Usage{USD: 0.01, Cost: loops.CostReported}}, Tree: before}
		switch c.Role {
		case loops.Maker:
			r.Tree += "+"
		case loops.Checker:
			r.Report.Verdict = &loops.Verdict{Decision: loops.Approve}
		case loops.GoalChecker:
			r.Report.Verdict = &loops.Verdict{Decision: loops.Met}
		}
		e.Kind, e.Role = loops.RoleEnded, &r
	case loops.Commit:
		e.Kind, e.Commit = loops.Committed, strings.Repeat("0", 39)+string(rune('1'+c.Chunk))
	case loops.WriteReport:
		e.Kind = loops.Reported
	default:
		e.Kind, e.Fault = loops.Broken, &loops.Fault{Message: "a stub can't " + string(c.Kind)}
	}
	return e
}

// done is how many chunks a tree holds before a command, as its role sees it.
func done(c *loops.Command) int {
	switch {
	case c.Chunk < 0 && (c.Kind == loops.EnsureWorktree || c.Stage == loops.StageBaseline):
		return 0
	case c.Chunk < 0:
		return chunks
	case c.Role == loops.Maker:
		return c.Chunk
	}
	return c.Chunk + 1
}
