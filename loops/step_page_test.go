package loops

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// TestPagesOfAnAudit plays what a writer does about two pages that an auditor asks
// for. Whatever that is, the plans reach a person; but where the line stops, as
// nothing is written then.
func TestPagesOfAnAudit(t *testing.T) {
	t.Parallel()
	kept := []GateResult{
		{Gate: "plans", Files: 1, Reason: []Reason{{Path: "a.go", Line: 3, Message: "a bug"}}},
		{Gate: "pages", Pages: []NewPage{{Path: "wiki/a.md", Title: "A"}, {Path: "wiki/b.md", Title: "B"}}},
	}
	violation := []GateResult{{Gate: "wiki", Effect: Violation, Reason: []Reason{{Message: "suppresses findings"}}}}
	for _, row := range []struct {
		name    string
		mode    Mode
		nobody  bool // plays the writer
		writer  []RoleResult
		gates   [][]GateResult
		limits  func(*Limits)
		escal   Escalation
		status  Status
		calls   int
		pages   int
		dropped string
		plans   bool
	}{
		{name: "writes both", status: Waiting, calls: 3, pages: 2, plans: true},
		{name: "is refused once", gates: [][]GateResult{red("wiki")}, status: Waiting, calls: 4, pages: 2, plans: true},
		{name: "is refused twice", gates: [][]GateResult{red("wiki"), red("wiki")}, status: Waiting, calls: 4, pages: 1, plans: true, dropped: `wiki/a.md: page "A" was not written: gate wiki`},
		{name: "leaves files elsewhere", gates: [][]GateResult{{{Gate: "scope", Effect: Unscoped, Files: 9}}, {{Gate: "scope", Effect: Unscoped, Files: 9}}}, status: Waiting, calls: 4, pages: 1, plans: true, dropped: "gate scope"},
		{name: "writes nothing", writer: []RoleResult{{Report: Report{Outcome: OK}, Tree: "t0"}, {Report: Report{Outcome: OK}, Tree: "t0"}}, status: Waiting, calls: 4, pages: 1, plans: true, dropped: "wrote nothing"},
		{name: "fails", writer: []RoleResult{said(Failed), said(WallTimeout)}, status: Waiting, calls: 4, pages: 1, plans: true, dropped: "the writer failed"},
		{name: "is not logged in", writer: []RoleResult{said(NotAuthenticated)}, status: Waiting, calls: 2, plans: true, dropped: `"B" was not written: the writer can't run`},
		{name: "meets a limit of rate", writer: []RoleResult{said(RateLimited)}, status: Waiting, calls: 2, plans: true, dropped: "the writer can't run"},
		{name: "would overspend", limits: func(l *Limits) { l.Budget.Iterations = 2 }, status: Waiting, calls: 2, pages: 1, plans: true, dropped: `"B" was not written: 2 of 2 iterations are used`},
		{name: "calls too many tools", limits: func(l *Limits) { l.Budget.CallTools = 1 }, writer: []RoleResult{{Report: Report{Outcome: OK, Usage: Usage{ToolCalls: 2}}, Tree: "w"}}, status: Waiting, calls: 2, plans: true, dropped: "2 tool calls in one iteration"},
		{name: "touches what is a person's", escal: Escalation{Areas: []Area{{Name: "billing", Words: []string{"billing"}}}},
			writer: []RoleResult{{Report: Report{Outcome: OK}, Tree: "w", Changes: []Change{{Path: "wiki/billing.md"}}}}, status: Waiting, calls: 3, pages: 1, plans: true, dropped: "the change touches billing"},
		{name: "silences the linter", gates: [][]GateResult{violation}, status: Stopped, calls: 2},
		{name: "moves a ref", writer: []RoleResult{{Breaches: []Breach{{What: "refs/heads/main"}}}}, status: Stopped, calls: 2},
		{name: "is nobody", nobody: true, status: Waiting, calls: 1, plans: true},
		{name: "is looked at in the shadow", mode: Shadow, status: GoalMet, calls: 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.roles = map[Role][]RoleResult{Writer: row.writer}
			b.gates = map[Stage][][]GateResult{StagePlan: {kept}, StageWiki: row.gates}
			start := auditStart()
			start.Roles[Writer], start.Escalation = Casting{Agent: "command", CountsTools: true}, row.escal
			start.Roles[Auditor] = Casting{Agent: "command", CountsTools: true}
			if row.nobody {
				delete(start.Roles, Writer)
			}
			if row.mode != "" {
				start.Mode = row.mode
			}
			if row.limits != nil {
				row.limits(&start.Limits)
			}
			b.run(start)
			s := b.s
			if s.Status != row.status || s.Spend.Calls != row.calls || len(s.Pages) != row.pages || b.commit != row.pages || (b.count(Propose) > 0) != row.plans {
				t.Errorf("%s (%q) after %d calls, pages %v, %d commits, %d proposals", s.Status, s.End.Why, s.Spend.Calls, s.Pages, b.commit, b.count(Propose))
			}
			said := ""
			for _, r := range s.Dropped {
				said += r.String() + "\n"
			}
			if !strings.Contains(said, row.dropped) || (said != "") != (row.dropped != "") {
				t.Errorf("dropped %q, want %q", said, row.dropped)
			}
			if b.tree != s.Tree {
				t.Errorf("the worktree is at %s, and %s is committed: what was refused stays", b.tree, s.Tree)
			}
		})
	}
}

