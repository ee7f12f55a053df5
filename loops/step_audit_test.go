package loops

import (
	"slices"
	"testing"
)

func auditStart() Start {
	return Start{
		Run: "r", Loop: AuditLoop, Mode: Draft, Limits: DefaultLimits(), Plan: Plan{Name: "audit", Path: "audit"},
		Roles: map[Role]Casting{Auditor: {Agent: "command"}}, Audit: &AuditRequest{Month: "2026-07", Plans: 5},
	}
}

// TestAnAuditorIsAskedAgainAndAPersonDecides plays what auditors do. What was
// refused is asked for again, what was dropped is said, and where nothing is left
// the run is over without a person.
func TestAnAuditorIsAskedAgainAndAPersonDecides(t *testing.T) {
	t.Parallel()
	kept := []GateResult{{Gate: "audit", Files: 1, Reason: []Reason{{Path: "a.go", Line: 3, Message: "a bug"}}}, {Gate: "dropped", Effect: Note, Reason: []Reason{{Message: "a rumour"}}}}
	nothing := []GateResult{{Gate: "audit"}}
	dropped := []GateResult{{Gate: "audit"}, {Gate: "dropped", Effect: Note, Reason: []Reason{{Message: "a rumour"}}}}
	refused := []GateResult{{Gate: "plans", Effect: Red, Reason: []Reason{{Path: "plans/a.md", Message: "split it"}}}}
	for _, row := range []struct {
		name    string
		auditor []RoleResult
		gates   [][]GateResult
		status  Status
		calls   int
		written bool
		why     string
		found   int
		dropped int
		class   string
		mode    Mode
	}{
		{name: "finds something", gates: [][]GateResult{kept}, status: Waiting, calls: 1, written: true, found: 1, dropped: 1},
		{name: "finds nothing", gates: [][]GateResult{nothing}, status: GoalMet, calls: 1, why: "the auditor found nothing to plan"},
		{name: "finds rumours", gates: [][]GateResult{dropped}, status: GoalMet, calls: 1, dropped: 1, why: "no plan remains: 1 entries of the auditor's answer were dropped"},
		{name: "is looked at in the shadow", mode: Shadow, gates: [][]GateResult{kept}, status: GoalMet, calls: 1, found: 1, dropped: 1, why: "nothing is written in shadow mode; remaining plans: 1"},
		{name: "is refused once", gates: [][]GateResult{refused, kept}, status: Waiting, calls: 2, written: true, found: 1, dropped: 1},
		{name: "is refused for ever", gates: [][]GateResult{refused, refused, refused}, status: GoalNotMet, calls: 3, why: "the auditor's proposal is rejected: plans/a.md: split it"},
		{name: "edits the tree once", auditor: []RoleResult{changed("w")}, gates: [][]GateResult{kept}, status: Waiting, calls: 2, written: true, found: 1, dropped: 1},
		{name: "edits the tree for ever", auditor: []RoleResult{changed("w"), changed("v"), changed("u")}, status: Stopped, calls: 3, class: ClassContainment,
			why: "the auditor changed files: its answer is discarded"},
		{name: "fails for ever", auditor: []RoleResult{said(Failed), said(Failed), said(Failed)}, status: GoalNotMet, calls: 3, why: "the auditor failed: error"},
		{name: "moves a ref", auditor: []RoleResult{{Breaches: []Breach{{What: "refs/heads/main"}}}}, status: Stopped, calls: 1, class: ClassContainment,
			why: "the auditor changed what it must not: refs/heads/main"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.roles = map[Role][]RoleResult{Auditor: row.auditor}
			b.gates = map[Stage][][]GateResult{StagePlan: row.gates}
			start := auditStart()
			if row.mode != "" {
				start.Mode = row.mode
			}
			b.run(start)
			s := b.s
			if s.Status != row.status || s.Spend.Calls != row.calls || (b.count(Propose) > 0) != row.written || s.End.Why != row.why {
				t.Errorf("%s (%q) after %d calls, %d proposals", s.Status, s.End.Why, s.Spend.Calls, b.count(Propose))
			}
			if len(s.Findings) != row.found || len(s.Dropped) != row.dropped {
				t.Errorf("findings %v, dropped %v", s.Findings, s.Dropped)
			}
			if got := slices.ContainsFunc(s.Incidents, func(i Incident) bool { return i.Class == row.class }); got != (row.class != "") {
				t.Errorf("incidents %+v, want %q", s.Incidents, row.class)
			}
			if b.commit > 0 || b.count(RunGates) != b.countGates(StagePlan) {
				t.Errorf("%d commits, %v", b.commit, b.kinds)
			}
		})
	}
}

// TestAnAuditIsTakenOrTakenAway plays a person's answers.
func TestAnAuditIsTakenOrTakenAway(t *testing.T) {
	t.Parallel()
	for _, approves := range []bool{true, false} {
		b := newBench(t)
		b.gates = map[Stage][][]GateResult{StagePlan: {{{Gate: "audit", Files: 2}}}}
		b.run(auditStart())
		b.play(b.feed(Event{Kind: Answered, Answer: &Answer{Approve: approves, By: "ada"}}))
		want := GoalMet
		if !approves {
			want = Rejected
		}
		if b.s.Status != want || (b.count(Withdraw) == 1) == approves {
			t.Errorf("approve %v: %s, %v", approves, b.s.Status, b.kinds)
		}
	}
}
