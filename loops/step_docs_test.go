package loops

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func docsStart() Start {
	return Start{
		Run: "r", Loop: DocumentationLoop, Mode: Draft, Limits: DefaultLimits(), Plan: Plan{Name: "documentation-2026-07-04", Title: "Documentation"},
		Roles:         map[Role]Casting{Writer: {Agent: "command"}},
		Documentation: &DocumentationRequest{Since: "c0", From: "the last run", Pages: []DocumentationPage{{Path: "wiki/tax.md", Reason: "it cites tax.go"}}},
	}
}

// documents is the table of what writers do in a run that documents.
var documents = []struct {
	name   string
	start  func(*DocumentationRequest)
	writer []RoleResult
	gates  [][]GateResult
	aside  []Event

	status   Status
	calls    int
	commits  int
	class    string
	proposed string
	trace    bool // is held by a golden
}{
	{name: "corrects a page", status: GoalMet, calls: 1, commits: 1, trace: true},
	{name: "has no page", start: func(d *DocumentationRequest) { d.Pages = nil }, status: GoalMet, trace: true},
	{name: "has citations that only moved", start: func(d *DocumentationRequest) { d.Pages, d.Moved = nil, []string{"wiki/tax.md"} }, status: GoalMet},
	{name: "has ten findings", start: func(d *DocumentationRequest) { d.Found = 10 }, status: GoalMet, calls: 1, commits: 1},
	{name: "has eleven findings", start: func(d *DocumentationRequest) { d.Found = 11 }, status: Waiting, trace: true},
	{name: "has more pages than the spec allows", start: func(d *DocumentationRequest) { d.Ask = "2 pages are listed, more than 1" }, status: Waiting},
	{name: "has pages that are all a person's", start: func(d *DocumentationRequest) {
		d.Left, d.Pages = []Reason{{Path: "wiki/tax.md", Message: "it touches billing"}}, nil
	}, status: GoalMet},
	{name: "finds the pages right", writer: []RoleResult{said(NoChange)}, status: GoalMet, calls: 1},
	{name: "finds a wrong page right once", writer: []RoleResult{said(OK)}, gates: [][]GateResult{red("documentation")}, status: GoalMet, calls: 2, commits: 1},
	{name: "breaks a link once", gates: [][]GateResult{red("wiki")}, status: GoalMet, calls: 2, commits: 1},
	{name: "breaks a link for ever", gates: [][]GateResult{red("wiki"), red("wiki"), red("wiki")}, status: Waiting, calls: 3},
	{name: "suppresses a finding", gates: [][]GateResult{effect("wiki", Violation, 1)}, status: Stopped, calls: 1, class: ClassTampering, trace: true},
	{name: "touches code once", gates: [][]GateResult{effect("scope", Unscoped, 1)}, status: GoalMet, calls: 2, commits: 1},
	{name: "touches much code", gates: [][]GateResult{effect("scope", Unscoped, 5)}, status: Stopped, calls: 1, class: ClassScope},
	{name: "hangs once", writer: []RoleResult{{Report: Report{Outcome: SilenceTimeout}, Tree: "h"}}, status: GoalMet, calls: 2, commits: 1},
	{name: "makes no progress for ten minutes", writer: []RoleResult{said(ProgressTimeout)}, status: Waiting, calls: 1},
	{name: "touches code for ever", gates: [][]GateResult{effect("scope", Unscoped, 1), effect("scope", Unscoped, 1), effect("scope", Unscoped, 1)}, status: Stopped, calls: 3, class: ClassScope},
	{name: "moves a ref", writer: []RoleResult{{Breaches: []Breach{{What: "refs/heads/main"}}}}, status: Stopped, calls: 1, class: ClassContainment},
	{name: "is not logged in", writer: []RoleResult{said(NotAuthenticated)}, status: NoGround, calls: 1},
	{name: "changes no page of a person", start: edited, aside: []Event{{Tree: "t0+"}}, status: GoalMet, calls: 1, commits: 1},
	{name: "changes a page of a person and another", start: edited, aside: []Event{{Tree: "rest", Files: []string{"wiki/tax.md"}, Patch: "p"}}, status: GoalMet, calls: 1, commits: 1, proposed: "wiki/tax.md"},
	{name: "changes a page of a person alone", start: edited, aside: []Event{{Tree: "t0", Files: []string{"wiki/tax.md"}, Patch: "p"}}, status: GoalMet, calls: 1, proposed: "wiki/tax.md"},
	{name: "leaves what is red without a page of a person", start: edited, aside: []Event{{Tree: "rest", Files: []string{"wiki/tax.md"}, Patch: "p"}, {Tree: "t0++"}},
		gates: [][]GateResult{nil, red("wiki")}, status: GoalMet, calls: 2, commits: 1, proposed: "wiki/tax.md", trace: true},
}

func edited(d *DocumentationRequest) { d.Edited = []string{"wiki/tax.md"} }

func TestARunThatDocuments(t *testing.T) {
	t.Parallel()
	for _, row := range documents {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			start := docsStart()
			if row.start != nil {
				row.start(start.Documentation)
			}
			b := newBench(t)
			b.roles = map[Role][]RoleResult{Writer: slices.Clone(row.writer)}
			b.gates = map[Stage][][]GateResult{StageWiki: slices.Clone(row.gates)}
			b.aside = slices.Clone(row.aside)
			b.run(start)
			if b.s.Status != row.status || b.s.Spend.Calls != row.calls || b.commit != row.commits {
				t.Errorf("%s (%s) after %d calls and %d commits", b.s.Status, b.s.End.Why+b.s.Question, b.s.Spend.Calls, b.commit)
			}
			if got := slices.ContainsFunc(b.s.Incidents, func(i Incident) bool { return i.Class == row.class }); got != (row.class != "") {
				t.Errorf("incidents %+v, want %q", b.s.Incidents, row.class)
			}
			if got := strings.Join(b.s.Proposed, " "); got != row.proposed {
				t.Errorf("proposed %q, want %q", got, row.proposed)
			}
			if row.calls == 0 && (b.count(EnsureWorktree) > 0) != (len(start.Documentation.Moved) > 0) {
				t.Errorf("a worktree was made for nothing, or none: %v", b.kinds)
			}
			if n := b.countGates(StageWiki); b.count(RunGates) != n {
				t.Errorf("%d gates, %d of them of pages", b.count(RunGates), n)
			}
			if row.trace {
				traceOf(t, "documents "+row.name, b)
			}
		})
	}
}