// TestAWriterOfAnAuditSeesOnePage checks that the list that gates judge by is the page
// in work, and that an auditor's own call is judged by none.
func TestAWriterOfAnAuditSeesOnePage(t *testing.T) {
	t.Parallel()
	s := State{Start: auditStart()}
	if s.Work().Documentation != nil || s.Page() != nil {
		t.Error("an audit without a page in work has a work list")
	}
	s.Wanted = []NewPage{{Path: "wiki/a.md", Title: "A", Cites: []string{"a.go:1"}}, {Path: "wiki/b.md"}}
	d := s.Work().Documentation
	if d == nil || len(d.Pages) != 1 || d.Pages[0].Path != "wiki/a.md" || !d.Pages[0].Wrong || !slices.Equal(d.Pages[0].Targets, []string{"a.go:1"}) {
		t.Errorf("%+v", d)
	}
	if s.Start.Documentation != nil || s.Documenting() {
		t.Error("the start of the run was changed")
	}
}

// TestAnAuditorWhoNeedsAPerson waits for one, and goes on when it is told to.
func TestAnAuditorWhoNeedsAPerson(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.roles = map[Role][]RoleResult{Auditor: {said(PermissionDenied)}}
	b.gates = map[Stage][][]GateResult{StagePlan: {{{Gate: "plans", Files: 1}}}}
	start := auditStart()
	start.Escalation.Context = true
	b.run(start)
	if b.s.Status != Waiting || !strings.Contains(b.s.Question, "needs context from a person") || b.count(Propose) > 0 {
		t.Fatalf("%s: %q", b.s.Status, b.s.Question)
	}
	b.play(b.feed(Event{Kind: Answered, Answer: &Answer{Approve: true, By: "ada"}}))
	if b.s.Status != Waiting || b.count(Propose) != 1 || b.s.Spend.Calls != 2 {
		t.Errorf("%s: %q after %d calls", b.s.Status, b.s.Question, b.s.Spend.Calls)
	}
}

// TestACallDoesNotOutliveTheRunsTime plays a call that is ended as the run's time is
// over: nobody failed, however few attempts there are. A bench's second is what each
// event takes.
func TestACallDoesNotOutliveTheRunsTime(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name   string
		clock  time.Duration
		role   Role
		status Status
		rolled int
	}{
		{name: "the maker, as the time is over", clock: 4 * time.Second, role: Maker, status: OverBudget, rolled: 1},
		{name: "the checker, as the time is over", clock: 7 * time.Second, role: Checker, status: OverBudget},
		{name: "the maker, long before", clock: time.Hour, role: Maker, status: Stopped, rolled: 1},
	} {
		start := oneChunk()
		start.Limits.Attempts, start.Limits.Budget.Clock = 1, Duration(row.clock)
		b := newBench(t)
		b.roles = map[Role][]RoleResult{row.role: {{Report: Report{Outcome: WallTimeout}}}}
		if row.role == Maker {
			b.roles[Maker][0].Tree = "half"
		}
		b.run(start)
		if b.s.Status != row.status || b.count(Rollback) != row.rolled || (len(b.s.Incidents) > 0) != (row.status == Stopped) {
			t.Errorf("%s: %s (%s) after %v, %d rollbacks, incidents %v", row.name, b.s.Status, b.s.End.Why, time.Duration(b.s.Worked), b.count(Rollback), b.s.Incidents)
		}
	}
}
