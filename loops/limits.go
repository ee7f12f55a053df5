package loops

import (
	"encoding/json"
	"fmt"
	"time"
)

// Duration is a time.Duration that a journal holds as text: "10m0s".
type Duration time.Duration

// MarshalJSON writes the text.
func (d Duration) MarshalJSON() ([]byte, error) { return json.Marshal(time.Duration(d).String()) }

// UnmarshalJSON reads the text.
func (d *Duration) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	v, err := time.ParseDuration(s)
	if err != nil {
		return fmt.Errorf("read a duration: %w", err)
	}
	*d = Duration(v)
	return nil
}

// Limits are when a run stops by itself. They are fixed when it starts.
type Limits struct {
	Budget Budget `json:"budget"`
	// Attempts is how often a chunk is tried before the run stops.
	Attempts int `json:"attempts"`
	// ScopeBlock is how many files outside its scope block a plan.
	ScopeBlock int `json:"scope_block"`
	// Breaker thresholds: iterations without progress until it is half open and
	// open, and equal errors until it opens.
	HalfOpen   int `json:"half_open"`
	NoProgress int `json:"no_progress"`
	SameError  int `json:"same_error"`
	// Stalled is how many verdicts in a row that see no progress end a run; 0 is 2.
	Stalled int `json:"stalled,omitempty"`
	// Overloads is how many calls that failed by their vendor's fault are made again
	// before the run waits.
	Overloads int `json:"overloads"`
	// Backoff is the first wait for a vendor that failed. It doubles.
	Backoff Duration `json:"backoff"`
	// EstimateUSD is charged for a call whose cost nobody says, and set aside
	// before each call.
	EstimateUSD float64 `json:"estimate_usd"`
	// MaxWait is how long a run waits for its vendors, all waits together; more than
	// that parks it.
	MaxWait Duration `json:"max_wait"`
}

// DefaultLimits are those of a repository that says nothing else.
func DefaultLimits() Limits {
	return Limits{
		Budget:   Budget{USD: 5, Tokens: 2_000_000, Iterations: 20, PullRequests: 2},
		Attempts: 3, ScopeBlock: 5, HalfOpen: 2, NoProgress: 3, SameError: 5,
		Overloads: 3, Backoff: Duration(30 * time.Second), EstimateUSD: 0.25, MaxWait: Duration(15 * time.Minute),
	}
}

// stalled returns the number of verdicts without progress that end a run.
func (l Limits) stalled() int {
	if l.Stalled > 0 {
		return l.Stalled
	}
	return 2
}

// Timeouts bound one call of a program.
type Timeouts struct {
	Progress Duration `json:"progress"` // the tree does not change
	Silence  Duration `json:"silence"`  // nothing is written
	Wall     Duration `json:"wall"`
	Gate     Duration `json:"gate"`  // a command of a gate
	Grace    Duration `json:"grace"` // from SIGTERM to SIGKILL
}

// DefaultTimeouts are those of a repository that says nothing else.
func DefaultTimeouts() Timeouts {
	const m = Duration(time.Minute)
	return Timeouts{Progress: 10 * m, Silence: 5 * m, Wall: 30 * m, Gate: 5 * m, Grace: Duration(5 * time.Second)}
}
