package record

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/loops/spec/les"
)

// The disturbances of a simulation.
const (
	MissingSource = "missing_source"
	StaleSource   = "stale_source"
	HumanReject   = "hitl_reject"
	ToolDenylist  = "tool_denylist"
)

// Perturbations are the names of all disturbances.
var Perturbations = []string{MissingSource, StaleSource, HumanReject, ToolDenylist}

// Simulation runs a spec without models: what workers leave and how it is judged is
// derived from hashes of the prompts. The same spec, task, seed and disturbance give the
// same episode on every machine.
type Simulation struct {
	spec      *spec.Spec
	key       string
	disturbed string
	threshold float64
	limit     int

	seen   Observation
	result Result
	tokens int
}

// NewSimulation resets an episode. A task distinguishes episodes of one spec.
func NewSimulation(s *spec.Spec, c Choice, disturbance string) (*Simulation, error) {
	if disturbance != "" && !slices.Contains(Perturbations, disturbance) {
		return nil, fmt.Errorf("unknown disturbance %q", disturbance)
	}
	e := &Simulation{
		spec: s, key: fmt.Sprintf("%d:%s:%s", c.Seed, c.Task, s.Name), disturbed: disturbance,
		threshold: .8, limit: s.Strategy.MaxSteps, result: Result{TaskID: c.Task, Seed: c.Seed, EnvID: "simulation"},
	}
	atLeast := func(t spec.Success) bool { return t.Operator == "gte" || t.Operator == "gt" }
	if i := slices.IndexFunc(s.Termination.Success, atLeast); i >= 0 {
		e.threshold = s.Termination.Success[i].Value
	}
	bounds := func(f spec.Failure) bool { return f.Type == "max_iterations" && f.Value != nil }
	if i := slices.IndexFunc(s.Termination.Failure, bounds); i >= 0 {
		e.limit = int(*s.Termination.Failure[i].Value)
	}
	return e, nil
}

// Succeeded reports whether the last iteration reached the threshold. What a person
// rejected or a constraint stopped did not.
func (e *Simulation) Succeeded() bool {
	stopped := e.disturbed == HumanReject || e.disturbed == ToolDenylist
	return !stopped && e.seen.Iteration > 0 && e.seen.Quality >= e.threshold
}

// step advances the episode by an iteration. The action replaces what the worker would
// leave; empty leaves it to the worker.
func (e *Simulation) step(action string) {
	n := e.seen.Iteration + 1
	output := action
	if output == "" {
		output = e.work(n)
	}
	quality := min(.99, e.judge(output)+float64(.12*float64(n))+.05)
	e.seen = Observation{Iteration: n, Output: output, Quality: les.Round(e.disturb(n, quality), 4)}
	e.end()
	e.seen.Reward = e.seen.Quality
	if !e.Succeeded() {
		e.seen.Reward -= .5
	}
}

// work is what the first worker leaves.
func (e *Simulation) work(n int) string {
	role := e.spec.Workers[0].Role
	prompt := e.spec.Objective
	if n > 1 {
		prompt = "once more, after: " + e.seen.Output
	}
	sum := e.call(role, prompt)
	return fmt.Sprintf("%s, version %d (%x)", e.spec.Workers[0].Outputs.Name, n, sum[:4])
}

// judge is the quality before the bonus for iterations, with two digits.
func (e *Simulation) judge(output string) float64 {
	first := e.call("evaluator", "judge "+output+" by "+e.spec.Objective)[0]
	quality := .45 + float64(.5*(float64(first)/255)) + float64(e.tokens)/1e5
	return les.Round(min(.95, quality), 2)
}

// call stands for the call of a model: a hash of the prompt's beginning.
func (e *Simulation) call(role, prompt string) [sha256.Size]byte {
	runes := []rune(prompt)
	e.tokens += max(50, len(runes)/4)
	return sha256.Sum256([]byte(e.key + ":" + role + ":" + string(runes[:min(200, len(runes))])))
}

func (e *Simulation) disturb(n int, quality float64) float64 {
	switch e.disturbed {
	case HumanReject:
		return min(quality, .55)
	case ToolDenylist:
		return min(quality, .35)
	case MissingSource, StaleSource:
		if n >= 2 {
			return max(.5, quality-.08)
		}
	}
	return quality
}

// end ends the episode if a condition holds.
func (e *Simulation) end() {
	switch {
	case e.disturbed == HumanReject:
		e.result.Reason = "human_rejected"
	case e.disturbed == ToolDenylist:
		e.result.Reason = "safety_violation"
	case e.Succeeded():
		e.result.Reason = fmt.Sprintf("quality_threshold (%.2f >= %s)", e.seen.Quality, decimal(e.threshold))
	case e.seen.Iteration >= e.limit:
		e.result.Reason = fmt.Sprintf("max_iterations (%d)", e.limit)
	default:
		return
	}
	e.seen.Done = true
}

// Play runs the simulation to its end, with action in place of what the worker would
// leave, if it is not empty. see, if it is not nil, is called with each observation.
func (e *Simulation) Play(action string, see func(Observation)) Result {
	out := &e.result
	for !e.seen.Done {
		e.step(action)
		out.Steps++
		out.add(e.seen, see)
	}
	out.Success = e.Succeeded()
	switch {
	case out.Success:
		out.Outcome = "success"
	case out.Quality >= nearly*e.threshold:
		out.Outcome = "partial"
	default:
		out.Outcome = "failure"
	}
	return *out
}

// nearly is the share of the target from which on a run that missed it is partial.
const nearly = .85

// secondsPerToken is how long a simulated model takes.
const secondsPerToken = .0025

// Seconds is how long the episode would have taken.
func (e *Simulation) Seconds() float64 { return les.Round(float64(e.tokens)*secondsPerToken, 3) }

// USD is what the episode may have cost by the limits of the spec.
func (e *Simulation) USD() float64 {
	return les.Round(e.spec.Cost.PerIterationUSD*float64(e.result.Steps), 4)
}

// Trace is the finished episode as a Loop Trace that began at start.
func (e *Simulation) Trace(start time.Time, path string) Trace {
	r := &e.result
	each := time.Duration(e.Seconds() / float64(max(1, r.Steps)) * float64(time.Second)).Truncate(time.Millisecond)
	t := Trace{
		Version: TraceVersion, LoopID: strings.Join([]string{"sim", e.spec.Name, r.TaskID, fmt.Sprint(r.Seed)}, ":"), LoopName: e.spec.Name,
		SpecPath: path, StartedAt: start, EndedAt: start.Add(each * time.Duration(r.Steps)),
		Success: r.Success, Reason: r.Reason, USD: e.USD(), Metadata: map[string]any{"runtime": "simulation", "seed": r.Seed},
	}
	for i, o := range r.Trajectory {
		t.Iterations = append(t.Iterations, Iteration{
			Iteration: i, Timestamp: start.Add(each * time.Duration(i+1)), Worker: e.spec.Workers[0].ID, Output: o.Output,
			Scores: map[string]float64{e.spec.Evaluators[0].ID: o.Quality}, USD: e.spec.Cost.PerIterationUSD,
		})
	}
	return t
}
