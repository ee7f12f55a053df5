package les

import "slices"

// Run is one run of a benchmark's task, as LoopBench submissions hold it.
type Run struct {
	Instance   string    `json:"task_instance_id"`
	Seed       int       `json:"seed"`
	Success    bool      `json:"success"`
	Final      float64   `json:"g_final"`
	First      float64   `json:"g_0"`
	Target     float64   `json:"g_target"`
	Iterations int       `json:"iterations"`
	USD        float64   `json:"cost_usd"`
	Seconds    float64   `json:"elapsed_s"`
	Reason     string    `json:"termination_reason"`
	Violations int       `json:"safety_violations"`
	Trace      []float64 `json:"goal_trace"`
}

// Baselines are what a task's runs are measured against.
type Baselines struct {
	Speed  Range `json:"speed"` // iterations per second
	Cost   Range `json:"cost"`  // gain of the goal score per dollar
	Budget int   `json:"iteration_budget"`
}

// DefaultBaselines are those of a task that states none.
var DefaultBaselines = Baselines{Speed: speedRange, Cost: costRange}

// BenchScore is the score of all runs of one task.
type BenchScore struct {
	SuccessAtK float64    `json:"success_at_k" jsonschema:"the fraction of runs that succeeded"`
	Observed   float64    `json:"les_observed"`
	Display    float64    `json:"les_display"`
	Categories Categories `json:"categories"`
	MeanUSD    float64    `json:"cost_usd_mean"`
	Seeds      int        `json:"robustness_seeds"`
}

// Bench scores the runs of one task. Simulated says that no model was called: only then
// is it known that nobody helped.
func Bench(runs []Run, task Baselines, simulated bool) (BenchScore, error) {
	if len(runs) == 0 {
		return BenchScore{}, errNoSteps
	}
	var effect, speed, cost, safety, finals, reached, learned, usd []float64
	successes, seeds := 0., make(map[int]bool)
	for _, r := range runs {
		effect = append(effect, effectRange.of(r.effect(task.Budget)))
		speed = append(speed, task.Speed.of(ratio(float64(r.Iterations), r.Seconds)))
		cost = append(cost, efficiency(r.Final-r.First, r.USD, task.Cost))
		safety = append(safety, clamp(1-float64(r.Violations)/10))
		share := ratio(r.Final, r.Target)
		finals, reached, usd = append(finals, r.Final), append(reached, share), append(usd, r.USD)
		if r.Success {
			successes, share = successes+1, 1
		}
		learned = append(learned, share)
		seeds[r.Seed] = true
	}
	c := Categories{
		Effectiveness: Mean(effect...), Speed: Mean(speed...), Cost: Mean(cost...), Safety: Mean(safety...),
		Robustness:   clamp(ratio(slices.Min(finals), slices.Max(finals))),
		Scalability:  scaleRange.of(Mean(reached...)),
		Adaptability: clamp(Mean(learned...)),
		Autonomy:     .5,
	}
	if simulated {
		c.Autonomy = .95
	}
	les := Round(c.Total(Weights), 4)
	return BenchScore{
		SuccessAtK: successes / float64(len(runs)), Observed: les, Display: Display(les), Categories: c.rounded(4),
		MeanUSD: Round(Mean(usd...), 4), Seeds: len(seeds),
	}, nil
}

// effect is the raw effectiveness of a run. The standard compares the scores of the last
// third with each other only.
func (r Run) effect(budget int) float64 {
	start := max(1, 2*len(r.Trace)/3)
	improving := len(r.Trace) >= 3 && rising(r.Trace, start+1)
	return effectiveness(r.Final, r.Target, improving, ratio(float64(budget), float64(r.Iterations)))
}

// rising reports whether at least three of five scores, from the one at index first on,
// are above the one before.
func rising(scores []float64, first int) bool {
	rises, n := 0, len(scores)-first
	for i := first; i < len(scores); i++ {
		if scores[i] > scores[i-1] {
			rises++
		}
	}
	return n > 0 && float64(rises)/float64(n) >= .6
}

// effectiveness is the raw effectiveness: a goal that is not reached counts half, or
// with what is left of the budget if the scores were still rising.
func effectiveness(goal, target float64, improving bool, budgetLeft float64) float64 {
	share := ratio(goal, target)
	switch {
	case goal >= target:
		return share
	case improving && budgetLeft > 0:
		return share * budgetLeft
	}
	return share * .5
}

// efficiency is the gain per dollar within a range, 0 without a gain or a known cost.
func efficiency(gain, usd float64, within Range) float64 {
	if gain <= 0 {
		return 0
	}
	return within.of(ratio(gain, usd))
}

// ratio is a/b, and 0 if b is not above 0.
func ratio(a, b float64) float64 {
	if b <= 0 {
		return 0
	}
	return a / b
}
