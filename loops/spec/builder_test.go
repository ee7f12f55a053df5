package spec_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops/spec"
)

// clean fails the test unless a document is valid and without findings.
func clean(t *testing.T, d *spec.Document, err error) *spec.Spec {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	v := d.Check("", fromLibrary)
	if len(v.Faults)+len(v.Joints)+len(v.Semantic) > 0 {
		t.Fatalf("%v %v %v\n%s", v.Faults, v.Joints, v.Semantic, d.Text())
	}
	s, err := d.Spec()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func fromLibrary(ref string) (*spec.Document, error) { return spec.FromLibrary(ref) }

// The defaults of the builder, from its text.
func TestBuildersHaveTheDefaults(t *testing.T) {
	t.Parallel()
	for _, b := range spec.Common().Builders {
		d, err := spec.Build(spec.New{Pattern: b.Name, Name: "a-loop", Objective: `Say "what": one, two # three`})
		s := clean(t, d, err)
		tokens := 8000
		if b.Name == "plan" {
			tokens = 6000
		}
		w, judge := s.Workers[0], s.Evaluators[len(s.Evaluators)-1]
		if s.Name != "a-loop" || s.Objective != `Say "what": one, two # three` || w.Model.Provider != "openai" || w.Model.Name != "gpt-4.1-mini" ||
			*w.Model.Temperature != 0.2 || w.TimeoutSeconds != 120 || w.Retries != 1 || *w.BudgetUSD != 0.09 || *judge.Model.Temperature != 0 ||
			judge.Rubric.PassThreshold != 0.8 || s.Strategy.Type != "prompt_refinement" || s.Strategy.MaxSteps != 5 ||
			*s.Strategy.Rollback.OnMetricDrop != 0.05 || !s.Strategy.Rollback.OnSafetyFailure {
			t.Errorf("%s: %+v", b.Name, s)
		}
		c := s.Cost
		if c.PerIterationUSD != 0.15 || c.CumulativeUSD != 0.5 || c.TokenSoftCap != tokens || c.OnApproach.ThresholdPercent != 80 || c.OnApproach.Action != "warn" || c.OnExceed.Action != "halt" {
			t.Errorf("%s: %+v", b.Name, c)
		}
		stops := s.Termination
		if len(stops.Failure) != 3 || stops.Failure[0].Type != "safety_violation" || stops.Failure[1].Type != "max_iterations" || *stops.Failure[1].Value != 8 ||
			stops.Failure[2].Type != "evaluator_error" || stops.Failure[2].Consecutive != 2 || stops.Stall[0].WindowIterations != 3 || stops.Stall[0].MinImprovement != 0.03 ||
			stops.Success[0] != (spec.Success{Metric: "primary_quality", Operator: "gte", Value: 0.8, Consecutive: 1}) {
			t.Errorf("%s: %+v", b.Name, stops)
		}
		in, out := s.Safety[0], s.Safety[1]
		if len(s.Safety) != 2 || in.Type != "injection_detect" || in.Scope != "pre_worker" || in.Action != "quarantine" || in.Severity != "S0" || in.Config["max_risk_score"] != 0.7 ||
			out.Type != "secret_scan" || out.Scope != "post_worker" || out.Action != "halt" || out.Severity != "S0" || out.Config["entropy_threshold"] != 4.5 {
			t.Errorf("%s: %+v", b.Name, s.Safety)
		}
		first, second := s.Channels[0], s.Channels[1]
		if first.ID != "quality_to_worker" || first.MaxTokens != 300 || first.When != "score < pass_threshold" || second.ID != "quality_to_optimizer" || second.MaxTokens != 200 {
			t.Errorf("%s: %+v", b.Name, s.Channels)
		}
		if last := s.Metrics[len(s.Metrics)-1]; s.Metrics[0].Name != "primary_quality" || last.Name != "cost_usd" || last.Source != "telemetry.cost" {
			t.Errorf("%s: %+v", b.Name, s.Metrics)
		}
	}
}

// What each pattern adds to the defaults.
func TestBuilderPatterns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		pattern, workers, evaluators, metrics, memory string
		retention                                     float64
	}{
		{"simple", "worker", "quality_rubric", "primary_quality cost_usd", "ephemeral", 0},
		{"reflection", "writer reflector", "quality_rubric", "primary_quality cost_usd", "ephemeral", 0},
		{"verification", "implementer", "scope_check quality_rubric", "primary_quality scope_size cost_usd", "ephemeral", 0},
		{"research", "researcher", "quality_rubric", "primary_quality cost_usd", "ephemeral", 0},
		{"react", "actor", "quality_rubric", "primary_quality cost_usd", "session", 1},
		{"crew", "researcher writer editor", "quality_rubric", "primary_quality cost_usd", "ephemeral", 0},
		{"plan", "planner executor", "quality_rubric", "primary_quality cost_usd", "session", 8},
	} {
		d, err := spec.Build(spec.New{Pattern: c.pattern, Name: "a-loop", Objective: "Do what is asked."})
		s := clean(t, d, err)
		var workers, evaluators, metrics []string
		for _, w := range s.Workers {
			workers = append(workers, w.ID)
		}
		for _, e := range s.Evaluators {
			evaluators = append(evaluators, e.ID)
		}
		for _, m := range s.Metrics {
			metrics = append(metrics, m.Name)
		}
		if strings.Join(workers, " ") != c.workers || strings.Join(evaluators, " ") != c.evaluators || strings.Join(metrics, " ") != c.metrics || s.Memory.Type != c.memory {
			t.Errorf("%s: %s; %s; %s; %s", c.pattern, workers, evaluators, metrics, s.Memory.Type)
		}
		if r := s.Memory.Retention; c.retention > 0 && (r == nil || r.Unit != "iteration" || r.Value != c.retention) {
			t.Errorf("%s: %+v", c.pattern, r)
		}
	}
	s := clean(t, build(t, spec.New{Pattern: "verification"}), nil)
	if e, m := s.Evaluators[0], s.Metrics[1]; e.Type != spec.Deterministic || *m.Target != 2000 || m.Source != "evaluators.scope_check" {
		t.Errorf("%+v %+v", e, m)
	}
	s = clean(t, build(t, spec.New{Pattern: "reflection"}), nil)
	if c := s.Channels[2]; c.MaxTokens != 400 || c.Source != "workers.reflector" {
		t.Errorf("%+v", c)
	}
	s = clean(t, build(t, spec.New{Pattern: "simple", Quality: 0.95, MaxIterations: 3, Input: "topic", Example: "rate limits"}), nil)
	if s.Evaluators[0].Rubric.PassThreshold != 0.95 || s.Termination.Success[0].Value != 0.95 || *s.Metrics[0].Target != 0.95 ||
		*s.Termination.Failure[1].Value != 3 || s.Inputs.Examples[0]["topic"] != "rate limits" || s.Workers[0].Inputs[0].From != "inputs.topic" {
		t.Errorf("%+v", s)
	}
}

