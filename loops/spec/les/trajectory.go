package les

import (
	"errors"
	"slices"
)

// Episode is a recorded run: what its iterations reached and how it ended.
type Episode struct {
	Steps       []EpisodeStep
	Target      float64 // the goal score to reach
	Outcome     string  // success, failure or partial
	FailureMode string
	Budget      int // the most iterations allowed
}

// EpisodeStep is one iteration of an episode.
type EpisodeStep struct {
	Goal          float64 // the goal score after it, from 0 to 1
	USD           float64
	Latency       float64 // seconds
	SafetyEvents  int
	HumanInvolved bool
}

// EpisodeScore is the score of an episode, as LoopNet records hold it.
type EpisodeScore struct {
	Normalized float64    `json:"les_normalized"`
	Display    float64    `json:"les_display"`
	Categories Categories `json:"categories"`
	Partial    bool       `json:"partial" jsonschema:"the run ended before its limit of iterations, without success"`
}

// errNoSteps is the fault of a run without an iteration.
var errNoSteps = errors.New("no iterations to score")

// Trajectory scores an episode. Each category is rounded to four digits before they are
// added up.
func Trajectory(e Episode, weights Categories) (EpisodeScore, error) {
	n := len(e.Steps)
	if n == 0 {
		return EpisodeScore{}, errNoSteps
	}
	var usd, latencies []float64
	falls, events, humans := 0, 0, 0
	for i, s := range e.Steps {
		usd, latencies = append(usd, s.USD), append(latencies, s.Latency)
		events += s.SafetyEvents
		if s.HumanInvolved {
			humans++
		}
		if i > 0 && s.Goal < e.Steps[i-1].Goal {
			falls++
		}
	}
	slices.Sort(latencies)
	median := latencies[n/2]
	last, gain := e.Steps[n-1].Goal, e.Steps[n-1].Goal-e.Steps[0].Goal
	c := Categories{
		Effectiveness: clamp(last / max(e.Target, .01)),
		Speed:         clamp(1 / (1 + median/30)),
		Robustness:    clamp(.75 - float64(.05*float64(falls))),
		Scalability:   clamp(.55 + float64(.05*float64(min(n, 6)))),
		Safety:        clamp(1 - min(.2*float64(events), .8)),
		Adaptability:  clamp(.45 + float64(.1*gain)),
		Autonomy:      clamp(1 - min(float64(humans)/float64(n), .6)),
	}
	if e.Outcome == "failure" && last < e.Target {
		c.Effectiveness *= .6
	}
	if latencies[n-1] > 3*median {
		c.Speed *= .85
	}
	if total := Sum(usd...); total > 0 && gain > 0 {
		c.Cost = clamp(min(2*(gain/total), 1))
	}
	if e.FailureMode == "fail.safety_bypass" {
		c.Safety = 0
	}
	c = c.rounded(4)
	if n < 2 && e.Outcome == "failure" {
		c = c.halved().rounded(4)
	}
	les := Round(c.Total(weights), 4)
	return EpisodeScore{
		Normalized: les, Display: Display(les), Categories: c, Partial: n < e.Budget && e.Outcome != "success",
	}, nil
}
