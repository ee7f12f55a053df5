package spec

import (
	"strconv"

	"github.com/loopwiki/wiki/schema"
)

// Hint is the level that a document seems to have.
type Hint struct {
	TaxonomyLevel string `json:"taxonomy_level" jsonschema:"1 to 6"`
	Pattern       string `json:"pattern"`
	Workers       int    `json:"workers"`
	Confidence    string `json:"confidence" jsonschema:"heuristic (from the spec) or loopnet-v0.2 (from recorded loops of the pattern)"`
}

// SuggestLevel guesses level and pattern from the form of a document. It never
// answers 1, 5 or 6, which the form does not show.
func (d *Document) SuggestLevel() Hint {
	workers := len(items(d.Root, "workers"))
	level := 2
	switch kind := d.Root.Get("composition").Get("type").ScalarText(); {
	case kind == Parallel || kind == Nested:
		level = 4
	case kind == Sequential || workers >= 4:
		level = 3
	}
	return Hint{strconv.Itoa(level), d.InferPattern(), workers, "heuristic"}
}

// InferPattern is the pattern that the document gives first, or that of its name,
// or what its number of workers suggests.
func (d *Document) InferPattern() string {
	if given := items(d.Root, "metadata", "patterns"); len(given) > 0 && given[0].IsScalar() {
		return given[0].Text
	}
	if p := Common().KnownLoops[d.Name()]; p != "" {
		return p
	}
	if d.Root.Get("composition") != nil || len(items(d.Root, "workers")) >= 3 {
		return "multi-agent-coordination"
	}
	return "reflection-loop"
}

// TaxonomyLevel is the level that the document states at its root, or in metadata;
// where is empty if it states none. The tools of the standard read the root alone.
func (d *Document) TaxonomyLevel() (level int, where string) {
	for _, at := range []struct {
		n     *schema.Node
		where string
	}{{d.Root.Get("taxonomy_level"), "taxonomy_level"}, {d.Root.Get("metadata").Get("taxonomy_level"), "metadata.taxonomy_level"}} {
		if l := intOf(at.n); l >= 1 && l <= len(Common().Levels) {
			return l, at.where
		}
	}
	return 0, ""
}

// rootLevel is the level as other tools read it: at the root, 2 if none is given.
func (d *Document) rootLevel() int {
	if n := d.Root.Get("taxonomy_level"); n != nil {
		return intOf(n)
	}
	return 2
}

// Workload is what one iteration of a document seems to take.
type Workload struct {
	Level              int     `json:"level"`
	TokensPerIteration int     `json:"tokens_per_iteration"`
	Iterations         int     `json:"expected_iterations"`
	Seconds            float64 `json:"seconds" jsonschema:"for all expected iterations"`
	Structural         int     `json:"structural" jsonschema:"0 to 100"`
	Tier               string  `json:"tier" jsonschema:"low, medium, high or critical"`
}

// Workload estimates tokens, iterations and complexity from the number of parts.
func (d *Document) Workload() Workload {
	n := func(key string) int { return len(items(d.Root, key)) }
	workers, evaluators, channels, level := n("workers"), n("evaluators"), n("feedback_channels"), d.rootLevel()
	w := Workload{Level: level, TokensPerIteration: 2500*workers + 1200*evaluators + 400*channels}
	if level >= 2 {
		w.TokensPerIteration += 1800
	}
	if level >= 3 {
		w.TokensPerIteration += 800 * workers
	}
	if level >= 4 {
		w.TokensPerIteration *= 3
	}
	most := d.MaxIterations()
	w.Iterations = min(most, max(1, (6*most+5)/10)) // 60%, which is never halfway between two
	w.Seconds = float64(w.TokensPerIteration*w.Iterations) / 1000 * 2.5
	w.Structural = min(100, 8*workers+10*evaluators+5*level+3*n("safety_constraints")+3*channels)
	switch {
	case w.Structural < 25:
		w.Tier = "low"
	case w.Structural < 55:
		w.Tier = "medium"
	case w.Structural < 80:
		w.Tier = "high"
	default:
		w.Tier = "critical"
	}
	return w
}

// MaxIterations is the last limit of iterations among the failures, or the steps of
// the optimisation.
func (d *Document) MaxIterations() int {
	most := intOf(d.Root.Get("optimization_strategy").Get("max_steps"))
	for _, f := range items(d.Root, "termination_conditions", "failure") {
		if v := f.Get("value"); f.Get("type").ScalarText() == "max_iterations" && v != nil {
			most = intOf(v)
		}
	}
	return most
}
