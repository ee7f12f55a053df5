package record

import (
	"fmt"
	"slices"
	"strings"
)

// Choice says which record of a corpus to replay.
type Choice struct {
	ID   string // of a record
	Task string // a record's id, or the name of a loop
	Seed uint64 // chooses where nothing else does
}

// Select returns the record that a choice means. A loop name that no record has, and no
// choice at all, choose one by the seed, as LoopGym does.
func Select(records []Record, c Choice) (*Record, error) {
	if len(records) == 0 {
		return nil, fmt.Errorf("no records to replay")
	}
	id := c.ID
	if id == "" && strings.HasPrefix(c.Task, "ln-") {
		id = c.Task
	}
	if id != "" {
		i := slices.IndexFunc(records, func(r Record) bool { return r.ID == id })
		if i < 0 {
			return nil, fmt.Errorf("record %q not found among %d", id, len(records))
		}
		return &records[i], nil
	}
	if i := slices.IndexFunc(records, func(r Record) bool { return c.Task != "" && r.LoopName == c.Task }); i >= 0 {
		return &records[i], nil
	}
	return &records[newTwister(c.Seed).below(len(records))], nil
}

// captured reports whether a record is of a run, not made up.
func (r *Record) captured() bool {
	return r.Source == "case_study" || slices.Contains(r.Metadata.Tags, "captured")
}

// Observation is what an environment shows after a reset or a step.
type Observation struct {
	Iteration int     `json:"iteration"`
	Output    string  `json:"output,omitempty"`
	Quality   float64 `json:"quality_score"`
	Reward    float64 `json:"reward"`
	Done      bool    `json:"done"`
}

// Result is a finished episode.
type Result struct {
	TaskID     string        `json:"task_id"`
	Seed       uint64        `json:"seed"`
	EnvID      string        `json:"env_id"`
	RecordID   string        `json:"record_id,omitempty"`
	Captured   bool          `json:"captured"`
	Steps      int           `json:"steps"`
	Reward     float64       `json:"total_reward" jsonschema:"of the steps; what the reset shows earns none"`
	Success    bool          `json:"success"`
	Quality    float64       `json:"quality_score"`
	Reason     string        `json:"termination_reason"`
	Outcome    string        `json:"outcome"`
	LES        *float64      `json:"les_observed,omitempty" jsonschema:"as the record states it"`
	Trajectory []Observation `json:"trajectory"`
}

// Environment is an episode that is stepped through.
type Environment interface {
	// Observe returns the last observation.
	Observe() Observation
	// Step advances the episode. The action replaces what the worker would leave; empty
	// leaves it to the worker.
	Step(action string) Observation
}

// Replay is an episode of a record. It begins at the record's first iteration, and each
// step shows the next.
type Replay struct {
	record *Record
	index  int
	seen   Observation
}

// NewReplay resets to the first iteration of a record.
func NewReplay(r *Record) *Replay {
	return &Replay{record: r, seen: Observation{Iteration: r.Trajectory[0].Iteration, Quality: r.Trajectory[0].Goal}}
}

// Observe implements [Environment].
func (e *Replay) Observe() Observation { return e.seen }

// Step implements [Environment]. Actions change nothing. A step beyond the end shows the
// last iteration again, without a reward.
func (e *Replay) Step(string) Observation {
	steps := e.record.Trajectory
	if e.index+1 >= len(steps) {
		e.seen.Reward, e.seen.Done = 0, true
		return e.seen
	}
	e.index++
	goal := steps[e.index].Goal
	e.seen = Observation{Iteration: steps[e.index].Iteration, Quality: goal, Reward: goal, Done: e.index+1 == len(steps)}
	return e.seen
}

// run steps an environment to its end, and calls see, if it is not nil, with each
// observation.
func run(e Environment, action string, see func(Observation)) (r Result) {
	show := func(o Observation) {
		if see != nil {
			see(o)
		}
	}
	show(e.Observe())
	for !e.Observe().Done {
		o := e.Step(action)
		r.Steps++
		r.Reward += o.Reward
		show(o)
	}
	r.Quality = e.Observe().Quality
	return r
}

// Play replays the whole record. Success may contradict the outcome: a failed run whose
// last score reaches the target counts as one.
func (r *Record) Play(c Choice, see func(Observation)) Result {
	out := run(NewReplay(r), "", see)
	for i, s := range r.Trajectory {
		o := Observation{Iteration: s.Iteration, Quality: s.Goal, Reward: s.Goal, Done: i+1 == len(r.Trajectory)}
		if i == 0 {
			o.Reward = 0
		}
		out.Trajectory = append(out.Trajectory, o)
	}
	out.TaskID, out.Seed, out.EnvID, out.RecordID = c.Task, c.Seed, "replay", r.ID
	out.Captured, out.Reason, out.Outcome = r.captured(), r.Reason, r.Outcome
	out.Success = r.Outcome == "success" || out.Quality >= r.Metadata.Target
	out.LES = &r.Observed.Normalized
	return out
}
