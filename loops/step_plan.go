package loops

import (
	"fmt"
	"strings"
)

// PlanLoop is the loop that makes plans of a specification. Its run has one
// role: a planner answers, what it answers is judged as a whole and written, and
// the run waits. A person's yes ends it; what was proposed is then run.
const PlanLoop = "plan"

// SpecRequest is what a planner is asked for. The specification itself lies in
// the run's folder.
type SpecRequest struct {
	As    string `json:"as"`    // plans or prd
	Month string `json:"month"` // that names of plans begin with: 2026-07
}

// Planning reports whether the run makes plans, of a specification or of what an
// auditor found.
func (s *State) Planning() bool { return s.Start.Loop == PlanLoop || s.Auditing() }

// planned takes a planner's answer.
func (s State) planned(r RoleResult) (State, []Command) {
	if why, _ := s.beyond(r); why != "" && r.Tree == s.Before.Tree && len(r.Changes) == 0 {
		return s.escalate(why, false)
	}
	if o := r.Report.Outcome; o != OK && o != NoChange {
		return s.replan(Feedback{From: "runner", Attempt: s.Attempt, Text: fmt.Sprintf("the %s failed: %s", s.Phase.role(), detail(r))})
	}
	if r.Tree != s.Before.Tree || len(r.Changes) > 0 {
		why := fmt.Sprintf("the %s changed files: its answer is discarded", s.Phase.role())
		s.Feedback = append(s.Feedback, Feedback{From: "runner", Attempt: s.Attempt, Text: why})
		then := Then{Do: ThenAttempt, Why: why}
		if s.Charged++; s.Charged >= s.Start.Limits.Attempts {
			then = Then{Do: ThenEnd, Status: Stopped, Why: why, Class: ClassContainment}
		}
		return s.rollback(s.Before.Tree, then)
	}
	s.Answer = r.Evidence
	return s.gates(StagePlan, -1, r.Tree)
}

// proposalJudged takes what was found in a proposal. What is refused is asked for
// again, with the reasons.
func (s State) proposalJudged(worst Effect, results []GateResult) (State, []Command) {
	if worst >= Red {
		bad := worstOf(results, worst)
		return s.replan(Feedback{From: "gate " + bad.Gate, Attempt: s.Attempt, Reasons: bad.Reason})
	}
	if s.Auditing() {
		return s.weighed(results)
	}
	return s.propose()
}

// propose has what was accepted written.
func (s State) propose() (State, []Command) {
	s.Phase = Proposing
	return s.issue(Command{Kind: Propose, Key: s.key("propose"), Chunk: -1, Attempt: s.Attempt, Role: s.proposing().role()})
}

// replan asks the planner once more, or gives up. Nothing was written: there is
// no line to stop, and no incident.
func (s State) replan(f Feedback) (State, []Command) {
	s.Feedback = append(s.Feedback, f)
	if s.Charged++; s.Charged < s.Start.Limits.Attempts {
		return s.attempt()
	}
	why := f.Text
	if why == "" {
		why = fmt.Sprintf("the %s's proposal is rejected: ", s.proposing().role()) + first(f.Reasons)
	}
	s.End.Status, s.End.Why = GoalNotMet, why
	return s.report()
}

// proposed waits for a person to read what was written.
func (s State) proposed(e Event) (State, []Command) {
	s.Proposed = e.Files
	why := "read " + strings.Join(e.Files, ", ")
	if len(s.Pages) > 0 {
		why += ", and " + strings.Join(s.Pages, ", ") + " on " + s.Place.Branch
	}
	return s.ask(why)
}

// withdraw takes a proposal away that a person does not want.
func (s State) withdraw(why string) (State, []Command) {
	s.Phase = Withdrawing
	s.End.Status, s.End.Why = Rejected, why
	return s.issue(Command{Kind: Withdraw, Key: s.key("withdraw"), Chunk: -1, Attempt: s.Attempt, Role: s.proposing().role(), Why: why})
}

func (s State) withdrawn(e Event) (State, []Command) {
	for _, f := range e.Files {
		s.Warnings = append(s.Warnings, f+" was changed or committed since it was proposed, and is kept")
	}
	return s.finish(Rejected, "", s.End.Why)
}
