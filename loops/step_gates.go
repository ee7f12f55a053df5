package loops

import (
	"fmt"
	"slices"
)

// gatesEnded takes what gates found. The worst of them decides.
func (s State) gatesEnded(c Command, results []GateResult) (State, []Command) {
	worst := Worst(results)
	bad := worstOf(results, worst)
	if s.Suspect != nil {
		return s.cleared(worst, bad)
	}
	if c.Stage == StageWiki && s.Auditing() {
		return s.pageJudged(worst, results)
	}
	if worst == Environment && !s.Declares() || (c.Stage == StageBaseline && worst >= Red) {
		why := "gate " + bad.Gate + ": " + first(bad.Reason)
		if c.Stage == StageBaseline {
			why = "the base fails before any change: " + why
		} else if s.Executing() {
			return s.suspect(Suspect{Class: classOf(bad, ClassEnvironment), Why: why, Status: NoGround})
		}
		return s.finish(NoGround, classOf(bad, ClassEnvironment), why)
	}
	if s.Declares() && c.Stage != StageBaseline {
		return s.declaredGates(c, worst, results)
	}
	switch c.Stage {
	case StageBaseline:
		s.recorded(results)
		return s.next()
	case StagePlan:
		return s.proposalJudged(worst, results)
	case StageAnswer:
		return s.answerJudged(worst, results)
	case StageGoal:
		return s.goalGated(worst, results)
	}
	s.Notes = nil
	for _, r := range results {
		if r.Effect == Note || r.Effect == Ask {
			s.Notes = append(s.Notes, r.Reason...)
		}
		if r.Warn {
			s.warn(r.Reason)
		}
	}
	switch {
	case worst == Violation:
		return s.violated(classOf(bad, ClassTampering), fmt.Sprintf("gate %s: %s", bad.Gate, first(bad.Reason)))
	case s.Ingesting() && worst >= Red:
		return s.ingestRefused(worst, results)
	case c.Stage == StageWiki && worst >= Red && !s.Documenting():
		return s.unwritten("gate " + bad.Gate + ": " + first(bad.Reason))
	case worst == Unscoped:
		return s.unscoped(bad)
	case worst == Red:
		s.feed(results)
		return s.charged(fail{class: classOf(bad, ClassUnknown), why: "gate " + bad.Gate + " is red: " + first(bad.Reason), same: bad.Same, changed: true, gate: true})
	}
	s.Green = true
	switch {
	case worst == Ask && c.Stage == StageChunk:
		return s.escalate(fmt.Sprintf("gate %s: %s", bad.Gate, first(bad.Reason)), false)
	case c.Stage == StageWiki:
		return s.pagesPassed()
	}
	return s.chunkPassed()
}

// warn adds reasons to the warnings of the run, each once.
func (s *State) warn(reasons []Reason) {
	for _, r := range reasons {
		if text := r.String(); !slices.Contains(s.Warnings, text) {
			s.Warnings = append(s.Warnings, text)
		}
	}
}

// chunkPassed takes a chunk that the gates let pass.
func (s State) chunkPassed() (State, []Command) {
	if s.Declares() {
		return s.declaredPassed()
	}
	if _, ok := s.Start.Roles[Checker]; ok {
		return s.enter(Checking, 1)
	}
	return s.commit()
}

// unscoped takes files outside the plan's scope: they go, and many of them
// put the plan itself in question.
func (s State) unscoped(r GateResult) (State, []Command) {
	why := fmt.Sprintf("%d files outside the scope: %s", r.Files, first(r.Reason))
	s.Feedback = append(s.Feedback, Feedback{From: "gate " + r.Gate, Attempt: s.Attempt, Reasons: r.Reason})
	if r.Files >= s.Start.Limits.ScopeBlock && s.Start.Limits.ScopeBlock > 0 {
		if s.Documenting() {
			return s.violated(ClassScope, why)
		}
		s.End.Blocked = true
		return s.violated(ClassScope, why+"; the plan needs a review")
	}
	return s.charged(fail{class: ClassScope, why: why, same: "scope", rollback: true})
}

// feed adds what red gates have to say to the next prompt. What the maker is
// not to know stays out.
func (s *State) feed(results []GateResult) {
	for _, r := range results {
		if r.Effect < Red {
			continue
		}
		f := Feedback{From: "gate " + r.Gate, Attempt: s.Attempt, Text: r.Output, Reasons: r.Reason}
		if r.Hidden {
			f.From, f.Text, f.Reasons = "runner", "", []Reason{{Message: "the plan's goal is not met yet"}}
		}
		s.Feedback = append(s.Feedback, f)
	}
}

// checkGoal asks whether the plan as a whole is done.
func (s State) checkGoal() (State, []Command) {
	s.Phase, s.Chunk = GoalGating, -1
	s.Attempt = s.PlanAttempt
	return s.gates(StageGoal, -1, s.Tree)
}

// goalGated takes what checks and goal came to.
func (s State) goalGated(worst Effect, results []GateResult) (State, []Command) {
	bad := worstOf(results, worst)
	switch {
	case worst == Violation:
		return s.violated(classOf(bad, ClassTampering), fmt.Sprintf("gate %s: %s", bad.Gate, first(bad.Reason)))
	case worst >= Red:
		s.GoalFails++
		why := "goal not met: " + first(bad.Reason)
		if n := s.Start.Escalation.SameReason; n > 0 && !s.Waived && s.GoalFails > n {
			return s.escalate(fmt.Sprintf("%d retries failed for the same reason: %s", n, why), false)
		}
		if s.GoalFails >= s.Start.Limits.Attempts {
			return s.exhausted(fail{class: ClassGoal, gate: true}, GoalNotMet, why)
		}
		s.feed(results)
		return s.attempt()
	}
	s.Candidate, s.Green = s.Tree, true
	if _, ok := s.Start.Roles[GoalChecker]; ok {
		return s.enter(GoalChecking, 1)
	}
	return s.goalMet()
}

// notMet takes a goal-checker's no against a green goal: one more attempt with
// its evidence, and then a person.
func (s State) notMet(v *Verdict) (State, []Command) {
	s.NotMets++
	reasons := reasonsOf(v)
	if s.NotMets > 1 {
		return s.ask("the goal command succeeds, but the goal-checker says NOT MET: " + first(reasons))
	}
	s.Feedback = append(s.Feedback, Feedback{From: string(GoalChecker), Attempt: s.Attempt, Reasons: reasons})
	return s.attempt()
}

// goalMet goes on to what a change leaves in the wiki.
func (s State) goalMet() (State, []Command) {
	s.GoalIsMet = true
	s.Chunk, s.Feedback, s.Notes = -1, nil, nil
	if _, ok := s.Start.Roles[Writer]; ok {
		return s.enter(Writing, 1)
	}
	return s.finishMet()
}

func worstOf(results []GateResult, worst Effect) GateResult {
	for _, r := range results {
		if r.Effect == worst {
			return r
		}
	}
	return GateResult{Gate: "none"}
}

func classOf(r GateResult, otherwise string) string {
	if r.Class != "" {
		return r.Class
	}
	return otherwise
}
