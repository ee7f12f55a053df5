package spec_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops/spec"
)

// The rules in their order: compositions first, then lists of words.
func TestReadIntent(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, pattern, method, source string }{
		{"Create a code-repair loop with a test-runner evaluator", "verification", "fork", "autonomous-debugger"},
		// compositions, whatever else is said
		{"Run three branches and merge", "parallel", "compose", ""},
		{"Research in PARALLEL", "parallel", "compose", ""},
		{"concurrently fix tests", "parallel", "compose", ""},
		{"concurrent", "parallel", "compose", ""},
		{"simultaneously draft", "parallel", "compose", ""},
		{"fan out to a swarm", "parallel", "compose", ""},
		{"a swarm that we merge", "parallel", "compose", ""},
		{"branches run concurrently nested", "parallel", "compose", ""}, // before nested
		{"a nested repair", "nested", "compose", ""},
		{"sub-loop for tests", "nested", "compose", ""},
		{"subloop", "nested", "compose", ""},
		{"an inner debug agent", "nested", "compose", ""},
		{"outer coding loop", "nested", "compose", ""},
		{"wrapped inside a review", "nested", "compose", ""},
		{"nested pipeline of stages", "nested", "compose", ""}, // before sequential
		{"a sequential pipeline", "sequential", "compose", ""},
		{"pipeline of stage", "sequential", "compose", ""},
		{"steps in sequence", "sequential", "compose", ""},
		{"stage series", "sequential", "compose", ""},
		{"chain from notes to text", "sequential", "compose", ""},
		{"research followed by a polish", "sequential", "compose", ""},
		{"followed by tests", "reflection", "scaffold", ""},
		// research before verification
		{"find sources and verify them", "research", "fork", "research-agent"},
		{"a literature survey", "research", "fork", "research-agent"},
		{"cite it", "research", "fork", "research-agent"},
		{"one citation", "research", "fork", "research-agent"},
		{"a brief", "research", "fork", "research-agent"},
		{"synthesize", "research", "fork", "research-agent"},
		{"a hypothesis", "research", "fork", "research-agent"},
		{"two papers", "research", "fork", "research-agent"},
		// verification before reflection and code
		{"fix the code", "verification", "fork", "autonomous-debugger"},
		{"review the test", "verification", "fork", "autonomous-debugger"},
		{"flaky", "verification", "fork", "autonomous-debugger"},
		{"CI is red", "verification", "fork", "autonomous-debugger"},
		{"debug", "verification", "fork", "autonomous-debugger"}, {"failing", "verification", "fork", "autonomous-debugger"},
		{"lint", "verification", "fork", "autonomous-debugger"}, {"suite", "verification", "fork", "autonomous-debugger"},
		{"patch", "verification", "fork", "autonomous-debugger"}, {"regression", "verification", "fork", "autonomous-debugger"},
		{"validate", "verification", "fork", "autonomous-debugger"}, {"verify", "verification", "fork", "autonomous-debugger"},
		// reflection before code
		{"review code", "reflection", "scaffold", ""},
		{"reflect", "reflection", "scaffold", ""}, {"critique", "reflection", "scaffold", ""}, {"feedback", "reflection", "scaffold", ""},
		{"revise", "reflection", "scaffold", ""}, {"draft", "reflection", "scaffold", ""}, {"peer", "reflection", "scaffold", ""},
		{"iterate", "reflection", "scaffold", ""}, {"clarity", "reflection", "scaffold", ""},
		// code before simple
		{"implement a summary", "verification", "fork", "coding-agent"},
		{"a feature", "verification", "fork", "coding-agent"}, {"diff", "verification", "fork", "coding-agent"},
		{"caching", "verification", "fork", "coding-agent"}, {"security", "verification", "fork", "coding-agent"}, {"code", "verification", "fork", "coding-agent"},
		{"summarize the meeting", "simple", "scaffold", ""},
		{"themes", "simple", "scaffold", ""}, {"one-shot", "simple", "scaffold", ""}, {"changelog", "simple", "scaffold", ""},
		{"extract", "simple", "scaffold", ""}, {"interview", "simple", "scaffold", ""}, {"single", "simple", "scaffold", ""},
		// whole words only, and the default
		{"fixture, sourced, testing, coded, cites", "reflection", "scaffold", ""},
		{"", "reflection", "scaffold", ""},
	} {
		i := spec.ReadIntent(c.text)
		if i.Pattern != c.pattern || i.Method() != c.method || i.Source != c.source {
			t.Errorf("%q: %s by %s of %q, not %s by %s of %q", c.text, i.Pattern, i.Method(), i.Source, c.pattern, c.method, c.source)
		}
	}
}

