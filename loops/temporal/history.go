package temporal

import (
	"context"
	"errors"
	"fmt"

	enums "go.temporal.io/api/enums/v1"
	history "go.temporal.io/api/history/v1"
	"go.temporal.io/api/serviceerror"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/run"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/converter"
)

// Reader reads the journal of a run out of the history of its workflow, from its first
// execution to the last.
type Reader struct {
	Client    client.Client
	Converter converter.DataConverter
	Workflow  string
	First     string // execution
	// Follow waits for what is to come, until the workflow ends.
	Follow bool

	execution string
	next      int // number of the event that comes next, from 1
	all       client.HistoryEventIterator
	ended     bool
}

// ErrEnded is returned when nothing follows: the workflow is over or, unless the reader
// follows it, all there is was read.
var ErrEnded = errors.New("end of the history")

// Next returns the events of the journal that the history holds next, and the number of the
// first, from 1.
func (r *Reader) Next(ctx context.Context) (first int, events []loops.Event, err error) {
	if r.execution == "" {
		r.execution, r.next = r.First, 1
	}
	for !r.ended {
		if r.all == nil {
			r.all = r.Client.GetWorkflowHistory(ctx, r.Workflow, r.execution, r.Follow, enums.HISTORY_EVENT_FILTER_TYPE_ALL_EVENT)
		}
		if !r.all.HasNext() {
			break
		}
		h, err := r.all.Next()
		if err != nil {
			var gone *serviceerror.NotFound
			if errors.As(err, &gone) {
				return 0, nil, fmt.Errorf("the server has no history of %s (retention may be over): %w", r.Workflow, err)
			}
			return 0, nil, err
		}
		first, events, err := r.take(h)
		if err != nil || len(events) > 0 {
			return first, events, err
		}
	}
	r.ended = true
	return 0, nil, ErrEnded
}

// take returns what one event of the history holds of the journal.
func (r *Reader) take(h *history.HistoryEvent) (int, []loops.Event, error) {
	switch h.GetEventType() {
	case enums.EVENT_TYPE_ACTIVITY_TASK_SCHEDULED:
		a := h.GetActivityTaskScheduledEventAttributes()
		if a.GetActivityType().GetName() != StepName {
			return 0, nil, nil
		}
		var w Work
		if err := r.Converter.FromPayloads(a.GetInput(), &w); err != nil {
			return 0, nil, fmt.Errorf("read event %d of %s: %w", h.GetEventId(), r.Workflow, err)
		}
		return r.skip(w.Step.First, w.Step.Events)
	case enums.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW:
		r.execution, r.all = h.GetWorkflowExecutionContinuedAsNewEventAttributes().GetNewExecutionRunId(), nil
	}
	return 0, nil, nil
}

// skip leaves out what was read before.
func (r *Reader) skip(first int, events []loops.Event) (int, []loops.Event, error) {
	if first > r.next {
		return 0, nil, fmt.Errorf("event %d of the journal is missing in the history of %s: event %d follows", r.next, r.Workflow, first)
	}
	events = events[min(r.next-first, len(events)):]
	first, r.next = r.next, r.next+len(events)
	return first, events, nil
}

// ReadAll returns all events of the journal that the history holds.
func (r *Reader) ReadAll(ctx context.Context) ([]loops.Event, error) {
	var out []loops.Event
	for {
		_, more, err := r.Next(ctx)
		if errors.Is(err, ErrEnded) {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		out = append(out, more...)
	}
}

// Connect reaches the server of an engine. key encrypts payloads; "" is none.
func Connect(ctx context.Context, e run.Engine, key, identity string) (client.Client, converter.DataConverter, error) {
	dc, err := Converter(key)
	if err != nil {
		return nil, nil, err
	}
	c, err := client.DialContext(ctx, client.Options{
		HostPort: e.Address, Namespace: e.Namespace, DataConverter: dc, FailureConverter: failures(key, dc), Identity: identity, Logger: quiet{},
	})
	if err != nil {
		return nil, nil, fmt.Errorf("connect to the Temporal server %s: %w", e.Address, err)
	}
	return c, dc, nil
}

// quiet is a logger of clients, whose errors are returned.
type quiet struct{}

func (quiet) Debug(string, ...any) {}
func (quiet) Info(string, ...any)  {}
func (quiet) Warn(string, ...any)  {}
func (quiet) Error(string, ...any) {}
