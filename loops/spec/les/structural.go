package les

import (
	"math"
	"slices"
)

// Profile is a variant of the score from a spec.
type Profile string

// The two variants of the standard's tools.
const (
	Core    Profile = "core"
	Loopctl Profile = "loopctl"
)

// Profiles are all variants, the default first.
var Profiles = []string{string(Core), string(Loopctl)}

// SpecScore is the score that a spec has by its structure, before anything ran.
type SpecScore struct {
	LoopName   string
	Categories Categories
	// Total is not rounded.
	Total float64
	Level Level
}

// Level is the taxonomy level that a spec states.
type Level struct {
	Value int    `json:"value" jsonschema:"from 1 to 6; 1 if the spec states none"`
	From  string `json:"from" jsonschema:"the key that states it: taxonomy_level, metadata.taxonomy_level, or none"`
	// Scored differs from Value where the level stands below metadata: loopctl reads the
	// root key alone, and core reads neither.
	Scored int `json:"scored" jsonschema:"the level that the profile counts; 0 if it counts none"`
}

// Structural scores a decoded spec. Categories that the spec states itself, below
// les_scores, replace those computed.
func Structural(doc any, profile Profile) SpecScore {
	s := structure{doc: doc, ctl: profile == Loopctl}
	level := levelOf(doc)
	if s.ctl {
		s.level, level.Scored = 1, 1
		if level.From == rootLevel {
			s.level, level.Scored = float64(level.Value), level.Value
		}
	}
	c := Categories{
		Effectiveness: s.effectiveness(), Speed: s.speed(), Cost: s.cost(), Robustness: s.robustness(),
		Scalability: s.scalability(), Safety: s.safety(), Adaptability: s.adaptability(), Autonomy: s.autonomy(),
	}.each(func(i int, x float64) float64 {
		if own, ok := number(field(doc, "les_scores", Names[i])); ok {
			x = own
		}
		return clamp(x)
	})
	return SpecScore{LoopName: word(field(doc, "loop_name")), Categories: c, Total: c.Total(Weights), Level: level}
}

// rootLevel is the key of the level that the tools of the standard read.
const rootLevel = "taxonomy_level"

func levelOf(doc any) Level {
	for _, path := range [][]string{{rootLevel}, {"metadata", rootLevel}} {
		if x, ok := number(field(doc, path...)); ok && x == math.Trunc(x) && math.Abs(x) < 1e6 {
			l := Level{Value: int(x), From: rootLevel}
			if len(path) > 1 {
				l.From = "metadata." + rootLevel
			}
			return l
		}
	}
	return Level{Value: 1, From: "none"}
}

// structure is a spec while it is scored.
type structure struct {
	doc   any
	ctl   bool    // by the rules of loopctl
	level float64 // of loopctl
}

func (s structure) n(path ...string) float64 { return count(field(s.doc, path...)) }

// inputs is the number of inputs; loopctl takes a list of them too.
func (s structure) inputs() float64 {
	inputs := field(s.doc, "inputs")
	if s.ctl && len(list(inputs)) > 0 {
		return count(inputs)
	}
	return count(field(inputs, "schema"))
}

func (s structure) effectiveness() float64 {
	x := .4 + min(.25, .08*s.n("evaluators"))
	for _, e := range list(field(s.doc, "evaluators")) {
		if field(e, "rubric", "pass_threshold") != nil {
			x += .05
		}
		if given(field(e, "rubric", "dimensions")) {
			x += .05
		}
		if s.ctl && field(e, "threshold") != nil {
			x += .05
		}
	}
	x += min(.15, .05*s.n("metrics"))
	if given(field(s.doc, "termination_conditions", "success")) {
		x += .1
	}
	if s.ctl {
		for _, t := range list(field(s.doc, "termination_conditions")) {
			if slices.Contains([]string{"quality_threshold", "all_tests_pass"}, word(field(t, "type"))) {
				x += .1
			}
		}
	}
	return x
}

func (s structure) speed() float64 {
	n, ok := s.maxIterations()
	switch {
	case !ok:
		return .5
	case n <= 3:
		return .95
	case n <= 5:
		return .85
	case n <= 10:
		return .7
	case n <= 20:
		return .55
	}
	return .4
}

