package plan

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/loops"
)

// What says that a run repairs a red base, and what of it may stay red.
func TestRepairsOfPlans(t *testing.T) {
	t.Parallel()
	for front, want := range map[string]struct {
		red   bool
		tests []string
		fault string
	}{
		"base: red":   {red: true},
		"base: green": {},
		"title: A":    {},
		"base: blue":  {fault: "expected one of green, red"},
		"spec_changes:\n  - {tests: [TestA], by: B, reason: C, date: 2026-07-04}": {tests: []string{"TestA"}},
		"spec_changes:\n  - {by: B, reason: C, date: 2026-07-04}":                 {fault: "an entry without paths or tests has no effect"},
	} {
		p, faults := Parse("plans/a.md", []byte("---\n"+front+"\n---\n"))
		var tests []string
		for _, c := range p.SpecChanges {
			tests = append(tests, c.Tests...)
		}
		said := ""
		for _, f := range faults {
			said += f.String() + "\n"
		}
		if p.RedBase != want.red || !cmp.Equal(tests, want.tests) || !strings.Contains(said, want.fault) {
			t.Errorf("%q: red %v, tests %v, %s", front, p.RedBase, tests, said)
		}
	}
}

func TestRepairsOfSpecs(t *testing.T) {
	t.Parallel()
	for gates, want := range map[string]struct {
		repairs bool
		fault   string
	}{
		"- Relevant tests pass":                    {},
		"- A red base may be repaired":             {repairs: true},
		"- The red base may be repaired: `make x`": {fault: "takes no command"},
		"- A red base may be repaired\n## Work Selection Rules\nThe loop must skip and escalate when:\n- required tests are failing before the change starts": {repairs: true, fault: "the spec lets a red base be repaired"},
	} {
		src := "# Loop Spec: Triage\n## Purpose\nFix.\n## Gates\n" + gates + "\n"
		s, faults := ParseLoopSpec("agents/loops/triage.md", []byte(src), nil)
		said := ""
		for _, f := range faults {
			said += f.String() + "\n"
		}
		if s.Repairs() != want.repairs || !strings.Contains(said, want.fault) {
			t.Errorf("%q: %v, %s", gates, s.Repairs(), said)
		}
		if all, missing := s.Commands(loops.GateCommands{Test: []string{"make test"}}, false); len(missing) > 0 || len(all.Lint) > 0 {
			t.Errorf("%q: %v, %v", gates, all, missing)
		}
	}
}

// In a task file all but the entry stays byte for byte, and it is read again as it was written.
func TestAllowInTaskFiles(t *testing.T) {
	t.Parallel()
	c := loops.SpecChange{Paths: []string{"a_test.py"}, Tests: []string{"test_b"}, By: "B", Reason: "the \"rule\"", Date: "2026-07-04"}
	const entry = `{"paths":["a_test.py"],"tests":["test_b"],"by":"B","reason":"the \"rule\"","date":"2026-07-04"}`
	const stories = `"stories": [{"id": "S1", "title": "t"}], "verify": {"commands": ["x"]}`
	for src, want := range map[string]string{
		"{\n\t" + stories + "\n}\n":                              "{\n\t" + stories + ", \"spec_changes\": [" + entry + "]\n}\n",
		"{\"spec_changes\": [], " + stories + "}":                "{\"spec_changes\": [" + entry + "], " + stories + "}",
		"{\"spec_changes\": [" + entry + " ],\n" + stories + "}": "{\"spec_changes\": [" + entry + ", " + entry + " ],\n" + stories + "}",
	} {
		got, err := Allow([]byte(src), c)
		if diff := cmp.Diff(want, string(got)); err != nil || diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", src, err, diff)
			continue
		}
		read, faults := ReadTask(TaskPlace{File: "/w/task.json", Path: "task.json"}, got)
		if len(faults) > 0 || !cmp.Equal(read.Plan.SpecChanges[len(read.Plan.SpecChanges)-1], c) {
			t.Errorf("%s: %v", got, faults)
		}
	}
	if _, err := Allow([]byte(`{"spec_changes": 1}`), c); err == nil {
		t.Error("what is no list was extended")
	}
}
