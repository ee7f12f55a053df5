package andon

import (
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// closeAll closes what is open.
func closeAll(t *testing.T, s *Store) {
	t.Helper()
	i, err := s.Find("latest")
	if err != nil {
		t.Fatal(err)
	}
	write(t, s, i.Whys(), goodWhys)
	if _, err := s.Close(CloseRequest{Reason: "manual-approved: fixed", By: "Ana"}); err != nil {
		t.Fatal(err)
	}
}

func fail(t *testing.T, s *Store, run string, change func(*Failure)) *Incident {
	t.Helper()
	f := aFailure(run)
	f.At, f.Counts = s.now(), true
	if change != nil {
		change(&f)
	}
	return mustOpen(t, s, f)
}

func TestThreeFailedRunsInARow(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	for n, run := range []string{"r1", "r2"} {
		if i := fail(t, s, run, nil); i.Analysis.Meta {
			t.Fatalf("failure %d is a Meta-Andon", n+1)
		}
		closeAll(t, s)
	}
	i := fail(t, s, "r3", nil)
	if !i.Analysis.Meta || i.Analysis.ActionLevel != LevelApprove {
		t.Fatalf("%+v", i.Analysis)
	}
	m := object(t, s, Folder+"/meta-andon-state.json")
	wantKeys(t, "state", m, "schema_version status consecutive_failures failure_runs updated_at")
	if m["schema_version"] != "meta-andon-state.v1" || m["status"] != "open" || m["consecutive_failures"] != 3.0 || len(m["failure_runs"].([]any)) != 3 {
		t.Error(m)
	}
	var stopped *StoppedError
	if err := s.MayStart(nil); !errors.As(err, &stopped) || !stopped.Meta || stopped.Path != i.Report() {
		t.Errorf("%v", err)
	}
}

func TestWhatResetsConsecutiveFailures(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	fail(t, s, "r1", nil)
	closeAll(t, s)
	fail(t, s, "r2", nil)
	closeAll(t, s)
	if err := s.Succeeded("r3"); err != nil {
		t.Fatal(err)
	}
	if i := fail(t, s, "r4", nil); i.Analysis.Meta {
		t.Error("a run that met its goal did not end the row")
	}
	// What surrounds the work neither counts nor ends it; nor does one run twice.
	fail(t, s, "r5", func(f *Failure) { f.Status, f.Class = loops.NoGround, loops.ClassEnvironment })
	fail(t, s, "r4", nil)
	// Nor does what another loop than that of plans came to.
	fail(t, s, "r6", func(f *Failure) { f.Counts = false })
	if l, err := s.Line(); err != nil || l.Meta.ConsecutiveFailures != 1 {
		t.Errorf("%+v, %v", l.Meta, err)
	}
}

func TestThreeFailedAttemptsOfRunAreMetaAndon(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	i := fail(t, s, "r1", func(f *Failure) { f.Meta = true })
	write(t, s, i.Dir+"/meta-andon-five-whys.md", goodWhys)
	m, lacks, err := s.Acknowledge("Ana")
	if err != nil || m.AcknowledgedBy != "Ana" || m.AcknowledgedAt == nil {
		t.Fatal(m, err)
	}
	for _, want := range []string{"meta-andon-risk-table.md: it still says [part", "horizontal-sweep-report.md: it still", "meta-andon-batch-fix-plan.md: it still"} {
		if !strings.Contains(strings.Join(lacks, "\n"), want) {
			t.Errorf("no %q in %q", want, lacks)
		}
	}
	// It is known by name; the incident itself still stops the line.
	var stopped *StoppedError
	if err := s.MayStart(nil); !errors.As(err, &stopped) || stopped.Meta {
		t.Error(err)
	}
	lacksOf(t, s, CloseRequest{Reason: "fixed", By: "Ana"})
	table := "| Phase | Risk | Evidence | Action |\n|---|---|---|---|\n| making | prices below zero | TestPrice is red | a type that refuses them |\n"
	write(t, s, i.Dir+"/meta-andon-risk-table.md", table)
	write(t, s, i.Dir+"/horizontal-sweep-report.md", table)
	write(t, s, i.Dir+"/meta-andon-batch-fix-plan.md", "## Objective\n\nNo price is below zero.\n\n## Changes\n\nA type, and its use in three places.\n\n## Verification\n\n`go test ./...` prints ok.\n")
	if _, err := s.Close(CloseRequest{Reason: "fixed", By: "Ana"}); err != nil {
		t.Fatal(err)
	}
	if l, err := s.Line(); err != nil || l.Stopped() || l.Meta.Status != "closed" || l.Meta.ConsecutiveFailures != 0 {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestAMetaAndonIsNotClosedUnknown(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	i := fail(t, s, "r1", func(f *Failure) { f.Meta = true })
	write(t, s, i.Whys(), goodWhys)
	if lacks := lacksOf(t, s, CloseRequest{Reason: "fixed", By: "Ana"}); !strings.Contains(lacks, "acknowledge it first") {
		t.Error(lacks)
	}
	if err := os.Remove(s.Path(openFile)); err != nil { // a state that is removed does not let it go
		t.Fatal(err)
	}
	if err := s.MayStart(nil); err == nil {
		t.Error("a run may start")
	}
}

func TestAcknowledgeNeedsName(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	if _, _, err := s.Acknowledge("Ana"); err == nil || err.Error() != "no Meta-Andon is open" {
		t.Error(err)
	}
	fail(t, s, "r1", func(f *Failure) { f.Meta = true })
	if _, _, err := s.Acknowledge(" \n"); err == nil {
		t.Error("nobody is a name")
	}
}

// The minimal contents of the four artifacts.
func TestMetaArtifacts(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 20)
	for _, c := range []struct {
		name, text string
		lacks      int
	}{
		{"meta-andon-five-whys.md", "Why 1 Why 2 Why 3 Why 4 Why 5 " + long, 0},
		{"meta-andon-five-whys.md", "Why 1 Why 2 Why 3 Why 4 " + long, 1},
		{"meta-andon-five-whys.md", "why 1 why 2 why 3 why 4 why 5", 1},
		{"meta-andon-risk-table.md", "| Phase | Risk | Evidence | Action |\n|---|---|---|---|\n| a | b | c | d |\n" + long, 0},
		{"meta-andon-risk-table.md", "| Phase | Risk | Evidence |\n" + long, 1},
		{"horizontal-sweep-report.md", "| Phase | Risk | Evidence | Action |\n" + long, 0},
		{"horizontal-sweep-report.md", "phase risk evidence action " + long, 4},
		{"horizontal-sweep-report.md", "| Phase | Risk | Evidence | Action |", 1},
		{"meta-andon-batch-fix-plan.md", "## Objective\n\n## Changes\n\n## Verification\n" + long, 0},
		{"meta-andon-batch-fix-plan.md", "## Objective\n\n# Changes\n\n### Verification\n" + long, 2},
		{"meta-andon-batch-fix-plan.md", "## Objective\n\n## Changes\n\n## Verification\nshort, but over eighty bytes as a whole.\n", 1},
	} {
		if got := checkMeta(c.name, c.text); len(got) != c.lacks {
			t.Errorf("%s %q: %q", c.name, c.text[:20], got)
		}
	}
	for name, text := range metaTemplates {
		if len(checkMeta(name, text)) == 0 {
			t.Errorf("%s is complete as it comes", name)
		}
	}
}

func TestStateOfOthersIsRefused(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"schema_version": "meta-andon-state.v2", "status": "open"}`,
		`{"schema_version": "meta-andon-state.v1", "status": "open", "consecutive_failures": -1}`,
		`{"schema_version": "meta-andon-state.v1", "status": "maybe"}`,
	} {
		s := newStore(t)
		if err := os.MkdirAll(s.Path(Folder), 0o777); err != nil {
			t.Fatal(err)
		}
		write(t, s, metaFile, text)
		if _, err := s.Line(); err == nil {
			t.Errorf("%s is read", text)
		}
	}
}

func TestHypothesisNeeded(t *testing.T) {
	t.Parallel()
	run := func(id, status, waits string) schema.RunSummary {
		return schema.RunSummary{ID: id, Status: status, WaitingFor: waits}
	}
	of := func(kind, id string) schema.RunSummary {
		return schema.RunSummary{ID: id, Kind: kind, Status: "rejected"}
	}
	for _, c := range []struct {
		name string
		runs []schema.RunSummary
		want string
	}{
		{"none", nil, ""},
		{"one", []schema.RunSummary{run("a", "rejected", "")}, ""},
		{"two", []schema.RunSummary{run("a", "rejected", ""), run("b", "interrupted", "")}, "a b"},
		{"asked", []schema.RunSummary{run("a", "waiting", "person"), run("b", "stopped", "person")}, "a b"},
		{"a limit of rate is no person", []schema.RunSummary{run("a", "waiting", "rate-limit"), run("b", "rejected", "")}, ""},
		{"failures without a person", []schema.RunSummary{run("a", "stopped", ""), run("b", "not-met", "")}, ""},
		{"others between", []schema.RunSummary{run("a", "rejected", ""), run("b", "stopped", ""), run("c", "rejected", "")}, "a c"},
		{"two audits", []schema.RunSummary{of("audit", "a"), of("audit", "b")}, ""},
		{"a task file, a wiki, a question", []schema.RunSummary{of("task", "a"), of("documentation", "b"), of("query", "c")}, ""},
		{"one that is met between", []schema.RunSummary{run("a", "rejected", ""), run("b", "met", ""), run("c", "rejected", "")}, ""},
	} {
		s := newStore(t)
		if got, err := s.HypothesisNeeded(c.runs); err != nil || strings.Join(got, " ") != c.want {
			t.Errorf("%s: %q, %v", c.name, got, err)
		}
	}
}

func TestAHypothesisLetsTheNextRunStart(t *testing.T) {
	t.Parallel()
	s := newStore(t)
	runs := []schema.RunSummary{{ID: "a", Status: "rejected"}, {ID: "b", Status: "rejected"}}
	var needed *HypothesisError
	if err := s.MayStart(runs); !errors.As(err, &needed) || !strings.Contains(needed.Hint(), "wiki andon why b --hypothesis") {
		t.Fatal(err)
	}
	for _, text := range []string{"", "TBD", "[why]", "no idea"} {
		if err := s.Suppose("b", text, "Ana"); err == nil {
			t.Errorf("%q is a hypothesis", text)
		}
	}
	if err := s.Suppose("b", "the chunk asks for two things at once", "Ana"); err != nil {
		t.Fatal(err)
	}
	if err := s.MayStart(runs); err != nil {
		t.Error(err)
	}
	if err := s.MayStart(append(runs, schema.RunSummary{ID: "c", Status: "rejected"}, schema.RunSummary{ID: "d", Status: "rejected"})); err == nil {
		t.Error("two more did not need another one")
	}
}
