package bench

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops/spec/les"
	"github.com/loopwiki/wiki/loops/spec/schemas"
)

// Report is what is wrong with a submission or a leaderboard.
type Report struct {
	// Errors break the format or its conformance rules.
	Errors []string `json:"errors"`
	// Mismatches are scores that don't follow from what they are made of.
	Mismatches []string `json:"mismatches"`
	// Unchecked is what could not be looked at, such as a spec elsewhere.
	Unchecked []string `json:"unchecked"`
}

// OK reports whether nothing is wrong.
func (r Report) OK() bool { return len(r.Errors)+len(r.Mismatches) == 0 }

// tolerance is how far a displayed score may be from the one it shows.
const tolerance = .05 + 1e-9

// Reader returns the text of a spec that a submission names; ok is false for one that
// is not here.
type Reader func(path string) (src []byte, ok bool)

// IsLeaderboard reports whether a decoded document is a leaderboard.
func IsLeaderboard(doc any) bool {
	m, _ := doc.(map[string]any)
	_, ok := m["entries"]
	return ok
}

// Verify checks a submission or a leaderboard. The document is src, decoded.
func Verify(doc any, src []byte, read Reader) Report {
	r := Report{Errors: []string{}, Mismatches: []string{}, Unchecked: []string{}}
	if IsLeaderboard(doc) {
		r.leaderboard(doc, src, read)
		return r
	}
	faults := schemas.Validate(SubmissionSchema, doc)
	for _, f := range faults {
		r.Errors = append(r.Errors, f.String())
	}
	if len(faults) > 0 {
		return r
	}
	var s Submission
	if err := json.Unmarshal(src, &s); err != nil {
		r.Errors = append(r.Errors, err.Error())
		return r
	}
	r.submission("", s, read)
	return r
}

func (r *Report) leaderboard(doc any, src []byte, read Reader) {
	for _, key := range []string{"version", "updated"} {
		if _, ok := doc.(map[string]any)[key]; !ok {
			r.Errors = append(r.Errors, "(root): "+key+" is missing")
		}
	}
	board, err := ReadLeaderboard(src)
	if err != nil {
		r.Errors = append(r.Errors, err.Error())
		return
	}
	for i, s := range board.Entries {
		where := fmt.Sprintf("entries.%d", i)
		for name, value := range map[string]string{"submitter": s.Submitter, "spec_path": s.SpecPath, "spec_hash": s.SpecHash} {
			if value == "" {
				r.Errors = append(r.Errors, where+": "+name+" is missing")
			}
		}
		if len(s.Results)+len(s.SuiteScores) == 0 {
			r.Errors = append(r.Errors, where+": results or suite_scores are missing")
		}
		r.submission(where+".", s, read)
	}
	slices.Sort(r.Errors)
}

// submission checks what no schema does.
func (r *Report) submission(at string, s Submission, read Reader) {
	r.hash(at, s, read)
	for _, t := range s.Results {
		where := at + "results." + t.TaskID
		if len(t.Runs) == 0 {
			r.Errors = append(r.Errors, where+".runs: no runs")
			continue
		}
		if t.Aggregate.Categories == (les.Categories{}) {
			r.Errors = append(r.Errors, where+".aggregate: categories are missing")
		}
		r.display(where+".aggregate", t.Aggregate.Observed, t.Aggregate.Display)
		r.runs(where, t, s.Backend == "sim")
	}
	if s.Grand != nil && len(s.SuiteScores) < len(Suites()) && !s.Partial {
		r.Errors = append(r.Errors, fmt.Sprintf("%sgrand_composite: %d of %d suites have a score; partial must be true", at, len(s.SuiteScores), len(Suites())))
	}
	r.composites(at, s)
}

func (r *Report) hash(at string, s Submission, read Reader) {
	where := at + "spec_hash: "
	if digits := strings.TrimPrefix(s.SpecHash, "sha256:"); digits != "" && strings.Trim(digits, "0") == "" {
		r.Errors = append(r.Errors, where+"a placeholder of zeros")
		return
	}
	src, ok := read(s.SpecPath)
	if !ok {
		r.Unchecked = append(r.Unchecked, where+s.SpecPath+" is not here")
		return
	}
	if got := Hash(src); got != s.SpecHash {
		r.Errors = append(r.Errors, fmt.Sprintf("%s%s has %s", where, s.SpecPath, got))
	}
}

// Hash is the hash of a spec as submissions state it.
func Hash(src []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(src)) }

func (r *Report) display(where string, observed, display float64) {
	if want := les.Display(observed); math.Abs(display-want) > tolerance {
		r.Errors = append(r.Errors, fmt.Sprintf("%s: les_display is %g, but les_observed gives %g", where, display, want))
	}
}

// runs compares the score of a task with its runs.
func (r *Report) runs(where string, t TaskResult, simulated bool) {
	task, ok := FindTask(t.TaskID)
	if !ok {
		r.Unchecked = append(r.Unchecked, where+": unknown task; its baselines are not known")
		return
	}
	got, err := les.Bench(t.Runs, task.Baselines, simulated)
	if err != nil || got == t.Aggregate {
		return
	}
	var differ []string
	stated, computed := t.Aggregate.Categories.Values(), got.Categories.Values()
	for i, name := range les.Names {
		if stated[i] != computed[i] {
			differ = append(differ, fmt.Sprintf("%s %g instead of %g", name, computed[i], stated[i]))
		}
	}
	if got.Observed != t.Aggregate.Observed || len(differ) > 0 {
		r.Mismatches = append(r.Mismatches, fmt.Sprintf("%s: les_observed is %g, but its runs give %g (%s)",
			where, t.Aggregate.Observed, got.Observed, strings.Join(differ, ", ")))
		return
	}
	r.Mismatches = append(r.Mismatches, where+": success_at_k, cost_usd_mean or robustness_seeds don't follow from its runs")
}

// composites compares scores over several tasks with those of the tasks, as they are
// stated: what is wrong below is reported there.
func (r *Report) composites(at string, s Submission) {
	scores := make(map[string]float64)
	var all, suites []float64
	for _, t := range s.Results {
		scores[t.TaskID] = t.Aggregate.Observed
		all = append(all, t.Aggregate.Observed)
	}
	for _, id := range slices.Sorted(maps.Keys(s.SuiteScores)) {
		stated := s.SuiteScores[id]
		suites = append(suites, stated.Observed)
		suite, ok := FindSuite(id)
		if !ok {
			r.Errors = append(r.Errors, at+"suite_scores."+id+": unknown suite")
			continue
		}
		if want, ok := suite.Score(scores); ok {
			r.composite(at+"suite_scores."+id, &stated.Composite, want.Observed)
		} else {
			r.Unchecked = append(r.Unchecked, at+"suite_scores."+id+": no results of its tasks")
		}
	}
	mean := les.Mean(all...)
	if len(suites) > 0 {
		mean = les.Mean(suites...)
		r.composite(at+"grand_composite", s.Grand, mean)
	}
	r.composite(at+"composite", s.Composite, mean)
}

func (r *Report) composite(where string, c *Composite, mean float64) {
	if c == nil {
		return
	}
	r.display(where, c.Observed, c.Display)
	if want := les.Round(mean, 4); c.Observed != want || c.Rank != want {
		r.Mismatches = append(r.Mismatches, fmt.Sprintf("%s: les_observed is %g and rank_score %g, but the parts give %g", where, c.Observed, c.Rank, want))
	}
}
