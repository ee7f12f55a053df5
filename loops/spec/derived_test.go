package spec_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/schema/schematest"
)

// What other tools print of the corpus, to the byte.
func TestCorpusDiagramsAndLevels(t *testing.T) {
	t.Parallel()
	dir := schematest.Shared(t, "corpora/loop-standards")
	text, err := os.ReadFile(filepath.Join(dir, "EXPECTED.json"))
	if err != nil {
		t.Fatal(err)
	}
	var expected map[string]struct {
		Mermaid string
		Hint    spec.Hint `json:"level_hint"`
	}
	if err := json.Unmarshal(text, &expected); err != nil {
		t.Fatal(err)
	}
	drawn := 0
	for name, want := range expected {
		if !strings.HasSuffix(name, ".yaml") {
			continue
		}
		src, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		d := read(t, string(src))
		if got := d.SuggestLevel(); got != want.Hint {
			t.Errorf("%s: %+v, not %+v", name, got, want.Hint)
		}
		if want.Mermaid != "" {
			drawn++
			if got := d.LoopctlDiagram(); got != want.Mermaid {
				t.Errorf("%s:\n got %s\nwant %s", name, got, want.Mermaid)
			}
		}
	}
	if drawn != 2 {
		t.Errorf("%d diagrams were compared", drawn)
	}
}

func TestSuggestLevel(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]spec.Hint{
		"workers: [{id: a}]":                                               {TaxonomyLevel: "2", Pattern: "reflection-loop", Workers: 1},
		"workers: [{id: a}, {id: b}, {id: c}]":                             {TaxonomyLevel: "2", Pattern: "multi-agent-coordination", Workers: 3},
		"workers: [{id: a}, {id: b}, {id: c}, {id: d}]":                    {TaxonomyLevel: "3", Pattern: "multi-agent-coordination", Workers: 4},
		"composition: {type: sequential}\nworkers: []":                     {TaxonomyLevel: "3", Pattern: "multi-agent-coordination"},
		"composition: {type: parallel}":                                    {TaxonomyLevel: "4", Pattern: "multi-agent-coordination"},
		"composition: {type: nested}":                                      {TaxonomyLevel: "4", Pattern: "multi-agent-coordination"},
		"loop_name: startup-validator":                                     {TaxonomyLevel: "2", Pattern: "planning-loop"},
		"loop_name: interview-coach":                                       {TaxonomyLevel: "2", Pattern: "human-in-the-loop"},
		"loop_name: coding-agent\nmetadata: {patterns: [debate-loop, x]}":  {TaxonomyLevel: "2", Pattern: "debate-loop"},
		"loop_name: scientific-discovery-agent\nmetadata: {patterns: [1]}": {TaxonomyLevel: "2", Pattern: "1"},
		"loop_name: autonomous-debugger\nmetadata: {patterns: []}":         {TaxonomyLevel: "2", Pattern: "verification-loop"},
	} {
		want.Confidence = "heuristic"
		if got := read(t, src).SuggestLevel(); got != want {
			t.Errorf("%s: %+v, not %+v", src, got, want)
		}
	}
}

