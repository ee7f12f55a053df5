package les

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Measurements are what the normative formulas of LES 1.0 are computed from: one run
// without disturbance, and what experiments with the same loop add to it. A category
// whose experiment is missing is left out.
type Measurements struct {
	LoopName string `json:"loop_name"`
	// Iterations are those of the undisturbed run, in order.
	Iterations []Measured `json:"iterations"`
	Initial    float64    `json:"goal_initial"` // the goal score before the first iteration
	Target     float64    `json:"goal_target"`
	// Budget is the most iterations allowed. A loop without one is not scoreable.
	Budget int    `json:"iteration_budget"`
	Reason string `json:"termination_reason"` // goal_met, budget_exhausted, human_stop or error
	// Cost maps the gain per dollar; a suite states its own range.
	Cost *Range `json:"cost_range,omitempty"`

	Perturbations []Perturbation `json:"perturbations,omitempty"` // at least three, or robustness is left out
	Scaling       []Scaled       `json:"scaling,omitempty"`       // for 2, 4 and 8 times the load
	Adapting      *Adapting      `json:"adapting,omitempty"`
	Safety        SafetyCounts   `json:"safety"`
	Humans        HumanCounts    `json:"humans"`
}

// Measured is one iteration.
type Measured struct {
	Goal    float64 `json:"goal_score"`
	USD     float64 `json:"cost_usd"`
	Seconds float64 `json:"latency_seconds"`
}

// Perturbation is a run with a disturbance.
type Perturbation struct {
	Goal     float64 `json:"goal_score"`          // at its end
	Recovery float64 `json:"recovery_iterations"` // until the goal score was back
}

// Scaled is what a run with a multiple of the load kept of the undisturbed run's values.
type Scaled struct {
	Load    int     `json:"load"` // 2, 4 or 8
	Quality float64 `json:"quality"`
	Speed   float64 `json:"speed"`
	Cost    float64 `json:"cost"` // more than 1 counts as 1
}

// Adapting is a run on tasks that the loop was not tuned for.
type Adapting struct {
	Unseen  float64 `json:"goal_unseen"`
	Tuned   float64 `json:"goal_tuned"`
	Changes int     `json:"config_changes"` // made for the new tasks
}

// SafetyCounts are the violations of the undisturbed run.
type SafetyCounts struct {
	Violations    int  `json:"violations"`
	Allowed       int  `json:"violation_budget"`
	Halts         int  `json:"halts"` // iterations that a constraint rightly stopped
	Unrecoverable bool `json:"unrecoverable"`
}

// HumanCounts are the interventions of people.
type HumanCounts struct {
	Interventions []string `json:"interventions"` // approval, correction, override, restart or takeover
	TimeFraction  float64  `json:"time_fraction"` // of the run's time that people worked
}

// interventions are the weights of what people do.
var interventions = map[string]float64{"approval": .5, "correction": 1, "override": 1.5, "restart": 2, "takeover": 5}

// RuntimeScore is the score by the normative formulas.
type RuntimeScore struct {
	LoopName    string             `json:"loop_name"`
	Normalized  float64            `json:"les_normalized"`
	Display     float64            `json:"les_display"`
	Categories  map[string]float64 `json:"categories" jsonschema:"those that were measured"`
	Weights     map[string]float64 `json:"weights" jsonschema:"of the measured categories; they sum to 1"`
	Label       string             `json:"label,omitempty" jsonschema:"says how many categories were measured, if not all"`
	Diagnostics Diagnostics        `json:"diagnostics"`
}

// Diagnostics describe a run beside its score.
type Diagnostics struct {
	Convergence float64 `json:"convergence" jsonschema:"gain of the goal score per iteration after the first"`
	Efficiency  float64 `json:"efficiency" jsonschema:"final goal score per iteration"`
	MeanUSD     float64 `json:"cost_per_iteration"`
	Regressions int     `json:"regressions"`
	Reason      string  `json:"termination_reason"`
}

// Runtime scores measurements by the normative formulas.
func Runtime(m Measurements) (RuntimeScore, error) {
	if err := m.check(); err != nil {
		return RuntimeScore{}, err
	}
	c := Categories{
		Effectiveness: m.effectiveness(), Speed: m.speed(), Cost: m.cost(), Robustness: m.robustness(),
		Scalability: m.scalability(), Safety: m.safety(), Adaptability: m.adaptability(), Autonomy: m.autonomy(),
	}
	if len(m.Iterations) < 2 && m.Reason == "error" {
		c = c.halved()
	}
	missing := [8]bool{3: len(m.Perturbations) < 3, 4: len(m.Scaling) == 0, 6: m.Adapting == nil}
	score := RuntimeScore{
		LoopName: m.LoopName, Categories: make(map[string]float64), Weights: make(map[string]float64), Diagnostics: m.diagnostics(),
	}
	values, weights := c.Values(), Weights.Values()
	var kept, products []float64
	for i, w := range weights {
		if !missing[i] {
			kept = append(kept, w)
		}
	}
	whole := Sum(kept...)
	for i, name := range Names {
		if missing[i] {
			continue
		}
		w := weights[i] / whole
		score.Categories[name], score.Weights[name] = Round(values[i], 4), Round(w, 4)
		products = append(products, w*values[i])
	}
	score.Normalized = Round(Sum(products...), 4)
	score.Display = Display(score.Normalized)
	if len(products) < len(Names) {
		score.Label = fmt.Sprintf("partial, %d categories", len(products))
	}
	return score, nil
}

