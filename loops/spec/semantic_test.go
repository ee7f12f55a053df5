package spec_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/schema/schematest"
)

// changed is full.yaml after some lines of the table of mutants.
func changed(t *testing.T, lines ...string) *spec.Document {
	t.Helper()
	doc := full(t)
	for _, l := range lines {
		mutate(t, doc, l)
	}
	text, err := json.Marshal(doc)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, string(text))
}

func TestSemanticChecksFindWhatTheSchemaDoesNot(t *testing.T) {
	t.Parallel()
	const nested = `set composition = {"type": "nested", "children": [{"id": "a", "ref": "a.yaml", "role": "outer"}, {"id": "b", "ref": "b.yaml", "role": "inner"}], "adapters": [{"from": "children.a.outputs", "to": "children.b.inputs.x"}]}`
	const parallel = `set composition = {"type": "parallel", "merge": {"strategy": "vote", "min_branches_pass": 2}, "children": [{"id": "a", "ref": "a.yaml", "role": "branch"}, {"id": "b", "ref": "b.yaml", "role": "branch"}]}`
	for _, c := range []struct {
		changes string // lines of the table of mutants
		want    string // check and path of each finding
	}{
		{"", ""},
		// depends_on is acyclic
		{`set workers.0.depends_on = ["editor"]`, "dependency-cycle workers.0.depends_on"},
		{`set workers.0.depends_on = ["writer"]`, "dependency-cycle workers.0.depends_on"},
		// what is referred to exists
		{`set workers.1.depends_on = ["nobody"]`, "unknown-worker workers.1.depends_on.0"},
		{`set workers.1.inputs.0.from = "workers.writter"`, "unknown-worker workers.1.inputs.0.from"},
		{`set workers.0.inputs.0.from = "inputs.title"`, "unknown-input workers.0.inputs.0.from"},
		{`set workers.0.inputs.0.from = "inputs.topic.name"`, ""},
		{`set evaluators.0.runs_after = ["nobody"]`, "unknown-worker evaluators.0.runs_after.0"},
		{`set feedback_channels.0.source = "evaluators.nobody"`, "unknown-evaluator feedback_channels.0.source"},
		{`set feedback_channels.0.source = "workers.nobody"`, "unknown-worker feedback_channels.0.source"},
		{`set feedback_channels.0.destination = "workers.nobody"`, "unknown-worker feedback_channels.0.destination"},
		{`set feedback_channels.0.destination = "optimization_strategy.manual"`, "unknown-strategy feedback_channels.0.destination"},
		{`set feedback_channels.0.destination = "optimization_strategy"`, ""},
		{`set metrics.0.source = "evaluators.nobody"`, "unknown-evaluator metrics.0.source"},
		{`set metrics.0.source = "workers.nobody"`, "unknown-worker metrics.0.source"},
		{`set metrics.0.source = "telemetry.anything"`, ""},
		{`set safety_constraints.0.applies_to = ["*", "nobody"]`, "unknown-worker safety_constraints.0.applies_to.1"},
		{`set optimization_strategy.config.refinement_target = "workers.nobody"`, "unknown-worker optimization_strategy.config.refinement_target"},
		{`set optimization_strategy.config.secondary_targets = ["workers.nobody"]`, "unknown-worker optimization_strategy.config.secondary_targets.0"},
		{`set termination_conditions.success.0.metric = "quality"`, "unknown-metric termination_conditions.success.0.metric"},
		{`set termination_conditions.stall.0.metric = "quality"`, "unknown-metric termination_conditions.stall.0.metric"},
		{`set termination_conditions.stall.0.action = "stop"`, "unknown-action termination_conditions.stall.0.action"},
		// the loop ends
		{`drop termination_conditions.failure`, "unbounded termination_conditions"},
		{`set termination_conditions.failure = [{"type": "safety_violation"}]`, "unbounded termination_conditions"},
		{`set termination_conditions.failure = [{"type": "timeout"}]`, "unbounded termination_conditions"},
		{`set termination_conditions.failure = [{"type": "max_iterations", "value": 3, "action": "retry_iteration"}]`, "unbounded termination_conditions"},
		{`set termination_conditions.failure = [{"type": "timeout", "value": 60}]`, ""},
		{`set termination_conditions.failure = [{"type": "cost_exceeded"}]`, ""},
		{`set termination_conditions.failure = [{"type": "cost_exceeded"}]` + "\n" + `set cost_limits.on_exceed.action = "warn"`, "unbounded termination_conditions"},
		// one metric is primary
		{`drop metrics.0.primary`, "primary-metric metrics"},
		{`set metrics.1.primary = true`, "primary-metric metrics"},
		// ids are unique
		{`set workers.1.id = "writer"` + "\n" + `drop workers.1.depends_on` + "\n" + `set evaluators.2.runs_after = ["*"]` + "\n" +
			`drop optimization_strategy.config.secondary_targets`, "duplicate-id workers.1.id"},
		{`set evaluators.0.id = "quality"` + "\n" + `set feedback_channels.1.source = "evaluators.quality"`, "duplicate-id evaluators.1.id"},
		{`set feedback_channels.1.id = "to-writer"`, "duplicate-id feedback_channels.1.id"},
		{`set metrics.1.name = "primary_quality"` + "\n" + `set metrics.1.unit = "ratio"`, "duplicate-id metrics.1.name"},
		// budgets are consistent
		{`set workers.0.cost_budget_usd = 2`, "budget workers.0.cost_budget_usd"},
		{`set workers.0.cost_budget_usd = 0.6` + "\n" + `set workers.1.cost_budget_usd = 0.6`, "budget cost_limits.cumulative_usd"},
		{`set cost_limits.per_iteration_usd = 2`, "budget cost_limits.per_iteration_usd"},
		// ranges are not empty
		{`set evaluators.1.rubric.dimensions.0.scale = [1, 0]`, "empty-range evaluators.1.rubric.dimensions.0.scale"},
		{`set inputs.schema.topic.min_length = 300`, "empty-range inputs.schema.topic.min_length"},
		{`set inputs.schema.depth.minimum = 10`, "empty-range inputs.schema.depth.minimum"},
		{`set evaluators.1.rubric.dimensions.0.weight = 1`, "weights evaluators.1.rubric.dimensions"},
		// registered metrics keep their unit
		{`set metrics.1.unit = "count"`, "metric-unit metrics.1.unit"},
		{`set metrics.0.unit = "percent"`, "metric-unit metrics.0.unit"},
		// compositions
		{nested, ""},
		{nested + "\n" + `set composition.children.1.role = "outer"`, "composition composition.children"},
		{nested + "\n" + `set composition.adapters = []`, "composition composition.adapters"},
		{nested + "\n" + `set composition.type = "sequential"` + "\n" + `drop composition.adapters`, "composition composition"},
		{nested + "\n" + `set composition.adapters.0.from = "children.c.outputs"`, "unknown-child composition.adapters.0.from"},
		{nested + "\n" + `set composition.children.1.ref = "c.yaml"`, "unknown-child composition.children.1.ref"},
		{nested + "\n" + `set composition.children.1.ref = "empty.yaml"`, "unknown-child composition.children.1.ref"},
		{nested + "\n" + `set composition.children.1.id = "a"` + "\n" + `drop composition.adapters.0.to`, "duplicate-id composition.children.1.id"},
		{parallel, ""},
		{parallel + "\n" + `drop composition.children.1.role`, "composition composition.children"},
		{parallel + "\n" + `set composition.merge.min_branches_pass = 3`, "composition composition.merge.min_branches_pass"},
		{parallel + "\n" + `set composition.merge.strategy = "first_pass"`, "order-sensitive composition.merge.strategy"},
		{parallel + "\n" + `set cost_limits.cumulative_usd = 0.5`, "budget cost_limits.cumulative_usd"},
	} {
		d := changed(t, strings.FieldsFunc(c.changes, func(r rune) bool { return r == '\n' })...)
		var got []string
		for _, f := range d.Semantic(children(t)) {
			got = append(got, f.ID+" "+f.Path)
			if f.At.Line == 0 || f.Message == "" {
				t.Errorf("%s: %+v", c.changes, f)
			}
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.changes, got, c.want)
		}
	}
}

