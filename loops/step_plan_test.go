package loops

import (
	"slices"
	"strings"
	"testing"
)

func planStart() Start {
	return Start{
		Run: "r", Loop: PlanLoop, Mode: Draft, Limits: DefaultLimits(), Plan: Plan{Name: "from-spec", Path: "SPEC.md"},
		Roles: map[Role]Casting{Planner: {Agent: "command"}}, Spec: &SpecRequest{As: "plans", Month: "2026-07"},
	}
}

// TestAPlannerIsAskedAgainAndAPersonDecides plays what planners do. Nothing is
// written that was refused, and nothing but a person's word ends the wait.
func TestAPlannerIsAskedAgainAndAPersonDecides(t *testing.T) {
	t.Parallel()
	tooBig := []GateResult{{Gate: "plan", Effect: Red, Reason: []Reason{{Path: "plans/a.md", Line: 3, Message: "split it"}}}}
	for _, row := range []struct {
		name    string
		planner []RoleResult
		gates   [][]GateResult
		status  Status
		calls   int
		written bool
		class   string
	}{
		{name: "is right at once", status: Waiting, calls: 1, written: true},
		{name: "is refused once", gates: [][]GateResult{tooBig}, status: Waiting, calls: 2, written: true},
		{name: "is refused for ever", gates: [][]GateResult{tooBig, tooBig, tooBig}, status: GoalNotMet, calls: 3},
		{name: "fails once", planner: []RoleResult{said(Failed)}, status: Waiting, calls: 2, written: true},
		{name: "hangs for ever", planner: []RoleResult{said(WallTimeout), said(SilenceTimeout), said(WallTimeout)}, status: GoalNotMet, calls: 3},
		{name: "writes once", planner: []RoleResult{changed("w")}, status: Waiting, calls: 2, written: true},
		{name: "writes for ever", planner: []RoleResult{changed("w"), changed("v"), changed("u")}, status: Stopped, calls: 3, class: ClassContainment},
		{name: "moves a ref", planner: []RoleResult{{Breaches: []Breach{{What: "refs/heads/main"}}}}, status: Stopped, calls: 1, class: ClassContainment},
		{name: "is not logged in", planner: []RoleResult{said(NotAuthenticated)}, status: NoGround, calls: 1},
		{name: "meets a limit of rate", planner: []RoleResult{said(RateLimited)}, status: Waiting, calls: 1},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			b.roles = map[Role][]RoleResult{Planner: row.planner}
			b.gates = map[Stage][][]GateResult{StagePlan: row.gates}
			b.run(planStart())
			if b.s.Status != row.status || b.s.Spend.Calls != row.calls || (b.count(Propose) > 0) != row.written {
				t.Errorf("%s (%s) after %d calls, %d proposals", b.s.Status, b.s.End.Why, b.s.Spend.Calls, b.count(Propose))
			}
			if got := slices.ContainsFunc(b.s.Incidents, func(i Incident) bool { return i.Class == row.class }); got != (row.class != "") {
				t.Errorf("incidents %+v, want %q", b.s.Incidents, row.class)
			}
			if b.commit > 0 || b.count(RunGates) != b.countGates(StagePlan) {
				t.Errorf("%d commits, %v", b.commit, b.kinds)
			}
		})
	}
}

func (b *bench) countGates(stage Stage) (n int) {
	for _, c := range b.issued {
		if c.Kind == RunGates && c.Stage == stage {
			n++
		}
	}
	return n
}

// TestNextPromptHasRejectionReason checks that the next call is told why.
func TestNextPromptHasRejectionReason(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.gates = map[Stage][][]GateResult{StagePlan: {{{Gate: "plan", Effect: Red, Reason: []Reason{{Message: "split it"}}}}}}
	b.run(planStart())
	last := b.issued[slices.IndexFunc(b.issued, func(c Command) bool { return c.Kind == RunRole && c.Attempt == 2 })]
	if len(last.Feedback) != 1 || last.Feedback[0].Reasons[0].Message != "split it" {
		t.Errorf("%+v", last.Feedback)
	}
}

// TestAProposalIsTakenOrTakenAway plays a person's answers.
func TestAProposalIsTakenOrTakenAway(t *testing.T) {
	t.Parallel()
	for _, approves := range []bool{true, false} {
		b := newBench(t)
		b.run(planStart())
		if b.s.Status != Waiting || b.s.WaitingFor != ForPerson {
			t.Fatalf("%s for %s", b.s.Status, b.s.WaitingFor)
		}
		if cs := b.feed(Event{Kind: Resumed}); len(cs) > 0 {
			t.Fatalf("it went on without an answer: %v", cs)
		}
		b.play(b.feed(Event{Kind: Answered, Answer: &Answer{Approve: approves, By: "ada"}}))
		want, why := GoalMet, "approved by ada"
		if !approves {
			want, why = Rejected, "rejected by ada"
		}
		if b.s.Status != want || b.s.End.Why != why || (b.count(Withdraw) == 1) == approves || len(b.s.Incidents) > 0 {
			t.Errorf("approve %v: %s, %q, %v", approves, b.s.Status, b.s.End.Why, b.kinds)
		}
		if !approves && !strings.Contains(strings.Join(b.s.Warnings, "\n"), "plans/b.md was changed or committed") {
			t.Errorf("what was kept is not said: %q", b.s.Warnings)
		}
	}
}
