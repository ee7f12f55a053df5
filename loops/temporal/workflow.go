package temporal

import (
	"errors"
	"fmt"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/workflow"
)

// Loop carries out a run: it feeds the kernel, and has others do what the kernel asks for.
// It returns what became of the run.
func Loop(ctx workflow.Context, in Input) (schema.RunSummary, error) {
	l := &loop{in: in, outer: ctx}
	// What is left to do when somebody cancels the workflow is to end in order.
	l.ctx, _ = workflow.NewDisconnectedContext(ctx)
	l.answers, l.stops, l.resumes = workflow.GetSignalChannel(ctx, AnswerSignal), workflow.GetSignalChannel(ctx, StopSignal), workflow.GetSignalChannel(ctx, ResumeSignal)
	var queue []loops.Command
	if c := in.Carried; c != nil {
		l.state, l.sent, l.unsent, l.host, l.moves, queue = c.State, c.Sent, c.Unsent, c.Host, c.Moves, c.Queue
		l.early, l.stop = c.Answers, c.Stops
	} else {
		queue = l.feed(loops.Event{Kind: loops.Started, Start: &in.Submission.Start})
	}
	for {
		if l.drive(queue) {
			return schema.RunSummary{}, workflow.NewContinueAsNewError(ctx, WorkflowName, l.next())
		}
		if err := l.end(); err != nil || l.state.Status.Over() || ctx.Err() != nil {
			return l.state.Summary(), err
		}
		if queue = l.wait(); ctx.Err() != nil {
			return l.state.Summary(), ctx.Err()
		}
	}
}

// loop is one execution of the workflow.
type loop struct {
	ctx   workflow.Context
	outer workflow.Context // which ends when somebody cancels the workflow
	in    Input
	state loops.State
	queue []loops.Command

	// sent counts the events that the history holds, unsent are those after them.
	sent   int
	unsent []loops.Event

	since time.Time // when the runner ended last

	host  string // that has the run's worktree
	moves int    // from host to host
	lost  int    // times in a row that a command had no answer

	answers, stops, resumes workflow.ReceiveChannel
	early                   []Answer // came before they were asked for
	stop                    []Stop
}

// feed lets the kernel see an event.
func (l *loop) feed(e loops.Event) []loops.Command {
	e.At = workflow.Now(l.ctx).UTC()
	next, commands := loops.Step(l.state, e)
	l.state, l.unsent = next, append(l.unsent, e)
	return commands
}

// drive carries out commands until nothing follows or somebody stops the run. It reports
// whether the workflow is to be continued as new: a chunk was accepted.
func (l *loop) drive(queue []loops.Command) (again bool) {
	for l.queue = queue; len(l.queue) > 0 && !l.stopping(); {
		c := l.queue[0]
		l.feed(loops.Event{Kind: loops.Began, Key: c.Key, Command: &c})
		e, ok := l.carryOut(c)
		if !ok {
			return false
		}
		if e.Kind == "" { // the command was lost: the kernel says what follows
			continue
		}
		l.lost = 0
		l.queue = append(l.queue[1:], l.feed(e)...)
		if c.Kind == loops.Commit && len(l.queue) > 0 && !l.stopping() {
			return true
		}
	}
	return false
}

// next returns what the next execution goes on with.
func (l *loop) next() Input {
	in := l.in
	in.Carried = &Carried{State: l.state, Queue: l.queue, Sent: l.sent, Unsent: l.unsent, Host: l.host, Moves: l.moves, Answers: l.early, Stops: l.stop}
	for a := (Answer{}); l.answers.ReceiveAsync(&a); a = (Answer{}) {
		in.Carried.Answers = append(in.Carried.Answers, a)
	}
	return in
}

// stopping reports whether somebody asked the run to stop.
func (l *loop) stopping() bool {
	for s := (Stop{}); l.stops.ReceiveAsync(&s); s = (Stop{}) {
		l.stop = append(l.stop, s)
	}
	return len(l.stop) > 0 || l.outer.Err() != nil
}

// end writes why the runner ends, and lets the host see it.
func (l *loop) end() error {
	if l.stopping() && !l.state.Status.Over() {
		why := "the workflow was cancelled"
		if len(l.stop) > 0 {
			why = "stopped by " + l.stop[0].By
		}
		l.feed(loops.Event{Kind: loops.StopAsked, Why: why})
	}
	l.stop = nil
	e := loops.Event{Kind: loops.Parked, Status: l.state.Status, Why: l.state.Question}
	if l.state.Status.Over() {
		e.Kind, e.Why = loops.Finished, l.state.End.Why
	}
	exit := l.state.Status.Exit()
	e.Exit = &exit
	l.feed(e)
	l.since = workflow.Now(l.ctx)
	if err := l.settle(); err != nil {
		workflow.GetLogger(l.ctx).Warn("the host does not know that the run ended", "run", l.state.Start.Run, "error", err)
	}
	return workflow.UpsertMemo(l.ctx, map[string]any{"status": string(l.state.Status)})
}