// children reads a.yaml and b.yaml, which may spend $0.4 each, and empty.yaml.
func children(t *testing.T) func(string) (*spec.Document, error) {
	return func(ref string) (*spec.Document, error) {
		switch ref {
		case "a.yaml", "b.yaml":
			return read(t, "loop_name: child\ncost_limits: {cumulative_usd: 0.4}\n"), nil
		case "empty.yaml":
			return read(t, "objective: none\n"), nil
		}
		return nil, errors.New("no such file")
	}
}

func TestSemanticChecksBearAnyDocument(t *testing.T) {
	t.Parallel()
	var twist func(v any) []func()
	doc := full(t)
	doc["composition"] = map[string]any{"type": "parallel", "children": []any{map[string]any{"id": "a", "ref": "x"}}, "merge": map[string]any{"min_branches_pass": int64(1)}}
	// twist returns the changes of v that give one of its parts another type.
	twist = func(v any) (out []func()) {
		switch v := v.(type) {
		case map[string]any:
			for k, old := range v {
				for _, to := range []any{nil, int64(1), []any{[]any{}}, map[string]any{"a": nil}} {
					out = append(out, func() { v[k] = to }, func() { v[k] = old })
				}
				out = append(out, twist(old)...)
			}
		case []any:
			for i, old := range v {
				out = append(out, func() { v[i] = map[string]any{"id": []any{}} }, func() { v[i] = old })
				out = append(out, twist(old)...)
			}
		}
		return out
	}
	for i, change := range twist(doc) { // there and back in turn
		change()
		if i%2 == 1 || i/2%schematest.Every(1, 6) != 0 {
			continue
		}
		text, err := json.Marshal(doc)
		if err != nil {
			t.Fatal(err)
		}
		d := read(t, string(text))
		d.Conform(d.Semantic(children(t)))
		d.Short()
	}
}

