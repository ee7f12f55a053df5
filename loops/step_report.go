package loops

// Reading reports whether the run makes nothing: a classifier reads, and what it
// reports is kept in the folder of its call.
func (s *State) Reading() bool { return s.Start.Control != nil && s.Start.Control.Report }

// sorted takes a classifier's report. Nothing is written but that: a run that
// fails has no line to stop.
func (s State) sorted(r RoleResult) (State, []Command) {
	if r.Tree != s.Before.Tree || len(r.Changes) > 0 {
		const why = "the classifier changed files: its report is discarded"
		s.Feedback = append(s.Feedback, Feedback{From: "runner", Attempt: s.Attempt, Text: why})
		then := Then{Do: ThenAttempt, Why: why}
		if s.Charged++; s.Charged >= s.Start.Limits.Attempts {
			then = Then{Do: ThenEnd, Status: Stopped, Why: why, Class: ClassContainment}
		}
		return s.rollback(s.Before.Tree, then)
	}
	if o := r.Report.Outcome; o != OK && o != NoChange {
		s.Feedback = append(s.Feedback, Feedback{From: "runner", Attempt: s.Attempt, Text: "the classifier failed: " + detail(r)})
		if s.Charged++; s.Charged < s.Start.Limits.Attempts {
			return s.attempt()
		}
		s.End.Status, s.End.Why = GoalNotMet, "the classifier failed: "+detail(r)
		return s.report()
	}
	s.Answer = r.Evidence
	return s.finish(GoalMet, "", "")
}