func build(t *testing.T, n spec.New) *spec.Document {
	t.Helper()
	n.Name, n.Objective = "a-loop", "Do what is asked."
	d, err := spec.Build(n)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestBuilderAliases(t *testing.T) {
	t.Parallel()
	for alias, want := range map[string]string{
		"echo": "simple", "reflect": "reflection", "reflection-loop": "reflection", "verify": "verification", "verification-loop": "verification",
		"research-loop": "research", "tool": "react", "tool-loop": "react", "react-loop": "react", "crew-loop": "crew", "sequential-crew-loop": "crew",
		"plan-execute-loop": "plan", "autogpt": "plan",
	} {
		if b, ok := spec.FindBuilder(alias); !ok || b.Name != want {
			t.Errorf("%s is %s, not %s", alias, b.Name, want)
		}
	}
	for _, c := range []struct {
		n    spec.New
		want string
	}{
		{spec.New{Pattern: "debate"}, `unknown pattern "debate"; use simple, reflection, verification, research, react, crew, plan`},
		{spec.New{Pattern: "simple", Name: "Abc"}, `no spec can have loop_name: "Abc" does not match ^[a-z][a-z0-9-]*$`},
		{spec.New{Pattern: "simple", Name: "a-loop", Objective: "short"}, "no spec can have objective: 5 characters long: expected at least 10"},
		{spec.New{Pattern: "simple", Name: "a-loop", Objective: "long enough", Quality: 2}, "no spec can have evaluators.0: fits no alternative; rubric.pass_threshold: 2 is too large: expected at most 1"},
	} {
		if _, err := spec.Build(c.n); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v", c.n, err)
		}
	}
}