func TestConformance(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ change, level, missing string }{
		{`set x_own = 1`, spec.Production, ""},
		{`set workers.1.depends_on = ["nobody"]`, spec.Parseable, "workers.1.depends_on.0"},
		{`set cost_limits.on_exceed.action = "warn"`, spec.Parseable, "cost_limits.on_exceed.action"},
		{`set cost_limits.on_exceed.action = "throttle"`, spec.Operational, "cost_limits.on_exceed.action"},
		{`set safety_constraints = []`, spec.Operational, "safety_constraints"},
		{`drop extensions.runbook`, spec.Operational, "extensions.runbook"},
		{`drop extensions.calibration`, spec.Operational, "extensions.calibration.quality"},
		{`set version = "1"`, spec.NotParseable, ""},
		{`set evaluators.1.rubric.dimensions.0.weight = 1`, spec.Production, ""}, // a warning
	} {
		v := changed(t, c.change).Check("", nil)
		missing := ""
		if len(v.Missing) > 0 {
			missing, _, _ = strings.Cut(v.Missing[0], ":")
		}
		if v.Level != c.level || missing != c.missing {
			t.Errorf("%s: %q, %q", c.change, v.Level, v.Missing)
		}
	}
}

func TestCompositionIsJudgedApart(t *testing.T) {
	t.Parallel()
	const ok = `set composition = {"type": "sequential", "children": [{"id": "a", "ref": "a.yaml", "trigger": 1}, {"id": "b", "ref": "b.yaml", "role": "stage"}], "adapters": [{"from": "x", "to": "y", "transform": "z"}], "own": 1}`
	for _, c := range []struct{ change, want string }{
		{ok, ""},
		{`drop inputs`, ""}, // which is for 1.0
		{`set composition = []`, "composition"},
		{ok + "\ndrop composition.type", "composition"},
		{ok + "\ndrop composition.children", "composition"},
		{ok + "\n" + `set composition.type = "ring"`, "composition.type"},
		{ok + "\n" + `set composition.type = "parallel"`, "composition"},
		{ok + "\n" + `set composition.children = [{"id": "a", "ref": "a"}]`, "composition.children"},
		{ok + "\n" + `set composition.children.0.id = "A"`, "composition.children.0.id"},
		{ok + "\n" + `drop composition.children.0.ref`, "composition.children.0"},
		{ok + "\n" + `set composition.children.0.role = "leaf"`, "composition.children.0.role"},
		{ok + "\n" + `drop composition.adapters.0.to`, "composition.adapters.0"},
		{ok + "\n" + `set composition.merge = {"strategy": "first_wins"}`, "composition.merge.strategy"},
		{ok + "\n" + `set composition.merge = {"min_branches_pass": 0}`, "composition.merge.min_branches_pass"},
		{ok + "\n" + `set composition.merge = {"preserve_dissent": 1}`, "composition.merge.preserve_dissent"},
	} {
		d := changed(t, strings.Split(c.change, "\n")...)
		if got := strings.Join(paths(d.Validate(spec.LSS11)), " "); got != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.change, got, c.want)
		}
	}
	both := changed(t, `set composition = {"type": "ring", "children": []}`, `set version = "1"`).Check("", nil)
	if got, want := paths(both.Joints), []string{"composition.children", "composition.type"}; !both.Composed || !slices.Equal(got, want) {
		t.Errorf("1.1: %q", got)
	}
	if got := paths(both.Faults); !slices.Equal(got, []string{"version"}) {
		t.Errorf("1.0: %q", got)
	}
	if d := changed(t, `set metadata = {"schema_version": "1.1"}`); !d.Composed() {
		t.Error("schema_version 1.1 is not judged by 1.1")
	}
}

// A document of the largest size that refers to nothing as often as it can.
func TestHostileReferencesTakeLinearTime(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("loop_name: hostile-loop\nworkers:\n")
	for i := range 12_000 {
		fmt.Fprintf(&b, "  - id: w%d\n    depends_on:\n      - w%d\n      - x%d\n", i, i+1, i)
	}
	start := time.Now()
	d := read(t, b.String())
	found := d.Semantic(nil)
	if len(found) != 100 {
		t.Errorf("%d findings", len(found))
	}
	if took := time.Since(start); took > 20*time.Second {
		t.Errorf("it took %s", took)
	}
}
