// Package bench compares loops: suites of tasks, submissions with their runs and scores,
// and the leaderboard. In go JSON documents of LoopBench, out come what is wrong with
// them and the ranks.
//
// Ranks come from the scores that entries state. Whether these follow from the runs is
// for [Verify] to say: published entries exist that don't.
package bench

import (
	_ "embed"
	"encoding/json"
	"slices"
	"sync"

	"github.com/loopwiki/wiki/loops/spec/les"
)

//go:embed suites.json
var suitesFile []byte

// Suite is a group of tasks.
type Suite struct {
	ID    string `json:"id"`
	Label string `json:"label"`
	Tasks []Task `json:"tasks"`
}

// Task is what loops are compared by.
type Task struct {
	ID     string  `json:"id"`
	EnvID  string  `json:"env_id"`
	Target float64 `json:"goal_target"`
	// Weight is the task's in its suite; 0 is 1.
	Weight float64 `json:"weight,omitempty"`
	les.Baselines
}

// Suites returns all suites, in order.
var Suites = sync.OnceValue(func() []Suite {
	var out []Suite
	if err := json.Unmarshal(suitesFile, &out); err != nil {
		panic("bench: suites.json: " + err.Error())
	}
	return out
})

// FindSuite returns the suite of this id.
func FindSuite(id string) (Suite, bool) {
	i := slices.IndexFunc(Suites(), func(s Suite) bool { return s.ID == id })
	if i < 0 {
		return Suite{}, false
	}
	return Suites()[i], true
}

// FindTask returns the task of this id.
func FindTask(id string) (Task, bool) {
	for _, s := range Suites() {
		for _, t := range s.Tasks {
			if t.ID == id {
				return t, true
			}
		}
	}
	return Task{}, false
}

// SuiteIDs are the ids of all suites.
func SuiteIDs() (out []string) {
	for _, s := range Suites() {
		out = append(out, s.ID)
	}
	return out
}

// TaskIDs are the ids of all tasks, by suite.
func TaskIDs() (out []string) {
	for _, s := range Suites() {
		for _, t := range s.Tasks {
			out = append(out, t.ID)
		}
	}
	return out
}

// Score is the score of a suite: the weighted mean over those of its tasks that have
// one, and which they are.
func (s Suite) Score(of map[string]float64) (SuiteScore, bool) {
	out := SuiteScore{Label: s.Label, Tasks: []string{}}
	var products, weights []float64
	for _, t := range s.Tasks {
		x, ok := of[t.ID]
		if !ok {
			continue
		}
		w := t.Weight
		if w == 0 {
			w = 1
		}
		products, weights, out.Tasks = append(products, w*x), append(weights, w), append(out.Tasks, t.ID)
	}
	if len(out.Tasks) == 0 {
		return out, false
	}
	out.Composite = composite(les.Sum(products...) / les.Sum(weights...))
	return out, true
}

func composite(mean float64) Composite {
	x := les.Round(mean, 4)
	return Composite{Observed: x, Display: les.Display(x), Rank: x}
}
