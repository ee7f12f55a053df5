// Package record reads and checks what runs of loops leave: Loop Traces, LoopNet records
// and flat rows. It replays records, and runs specs in a simulated environment that
// calls no model.
//
// A document is judged by its schema alone. That its numbers contradict each other is a
// finding of its own kind: published corpora hold such records.
package record

import (
	"strconv"
	"time"

	"github.com/loopwiki/wiki/loops/spec/les"
)

// The versions that documents name.
const (
	TraceVersion  = "1.0"
	RecordVersion = "ln/record-v1"
	RowVersion    = "0.3-draft"
)

// MaxSteps is how many iterations a record holds at most.
const MaxSteps = 50

// Trace is a Loop Trace 1.0.
type Trace struct {
	Version    string         `json:"trace_version"`
	LoopID     string         `json:"loop_id"`
	LoopName   string         `json:"loop_name"`
	SpecPath   string         `json:"spec_path,omitempty"`
	StartedAt  time.Time      `json:"started_at"`
	EndedAt    time.Time      `json:"ended_at,omitzero"`
	Success    bool           `json:"success"`
	Reason     string         `json:"termination_reason,omitempty"`
	USD        float64        `json:"total_cost_usd"`
	Iterations []Iteration    `json:"iterations"`
	Metadata   map[string]any `json:"metadata,omitempty"`
}

// Iteration is one iteration of a trace.
type Iteration struct {
	Iteration int                `json:"iteration"`
	Timestamp time.Time          `json:"timestamp"`
	Worker    string             `json:"worker_id,omitempty"`
	Output    string             `json:"worker_output,omitempty"`
	Scores    map[string]float64 `json:"evaluator_scores,omitempty"`
	USD       float64            `json:"cost_usd"`
	Feedback  []string           `json:"feedback,omitempty"`
}

// Record is a LoopNet record.
type Record struct {
	ID           string            `json:"record_id"`
	Version      string            `json:"schema_version"`
	Pins         Pins              `json:"spec_pins"`
	CreatedAt    time.Time         `json:"created_at"`
	Source       string            `json:"source"`
	Split        string            `json:"split"`
	Patterns     []string          `json:"patterns"`
	LoopName     string            `json:"loop_name"`
	Objective    string            `json:"objective"`
	Spec         map[string]any    `json:"loop_spec,omitempty"`
	Outcome      string            `json:"outcome"`
	Reason       string            `json:"termination_reason"`
	FailureModes []string          `json:"failure_modes,omitempty"`
	FailureMode  string            `json:"failure_mode,omitempty"`
	Trajectory   []Step            `json:"trajectory"`
	Observed     les.EpisodeScore  `json:"les_observed"`
	Predicted    *les.EpisodeScore `json:"les_predicted,omitempty"`
	Metadata     Metadata          `json:"metadata"`
	Redaction    *Redaction        `json:"redaction,omitempty"`
	Contributor  map[string]string `json:"contributor,omitempty"`
}

// Pins are the versions of the standards that a record follows.
type Pins struct {
	LSS string `json:"lss"`
	LES string `json:"les"`
}

// Step is one iteration of a record.
type Step struct {
	Iteration    int      `json:"iteration"`
	Goal         float64  `json:"goal_score"`
	Quality      *float64 `json:"primary_quality,omitempty"`
	USD          float64  `json:"cost_usd"`
	Latency      float64  `json:"latency_seconds"`
	Tokens       int64    `json:"tokens,omitempty"`
	FailureCodes []string `json:"failure_codes,omitempty"`
	SafetyEvents int      `json:"safety_events"`
	Human        bool     `json:"human_intervention"`
}

// Metadata are the totals of a record.
type Metadata struct {
	Iterations  int      `json:"iteration_count"`
	USD         float64  `json:"cost_total_usd"`
	Target      float64  `json:"goal_target"`
	Final       float64  `json:"goal_final"`
	Workers     int      `json:"worker_count,omitempty"`
	Evaluators  int      `json:"evaluator_count,omitempty"`
	Budget      int      `json:"max_iterations_budget,omitempty"`
	Regressions int      `json:"regression_count"`
	Tags        []string `json:"tags,omitempty"`
}

// Redaction says what was removed before a record was published.
type Redaction struct {
	Level  string   `json:"level"`
	Fields []string `json:"fields_removed"`
}

// Score computes the score of the record's trajectory.
func (r *Record) Score(weights les.Categories) (les.EpisodeScore, error) {
	e := les.Episode{Target: r.Metadata.Target, Outcome: r.Outcome, FailureMode: r.FailureMode, Budget: r.Metadata.Budget}
	for _, s := range r.Trajectory {
		e.Steps = append(e.Steps, les.EpisodeStep{
			Goal: s.Goal, USD: s.USD, Latency: s.Latency, SafetyEvents: s.SafetyEvents, HumanInvolved: s.Human,
		})
	}
	return les.Trajectory(e, weights)
}

// regressions is how often the goal score fell.
func (r *Record) regressions() int {
	n := 0
	for i := 1; i < len(r.Trajectory); i++ {
		if r.Trajectory[i].Goal < r.Trajectory[i-1].Goal {
			n++
		}
	}
	return n
}

// decimal prints a number with as many digits as it has.
func decimal(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }
