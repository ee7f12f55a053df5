package les_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/loops/spec/les"
	"github.com/loopwiki/wiki/schema/schematest"
)

func TestStructuralScoresOfTheStandardsSpecs(t *testing.T) {
	t.Parallel()
	dir := schematest.Shared(t, "corpora/loop-standards")
	var expected map[string]struct {
		Core struct {
			Normalized float64        `json:"les_normalized"`
			Display    float64        `json:"les_display"`
			Categories les.Categories `json:"categories"`
		} `json:"les_core"`
		Loopctl struct {
			LES        float64        `json:"les"`
			Categories les.Categories `json:"categories"`
		} `json:"les_loopctl"`
	}
	read(t, &expected, dir, "EXPECTED.json")
	for _, name := range []string{"minimal-loop.yaml", "library-research-agent.yaml", "composition-code-debug-repair.yaml"} {
		src, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := spec.Read(name, src)
		if err != nil {
			t.Fatal(err)
		}
		want := expected[name]
		core, ctl := les.Structural(doc.Value, les.Core), les.Structural(doc.Value, les.Loopctl)
		if diff := cmp.Diff(want.Core.Categories, core.Categories); diff != "" {
			t.Errorf("%s, core (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(want.Loopctl.Categories, ctl.Categories); diff != "" {
			t.Errorf("%s, loopctl (-want +got):\n%s", name, diff)
		}
		if got := les.Round(core.Total, 4); got != want.Core.Normalized || les.Display(got) != want.Core.Display {
			t.Errorf("%s, core: %v, want %v", name, got, want.Core.Normalized)
		}
		if got := les.Display(ctl.Total); got != want.Loopctl.LES {
			t.Errorf("%s, loopctl: %v, want %v", name, got, want.Loopctl.LES)
		}
	}
}

func TestStructuralCategories(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, spec, category string
		core, loopctl        float64
	}{
		{"nothing", `{}`, "effectiveness", .4, .4},
		{"no mapping", `["a"]`, "effectiveness", .4, .4},
		// .4 + min(.25, .08*4) = .65; + .15 for four metrics; the one threshold counts with loopctl.
		{"capped", `{"evaluators": [{}, {}, {}, {"threshold": 0.5}], "metrics": [1, 2, 3, 4]}`, "effectiveness", .8, .85},
		{"rubric", `{"evaluators": [{"rubric": {"pass_threshold": 0, "dimensions": []}}]}`, "effectiveness", .53, .53},
		{"list-form termination", `{"termination_conditions": [{"type": "all_tests_pass"}, {"type": "quality_threshold"}, {"type": "other"}]}`,
			"effectiveness", .4, .6},

		{"no limit", `{}`, "speed", .5, .5},
		{"3", `{"termination_conditions": {"failure": [{"type": "max_iterations", "value": 3}]}}`, "speed", .95, .95},
		{"the last one counts", `{"termination_conditions": {"failure": [{"type": "max_iterations", "value": 3}, {"type": "max_iterations", "value": 5}]}}`, "speed", .85, .85},
		{"20", `{"termination_conditions": {"failure": [{"type": "max_iterations", "value": 20}]}}`, "speed", .55, .55},
		{"21", `{"termination_conditions": {"failure": [{"type": "max_iterations", "value": 21}]}}`, "speed", .4, .4},
		{"steps", `{"optimization_strategy": {"max_steps": 10}}`, "speed", .7, .7},
		{"limit of loopctl", `{"optimization_strategy": {"max_steps": 10}, "cost_limits": {"max_iterations": 2}}`, "speed", .7, .95},
		{"list form", `{"termination_conditions": [{"type": "max_iterations", "value": 4}]}`, "speed", .5, .85},

		{"no limits", `{}`, "cost", .5, .5},
		{"no tokens", `{"cost_limits": {"token_soft_cap": 0}}`, "cost", .5, .5},
		{"10000 tokens", `{"cost_limits": {"token_soft_cap": 10000}}`, "cost", .75, .75},
		{"50000 tokens", `{"cost_limits": {"token_soft_cap": 50000}}`, "cost", .65, .65},
		{"100000 tokens", `{"cost_limits": {"token_soft_cap": 100000}}`, "cost", .55, .55},
		{"more tokens", `{"cost_limits": {"token_soft_cap": 100001}}`, "cost", .4, .4},
		{"free", `{"cost_limits": {"cumulative_usd": 0}}`, "cost", .7, .7},
		{"2 dollars", `{"cost_limits": {"cumulative_usd": 2}}`, "cost", .6, .6},
		{"10 dollars", `{"cost_limits": {"cumulative_usd": 10}}`, "cost", .5, .5},
		{"11 dollars", `{"cost_limits": {"cumulative_usd": 11}}`, "cost", .35, .35},
		{"0 falls through", `{"cost_limits": {"cumulative_usd": 0, "max_cost_usd": 11, "max_total_tokens": 10}}`, "cost", .7, .6},
		{"workers", `{"workers": [1, 2, 3, 4]}`, "cost", .42, .42},
		{"many workers", `{"workers": [1, 2, 3, 4, 5, 6, 7, 8, 9]}`, "cost", .3, .3},

		{"bare", `{}`, "robustness", .35, .35},
		// .35 + .2 + .15 + .1 + .1 + .05: parameter_search counts in core only, the level in loopctl only.
		{"full", `{"evaluators": [1, 2, 3], "feedback_channels": [1, 2, 3, 4], "memory": {"type": "session"}, "taxonomy_level": 2,
			"optimization_strategy": {"type": "parameter_search"}, "termination_conditions": {"stall": [{}]}}`, "robustness", .95, .9},
		{"reflection", `{"optimization_strategy": {"type": "reflection"}, "memory": {}}`, "robustness", .35, .45},

		{"bare", `{}`, "scalability", .45, .45},
		{"full", `{"inputs": {"schema": {"a": {}, "b": {}, "c": {}, "d": {}, "e": {}}}, "feedback_channels": [1], "workers": [1, 2],
			"cost_limits": {"cumulative_usd": 0}}`, "scalability", .9, .9},
		{"list of inputs", `{"inputs": ["a", "b"]}`, "scalability", .45, .55},

		{"none", `{"safety_constraints": []}`, "safety", .35, .35},
		{"three", `{"safety_constraints": [{"action": "halt"}, {"action": "warn"}, {"action": "quarantine"}]}`, "safety", .95, .95},
		{"capped at 1", `{"safety_constraints": [{"action": "halt"}, {"action": "halt"}, {"action": "halt"}, {"action": "halt"}]}`, "safety", 1, 1},

		{"bare", `{}`, "adaptability", .4, .44},
		{"memory", `{"optimization_strategy": {"type": "memory_update"}}`, "adaptability", .5, .44},
		{"evolution", `{"optimization_strategy": {"type": "evolutionary"}, "taxonomy_level": 6}`, "adaptability", .4, .7},

		{"bare", `{}`, "autonomy", .5, .53},
		{"escalates", `{"safety_constraints": [{"action": "escalate_human"}, {"action": "escalate"}], "workers": [1]}`, "autonomy", .46, .39},
		{"level 6", `{"taxonomy_level": 6}`, "autonomy", .5, .65},

		{"own score", `{"les_scores": {"safety": 1.5}}`, "safety", 1, 1},
		{"own score of another", `{"les_scores": {"speed": 0.1}}`, "safety", .35, .35},
	} {
		for profile, want := range map[les.Profile]float64{les.Core: c.core, les.Loopctl: c.loopctl} {
			got := les.Structural(decode(t, c.spec), profile).Categories.Values()
			for i, name := range les.Names {
				if name == c.category && math.Abs(got[i]-want) > 1e-9 {
					t.Errorf("%s, %s: %s is %v, want %v", c.name, profile, name, got[i], want)
				}
			}
		}
	}
}

func TestStructuralSaysWhichLevelCounts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		spec          string
		core, loopctl les.Level
	}{
		{`{}`, les.Level{Value: 1, From: "none"}, les.Level{Value: 1, From: "none", Scored: 1}},
		{`{"taxonomy_level": 3, "metadata": {"taxonomy_level": 4}}`,
			les.Level{Value: 3, From: "taxonomy_level"}, les.Level{Value: 3, From: "taxonomy_level", Scored: 3}},
		// The library states the level here, and loopctl reads the root alone.
		{`{"metadata": {"taxonomy_level": 4}}`,
			les.Level{Value: 4, From: "metadata.taxonomy_level"}, les.Level{Value: 4, From: "metadata.taxonomy_level", Scored: 1}},
		{`{"taxonomy_level": 2.5}`, les.Level{Value: 1, From: "none"}, les.Level{Value: 1, From: "none", Scored: 1}},
	} {
		for profile, want := range map[les.Profile]les.Level{les.Core: c.core, les.Loopctl: c.loopctl} {
			if got := les.Structural(decode(t, c.spec), profile).Level; got != want {
				t.Errorf("%s, %s: %+v, want %+v", c.spec, profile, got, want)
			}
		}
	}
}
