package temporal

import (
	"errors"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// The limits of a worker.
const (
	tell     = time.Second // between heartbeats to the server, by which it learns of a stop
	stopping = 15 * time.Second
	deadlock = 10 * time.Second // machines may be busy
)

// Workers polls the queue of all hosts and that of this one, until it is stopped. slots is
// how many commands are carried out at a time.
type Workers struct{ all []worker.Worker }

// NewWorkers returns the workers of a host.
func (h *Host) NewWorkers(queue string, slots int) *Workers {
	o := worker.Options{
		Identity: h.ID, MaxConcurrentActivityExecutionSize: slots, WorkerStopTimeout: stopping, DeadlockDetectionTimeout: deadlock,
		MaxHeartbeatThrottleInterval: tell, DefaultHeartbeatThrottleInterval: tell,
	}
	shared := worker.New(h.Client, queue, o)
	shared.RegisterWorkflowWithOptions(Loop, workflow.RegisterOptions{Name: WorkflowName})
	shared.RegisterActivityWithOptions(h.Alive, activity.RegisterOptions{Name: AliveName})
	o.DisableWorkflowWorker = true
	own := worker.New(h.Client, HostQueue(queue, h.ID), o)
	for _, w := range []worker.Worker{shared, own} {
		w.RegisterActivityWithOptions(h.Step, activity.RegisterOptions{Name: StepName})
	}
	return &Workers{[]worker.Worker{own, shared}}
}

// Start begins to poll.
func (w *Workers) Start() error {
	var errs []error
	for _, one := range w.all {
		errs = append(errs, one.Start())
	}
	return errors.Join(errs...)
}

// Stop ends. Commands in work are given up, and repeated by the next worker.
func (w *Workers) Stop() {
	for _, one := range w.all {
		one.Stop()
	}
}
