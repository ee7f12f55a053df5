package spec

import (
	"slices"
	"strconv"
)

// Level is one of the six levels of loops.
type Level struct {
	Number   int    `json:"level"`
	Name     string `json:"name"`
	Question string `json:"question"` // what the loop asks after each iteration
	Stop     string `json:"stop"`     // how it usually ends
}

// Levels are the six levels, from 1 on.
var Levels = []Level{
	{1, "single-step", "Did the call succeed?", "success flag, or a number of steps"},
	{2, "reflective", "Is the result good enough?", "threshold, or a critique that passes"},
	{3, "multi-agent", "Do the specialists agree?", "consensus, or a merge"},
	{4, "evolutionary", "Which variant survives?", "plateau of fitness, or a number of generations"},
	{5, "self-modifying", "Should the loop itself change?", "window of stability, and an audit"},
	{6, "recursive meta", "Is the improvement itself improving?", "convergence of the meta-metric, within a charter of people"},
}

// Pattern is one of the 14 design patterns of loops.
type Pattern struct {
	Name string `json:"pattern"`
	// Range are the levels at which the pattern is used.
	Range string `json:"levels"`
	Gist  string `json:"gist"`
	// Level is what most recorded loops of the pattern have.
	Level int `json:"level"`
}

// Patterns are the 14 patterns.
var Patterns = []Pattern{
	{"reflection-loop", "2", "grade one's own output before it is committed", 2},
	{"critique-loop", "2", "a separate critic is the gate", 2},
	{"planning-loop", "2", "plan, validate, execute, plan again", 2},
	{"verification-loop", "2-3", "deterministic checks until they pass", 2},
	{"research-loop", "2", "gather and synthesise until the question is covered", 2},
	{"simulation-loop", "2-4", "hypothesise, simulate, update", 4},
	{"debate-loop", "3", "adversaries argue, a judge decides", 3},
	{"exploration-loop", "4", "branch, and go back from dead ends", 4},
	{"optimization-loop", "4", "score, keep the best, change it", 4},
	{"memory-augmented-loop", "2-5", "read and write memory in each turn", 2},
	{"human-in-the-loop", "1-3", "people approve at gates", 3},
	{"safety-constrained-loop", "1-6", "an envelope of policies around any loop", 4},
	{"multi-agent-coordination", "3", "an orchestrator and specialists", 3},
	{"recursive-improvement-loop", "5-6", "bounded changes of the loop itself", 4},
}

// FindPattern returns the pattern of a name.
func FindPattern(name string) (Pattern, bool) {
	i := slices.IndexFunc(Patterns, func(p Pattern) bool { return p.Name == name })
	if i < 0 {
		return Pattern{}, false
	}
	return Patterns[i], true
}

// Recorded is the level of most recorded loops of the pattern. The number of
// iterations and workers of a loop does not change it.
func (p Pattern) Recorded(workers int) Hint {
	return Hint{strconv.Itoa(p.Level), p.Name, workers, "loopnet-v0.2"}
}

// PatternNames are the names of [Patterns].
func PatternNames() []string {
	var out []string
	for _, p := range Patterns {
		out = append(out, p.Name)
	}
	return out
}

// FailureCode is one of the 12 ways in which loops fail.
type FailureCode struct {
	Code     string `json:"code"` // F1 to F12
	Slug     string `json:"slug"` // as records name it
	Critical bool   `json:"critical"`
	Meaning  string `json:"meaning"`
}

// FailureCodes are the 12 failure codes.
var FailureCodes = []FailureCode{
	{"F1", "fail.open_loop", false, "feedback does not reach what it is about"},
	{"F2", "fail.self_grade", false, "a worker grades its own work"},
	{"F3", "fail.evaluator_drift", false, "the judge's standard moves between iterations"},
	{"F4", "fail.tau_omission", true, "nothing stops the loop: no condition, no budget"},
	{"F5", "fail.false_pass", false, "bad work passes"},
	{"F6", "fail.false_fail", false, "good work is refused"},
	{"F7", "fail.oscillation", false, "the score goes up and down without an end"},
	{"F8", "fail.resource_bleed", true, "it spends without progress"},
	{"F9", "fail.state_corruption", false, "memory holds what is not so"},
	{"F10", "fail.orchestration_deadlock", false, "workers wait for each other"},
	{"F11", "fail.meta_instability", false, "the loop's changes of itself do not settle"},
	{"F12", "fail.safety_bypass", true, "a safety constraint is evaded"},
}

// CommonMetric is a metric whose name has one meaning in all specs.
type CommonMetric struct{ Name, Unit string }

// CommonMetrics are the registered names of metrics.
var CommonMetrics = []CommonMetric{
	{"primary_quality", "ratio"}, {"consensus_score", "ratio"}, {"test_pass_rate", "ratio"}, {"citation_validity", "ratio"}, {"cost_usd", "usd"},
	{"iteration_latency", "seconds"}, {"iteration_count", "count"}, {"token_count", "tokens"}, {"safety_trigger_rate", "count"}, {"regression_count", "count"},
}
