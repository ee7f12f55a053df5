package spec_test

import (
	"slices"
	"strings"
	"testing"
)

func TestExplainNamesThePartsOfTheLoop(t *testing.T) {
	t.Parallel()
	e, err := changed(t, `set workers.1.role = "Correct\nthe page"`).Explain()
	if err != nil {
		t.Fatal(err)
	}
	var symbols, phases []string
	all := map[string]string{}
	for _, p := range e.Loop {
		symbols = append(symbols, p.Symbol)
		all[p.Name] = strings.Join(p.What, "\n")
	}
	for _, p := range e.Phases {
		phases = append(phases, p.Name)
		all[p.Name] = strings.Join(p.What, "\n")
	}
	if !slices.Equal(symbols, []string{"S", "A", "O", "T", "E", "M", "τ"}) || !slices.Equal(phases, []string{"Design", "Diagnose", "Measure", "Improve", "Scale"}) {
		t.Errorf("%s; %s", symbols, phases)
	}
	for name, want := range map[string]string{
		"state":        "inputs.topic: What the page is about",
		"actions":      "writer: Write the page\neditor: Correct the page",
		"observations": "evaluators.quality to workers.writer, when score < pass_threshold\nevaluators.links to optimization_strategy.prompt_refinement",
		"transitions":  "an iteration runs writer; editor after writer\nbetween iterations: prompt_refinement, at most 5 steps, of workers.writer\na step is undone when the primary metric drops by 0.05",
		"evaluators":   "links runs x_wiki.lint after writer\nquality: gpt-4.1-mini judges 2 dimensions after every worker, and passes at 0.8\nperson: a person judges after editor, within 3600 seconds",
		"memory":       "persistent in postgres, for 30 days",
		"termination":  "met when primary_quality gte 0.8\nfailed on safety_violation: halt\nfailed on max_iterations 8: halt\nstalled when primary_quality gains less than 0.03 in 3 iterations: halt",
		"Design":       "Write a page about rate limits, with sources.",
		"Diagnose":     "",
		"Measure":      "primary_quality (ratio) from evaluators.quality: Score of quality [primary]\ncost_usd (usd) from telemetry.cost: Spend",
		"Scale":        "at most $0.2 an iteration and $1 in all, then halt",
	} {
		if got := all[name]; !strings.Contains(got, want) || name != "state" && got != want {
			t.Errorf("%s:\n got %s\nwant %s", name, got, want)
		}
	}
	if e.Hint.TaxonomyLevel != "2" || e.Workload.Level != 2 {
		t.Errorf("%+v", e)
	}
}

func TestExplainDiagnosesTheFailuresThatAFormInvites(t *testing.T) {
	t.Parallel()
	for change, want := range map[string]string{
		`set feedback_channels.0.destination = "optimization_strategy"`: "F1 fail.open_loop",
		`set evaluators.0 = {"id": "links", "type": "llm_rubric", "runs_after": ["*"], "model": {"provider": "openai", "name": "gpt-4.1-mini"}, "rubric": {"dimensions": [{"name": "a", "weight": 1, "scale": [0, 1], "criteria": "b"}], "pass_threshold": 0.5}}; set evaluators.2 = {"id": "person", "type": "llm_rubric", "runs_after": ["*"], "model": {"provider": "openai", "name": "gpt-4.1-mini"}, "rubric": {"dimensions": [{"name": "a", "weight": 1, "scale": [0, 1], "criteria": "b"}], "pass_threshold": 0.5}}`: "F2 fail.self_grade",
		`drop termination_conditions.failure`:       "F4 fail.tau_omission",
		`drop termination_conditions.stall`:         "F7 fail.oscillation",
		`set cost_limits.on_exceed.action = "warn"`: "F8 fail.resource_bleed",
		`set workers.0.depends_on = ["editor"]`:     "F10 fail.orchestration_deadlock",
		`set safety_constraints = []`:               "F12 fail.safety_bypass",
	} {
		e, err := changed(t, strings.Split(change, "; ")...).Explain()
		if err != nil {
			t.Errorf("%s: %v", change, err)
			continue
		}
		got := e.Phases[1].What
		if len(got) != 1 || !strings.HasPrefix(got[0], want+": ") {
			t.Errorf("%s: %q", change, got)
		}
	}
}
