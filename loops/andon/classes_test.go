package andon

import (
	"errors"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
)

// The table of classes, row by row: confidence, level, details, and the standard
// that is set by itself.
func TestClasses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, command, output string
		class                 string
		sure                  float64
		level                 int
		detail, rule          string
		applied               bool
	}{
		{"1", "pnpm i", "bash: pnpm: command not found", "command_not_found", .94, 1, "missing_command=pnpm", "required_command=pnpm", true},
		{"1, windows", "pnpm i", "'pnpm' is not recognized as an internal or external command", "command_not_found", .94, 1, "missing_command=pnpm", "required_command=pnpm", true},
		{"2", "python a.py", "ModuleNotFoundError: No module named 'yaml'", "python_module_missing", .88, 1, "missing_python_module=yaml", "required_python_module=yaml", true},
		{"3", "node a.js", "Error: Cannot find module 'left-pad'", "node_module_missing", .84, 1, "missing_node_module=left-pad", "required_node_module=left-pad", true},
		{"4", "./build.sh", "sh: ./build.sh: Permission denied", "permission_denied", .82, 2, "", "permission_guard=execution_permissions", true},
		{"4, node", "node a.js", "Error: EACCES", "permission_denied", .82, 2, "", "permission_guard=execution_permissions", true},
		{"5", "make", "cp: conf/a: No such file or directory", "path_missing", .79, 2, "missing_path=conf/a", "required_path=conf/a", true},
		{"5, node", "node a.js", "ENOENT", "path_missing", .79, 2, "", "", false},
		{"6", "fetch", "request timed out", "timeout", .68, 3, "", "retry_policy=bounded_retry", false},
		{"6, node", "fetch", "ETIMEDOUT", "timeout", .68, 3, "", "retry_policy=bounded_retry", false},
		{"7", "check", "AssertionError", "assertion_failure", .62, 3, "", "", false},
		{"7, counted", "check", "3 failures", "assertion_failure", .62, 3, "", "", false},
		{"none", "check", "hm", "unknown_failure", .35, 2, "", "", false},
		{"FAIL alone", "check", "FAIL", "unknown_failure", .35, 2, "", "", false},
		{"EACCES and ENOENT", "check", "enoent, then eacces", "permission_denied", .82, 2, "", "permission_guard=execution_permissions", true},
		{"a timeout and ENOENT", "check", "timeout: enoent", "path_missing", .79, 2, "", "", false},
		{"go test", "go test ./...", "--- FAIL: TestA (0.00s)\nFAIL", "assertion_failure", .95, 3, "test=TestA", "", false},
		{"go build", "go build", "./a.go:1:2: undefined: X", "compile_error", .95, 3, "symbol=X", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newStore(t)
			i := mustOpen(t, s, Failure{At: noon, Command: c.command, Output: c.output, ExitCode: 1})
			a := i.Analysis
			if a.CauseID != c.class || a.Confidence != c.sure || a.ActionLevel != c.level {
				t.Errorf("%s, %.2f, level %d", a.CauseID, a.Confidence, a.ActionLevel)
			}
			var detail, rule string
			for k, v := range a.Details {
				detail = k + "=" + v
			}
			for _, st := range a.Standards {
				rule = st.Type + "=" + st.Value
			}
			if detail != c.detail || rule != c.rule || i.Actions.Result.Applied != c.applied {
				t.Errorf("detail %q, standard %q, applied %v", detail, rule, i.Actions.Result.Applied)
			}
			if rules, err := s.Rules(); err != nil || (len(rules) == 1) != c.applied {
				t.Errorf("rules %v, %v", rules, err)
			}
			if i.Actions.ManualReview != (c.sure < .70) {
				t.Errorf("manual review is %v", i.Actions.ManualReview)
			}
			if l, err := s.Line(); err != nil || l.Stopped() != (c.level > 1) || len(l.Noted) != map[bool]int{true: 1}[c.level == 1] {
				t.Errorf("line %+v, %v", l, err)
			}
			if (a.ProposedFix != "") != (c.level == 3) || a.NeedsApproval {
				t.Errorf("fix %q, approval %v", a.ProposedFix, a.NeedsApproval)
			}
		})
	}
}

