// Package export turns the journal of a finished run into the forms of the standard: a
// Loop Trace and a LoopNet record, which holds the run's score.
//
// An iteration is a call of a role that works, with all that judged what it left. Its
// goal score is the share of the run's gates, with the plan's goal as one of them, that
// passed in it: a gate that an iteration did not reach did not pass. In a declared loop an
// iteration is one of the loop, and the goal score is its primary metric.
package export

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/spec/les"
	"github.com/loopwiki/wiki/loops/spec/record"
)

// nearly is the share of the target from which on a run that missed it is partial.
const nearly = .85

// Run is a finished run in the forms of the standard.
type Run struct {
	Trace  record.Trace
	Record record.Record
	// Dropped is how many iterations the record lacks: it holds the last ones only.
	Dropped int
}

// ErrNoIterations is a run in which no agent worked.
var ErrNoIterations = errors.New("no agent worked in this run; export one that called an agent")

// UnfinishedError is a run that is not over.
type UnfinishedError struct {
	ID     string
	Status loops.Status
}

func (e *UnfinishedError) Error() string {
	return fmt.Sprintf("run %s is %s, not over", e.ID, e.Status)
}

// Hint says what to do.
func (e *UnfinishedError) Hint() string { return "export it when it is over; see 'wiki loop status'" }

// Of exports a run by its events. Text of agents and gates is passed through clean, which
// takes out what must not leave this machine.
func Of(events []loops.Event, clean func(string) string) (Run, error) {
	s := loops.Fold(events)
	if !s.Status.Over() {
		return Run{}, &UnfinishedError{s.Start.Run, s.Status}
	}
	w := walk(&s, events)
	if len(w.iterations) == 0 {
		return Run{}, ErrNoIterations
	}
	e := exporter{state: &s, walker: w, clean: clean}
	out := Run{Trace: e.trace(), Dropped: max(0, len(w.iterations)-record.MaxSteps)}
	var err error
	out.Record, err = e.record(out.Dropped)
	return out, err
}

type exporter struct {
	state *loops.State
	walker
	clean func(string) string
}

func (e *exporter) trace() record.Trace {
	s := e.state
	t := record.Trace{
		Version: record.TraceVersion, LoopID: s.Start.Run, LoopName: e.loopName(), SpecPath: s.Start.Plan.Path,
		StartedAt: s.First.UTC(), EndedAt: s.Last.UTC(), Success: s.Status == loops.GoalMet, Reason: e.reason(),
		Metadata: map[string]any{"runtime": "wiki", "loop": s.Start.Loop, "mode": string(s.Start.Mode), "status": string(s.Status)},
	}
	if s.End.Why != "" {
		t.Metadata["why"] = e.clean(s.End.Why)
	}
	var usd []float64
	for n, i := range e.iterations {
		of := record.Iteration{
			Iteration: n, Timestamp: i.at.UTC(), Worker: string(i.role), Output: e.clean(i.summary), USD: les.Round(i.usd, 6),
			Scores: e.scores(i),
		}
		for _, f := range i.feedback {
			of.Feedback = append(of.Feedback, e.clean(f))
		}
		t.Iterations, usd = append(t.Iterations, of), append(usd, of.USD)
	}
	t.USD = les.Round(les.Sum(usd...), 6)
	return t
}

// scores are those of evaluators in an iteration: of the gates, or of those that the
// specification of the loop names.
func (e *exporter) scores(i iteration) map[string]float64 {
	if e.primary != "" {
		return i.scores
	}
	out := make(map[string]float64)
	for _, gate := range e.gates {
		out[gate] = 0
		if i.passed[gate] {
			out[gate] = 1
		}
	}
	return out
}

func (e *exporter) record(dropped int) (record.Record, error) {
	s := e.state
	r := record.Record{
		ID: recordID(s.Start.Run + s.First.UTC().String()), Version: record.RecordVersion, Pins: record.Pins{LSS: "lss@1.0.0", LES: "les@1.0.0"},
		CreatedAt: s.Last.UTC(), Source: "production_redacted", Split: "train", Patterns: e.patterns(), LoopName: e.loopName(),
		Objective: e.clean(objective(s.Start.Plan)), Reason: e.reason(), Redaction: &record.Redaction{Level: "basic", Fields: []string{"loop_spec"}},
	}
	for n, i := range e.iterations[dropped:] {
		goal := les.Round(e.goal(i), 4)
		r.Trajectory = append(r.Trajectory, record.Step{
			Iteration: dropped + n + 1, Goal: goal, Quality: &goal, USD: les.Round(i.usd, 4), Latency: les.Round(i.took.Seconds(), 3),
			Tokens: i.tokens, SafetyEvents: i.safety, Human: i.human,
		})
	}
	r.Metadata = e.metadata(r.Trajectory, dropped)
	r.Outcome, r.FailureModes = outcome(r.Reason, s.Status == loops.GoalMet, r.Trajectory, r.Metadata)
	if r.Outcome == "failure" {
		r.FailureMode = r.FailureModes[0]
	}
	var err error
	r.Observed, err = r.Score(les.Weights)
	return r, err
}

