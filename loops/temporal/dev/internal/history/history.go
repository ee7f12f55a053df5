// Package history reads from a server of Temporal what its runs took: how large their
// histories are, how many activities they had, and how long those waited for a worker.
package history

import (
	"context"
	"fmt"
	"slices"
	"time"

	"go.temporal.io/api/enums/v1"
	"go.temporal.io/api/workflowservice/v1"
	"go.temporal.io/sdk/client"
)

// Plan is what one workflow took, over all executions that continued it.
type Plan struct {
	ID         string
	Executions int
	Events     int
	Bytes      int64
	Status     enums.WorkflowExecutionStatus // of the last execution
	Started    time.Time                     // of the first
	Closed     time.Time                     // of the last; zero if it is open
	Activities int
	Retries    int // attempts beyond the first
	// Waits are how long activities that needed one attempt were ready before a worker
	// took them.
	Waits []time.Duration
}

// Plans reads all workflows of a namespace, by their ids.
func Plans(ctx context.Context, c client.Client, namespace string) ([]*Plan, error) {
	byID := map[string]*Plan{}
	request := &workflowservice.ListWorkflowExecutionsRequest{Namespace: namespace, PageSize: 500}
	for {
		page, err := c.ListWorkflow(ctx, request)
		if err != nil {
			return nil, err
		}
		for _, e := range page.Executions {
			id := e.Execution.WorkflowId
			p := byID[id]
			if p == nil {
				p = &Plan{ID: id, Started: e.StartTime.AsTime()}
				byID[id] = p
			}
			p.Executions++
			if at := e.StartTime.AsTime(); at.Before(p.Started) {
				p.Started = at
			}
			if e.Status != enums.WORKFLOW_EXECUTION_STATUS_CONTINUED_AS_NEW {
				p.Status = e.Status
				if e.CloseTime != nil {
					p.Closed = e.CloseTime.AsTime()
				}
			}
			if err := p.read(ctx, c, e.Execution.RunId); err != nil {
				return nil, fmt.Errorf("can't read the history of %s: %w", id, err)
			}
		}
		if len(page.NextPageToken) == 0 {
			break
		}
		request.NextPageToken = page.NextPageToken
	}
	out := make([]*Plan, 0, len(byID))
	for _, p := range byID {
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *Plan) int { return a.Started.Compare(b.Started) })
	return out, nil
}

// read adds one execution's events.
func (p *Plan) read(ctx context.Context, c client.Client, run string) error {
	scheduled := map[int64]time.Time{}
	for events := c.GetWorkflowHistory(ctx, p.ID, run, false, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT); events.HasNext(); {
		e, err := events.Next()
		if err != nil {
			return err
		}
		p.Events++
		p.Bytes += int64(e.Size())
		switch e.EventType {
		case enums.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
			p.Activities++
			scheduled[e.EventId] = e.EventTime.AsTime()
		case enums.EVENT_TYPE_ACTIVITY_TASK_STARTED:
			a := e.GetActivityTaskStartedEventAttributes()
			if a.Attempt > 1 {
				p.Retries += int(a.Attempt) - 1
				continue
			}
			p.Waits = append(p.Waits, e.EventTime.AsTime().Sub(scheduled[a.ScheduledEventId]))
		}
	}
	return nil
}

// Quantile is the value below which a share of the values lies, zero if there are none.
func Quantile(values []time.Duration, share float64) time.Duration {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, int(share*float64(len(sorted))))]
}

// Ended counts the workflows of a namespace that ended for good.
func Ended(ctx context.Context, c client.Client, namespace string) (int, error) {
	open, err := c.CountWorkflow(ctx, &workflowservice.CountWorkflowExecutionsRequest{
		Namespace: namespace, Query: `ExecutionStatus NOT IN ("Running", "ContinuedAsNew")`,
	})
	return int(open.GetCount()), err
}