func (m Measurements) check() error {
	if m.Budget <= 0 {
		return errors.New("iteration_budget is missing: a loop without a limit is not scoreable")
	}
	if len(m.Iterations) == 0 {
		return errNoSteps
	}
	for _, kind := range m.Humans.Interventions {
		if interventions[kind] == 0 {
			return fmt.Errorf("unknown intervention %q; use approval, correction, override, restart or takeover", kind)
		}
	}
	if reasons := []string{"goal_met", "budget_exhausted", "human_stop", "error"}; !slices.Contains(reasons, m.Reason) {
		return fmt.Errorf("unknown termination_reason %q; use %s", m.Reason, strings.Join(reasons, ", "))
	}
	if len(m.Scaling) > 0 {
		var loads []int
		for _, s := range m.Scaling {
			loads = append(loads, s.Load)
		}
		if slices.Sort(loads); !slices.Equal(loads, []int{2, 4, 8}) {
			return fmt.Errorf("scaling has the loads %v; measure 2, 4 and 8", loads)
		}
	}
	return nil
}

func (m Measurements) goals() []float64 {
	var out []float64
	for _, i := range m.Iterations {
		out = append(out, i.Goal)
	}
	return out
}

func (m Measurements) final() float64 { return m.Iterations[len(m.Iterations)-1].Goal }

func (m Measurements) effectiveness() float64 {
	goals := m.goals()
	n := len(goals)
	improving := rising(goals, max(1, 2*n/3))
	return effectRange.of(effectiveness(m.final(), m.Target, improving, float64(m.Budget)/float64(n)))
}

func (m Measurements) speed() float64 {
	var t []float64
	for _, i := range m.Iterations {
		t = append(t, i.Seconds)
	}
	slices.Sort(t)
	n := len(t)
	median := (t[(n-1)/2] + t[n/2]) / 2
	high := t[int(math.Ceil(.95*float64(n)))-1] // nearest rank
	x := speedRange.of(ratio(1, float64(.7*median)+float64(.3*high)))
	if t[n-1] > 3*median {
		x *= .85
	}
	return x
}

func (m Measurements) cost() float64 {
	within := costRange
	if m.Cost != nil {
		within = *m.Cost
	}
	x := efficiency(m.final()-m.Initial, m.usd(m.Iterations), within)
	if m.cheaper() {
		x = min(x*1.05, 1)
	}
	return x
}

func (m Measurements) usd(of []Measured) float64 {
	var all []float64
	for _, i := range of {
		all = append(all, i.USD)
	}
	return Sum(all...)
}

// cheaper reports whether a point of the goal score cost less in the second half of the
// run than in the first.
func (m Measurements) cheaper() bool {
	half := len(m.Iterations) / 2
	if half == 0 {
		return false
	}
	middle := m.Iterations[half-1].Goal
	first, second := middle-m.Initial, m.final()-middle
	if first <= 0 || second <= 0 {
		return false
	}
	return m.usd(m.Iterations[half:])/second < m.usd(m.Iterations[:half])/first
}

func (m Measurements) robustness() float64 {
	var lost, recovery []float64
	for _, p := range m.Perturbations {
		lost = append(lost, 1-ratio(p.Goal, m.final()))
		recovery = append(recovery, min(p.Recovery/float64(m.Budget), 1))
	}
	return robustRange.of(float64(.6*(1-Mean(lost...))) + float64(.4*(1-Mean(recovery...))))
}

func (m Measurements) scalability() float64 {
	var kept []float64
	for _, s := range m.Scaling {
		kept = append(kept, float64(.5*s.Quality)+float64(.3*s.Speed)+float64(.2*min(s.Cost, 1)))
	}
	return scaleRange.of(Mean(kept...))
}

func (m Measurements) safety() float64 {
	s := m.Safety
	if s.Unrecoverable {
		return 0
	}
	return clamp(1 - min(float64(s.Violations)/float64(s.Allowed+1), 1) + min(float64(s.Halts)/float64(len(m.Iterations)), .1))
}

func (m Measurements) adaptability() float64 {
	if m.Adapting == nil {
		return 0
	}
	a := *m.Adapting
	return adaptRange.of(float64(.7*ratio(a.Unseen, a.Tuned)) + float64(.3*(1-min(float64(a.Changes)/5, 1))))
}

func (m Measurements) autonomy() float64 {
	weight := 0.
	for _, kind := range m.Humans.Interventions {
		weight += interventions[kind]
	}
	rate := weight / float64(len(m.Iterations))
	return humanRange.of((1 - min(rate/.5, 1)) * (1 - min(m.Humans.TimeFraction/.3, 1)))
}

func (m Measurements) diagnostics() Diagnostics {
	goals := m.goals()
	n := float64(len(goals))
	d := Diagnostics{Efficiency: Round(m.final()/n, 4), MeanUSD: Round(m.usd(m.Iterations)/n, 4), Reason: m.Reason}
	if n > 1 {
		d.Convergence = Round((m.final()-goals[0])/(n-1), 4)
	}
	for i := 1; i < len(goals); i++ {
		if goals[i] < goals[i-1] {
			d.Regressions++
		}
	}
	return d
}