func TestWithLevel(t *testing.T) {
	t.Parallel()
	d, err := build(t, spec.New{Pattern: "crew"}).WithLevel()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"level_hint": map[string]any{"taxonomy_level": "2", "pattern": "multi-agent-coordination", "workers": int64(3), "confidence": "heuristic"}}
	if level, where := d.TaxonomyLevel(); level != 2 || where != "metadata.taxonomy_level" || !reflect.DeepEqual(d.Value["x_loopforge"], want) {
		t.Errorf("%s", d.Text())
	}
	if line := d.SuggestLevel().String(); line != "Level hint: L2 (pattern=multi-agent-coordination, workers=3, confidence=heuristic)" {
		t.Error(line)
	}
	stated, err := spec.FromLibrary("coding-agent")
	if err != nil {
		t.Fatal(err)
	}
	if d, err = stated.WithLevel(); err != nil {
		t.Fatal(err)
	}
	if level, where := d.TaxonomyLevel(); level != 3 || where != "taxonomy_level" || strings.Contains(string(d.Text()), "metadata: {patterns: [verification-loop], taxonomy_level") {
		t.Errorf("a stated level changed to %d at %s", level, where)
	}
}

func TestLibraryIsProductionGrade(t *testing.T) {
	t.Parallel()
	want := "audit-loop autonomous-debugger code-debug-repair coding-agent documentation-loop execution-loop research-agent scenario-analyst scenario-swarm-rehearsal startup-validator writing-assistant"
	if got := strings.Join(spec.Library(), " "); got != want {
		t.Errorf("the library is %s", got)
	}
	level := map[string]int{"research-agent": 2, "coding-agent": 3, "autonomous-debugger": 3, "code-debug-repair": 4, "scenario-swarm-rehearsal": 4, "startup-validator": 2}
	for _, name := range spec.Library() {
		d, err := spec.FromLibrary(name)
		s := clean(t, d, err)
		v := d.Check("", fromLibrary)
		if v.Level != spec.Production || s.Name != name {
			t.Errorf("%s: %s is %s: %q", name, s.Name, v.Level, v.Missing)
		}
		if l, _ := d.TaxonomyLevel(); level[name] != 0 && l != level[name] {
			t.Errorf("%s has level %d", name, l)
		}
		if _, ok := spec.FindPattern(d.InferPattern()); !ok {
			t.Errorf("%s: unknown pattern %s", name, d.InferPattern())
		}
		for _, e := range s.Evaluators {
			if gate, ok := e.Gate(); e.Type == spec.Deterministic && (!ok || gate == "") {
				t.Errorf("%s: %s runs nothing", name, e.ID)
			}
		}
	}
	if _, err := spec.FromLibrary("loop-library/coding-agnet.yaml"); err == nil || err.Error() != `the library has no loop "coding-agnet": did you mean coding-agent?` {
		t.Error(err)
	}
}

func TestBindings(t *testing.T) {
	t.Parallel()
	for implementation, want := range map[string]string{"x_wiki": "test", "x_wiki.build": "build", "x_wiki.lint": "lint", "evaluators.word_count_max": "-", "x_wikis": "-"} {
		e := spec.Evaluator{Type: spec.Deterministic, Implementation: implementation}
		gate, ok := e.Gate()
		if !ok {
			gate = "-"
		}
		if gate != want {
			t.Errorf("%s is the gate %s", implementation, gate)
		}
		if e.Type = spec.Human; ok {
			if _, ok := e.Gate(); ok {
				t.Error("a person is a gate")
			}
		}
	}
	if r := (spec.Model{Provider: "x_wiki", Name: "writer"}).Role("maker"); r != "writer" {
		t.Error(r)
	}
	if r := (spec.Model{Provider: "openai", Name: "writer"}).Role("maker"); r != "maker" {
		t.Error(r)
	}
}
