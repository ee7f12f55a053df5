package record

import (
	"github.com/loopwiki/wiki/loops/spec/les"
)

// Statistics describe a corpus.
type Statistics struct {
	Records    int            `json:"records"`
	Outcomes   map[string]int `json:"outcomes"`
	Reasons    map[string]int `json:"termination_reasons"`
	Failures   map[string]int `json:"failure_modes" jsonschema:"how many records name each"`
	Patterns   map[string]int `json:"patterns" jsonschema:"how many records have each"`
	Sources    map[string]int `json:"sources"`
	Splits     map[string]int `json:"splits"`
	Captured   int            `json:"captured" jsonschema:"records of real or simulated runs, not synthetic ones"`
	Iterations Spread         `json:"iterations"`
	USD        Spread         `json:"cost_usd"`
	Final      Spread         `json:"goal_final"`
	LES        Spread         `json:"les_observed"`
}

// Spread describes values.
type Spread struct {
	Min  float64 `json:"min"`
	Mean float64 `json:"mean"`
	Max  float64 `json:"max"`
}

func spread(values []float64) (s Spread) {
	for i, x := range values {
		if i == 0 || x < s.Min {
			s.Min = x
		}
		if i == 0 || x > s.Max {
			s.Max = x
		}
	}
	s.Mean = les.Round(les.Mean(values...), 4)
	return s
}

// Describe counts the records of a corpus.
func Describe(records []Record) Statistics {
	s := Statistics{
		Records: len(records), Outcomes: map[string]int{}, Reasons: map[string]int{}, Failures: map[string]int{},
		Patterns: map[string]int{}, Sources: map[string]int{}, Splits: map[string]int{},
	}
	var iterations, usd, final, scores []float64
	for _, r := range records {
		s.Outcomes[r.Outcome]++
		s.Reasons[r.Reason]++
		s.Sources[r.Source]++
		s.Splits[r.Split]++
		for _, f := range r.FailureModes {
			s.Failures[f]++
		}
		for _, p := range r.Patterns {
			s.Patterns[p]++
		}
		if r.captured() {
			s.Captured++
		}
		iterations, usd = append(iterations, float64(len(r.Trajectory))), append(usd, r.Metadata.USD)
		final, scores = append(final, r.Metadata.Final), append(scores, r.Observed.Normalized)
	}
	s.Iterations, s.USD, s.Final, s.LES = spread(iterations), spread(usd), spread(final), spread(scores)
	return s
}
