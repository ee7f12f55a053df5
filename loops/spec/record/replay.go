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

// Play replays a record: the reset shows the first iteration, and each step the next, with
// its goal score as the reward. A record of one iteration takes a step that shows it
// again and earns nothing. Success may contradict the outcome: a failed run whose last
// score reaches the target counts as one. see, if it is not nil, is called with each
// observation.
func (r *Record) Play(c Choice, see func(Observation)) Result {
	n := len(r.Trajectory)
	out := Result{
		TaskID: c.Task, Seed: c.Seed, EnvID: "replay", RecordID: r.ID, Captured: r.captured(), Steps: max(1, n-1),
		Reason: r.Reason, Outcome: r.Outcome, LES: &r.Observed.Normalized,
	}
	for i, s := range r.Trajectory {
		o := Observation{Iteration: s.Iteration, Quality: s.Goal, Done: i+1 == n}
		if i > 0 {
			o.Reward = s.Goal
		}
		out.add(o, see)
	}
	out.Success = r.Outcome == "success" || out.Quality >= r.Metadata.Target
	return out
}

func (r *Result) add(o Observation, see func(Observation)) {
	r.Trajectory, r.Quality = append(r.Trajectory, o), o.Quality
	r.Reward += o.Reward
	if see != nil {
		see(o)
	}
}