func TestIntentNamesAndChildren(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"Create a code-repair loop": "create-a-code-repair", "Fix It": "fix-it", "": "intent-loop", "Ärger über—ALL": "rger-ber-all", "!?": "intent-loop",
	} {
		if got := spec.ReadIntent(text).Name; got != want {
			t.Errorf("%q is named %q, not %q", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"in parallel": "research-agent coding-agent", "nested": "coding-agent autonomous-debugger", "sequential pipeline": "research-agent writing-assistant",
	} {
		var got []string
		for _, c := range spec.ReadIntent(text).Children {
			got = append(got, c.ID)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: children are %s", text, got)
		}
	}
}

func TestIntentsMakeValidSpecs(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		"Create a code-repair loop with a test-runner evaluator", "3 papers", "x", "in parallel", "nested", "a sequential pipeline", "review it: \"quoted\" #1", "summarize",
		strings.Repeat("verylongword", 9) + " code", "line\nbreak --- ... %",
	} {
		for _, only := range []bool{false, true} {
			i := spec.ReadIntent(text)
			d, err := i.Make(text, spec.IntentOptions{ScaffoldOnly: only})
			s := clean(t, d, err)
			if !strings.HasPrefix(s.Objective, text+"\n") || !strings.Contains(s.Objective, "primary_quality >= 0.80") || !strings.Contains(s.Objective, "zero safety violations") {
				t.Errorf("%q: objective %q", text, s.Objective)
			}
			if !s.Metrics[0].Primary || s.Metrics[0].Name != "primary_quality" {
				t.Errorf("%q: %+v", text, s.Metrics[0])
			}
		}
	}
}

// The first command of the introduction makes a loop that the gates of a repository
// can judge.
func TestRepairIntentRunsTheTests(t *testing.T) {
	t.Parallel()
	const text = "Create a code-repair loop with a test-runner evaluator"
	d, err := spec.ReadIntent(text).Make(text, spec.IntentOptions{})
	s := clean(t, d, err)
	gate, ok := s.Evaluators[0].Gate()
	if s.Name != "create-a-code-repair" || s.Evaluators[0].Implementation != "x_wiki" || !ok || gate != "test" || s.Workers[0].Model.Role("") != "maker" {
		t.Errorf("%+v", s)
	}
	if !strings.Contains(string(d.Text()), "forked_from: autonomous-debugger") {
		t.Errorf("%s", d.Text())
	}
	named, err := spec.ReadIntent(text).Make(text, spec.IntentOptions{Name: "repair", ScaffoldOnly: true})
	if s := clean(t, named, err); s.Name != "repair" || s.Evaluators[0].ID != "scope_check" {
		t.Errorf("%+v", s)
	}
}

func TestFork(t *testing.T) {
	t.Parallel()
	source, err := spec.FromLibrary("startup-validator")
	if err != nil {
		t.Fatal(err)
	}
	before := string(source.Text())
	d, err := source.Fork("my-idea", "")
	s := clean(t, d, err)
	if s.Name != "my-idea" || !strings.HasPrefix(s.Objective, "Name the riskiest assumption") || len(s.Workers) != 2 {
		t.Errorf("%+v", s)
	}
	if string(source.Text()) != before {
		t.Error("the source was changed")
	}
	if _, err := source.Fork("No", ""); err == nil {
		t.Error("an invalid name was taken")
	}
}