// wait waits for a person, or until a vendor can be asked again.
func (l *loop) wait() []loops.Command {
	timer, cancel := workflow.WithCancel(l.ctx)
	defer cancel()
	s := &l.state
	var out []loops.Command
	for done := false; !done; {
		sel := workflow.NewSelector(l.ctx)
		sel.AddReceive(l.outer.Done(), func(workflow.ReceiveChannel, bool) { done = true })
		sel.AddReceive(l.stops, func(c workflow.ReceiveChannel, _ bool) { c.Receive(l.ctx, nil) }) // nothing is at work
		sel.AddReceive(l.resumes, func(c workflow.ReceiveChannel, _ bool) {
			c.Receive(l.ctx, nil)
			if s.WaitingFor != loops.ForPerson {
				done, out = true, l.feed(loops.Event{Kind: loops.Resumed})
			}
		})
		sel.AddReceive(l.answers, func(c workflow.ReceiveChannel, _ bool) {
			var a Answer
			c.Receive(l.ctx, &a)
			l.early = append(l.early, a)
		})
		if until, e, ok := l.deadline(); ok {
			sel.AddFuture(workflow.NewTimer(timer, until.Sub(workflow.Now(l.ctx))), func(workflow.Future) { done, out = true, l.feed(e) })
		}
		if len(l.early) == 0 {
			sel.Select(l.ctx)
		}
		if len(l.early) > 0 && !done {
			out, done = l.answer()
		}
		cancel()
		timer, cancel = workflow.WithCancel(l.ctx)
	}
	return out
}

// answer takes the first answer of a person that is to the question asked.
func (l *loop) answer() ([]loops.Command, bool) {
	for len(l.early) > 0 {
		a := l.early[0]
		l.early = l.early[1:]
		if a.Digest == Digest(&l.state) {
			return l.feed(loops.Event{Kind: loops.Answered, Answer: &loops.Answer{Approve: a.Approve, By: a.By, Reason: a.Reason}}), true
		}
		l.feed(loops.Event{Kind: loops.Noted, Why: fmt.Sprintf("the answer of %s is to another question (%s, asked is %s); ignored", a.By, a.Digest, Digest(&l.state))})
	}
	return nil, false
}

// deadline returns when the run goes on by itself, and with what.
func (l *loop) deadline() (time.Time, loops.Event, bool) {
	s := &l.state
	switch {
	case s.Status != loops.Waiting:
		return time.Time{}, loops.Event{}, false
	case s.WaitingFor != loops.ForPerson:
		return s.Until, loops.Event{Kind: loops.Resumed}, !s.Until.IsZero()
	}
	within := l.in.AnswerWithin
	if within <= 0 {
		within = DefaultAnswer
	}
	no := &loops.Answer{By: "deadline", Reason: fmt.Sprintf("nobody answered within %v", within)}
	return l.since.Add(within), loops.Event{Kind: loops.Answered, Answer: no}, true
}

// carryOut has a command carried out. ok is false if it was stopped; an event without a
// kind says that the command was lost, and that the queue is another.
func (l *loop) carryOut(c loops.Command) (e loops.Event, ok bool) {
	switch c.Kind {
	case loops.AskHuman:
		return loops.Event{Kind: loops.Asked, Key: c.Key, Why: c.Why}, true
	case loops.WaitUntil:
		return loops.Event{Kind: loops.WaitOver, Key: c.Key}, l.sleep(c.Until.Sub(workflow.Now(l.ctx)))
	}
	done, err := l.execute(c)
	var failed *temporal.ApplicationError
	switch {
	case err == nil:
		for _, n := range done.Outcome.Notes {
			l.feed(loops.Event{Kind: loops.Noted, Why: n})
		}
		return done.Outcome.Event, true
	case l.stopping():
		return e, false
	case errors.As(err, &failed) && failed.Type() == run.StepFailed:
		return loops.Event{Kind: loops.Broken, Key: c.Key, Fault: &loops.Fault{Message: failed.Message(), Environment: true}}, true
	}
	return l.again(err)
}

// maxLost is how often in a row a command may be lost before a person has to look.
const maxLost = 5

// again goes on after a command that had no answer: its worker died, or its host.
func (l *loop) again(err error) (e loops.Event, ok bool) {
	l.lost++
	why := cause(err)
	l.feed(loops.Event{Kind: loops.Noted, Why: "the command was lost: " + why})
	if l.lost >= maxLost {
		l.stop = append(l.stop, Stop{By: fmt.Sprintf("the engine: %d commands in a row were lost, the last to %s", l.lost, why)})
		return e, false
	}
	if !l.sleep(time.Duration(l.lost*l.lost) * time.Second) {
		return e, false
	}
	l.queue = l.feed(loops.Event{Kind: loops.Resumed})
	return e, true
}

// sleep waits, and reports whether nobody stopped the run meanwhile.
func (l *loop) sleep(d time.Duration) bool {
	timer, cancel := workflow.WithCancel(l.ctx)
	defer cancel()
	f := workflow.NewTimer(timer, max(d, 0))
	l.untilStopped(f, func() {})
	return f.IsReady() && !l.stopping()
}

// untilStopped waits for a future. When the run is stopped first, it calls and returns.
func (l *loop) untilStopped(f workflow.Future, call func()) {
	sel := workflow.NewSelector(l.ctx)
	sel.AddFuture(f, func(workflow.Future) {})
	sel.AddReceive(l.outer.Done(), func(workflow.ReceiveChannel, bool) { call() })
	sel.AddReceive(l.stops, func(c workflow.ReceiveChannel, _ bool) {
		var s Stop
		c.Receive(l.ctx, &s)
		l.stop = append(l.stop, s)
		call()
	})
	sel.Select(l.ctx)
}
