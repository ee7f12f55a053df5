package loops

// QueryLoop is the loop that answers a question of what the wiki says. Its run has
// one role: a reader answers, and its citations are held against the pages.
const QueryLoop = "query"

// QueryRequest is what a reader is asked.
type QueryRequest struct {
	Question string `json:"question"`
	// Incident is the id of the incident whose five whys the answer drafts, "" for a
	// question of the wiki.
	Incident string `json:"incident,omitempty"`
}

// Querying reports whether the run answers a question.
func (s *State) Querying() bool { return s.Start.Query != nil }

// read takes a reader's answer. One of a reader that changed files is none.
func (s State) read(r RoleResult) (State, []Command) {
	if r.Tree != s.Before.Tree || len(r.Changes) > 0 {
		const why = "the reader changed files: its answer is discarded"
		s.Feedback = append(s.Feedback, Feedback{From: "runner", Attempt: s.Attempt, Text: why})
		then := Then{Do: ThenAttempt, Why: why}
		if s.Charged++; s.Charged >= s.Start.Limits.Attempts {
			then = Then{Do: ThenEnd, Status: Stopped, Why: why, Class: ClassContainment}
		}
		return s.rollback(s.Before.Tree, then)
	}
	if o := r.Report.Outcome; o != OK && o != NoChange {
		return s.readAgain("the reader failed: "+detail(r), nil)
	}
	s.Answer = r.Evidence
	return s.gates(StageAnswer, -1, r.Tree)
}

// answerJudged takes what was found of an answer's citations.
func (s State) answerJudged(worst Effect, results []GateResult) (State, []Command) {
	if worst >= Red {
		bad := worstOf(results, worst)
		return s.readAgain("the answer is not supported: "+first(bad.Reason), bad.Reason)
	}
	s.End.Status = GoalMet
	return s.report()
}

// readAgain asks the reader once more, or ends: a question has no line to stop.
func (s State) readAgain(why string, reasons []Reason) (State, []Command) {
	f := Feedback{From: "runner", Attempt: s.Attempt, Reasons: reasons}
	if len(reasons) == 0 {
		f.Text = why
	}
	s.Feedback = append(s.Feedback, f)
	if s.Charged++; s.Charged < s.Start.Limits.Attempts {
		return s.attempt()
	}
	s.End.Status, s.End.Why = GoalNotMet, why
	return s.report()
}