func TestComposeBoundsItsCost(t *testing.T) {
	t.Parallel()
	loop := func(usd float64) *spec.Document {
		return read(t, fmt.Sprintf("loop_name: child\ninputs: {schema: {topic: {}}}\nworkers: [{id: first}, {id: last}]\ncost_limits: {per_iteration_usd: 0.1, cumulative_usd: %g}", usd))
	}
	children := []spec.ChildSpec{{ID: "one", Ref: "one.yaml", Loop: loop(1)}, {ID: "two", Ref: "two.yaml", Loop: loop(2), Lens: "as a sceptic"}, {ID: "three", Ref: "three.yaml", Loop: loop(4)}}
	for kind, want := range map[string]struct {
		usd                      float64
		roles, adapters, remains string
	}{
		// 0.5 + 1 + 2 + 4; each stage hands its result to the next
		spec.Sequential: {7.5, "stage stage stage", "children.one.outputs.last>children.two.inputs.topic children.two.outputs.last>children.three.inputs.topic", ""},
		spec.Parallel:   {7.5, "branch branch branch", "", "synthesize 2 true"},
		// 0.5 + 1 + 3*2 + 3*4; the outer loop hands its result to each inner one
		spec.Nested: {19.5, "outer inner inner", "children.one.outputs.last>children.two.inputs.topic children.one.outputs.last>children.three.inputs.topic", ""},
	} {
		d, err := spec.Compose(spec.ComposeOptions{Type: kind, Name: "whole", Objective: "Join the loops.", Children: children})
		if err != nil {
			t.Fatal(err)
		}
		s, err := d.Spec()
		if err != nil {
			t.Fatal(err)
		}
		var roles, adapters []string
		for _, c := range s.Composition.Children {
			roles = append(roles, c.Role)
		}
		for _, a := range s.Composition.Adapters {
			adapters = append(adapters, a.From+">"+a.To)
		}
		merge := ""
		if m := s.Composition.Merge; m != nil {
			merge = fmt.Sprint(m.Strategy, " ", m.MinBranchesPass, " ", m.PreserveDissent)
		}
		if s.Cost.CumulativeUSD != want.usd || strings.Join(roles, " ") != want.roles || strings.Join(adapters, " ") != want.adapters || merge != want.remains {
			t.Errorf("%s: $%g, %s, %s, %s", kind, s.Cost.CumulativeUSD, roles, adapters, merge)
		}
		if !d.Composed() || !strings.Contains(string(d.Text()), "lens: as a sceptic") {
			t.Errorf("%s", d.Text())
		}
	}
	if _, err := spec.Compose(spec.ComposeOptions{Type: "ring"}); err == nil {
		t.Error("a ring was composed")
	}
	if _, err := spec.Compose(spec.ComposeOptions{Type: spec.Nested, Children: children[:1]}); err == nil {
		t.Error("one loop was composed")
	}
}

func TestRecipes(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"dev-agent": "plan react verification; sequential; suite-repair", "research-pipeline": "research research reflection; sequential; suite-knowledge",
		"swarm-review": "research crew; parallel; suite-agent", "safe-repair": "verification verification; nested; suite-rigor",
		"full-stack": "research crew verification; sequential; ", "cursor-repair": "verification reflection; sequential; suite-repair",
		"dspy-compile": "verification verification; nested; suite-repair",
	}
	for _, r := range spec.Common().Recipes {
		if got := strings.Join(r.Patterns, " ") + "; " + r.Type + "; " + r.Suite; got != want[r.Name] {
			t.Errorf("%s: %s", r.Name, got)
		}
		delete(want, r.Name)
		d, children, err := r.Make("mixed", "Do what is asked.")
		if err != nil {
			t.Fatal(err)
		}
		v := d.Check("", func(ref string) (*spec.Document, error) {
			for _, c := range children {
				if c.Ref == ref {
					return c.Loop, nil
				}
			}
			return nil, fmt.Errorf("no child %s", ref)
		})
		if len(v.Faults)+len(v.Joints)+len(v.Semantic) > 0 || len(children) != len(r.Patterns) {
			t.Errorf("%s: %v %v %v", r.Name, v.Faults, v.Joints, v.Semantic)
		}
	}
	if len(want) > 0 {
		t.Errorf("missing: %v", want)
	}
	if _, err := spec.FindRecipe("soup"); err == nil || !strings.Contains(err.Error(), "use dev-agent, research-pipeline") {
		t.Error(err)
	}
}