func TestRegistries(t *testing.T) {
	t.Parallel()
	level := map[string]int{
		"reflection-loop": 2, "critique-loop": 2, "verification-loop": 2, "planning-loop": 2, "research-loop": 2, "memory-augmented-loop": 2,
		"human-in-the-loop": 3, "multi-agent-coordination": 3, "debate-loop": 3,
		"exploration-loop": 4, "recursive-improvement-loop": 4, "optimization-loop": 4, "simulation-loop": 4, "safety-constrained-loop": 4,
	}
	for _, name := range spec.PatternNames() {
		if p, ok := spec.FindPattern(name); !ok || p.Level != level[name] || p.Gist == "" || p.Range == "" {
			t.Errorf("%s: %+v", name, p)
		}
		delete(level, name)
	}
	if _, ok := spec.FindPattern("reflection"); ok || len(level) > 0 || len(spec.Common().Patterns) != 14 {
		t.Errorf("missing patterns: %v", level)
	}
	names := []string{"single-step", "reflective", "multi-agent", "evolutionary", "self-modifying", "recursive meta"}
	for i, l := range spec.Common().Levels {
		if l.Number != i+1 || l.Name != names[i] || !strings.HasSuffix(l.Question, "?") || l.Stop == "" {
			t.Errorf("level %d: %+v", i+1, l)
		}
	}
	var slugs, critical []string
	for _, f := range spec.Common().FailureCodes {
		slugs = append(slugs, f.Code+" "+f.Slug)
		if f.Critical {
			critical = append(critical, f.Code)
		}
	}
	want := "F1 fail.open_loop, F2 fail.self_grade, F3 fail.evaluator_drift, F4 fail.tau_omission, F5 fail.false_pass, F6 fail.false_fail, F7 fail.oscillation, " +
		"F8 fail.resource_bleed, F9 fail.state_corruption, F10 fail.orchestration_deadlock, F11 fail.meta_instability, F12 fail.safety_bypass"
	if got := strings.Join(slugs, ", "); got != want || strings.Join(critical, " ") != "F4 F8 F12" {
		t.Errorf("%s, critical are %s", got, critical)
	}
}

func TestTaxonomyLevelIsReadAtBothPlaces(t *testing.T) {
	t.Parallel()
	for src, want := range map[string]string{
		"taxonomy_level: 3\nmetadata: {taxonomy_level: 5}": "3 taxonomy_level",
		"metadata: {taxonomy_level: 5}":                    "5 metadata.taxonomy_level",
		"taxonomy_level: 7\nmetadata: {taxonomy_level: 6}": "6 metadata.taxonomy_level",
		"metadata: {taxonomy_level: high}":                 "0 ",
	} {
		level, where := read(t, src).TaxonomyLevel()
		if got := string(rune('0'+level)) + " " + where; got != want {
			t.Errorf("%s: %q, not %q", src, got, want)
		}
	}
}

// Worked by hand from the text: 2500 a worker, 1200 an evaluator, 400 a channel, 1800
// more from level 2 on, 800 a worker from 3 on, three times all of it from 4 on.
func TestWorkload(t *testing.T) {
	t.Parallel()
	parts := func(workers, evaluators, channels, constraints int) string {
		list := func(key string, n int) string {
			return key + ": [" + strings.TrimSuffix(strings.Repeat("{}, ", n), ", ") + "]\n"
		}
		return list("workers", workers) + list("evaluators", evaluators) + list("feedback_channels", channels) + list("safety_constraints", constraints)
	}
	max := func(n string) string {
		return "termination_conditions: {failure: [{type: max_iterations, value: " + n + "}]}\n"
	}
	for _, c := range []struct {
		src  string
		want spec.Workload
	}{
		// 2500+1200+2*400+1800 = 6300; 60% of 8 is 4.8, so 5; 31.5 thousand tokens; 8+10+10+6+6 = 40
		{parts(1, 1, 2, 2) + max("8"), spec.Workload{2, 6300, 5, 78.75, 40, "medium"}},
		// 2500+1200 = 3700; 8+10+5 = 23
		{parts(1, 1, 0, 0) + max("10") + "taxonomy_level: 1\n", spec.Workload{1, 3700, 6, 55.5, 23, "low"}},
		// 3*2500+2*1200+400+1800+3*800 = 14500; 24+20+15+3+3 = 65
		{parts(3, 2, 1, 1) + max("1") + "taxonomy_level: 3\n", spec.Workload{3, 14500, 1, 36.25, 65, "high"}},
		// (4*2500+4*1200+4*400+1800+4*800)*3 = 64200; 32+40+20+12+12 = 116
		{parts(4, 4, 4, 4) + max("5") + "taxonomy_level: 4\n", spec.Workload{4, 64200, 3, 481.5, 100, "critical"}},
		// no limit but 25 steps: 60% of them is 15
		{parts(1, 0, 0, 0) + "optimization_strategy: {max_steps: 25}\n", spec.Workload{2, 4300, 15, 161.25, 18, "low"}},
		{parts(0, 0, 0, 0), spec.Workload{2, 1800, 0, 0, 10, "low"}},
		// structural 55 is high, 80 critical: 5*8+5 = 45+10 = 55; 8*8+5+10 = 79, with a point more of 3: 82
		{parts(5, 1, 0, 0) + max("1") + "taxonomy_level: 1\n", spec.Workload{1, 13700, 1, 34.25, 55, "high"}},
		{parts(8, 1, 0, 0) + max("1") + "taxonomy_level: 1\n", spec.Workload{1, 21200, 1, 53, 79, "high"}},
		{parts(8, 1, 1, 0) + max("1") + "taxonomy_level: 1\n", spec.Workload{1, 21600, 1, 54, 82, "critical"}},
	} {
		if got := read(t, c.src).Workload(); got != c.want {
			t.Errorf("%s\n got %+v\nwant %+v", c.src, got, c.want)
		}
	}
}