func (e *exporter) metadata(steps []record.Step, dropped int) record.Metadata {
	s := e.state
	m := record.Metadata{
		Iterations: len(steps), Target: e.target(), Final: steps[len(steps)-1].Goal, Evaluators: len(e.gates), Budget: s.Start.Limits.Budget.Iterations,
		Tags: []string{"wiki", s.Start.Loop, string(s.Start.Mode)},
	}
	var usd []float64
	for i, step := range steps {
		usd = append(usd, step.USD)
		if i > 0 && step.Goal < steps[i-1].Goal {
			m.Regressions++
		}
	}
	m.USD = les.Round(les.Sum(usd...), 4)
	if d := s.Start.Declared; d != nil {
		d.Walk(func(_ string, d *loops.Declared) { m.Workers += len(d.Workers) })
	}
	for role := range s.Start.Roles {
		if role.Judges() {
			m.Evaluators++
		} else {
			m.Workers++
		}
	}
	if dropped > 0 {
		m.Tags = append(m.Tags, fmt.Sprintf("tail of %d iterations", dropped+len(steps)))
	}
	return m
}

// outcome labels a run by what its trajectory shows, as captures of simulated runs are
// labelled.
func outcome(reason string, success bool, steps []record.Step, m record.Metadata) (string, []string) {
	first, last := steps[0].Goal, steps[len(steps)-1].Goal
	out := "failure"
	switch {
	case success:
		return "success", nil
	case last >= nearly*m.Target:
		out = "partial"
	}
	mode := "fail.self_grade"
	switch {
	case reason == "max_iterations":
		mode = "fail.tau_omission"
	case m.Regressions >= 2:
		mode = "fail.oscillation"
	case last > first+.15 && out == "failure":
		mode = "fail.false_pass"
	case last < first:
		mode = "fail.evaluator_drift"
	case out == "partial":
		mode = "fail.open_loop"
	}
	return out, []string{mode}
}

// reason says in the standard's words why the run ended.
func (e *exporter) reason() string {
	s := e.state
	switch s.Status {
	case loops.GoalMet:
		return "goal_met"
	case loops.Rejected:
		return "human_stop"
	case loops.NoGround:
		return "error"
	case loops.OverBudget:
		switch b := s.Start.Limits.Budget; {
		case b.Iterations > 0 && s.Iterations >= b.Iterations:
			return "max_iterations"
		case b.USD > 0 && s.Spend.USD >= b.USD:
			return "cost_exceeded"
		}
		return "budget_exhausted"
	}
	switch {
	case e.iterations[len(e.iterations)-1].safety > 0:
		return "safety_violation"
	case s.Breaker.State == loops.Open || s.Stalled > 0:
		return "stall"
	}
	return "max_iterations" // every attempt is used up
}

// patterns are the standard's names for what the loop does.
func (e *exporter) patterns() []string {
	s := e.state
	var out []string
	switch {
	case s.Querying(), s.Ingesting():
		out = []string{"research-loop"}
	case s.Planning(), s.Auditing():
		out = []string{"planning-loop"}
	default:
		out = []string{"verification-loop"}
	}
	if _, ok := s.Start.Roles[loops.Checker]; ok {
		out = append(out, "critique-loop")
	}
	if slices.ContainsFunc(e.iterations, func(i iteration) bool { return i.human }) {
		out = append(out, "human-in-the-loop")
	}
	return out
}

// target is the goal score to reach: every gate and the goal, or what a specification asks
// of its primary metric.
func (e *exporter) target() float64 {
	if d := e.state.Start.Declared; e.primary != "" {
		for _, t := range d.Success {
			m := slices.IndexFunc(d.Metrics, func(m loops.Measure) bool { return m.Name == t.Metric })
			rising := t.Operator == "gte" || t.Operator == "gt"
			if m >= 0 && d.Metrics[m].Primary && rising && t.Value > 0 && t.Value <= 1 {
				return t.Value
			}
		}
	}
	return 1
}

// loopName is that of the specification, or the name of the plan as the standard allows names.
func (e *exporter) loopName() string {
	if e.state.Declares() {
		return e.state.Start.Loop // it follows the standard already
	}
	others := func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }
	slug := strings.Join(strings.FieldsFunc(strings.ToLower(e.state.Start.Plan.Name), others), "-")
	if slug == "" {
		slug = "unnamed"
	}
	return "plan-" + strings.TrimRight(slug[:min(len(slug), 64-len("plan-"))], "-")
}

// objective is the plan's title, which the standard wants ten letters of.
func objective(p loops.Plan) string {
	if len([]rune(p.Title)) >= 10 {
		return p.Title
	}
	return "Carry out the plan: " + p.Title
}

// recordID makes an id of the form of a UUID that is always the same for one run.
func recordID(of string) string {
	sum := sha256.Sum256([]byte(of))
	sum[6] = sum[6]&0x0f | 0x80 // version 8: of our own making
	sum[8] = sum[8]&0x3f | 0x80
	return fmt.Sprintf("ln-%x-%x-%x-%x-%x", sum[:4], sum[4:6], sum[6:8], sum[8:10], sum[10:16])
}