// traceOf holds the commands of a scenario, in their order.
func traceOf(t *testing.T, name string, b *bench) {
	t.Helper()
	var got strings.Builder
	for _, c := range b.issued {
		fmt.Fprintln(&got, strings.TrimSpace(fmt.Sprintf("%s %s %s %s", c.Key, c.Kind, c.Tree, c.Why)))
	}
	fmt.Fprintf(&got, "%s %s\n", b.s.Status, b.s.End.Why+b.s.Question)
	file := filepath.Join("testdata", "trace", strings.ReplaceAll(name, " ", "-"))
	golden(t, file+".txt", got.String())
	// What happened, for tests of other drivers.
	var events strings.Builder
	for _, e := range b.events {
		events.Write(append(encode(t, e), '\n'))
	}
	golden(t, file+".jsonl", events.String())
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%swant\n%s", file, got, want)
	}
}

// TestAPersonLetsAWriterWork answers what is asked before there is a worktree.
func TestAPersonLetsAWriterWork(t *testing.T) {
	t.Parallel()
	for _, approves := range []bool{true, false} {
		start := docsStart()
		start.Documentation.Found = MostFindings + 1
		b := newBench(t)
		b.run(start)
		if cs := b.feed(Event{Kind: Resumed}); len(cs) > 0 || b.s.WaitingFor != ForPerson {
			t.Fatalf("it went on without an answer: %v", cs)
		}
		b.play(b.feed(Event{Kind: Answered, Answer: &Answer{Approve: approves, By: "ada"}}))
		want, calls := GoalMet, 1
		if !approves {
			want, calls = Rejected, 0
		}
		if b.s.Status != want || b.s.Spend.Calls != calls || (b.count(EnsureWorktree) == 1) != approves {
			t.Errorf("approve %v: %s after %d calls, %v", approves, b.s.Status, b.s.Spend.Calls, b.kinds)
		}
	}
}

// What a spec leaves to a person is so for a writer, too: it is reverted, and a
// person's yes has it written again.
func TestAWriterIsEscalated(t *testing.T) {
	t.Parallel()
	start := docsStart()
	start.Escalation = Escalation{Context: true, Areas: []Area{{Name: "the tax", Globs: []string{"wiki/tax.md"}}}}
	wrote := said(OK)
	wrote.Tree, wrote.Changes = "t1", []Change{{Path: "wiki/tax.md"}}
	for _, row := range []struct {
		name, why string
		wrote     RoleResult
	}{
		{"an area", "the change touches the tax: wiki/tax.md", wrote},
		{"a question", "the writer needs context from a person", said(PermissionDenied)},
	} {
		b := newBench(t)
		b.roles = map[Role][]RoleResult{Writer: {row.wrote, wrote}}
		b.run(start)
		if b.s.Status != Waiting || b.s.WaitingFor != ForPerson || !strings.HasPrefix(b.s.Escalated, row.why) || b.commit != 0 {
			t.Errorf("%s: %s, %q, %d commits", row.name, b.s.Status, b.s.Escalated, b.commit)
		}
		b.play(b.feed(Event{Kind: Answered, Answer: &Answer{Approve: true, By: "ada"}}))
		if b.s.Status != GoalMet || b.commit != 1 || b.s.Spend.Calls != 2 {
			t.Errorf("%s: %s after %d calls and %d commits", row.name, b.s.Status, b.s.Spend.Calls, b.commit)
		}
	}
}

// TestAChangeLeavesNoBoundOfItsSpec holds what a writer may change at most.
func TestAChangeLeavesNoBoundOfItsSpec(t *testing.T) {
	t.Parallel()
	listed := &DocumentationRequest{Ask: "more than one", Pages: make([]DocumentationPage, 2)}
	for _, row := range []struct {
		e       Escalation
		d       *DocumentationRequest
		changes []string
		want    string
	}{
		{Escalation{}, nil, []string{"a", "b"}, ""},
		{Escalation{Within: []string{"wiki/**"}}, nil, []string{"wiki/a.md"}, ""},
		{Escalation{Within: []string{"wiki/**"}}, nil, []string{"wiki/a.md", "b.md"}, "the change is outside wiki/**: b.md"},
		{Escalation{Files: 1}, nil, []string{"a"}, ""},
		{Escalation{Files: 1}, nil, []string{"a", "b"}, "the change has 2 files, more than 1"},
		{Escalation{Files: 1}, listed, []string{"a", "b"}, ""},
		{Escalation{Files: 1}, listed, []string{"a", "b", "c"}, "the change has 3 files, more than 2"},
	} {
		s := State{Start: Start{Escalation: row.e, Documentation: row.d}}
		var r RoleResult
		for _, path := range row.changes {
			r.Changes = append(r.Changes, Change{Path: path})
		}
		why, undo := s.beyond(r)
		if why != row.want || undo != (row.want != "") {
			t.Errorf("%v in %+v: %q, undone %v; want %q", row.changes, row.e, why, undo, row.want)
		}
	}
}