func TestLoopctlDiagramOfOddDocuments(t *testing.T) {
	t.Parallel()
	got := read(t, `loop_name: odd-loop
taxonomy_level: 1
objective: |
  Line one
  and a second one that is longer than fifty characters are.
workers: [{id: a-b, model: {name: m}}, {id: "`+strings.Repeat("x", 45)+`", model: {name: n}}]
termination_conditions: {success: [{metric: q, operator: gte, value: 10.0}, {metric: r, operator: lt, value: 0.00001}]}
`).LoopctlDiagram()
	want := `---
title: odd-loop (L1)
---
flowchart TB
    START([Start: Line one and a second one that is longer than fift])
    W_a_b[a-b\n(m)]
    START --> W_a_b
    W_` + strings.Repeat("x", 40) + `[` + strings.Repeat("x", 45) + `\n(n)]
    W_a_b --> W_` + strings.Repeat("x", 40) + `
    TERM([Terminate: q gte 10.0 | r lt 1e-05])
    W_` + strings.Repeat("x", 40) + ` --> TERM`
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if got := read(t, "loop_name: bare\n").LoopctlDiagram(); !strings.HasSuffix(got, "TERM([Terminate: done])\n    START --> TERM") {
		t.Error(got)
	}
}

func TestDiagramShowsHowALoopRuns(t *testing.T) {
	t.Parallel()
	got := changed(t, `set composition = {"type": "parallel", "merge": {"strategy": "vote"}, "children": [{"id": "a", "ref": "a", "role": "branch"}, {"id": "b", "ref": "b", "role": "branch"}], "adapters": [{"from": "children.a.x", "to": "children.b.y"}]}`).Diagram()
	for _, line := range []string{
		`title: "full-loop (L2)"`,
		`START(["Inputs: depth, extra, strict, tags, tone, topic<br/>Write a page about rate limits, with sources."])`,
		`MEM[("Memory: persistent")]`, `MEM -.-> W_writer`,
		`W_writer["writer<br/>Write the page<br/>gpt-4.1-mini"]`, `START --> W_writer`, `W_writer --> W_editor`,
		`E_quality{{"quality<br/>llm_rubric, passes at 0.8"}}`, `W_writer --> E_quality`, `W_editor --> E_quality`, `W_writer --> E_links`,
		`E_quality -. "to-writer: score #lt; pass_threshold" .-> W_writer`, `E_links -. "to-optimizer" .-> OPT`, `OPT -.-> W_writer`,
		`MET(["Met<br/>primary_quality gte 0.8"])`, `FAILED(["Failed<br/>safety_violation<br/>max_iterations 8"])`, `E_person --> DONE`, `DONE --> FAILED`, `DONE -. "next iteration" .-> W_writer`,
		`STALLED(["Stalled<br/>primary_quality gains less than 0.03 in 3"])`,
		`subgraph COMPOSITION["parallel composition"]`, `C_a --> C_b`, `MERGE[/"Merge: vote"/]`,
	} {
		if !strings.Contains(got, line+"\n") && !strings.HasSuffix(got, line) {
			t.Errorf("%s is missing in\n%s", line, got)
		}
	}
	if strings.Contains(got, "START --> W_editor") {
		t.Error("editor does not wait for writer")
	}
	if got := read(t, `workers: [{id: w, role: "a\"]; click X <b>#quot;"}]`).Diagram(); !strings.Contains(got, `W_w["w<br/>a#quot;]; click X #lt;b#gt;#35;quot;<br/>"]`) {
		t.Errorf("a name ends its label:\n%s", got)
	}
}

