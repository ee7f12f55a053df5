package les

import "slices"

// TraceScore is the score of one run, from its Loop Trace.
type TraceScore struct {
	LoopName, LoopID string
	Categories       Categories
	// Total is not rounded.
	Total float64
}

// Observed scores a decoded Loop Trace 1.0. A trace records neither perturbations nor
// interventions, so that scalability is fixed, and safety and autonomy depend on success
// alone.
func Observed(trace any) TraceScore {
	iterations := list(field(trace, "iterations"))
	n := max(1, float64(len(iterations)))
	var scores []float64
	for _, it := range iterations {
		if own := numbers(field(it, "evaluator_scores")); len(own) > 0 {
			scores = append(scores, Mean(own...))
		}
	}
	success := given(field(trace, "success"))
	c := Categories{
		Effectiveness: .4,
		Speed:         step(n, .35, []float64{2, 5, 10}, []float64{.9, .75, .55}),
		Cost:          step(cost(trace), .35, []float64{.1, .5, 2}, []float64{.9, .75, .55}),
		Robustness:    .45,
		Scalability:   .6,
		Safety:        .5,
		Adaptability:  clamp(.5 + float64(.05*n)),
		Autonomy:      .45,
	}
	if success {
		c.Effectiveness, c.Safety, c.Autonomy = .85, .65, .7
	}
	if len(scores) > 0 {
		c.Effectiveness = clamp(scores[len(scores)-1])
	}
	if success && len(scores) > 0 {
		steady := .05
		if slices.Max(scores)-slices.Min(scores) < .15 {
			steady = .2
		}
		c.Robustness = clamp(.7 + steady)
	}
	return TraceScore{
		LoopName: word(field(trace, "loop_name")), LoopID: word(field(trace, "loop_id")),
		Categories: c, Total: c.Total(Weights),
	}
}

// cost is what a trace says that the run cost, 0 if it says nothing.
func cost(trace any) float64 {
	x, _ := number(field(trace, "total_cost_usd"))
	return x
}
