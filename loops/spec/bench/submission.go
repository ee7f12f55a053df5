package bench

import (
	"github.com/loopwiki/wiki/loops/spec/les"
)

// The versions that a submission names.
const (
	Version    = "0.2.0"
	LSSVersion = "1.0.0"
	LESVersion = "1.0.0"
)

// SubmissionSchema is the name of the schema of submissions.
const SubmissionSchema = "loopbench-submission-0.2"

// Submission holds what one spec reached. As an entry of a leaderboard it may lack
// parts, and may have more.
type Submission struct {
	ID          string                `json:"submission_id,omitempty"`
	Submitter   string                `json:"submitter"`
	Version     string                `json:"loopbench_version,omitempty"`
	LSS         string                `json:"lss_version,omitempty"`
	LES         string                `json:"les_version,omitempty"`
	SpecPath    string                `json:"spec_path"`
	SpecHash    string                `json:"spec_hash"`
	SubmittedAt string                `json:"submitted_at,omitempty"`
	Backend     string                `json:"backend,omitempty"` // sim, live or replay
	Suite       string                `json:"primary_suite,omitempty"`
	Partial     bool                  `json:"partial,omitempty"`
	Results     []TaskResult          `json:"results,omitempty"`
	Composite   *Composite            `json:"composite,omitempty"`
	SuiteScores map[string]SuiteScore `json:"suite_scores,omitempty"`
	Grand       *Composite            `json:"grand_composite,omitempty"`
	// External marks an entry that the keepers of the leaderboard checked and did not submit.
	External bool `json:"verified_external,omitempty"`
}

// TaskResult is what a spec reached in one task.
type TaskResult struct {
	TaskID    string         `json:"task_id"`
	EnvID     string         `json:"env_id,omitempty"`
	Runs      []les.Run      `json:"runs"`
	Aggregate les.BenchScore `json:"aggregate"`
}

// Composite is a score over several tasks.
type Composite struct {
	Observed float64 `json:"les_observed"`
	Display  float64 `json:"les_display"`
	Rank     float64 `json:"rank_score"`
}

// SuiteScore is the score of a suite.
type SuiteScore struct {
	Label string `json:"label,omitempty"`
	Composite
	Tasks []string `json:"tasks"`
}

// Fill computes all scores of a submission from its runs: of tasks, suites and all of
// them. Tasks of no suite are measured against the default baselines.
func (s *Submission) Fill() error {
	scores := make(map[string]float64)
	var all []float64
	for i, r := range s.Results {
		task, ok := FindTask(r.TaskID)
		if !ok {
			task.Baselines = les.DefaultBaselines
		}
		score, err := les.Bench(r.Runs, task.Baselines, s.Backend == "sim")
		if err != nil {
			return err
		}
		s.Results[i].Aggregate = score
		scores[r.TaskID] = score.Observed
		all = append(all, score.Observed)
	}
	s.SuiteScores = make(map[string]SuiteScore)
	var suites []float64
	for _, suite := range Suites() {
		if score, ok := suite.Score(scores); ok {
			s.SuiteScores[suite.ID] = score
			suites = append(suites, score.Observed)
		}
	}
	mean := composite(les.Mean(all...))
	s.Grand, s.Composite, s.Partial = nil, &mean, len(suites) < len(Suites())
	if len(suites) > 0 {
		mean = composite(les.Mean(suites...))
		s.Grand = &mean
	}
	return nil
}