func TestClassesOfTheRunner(t *testing.T) {
	t.Parallel()
	for class, level := range map[string]int{
		loops.ClassEnvironment: 1, loops.ClassTampering: 4, loops.ClassContainment: 4, loops.ClassScope: 4, loops.ClassSecret: 4,
		loops.ClassNoChange: 3, loops.ClassRejected: 3, loops.ClassGoal: 3, loops.ClassBreaker: 3, loops.ClassAgent: 3, "of a later version": 2,
	} {
		s := newStore(t)
		f := aFailure("r1")
		f.Class, f.Confidence = class, 1
		i := mustOpen(t, s, f)
		if i.Analysis.ActionLevel != level || i.Stops != (level > 1) || i.Analysis.NeedsApproval != (level == 4) {
			t.Errorf("%s: level %d, stops %v", class, i.Analysis.ActionLevel, i.Stops)
		}
		if len(i.Analysis.Prevention) == 0 {
			t.Errorf("%s: nothing prevents it", class)
		}
	}
}

func TestLevelsOfARepository(t *testing.T) {
	t.Parallel()
	for given, want := range map[int]int{-3: 1, 0: 1, 1: 1, 2: 2, 4: 4, 9: 4} {
		s := newStore(t)
		s.Levels = map[string]int{loops.ClassAssertion: given}
		if i := mustOpen(t, s, aFailure("r1")); i.Analysis.ActionLevel != want {
			t.Errorf("%d became %d, want %d", given, i.Analysis.ActionLevel, want)
		}
	}
}

func TestIgnored(t *testing.T) {
	t.Parallel()
	zero, one := 0, 1
	for _, c := range []struct {
		command string
		exit    *int
		want    bool
	}{
		{"go test", &zero, true},
		{"go test", nil, true},
		{"go test", &one, false},
		{"go test || true", &one, true},
		{"", &one, false},
		{"catalog build", &one, false},
	} {
		if got := Ignored(c.command, c.exit); got != c.want {
			t.Errorf("%q: %v", c.command, got)
		}
	}
	for _, w := range strings.Fields("ls cat sed head tail find rg grep pwd echo date which whoami wc sort cut awk tr jq stat uname") {
		if !Ignored(w+" x", &one) {
			t.Errorf("%s counts", w)
		}
	}
	s := newStore(t)
	if _, err := s.Open(Failure{Command: "grep x y", ExitCode: 1}); !errors.Is(err, ErrIgnored) {
		t.Error(err)
	}
	f := aFailure("r1")
	f.Command = "grep -q x y" // a goal: the run failed whatever it ran
	if i := mustOpen(t, s, f); i == nil {
		t.Error("a run's failure was ignored")
	}
}

func TestEndOf(t *testing.T) {
	t.Parallel()
	st := &loops.State{Status: loops.Stopped, Last: noon, Chunk: 0, Attempt: 3}
	st.Start.Run, st.Start.Plan.Name, st.Start.Gates.Test = "r1", "pricing", []string{"go test ./..."}
	st.Start.Plan.Chunks = []loops.Chunk{{ID: "1"}}
	st.Place.Path, st.Place.Branch = "/src/loop-pricing", "loop/pricing"
	st.End = loops.End{Status: loops.Stopped, Why: "3 failed attempts in a row", Meta: true}
	st.Incidents = []loops.Incident{{ID: "INC-20260704-120000-00000001", Class: loops.ClassAssertion, Confidence: 0.95, At: noon, Meta: true}}
	results := []loops.GateResult{{Gate: "lint", Effect: loops.Note, Output: "no"}, {Gate: "test", Effect: loops.Red, Output: "--- FAIL: TestA"}}
	f, ok := EndOf(st, results, "/src/shop")
	if !ok || f.Command != "go test ./..." || f.Output != "--- FAIL: TestA" || f.ExitCode != 1 || !f.Meta || f.Workspace != "../loop-pricing" || f.ID != st.Incidents[0].ID {
		t.Errorf("%v %+v", ok, f)
	}
	if f, _ := EndOf(st, nil, "/src/shop"); f.Command != "wiki loop run pricing" || f.ExitCode != 4 || f.Output != st.End.Why {
		t.Errorf("without gates: %+v", f)
	}
	if !f.Counts {
		t.Error("a run of a plan does not count")
	}
	st.Start.Plan.Format = loops.LodeloopTask
	if f, ok := EndOf(st, nil, "/src/shop"); !ok || f.Counts {
		t.Errorf("of a task file: %v %+v", ok, f)
	}
	st.Incidents = nil
	if _, ok := EndOf(st, results, "/src/shop"); ok {
		t.Error("a run without an incident is a failure")
	}
}