func (s structure) maxIterations() (float64, bool) {
	conditions := list(field(s.doc, "termination_conditions", "failure"))
	if s.ctl {
		conditions = append(slices.Clone(conditions), list(field(s.doc, "termination_conditions"))...)
	}
	for _, c := range slices.Backward(conditions) {
		if word(field(c, "type")) == "max_iterations" {
			if n, ok := number(field(c, "value")); ok {
				return n, true
			}
		}
	}
	if n, ok := number(field(s.doc, "cost_limits", "max_iterations")); s.ctl && ok {
		return n, true
	}
	return number(field(s.doc, "optimization_strategy", "max_steps"))
}

func (s structure) cost() float64 {
	limits := field(s.doc, "cost_limits")
	tokens, capped := orElse(field(limits, "token_soft_cap"))
	usd, limited := number(field(limits, "cumulative_usd"))
	if s.ctl {
		tokens, capped = orElse(field(limits, "token_soft_cap"), field(limits, "max_total_tokens"))
		if usd == 0 {
			if other, ok := number(field(limits, "max_cost_usd")); ok {
				usd, limited = other, true
			}
		}
	}
	x := .5
	if capped {
		x += step(tokens, -.1, []float64{10000, 50000, 100000}, []float64{.25, .15, .05})
	}
	if limited {
		x += step(usd, -.15, []float64{.5, 2, 10}, []float64{.2, .1, 0})
	}
	return x - min(.2, .04*max(0, s.n("workers")-2))
}

// step returns the value of the first limit that x does not exceed, or rest.
func step(x, rest float64, limits, values []float64) float64 {
	for i, limit := range limits {
		if x <= limit {
			return values[i]
		}
	}
	return rest
}

func (s structure) strategy(types, ctl []string) bool {
	if s.ctl {
		types = ctl
	}
	return slices.Contains(types, word(field(s.doc, "optimization_strategy", "type")))
}

func (s structure) robustness() float64 {
	x := .35 + min(.2, .07*s.n("evaluators")) + min(.15, .05*s.n("feedback_channels"))
	if given(field(s.doc, "memory")) {
		x += .1
	}
	if s.strategy([]string{"prompt_refinement", "parameter_search"}, []string{"reflection", "prompt_refinement"}) {
		x += .1
	}
	if given(field(s.doc, "termination_conditions", "stall")) {
		x += .05
	}
	if s.ctl && s.level >= 2 {
		x += .05
	}
	return x
}

func (s structure) scalability() float64 {
	x := .45 + min(.2, .05*s.inputs())
	if s.n("feedback_channels") > 0 {
		x += .1
	}
	if s.n("workers") >= 2 {
		x += .1
	}
	if field(s.doc, "cost_limits", "cumulative_usd") != nil {
		x += .05
	}
	return x
}

func (s structure) safety() float64 {
	constraints := list(field(s.doc, "safety_constraints"))
	if len(constraints) == 0 {
		return .35
	}
	x := .5 + min(.35, .12*float64(len(constraints)))
	for _, c := range constraints {
		if slices.Contains([]string{"halt", "quarantine"}, word(field(c, "action"))) {
			x += .05
		}
	}
	return x
}

func (s structure) adaptability() float64 {
	x := .4 + min(.25, .06*s.inputs())
	if s.ctl {
		x += min(.2, .04*s.level)
	}
	if s.strategy([]string{"prompt_refinement", "parameter_search", "memory_update"},
		[]string{"reflection", "evolutionary", "beam_search", "prompt_refinement", "parameter_search"}) {
		x += .1
	}
	return x
}

func (s structure) autonomy() float64 {
	x := .5 + min(.25, .06*s.n("workers"))
	for _, c := range list(field(s.doc, "safety_constraints")) {
		if action := word(field(c, "action")); action == "escalate_human" || s.ctl && action == "escalate" {
			x -= .1
		}
	}
	if s.ctl {
		x += min(.15, .03*s.level)
	}
	return x
}