func TestMinify(t *testing.T) {
	t.Parallel()
	got, tokens := read(t, `loop_name: tiny-loop
objective: |
  Sum up <the> text é.
  In detail.
version: 1.0.0
workers: [{id: a, role: r, retries: 3, model: {provider: p, name: m}, inputs: [{from: inputs.x}], outputs: {name: O, format: text}}]
evaluators: [{id: e, type: deterministic, runs_after: ["*"], implementation: i, aggregation: min}]
termination_conditions: {failure: [{type: max_iterations, value: 3.0}]}
optimization_strategy: {max_steps: 2, type: manual, config: {a: 1}}
safety_constraints: [{id: a, scope: s}, {id: b, type: t, action: halt, severity: S0}, {id: c}, {id: d}, {id: e}]
`).Minify()
	want := `{"loop_name":"tiny-loop","objective":"Sum up <the> text é.",` +
		`"workers":[{"id":"a","role":"r","inputs":[{"from":"inputs.x"}],"outputs":{"name":"O","format":"text"},"model":{"provider":"p","name":"m"}}],` +
		`"evaluators":[{"id":"e","type":"deterministic","runs_after":["*"],"implementation":"i"}],` +
		`"termination_conditions":{"failure":[{"type":"max_iterations","value":3}]},"optimization_strategy":{"type":"manual","max_steps":2},` +
		`"safety_constraints":[{"id":"a"},{"id":"b","type":"t","action":"halt","severity":"S0"},{"id":"c"},{"id":"d"}]}`
	if got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
	if n := len(`{loop_name: tiny-loop, objective: "Sum up <the> text e.", workers: [{id: a, role: r, inputs: [{from: inputs.x}], outputs: {name: O, format: text}, ` +
		`model: {provider: p, name: m}}], evaluators: [{id: e, type: deterministic, runs_after: ["*"], implementation: i}], ` +
		`termination_conditions: {failure: [{type: max_iterations, value: 3.0}]}, optimization_strategy: {type: manual, max_steps: 2}, ` +
		`safety_constraints: [{id: a}, {id: b, type: t, action: halt, severity: S0}, {id: c}, {id: d}]}`); tokens != n/4 {
		t.Errorf("%d tokens for %d characters", tokens, n)
	}
}

func TestFormatKeepsValues(t *testing.T) {
	t.Parallel()
	src, err := os.ReadFile("testdata/full.yaml")
	if err != nil {
		t.Fatal(err)
	}
	sources := []string{string(src), `a: ["yes", "No", "on", "null", "1.0", "12:30", "2026-01-01", "- a", "a: b", "a #b", " a", "a ", "", "~", "é", "\t", "a\nb", "&a", "*a", "0o7", "1_000", "!x", "%x", "@x", "=", "<<", "[", "a,b", "a\u0085b\ufeff"]
"odd key: yes": {"true": 1, "": null, "b": {}, "c": []}
text: "one\n  two\n\nthree\n"
tail: "one\n\n"
lead: "  one\ntwo"
deep: [[1, [2, {a: [3]}]], {long: "` + strings.Repeat("word ", 30) + `", list: ["` + strings.Repeat("word ", 20) + `", {a: "` + strings.Repeat("word ", 20) + `"}]}]
numbers: [1, -2, 0.5, 1e3, true, null]
`}
	for _, s := range sources {
		d := read(t, s)
		text := string(spec.Format(d.Root))
		again := read(t, text)
		if !reflect.DeepEqual(again.Value, d.Value) {
			t.Errorf("\n got %v\nwant %v\n%s", again.Value, d.Value, text)
		}
		if twice := string(spec.Format(again.Root)); twice != text {
			t.Errorf("the form changes:\n%s\n%s", text, twice)
		}
	}
}
