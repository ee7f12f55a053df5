package andon

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
)

// goodWhys is a complete document.
const goodWhys = `# Five whys

## Problem definition

- **Date:** 2026-07-04
- **Problem:** prices below zero pass the checkout
- **Impact:** one order was paid out

## Whys

### Why 1

- **Hypothesis:** the price is not checked
- **Verification:** price.go:9 has no check
- **Conclusion:** so any number passes

### Why 2: the type is a plain int

- **Verification:** grep -n 'type Price' finds nothing

### Why 3

- **Hypothesis:** nobody asked for a type
- **Verification:** the plan has no word of it

### Why 4

- **Hypothesis:** plans are written from tickets
- **Verification:** three of three plans were

### Why 5

- **Hypothesis:** tickets name cases and no invariants
- **Verification:** the template has no field for them

## Root cause

- **Cause:** tickets have no field for invariants
- **Category:** process defect

## Prevention

| # | Measure | Level | Location | Deadline |
|---|---|---|---|---|
| 1 | make Price a type that refuses negative numbers | L1 | price.go | 2026-07-11 |
| 2 | ask for invariants in the template | L3 | ticket.md | 2026-07-11 |

## Horizontal sweep

Quantity and Discount are plain numbers, too; both got a type.
`

func write(t *testing.T, s *Store, name, text string) {
	t.Helper()
	if err := os.WriteFile(s.Path(name), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// lacksOf returns what keeps an incident from being closed.
func lacksOf(t *testing.T, s *Store, r CloseRequest) string {
	t.Helper()
	_, err := s.Close(r)
	var in *IncompleteError
	if err == nil || !errors.As(err, &in) {
		t.Fatalf("it was closed: %v", err)
	}
	return strings.Join(in.Lacks, "\n")
}

func TestCloseNeedsWhys(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	i := mustOpen(t, s, aFailure("r1"))
	lacks := lacksOf(t, s, CloseRequest{Reason: "fixed"})
	for _, want := range []string{"five-whys.md: why 1 is not verified", "five-whys.md: no root cause", "no horizontal sweep"} {
		if !strings.Contains(lacks, want) {
			t.Errorf("no %q in\n%s", want, lacks)
		}
	}
	if l, err := s.Line(); err != nil || !l.Stopped() {
		t.Errorf("the line goes on: %v", err)
	}
	write(t, s, i.Whys(), goodWhys)
	if lacks := lacksOf(t, s, CloseRequest{Reason: "TBD"}); lacks != "the reason: describe what was done" {
		t.Error(lacks)
	}
	done, err := s.Close(CloseRequest{Reason: "Price is a type now", By: "Ana"})
	if err != nil {
		t.Fatal(err)
	}
	if !done.Closed || done.Dir != Folder+"/archive/"+i.ID {
		t.Errorf("%+v", done)
	}
	final, err := os.ReadFile(s.Path(done.Dir + "/final-report.md"))
	for _, want := range []string{"Price is a type now", "by Ana", "tickets have no field for invariants", "| L1 | make Price a type"} {
		if err != nil || !strings.Contains(string(final), want) {
			t.Errorf("no %q in the final report, %v:\n%s", want, err, final)
		}
	}
	if l, err := s.Line(); err != nil || l.Stopped() || len(l.Noted) != 0 {
		t.Errorf("%+v, %v", l, err)
	}
	if _, err := os.Stat(s.Path(openFile)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the state is still there: %v", err)
	}
	if _, err := s.Close(CloseRequest{Reason: "again"}); err == nil || err.Error() != "no incident is open" {
		t.Error(err)
	}
	if _, err := s.Close(CloseRequest{Incident: i.ID, Reason: "again"}); err == nil || !strings.HasSuffix(err.Error(), "is already closed") {
		t.Error(err)
	}
	if got := s.Lessons("Let the checkout refuse prices below zero"); len(got) != 1 || !strings.Contains(got[0], "make Price a type") {
		t.Errorf("the next run is told %q", got)
	}
}

// Each of the four files has to be there and whole.
func TestCloseNeedsTheFiles(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, text, lack string }{
		{"no evidence", "evidence.json", "", "evidence.json: does not exist"},
		{"no analysis", "analysis.json", "", "analysis.json: does not exist"},
		{"no actions", "actions.json", "", "actions.json: does not exist"},
		{"no report", "report.md", "", "report.md: does not exist"},
		{"too short", "actions.json", "{}", "actions.json: has fewer than 10 bytes"},
		{"torn", "analysis.json", `{"version": 1, "action`, "analysis.json: is not valid JSON"},
		{"no command", "evidence.json", `{"version": 1, "exit_code": 1, "output_snippet": "x"}`, "evidence.json: has no command"},
		{"no status", "evidence.json", `{"version": 1, "command": "x", "output_snippet": "x"}`, "evidence.json: has no exit_code"},
		{"no output", "evidence.json", `{"version": 1, "command": "x", "exit_code": 1}`, "evidence.json: has no output_snippet"},
		{"one heading", "report.md", "# a\n\n## b\n\ntext\n", "report.md: has fewer than two \"##\" headings"},
	} {
		s := newStore(t)
		i := mustOpen(t, s, aFailure("r1"))
		write(t, s, i.Whys(), goodWhys)
		if name := i.Dir + "/" + c.file; c.text == "" {
			if err := os.Remove(s.Path(name)); err != nil {
				t.Fatal(err)
			}
		} else {
			write(t, s, name, c.text)
		}
		if lacks := lacksOf(t, s, CloseRequest{Reason: "manual-approved: fixed", By: "Ana"}); !strings.Contains(lacks, c.lack) {
			t.Errorf("%s: no %q in\n%s", c.name, c.lack, lacks)
		}
	}
}

func TestCloseUncertainIncidentNeedsManualApproval(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	f := aFailure("r1")
	f.Output = "hm" // unknown_failure, .35
	i := mustOpen(t, s, f)
	write(t, s, i.Whys(), goodWhys)
	if lacks := lacksOf(t, s, CloseRequest{Reason: "fixed"}); !strings.Contains(lacks, "manual-approved") {
		t.Error(lacks)
	}
	if _, err := s.Close(CloseRequest{Reason: "manual-approved: it was the disk"}); err != nil {
		t.Error(err)
	}
}

func TestCloseLevelFourIncidentNeedsName(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	f := aFailure("r1")
	f.Class, f.Confidence = loops.ClassTampering, 1
	i := mustOpen(t, s, f)
	write(t, s, i.Whys(), goodWhys)
	if lacks := lacksOf(t, s, CloseRequest{Reason: "fixed", By: " "}); !strings.Contains(lacks, "--by NAME") {
		t.Error(lacks)
	}
	if _, err := s.Close(CloseRequest{Reason: "fixed", By: "Ana"}); err != nil {
		t.Error(err)
	}
}

// What is only noted is closed with a reason, and leaves no gotcha.
func TestCloseOfANote(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	i := mustOpen(t, s, Failure{At: noon, Command: "pnpm i", Output: "sh: pnpm: command not found", ExitCode: 127})
	if _, err := s.Close(CloseRequest{Reason: "installed"}); err == nil {
		t.Error("the line was open, and something was closed")
	}
	if _, err := s.Close(CloseRequest{Incident: i.ID[:12], Reason: "installed"}); err != nil {
		t.Error(err)
	}
	if g, err := s.Gotchas(); err != nil || len(g) != 0 {
		t.Error(g, err)
	}
	if rules, err := s.Rules(); err != nil || len(rules) != 1 {
		t.Errorf("the standard went with it: %v, %v", rules, err)
	}
}

func TestRollback(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	missing := func(name string) *Incident {
		return mustOpen(t, s, Failure{At: s.now(), Command: "x", Output: "sh: " + name + ": command not found", ExitCode: 127})
	}
	one := missing("pnpm")
	before, err := os.ReadFile(s.Path(registryFile))
	if err != nil {
		t.Fatal(err)
	}
	two := missing("deno")
	if _, n, err := s.Rollback("latest", "Ana"); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	after, err := os.ReadFile(s.Path(registryFile))
	if err != nil || string(after) != string(before) {
		t.Errorf("%v\n%s\nis not\n%s", err, after, before)
	}
	if _, n, err := s.Rollback(two.ID, ""); err != nil || n != 0 {
		t.Error("taken back twice", n, err)
	}
	if got := object(t, s, two.Dir+"/actions.json")["standardization_result"].(map[string]any); got["applied"] != false || got["rollback_ready"] != false {
		t.Errorf("%v", got)
	}
	// What others set since stays.
	three := missing("bun")
	if _, n, err := s.Rollback(one.ID, ""); err != nil || n != 1 {
		t.Error(n, err)
	}
	rules, err := s.Rules()
	if err != nil || len(rules) != 1 || rules[0].SourceIncident != three.ID || rules[0].Value != "bun" {
		t.Errorf("%v, %v", rules, err)
	}
	page, err := os.ReadFile(s.Path(rulesPage))
	if err != nil || !strings.Contains(string(page), "| required_command | `bun` | "+three.ID+" | 2026-07-04 | yes |") || strings.Contains(string(page), "pnpm") {
		t.Errorf("%v\n%s", err, page)
	}
	if h, err := s.History(two); err != nil || h[len(h)-1].Kind != "rolled-back" {
		t.Error(h, err)
	}
}

func TestRegistryFile(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	i := mustOpen(t, s, Failure{At: noon, Command: "x", Output: "sh: pnpm: command not found", ExitCode: 127})
	wantKeys(t, "registry", object(t, s, registryFile), "version rules")
	rule := object(t, s, registryFile)["rules"].([]any)[0].(map[string]any)
	wantKeys(t, "rule", rule, "type value source_incident created_at active")
	if rule["source_incident"] != i.ID || rule["active"] != true {
		t.Error(rule)
	}
	if b := object(t, s, i.Dir+"/rollback/standardized-rules.json"); len(b["rules"].([]any)) != 0 {
		t.Errorf("the copy of what was before holds %v", b)
	}
}

// What a person sets when closing changes what the next run is told, and by what
// it is judged.
func TestStandardsOfAClosedIncident(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	i := mustOpen(t, s, aFailure("r1"))
	write(t, s, i.Whys(), goodWhys)
	_, err := s.Close(CloseRequest{Reason: "fixed", Standards: []StandardAction{
		{RuleGate, "go vet ./..."}, {RuleSkillLine, "Name invariants first."}, {RuleForbidden, "interface{}"},
	}})
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(s.Lessons("something else"), "\n")
	if got != "- Name invariants first.\n- do not write \"interface{}\" ("+i.ID+")" {
		t.Error(got)
	}
	base := loops.GateCommands{Lint: make([]string, 1, 4)}
	if g, err := s.Commands(base); err != nil || len(g.Lint) != 2 || g.Lint[1] != "go vet ./..." || len(base.Lint) != 1 {
		t.Error(g, err)
	}
	if _, n, err := s.Rollback(i.ID, ""); err != nil || n != 4 { // and the gotcha
		t.Error(n, err)
	}
	if got := s.Lessons("prices below zero pass the checkout"); len(got) > 0 {
		t.Error(got)
	}
}

func TestForbidden(t *testing.T) {
	t.Parallel()
	patch := "diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -3,3 +3,4 @@ func A() {\n context any\n-was Any\n+is any\n+more ANY\n end\n@@ -20 +21 @@\n-x\n+y any\n+++ any\n"
	got := forbidden(patch, []string{"any"})
	want := []loops.Reason{{Path: "a.go", Line: 4}, {Path: "a.go", Line: 5}, {Path: "a.go", Line: 21}}
	if len(got) != len(want) {
		t.Fatalf("%+v", got)
	}
	for i := range want {
		if got[i].Path != want[i].Path || got[i].Line != want[i].Line {
			t.Errorf("%+v, want %+v", got[i], want[i])
		}
	}
}
