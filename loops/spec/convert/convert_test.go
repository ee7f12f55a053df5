package convert_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/loops/spec/convert"
)

func read(t *testing.T, src string) *spec.Document {
	t.Helper()
	d, err := spec.Read("loop.yaml", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// clean fails the test unless a document is valid and without findings.
func clean(t *testing.T, d *spec.Document) *spec.Spec {
	t.Helper()
	v := d.Check("", nil)
	if len(v.Faults)+len(v.Semantic) > 0 || v.Level == spec.Parseable {
		t.Fatalf("%v %v\n%s", v.Faults, v.Semantic, d.Text())
	}
	s, err := d.Spec()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// The sample of the introduction to the standard.
const sample = `loop_name: code-repair-loop
version: "1.0"
objective: "Fix failing tests with minimal diff"
workers:
  - role: implementer
evaluators:
  - type: test_suite
termination_conditions:
  - type: all_tests_pass
  - type: max_iterations
    value: 10
`

func TestFromShort(t *testing.T) {
	t.Parallel()
	d, err := convert.FromShort(read(t, sample))
	if err != nil {
		t.Fatal(err)
	}
	s := clean(t, d)
	gate, ok := s.Evaluators[0].Gate()
	if s.Name != "code-repair-loop" || s.Version != "1.0.0" || s.Objective != "Fix failing tests with minimal diff" || s.Workers[0].ID != "implementer" ||
		s.Workers[0].Model.Role("") != "maker" || !ok || gate != "test" || s.Termination.Success[0].Value != 1 || *s.Termination.Failure[1].Value != 10 ||
		s.Metrics[0].Source != "evaluators.test_suite" || d.Short() {
		t.Errorf("%+v", s)
	}
}

func TestFromShortTakesTheOlderForm(t *testing.T) {
	t.Parallel()
	d, err := convert.FromShort(read(t, `loop_name: draft-loop
version: 2
objective: Write a summary of the notes.
workers:
  - {id: Writer 1, role: writes, model: {provider: openai, name: gpt-4.1-mini}}
  - {role: writes, policy: Write less}
  - {role: 2nd look}
evaluators:
  - {type: rubric, threshold: 0.7}
  - {type: rubric}
  - {type: human}
  - {type: deterministic, implementation: evaluators.word_count}
cost_limits: {max_cost_usd: 2, max_total_tokens: 9000, max_iterations: 4}
termination_conditions:
  - {type: quality_threshold, threshold: 0.75}
  - {type: timeout, value: 90}
  - {type: stall, value: 2}
  - {type: safety_violation}
`))
	if err != nil {
		t.Fatal(err)
	}
	s := clean(t, d)
	var ids []string
	for _, w := range s.Workers {
		ids = append(ids, w.ID)
	}
	for _, e := range s.Evaluators {
		ids = append(ids, e.ID+"="+e.Type)
	}
	want := "writer-1 writes part-2nd-look rubric=llm_rubric rubric-2=llm_rubric human=human deterministic=deterministic"
	if got := strings.Join(ids, " "); got != want {
		t.Errorf("%s", got)
	}
	if s.Version != "2.0.0" || s.Workers[1].DependsOn[0] != "writer-1" || s.Workers[0].Model.Provider != "openai" || s.Evaluators[0].Rubric.PassThreshold != 0.7 ||
		s.Evaluators[3].Implementation != "evaluators.word_count" || s.Metrics[0].Source != "evaluators.rubric" || s.Termination.Success[0].Value != 0.75 ||
		*s.Termination.Failure[1].Value != 4 || *s.Termination.Failure[3].Value != 90 || s.Termination.Stall[0].WindowIterations != 2 ||
		s.Cost.CumulativeUSD != 2 || s.Cost.TokenSoftCap != 9000 || s.Cost.PerIterationUSD != 1 || s.Workers[1].Role != "writes: Write less" {
		t.Errorf("%+v", s)
	}
}

func TestFromShortNamesWhatItCantConvert(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ src, want string }{
		{"workers: [{}]", "loop.yaml:2:11: workers.0: has no role; add role: and what it does"},
		{"evaluators: [{type: magic}]", `loop.yaml:2:21: evaluators.0.type: "magic" is no known evaluator: use test_suite, build, lint, command, rubric or human`},
		{"termination_conditions: [{type: bored}]", `loop.yaml:2:33: termination_conditions.0.type: "bored" is no known condition: use all_tests_pass, quality_threshold, max_iterations, timeout, stall or max_cost_usd`},
		{"termination_conditions: [{type: max_iterations}]", "loop.yaml:2:26: termination_conditions.0: max_iterations has no value; add value: and a number"},
		{"evaluators: [{type: command}]", "loop.yaml:2:14: evaluators.0: has no command; add command: and what to run"},
		{"evaluators: [{type: command, command: 'true', pass_condition: output == ok}]", `loop.yaml:2:63: evaluators.0.pass_condition: "output == ok" can't be checked: a command passes by exit_code == 0`},
		{"cost_limits: {max_hugs: 3}", `loop.yaml:2:25: cost_limits.max_hugs: "max_hugs" is no known limit: use max_cost_usd, max_total_tokens or max_iterations`},
		{"safety_constraints: [{id: x}]", "loop.yaml:2:22: safety_constraints.0: has no rule; add rule: and what must hold"},
		{"composition: {type: parallel}", "loop.yaml:2:14: composition: the short form has none; remove it, or write the whole form: 'wiki loop spec validate' lists what it lacks"},
		{"objective: short", "loop.yaml: no spec can have objective: 5 characters long: expected at least 10"},
	} {
		_, err := convert.FromShort(read(t, "loop_name: a-loop\n"+c.src+"\n"))
		if err == nil || err.Error() != c.want {
			t.Errorf("%s\n got %v\nwant %s", c.src, err, c.want)
		}
	}
	d, err := convert.FromShort(read(t, "loop_name: a-loop\n"))
	if err != nil {
		t.Fatal(err)
	}
	if s := clean(t, d); len(s.Workers) != 1 || len(s.Evaluators) != 1 {
		t.Errorf("%+v", s)
	}
}

// TestFromShortKeepsLimitsOfAnIteration reads limits under the names that a whole document
// has for them.
func TestFromShortKeepsLimitsOfAnIteration(t *testing.T) {
	t.Parallel()
	for limits, want := range map[string][2]float64{
		"{per_iteration_usd: 0.2, cumulative_usd: 2}": {0.2, 2},
		"{per_iteration_usd: 3, cumulative_usd: 2}":   {2, 2},
		"{cumulative_usd: 2}":                         {0.5, 2}, // twice the share of eight iterations
	} {
		d, err := convert.FromShort(read(t, "loop_name: a-loop\ncost_limits: "+limits+"\n"))
		if err != nil {
			t.Fatal(err)
		}
		if s := clean(t, d); s.Cost.PerIterationUSD != want[0] || s.Cost.CumulativeUSD != want[1] {
			t.Errorf("%s: %+v", limits, s.Cost)
		}
	}
}

// Every loop of this program's own, and every template, comes back as it was.
func TestMarkdownSpecsComeBack(t *testing.T) {
	t.Parallel()
	dir := filepath.Join("..", "..", "plan", "specs")
	files, err := filepath.Glob(filepath.Join(dir, "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	templates, err := filepath.Glob(filepath.Join(dir, "templates", "*.md"))
	if err != nil || len(files) < 3 || len(templates) < 3 {
		t.Fatal(err, files, templates)
	}
	for _, file := range append(files, templates...) {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		path := plan.LoopFolder + "/" + filepath.Base(file)
		d, err := convert.FromMarkdown(path, src, nil)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		clean(t, d)
		again, err := convert.ToMarkdown(d)
		if err != nil {
			t.Errorf("%s: %v", file, err)
			continue
		}
		if squeeze(string(again)) != squeeze(string(src)) {
			t.Errorf("%s came back as\n%s", file, again)
		}
	}
}

// squeeze leaves the words: how lines are broken, and how a number is written, is
// not kept.
func squeeze(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("2 million", "2000000", "three consecutive it", "3 consecutive it").Replace(s)), " ")
}

func TestMarkdownFollowsTheDocument(t *testing.T) {
	t.Parallel()
	for _, name := range spec.Library() {
		d, err := spec.FromLibrary(name)
		if err != nil {
			t.Fatal(err)
		}
		text, err := convert.ToMarkdown(d)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		s, faults := plan.ParseLoopSpec(plan.LoopFolder+"/"+name+".md", text, nil)
		b, _ := s.Budget("max iterations")
		most := d.MaxIterations()
		if plan.Refused(faults) || b.N != int64(most) || !strings.HasPrefix(s.Title, strings.Split(name, "-")[0]) {
			t.Errorf("%s: %v\n%s", name, faults, text)
		}
	}
	if _, err := convert.ToMarkdown(read(t, sample)); err == nil {
		t.Error("an invalid document was converted")
	}
	_, err := convert.FromMarkdown("agents/loops/a.md", []byte("# Loop Spec: A\n\n## Purpos\n"), nil)
	if err == nil || !strings.HasPrefix(err.Error(), `agents/loops/a.md:3:4: error: unknown section "Purpos"`) {
		t.Error(err)
	}
}

func TestMarkdownKeepsOwnSections(t *testing.T) {
	t.Parallel()
	src := `# Loop Spec: Tidy Up

## Purpose

Tidy up what the last release left behind.

## Trigger

- weekly on Tuesday at 06:00

## Inputs

- plans

## Work Selection Rules

The loop must skip and escalate when:

- requirements are ambiguous

## Roles

- maker: claude:haiku
- checker

## Gates

- Relevant tests pass

## Budgets

- max iterations: 3
- max pull requests per run: 1
- max cost per run: $2

## Stop Conditions

- max iterations are reached

## Mode

shadow
`
	d, err := convert.FromMarkdown("agents/loops/tidy-up.md", []byte(src), nil)
	if err != nil {
		t.Fatal(err)
	}
	s := clean(t, d)
	if s.Workers[0].Model.Provider != "claude" || s.Workers[0].Model.Name != "haiku" || s.Evaluators[0].Model.Role("") != "checker" {
		t.Errorf("%+v", s)
	}
	more, err := spec.Read("loop.yaml", []byte(strings.Replace(string(d.Text()), "value: 3,", "value: 7,", 1)))
	if err != nil {
		t.Fatal(err)
	}
	text, err := convert.ToMarkdown(more)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"# Loop Spec: Tidy Up\n", "- weekly on Tuesday at 06:00\n", "- maker: claude:haiku\n", "- max iterations: 7\n- max pull requests per run: 1\n", "## Mode\n\nshadow\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}
