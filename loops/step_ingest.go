package loops

// IngestLoop is the loop that writes pages of raw sources. Its run has one role: a
// writer, whose pages gates judge. The sources lie in the worktree, registered and
// committed, before it is called.
const IngestLoop = "ingest"

// IngestRequest is what a writer is to make pages of.
type IngestRequest struct {
	// Sources are what the pages must be made of; all of them lie in the tree that
	// the writer finds.
	Sources []IngestSource `json:"sources"`
	// Day is that of the entry in the log: YYYY-MM-DD.
	Day string `json:"day"`
}

// IngestSource is one raw source.
type IngestSource struct {
	Path   string `json:"path"` // relative to the repository's root
	Title  string `json:"title"`
	Origin string `json:"origin,omitempty"`
	// Binary is true for what is not text: pages may name it, and cite nothing of it.
	Binary bool `json:"binary,omitempty"`
}

// Ingesting reports whether the run writes pages of raw sources.
func (s *State) Ingesting() bool { return s.Start.Ingest != nil }

// ingestWrote takes what the writer did. To have written nothing is no work: the
// sources are there to be written about.
func (s State) ingestWrote(r RoleResult) (State, []Command) {
	say := func(text string) (State, []Command) {
		s.Feedback = append(s.Feedback, Feedback{From: "runner", Attempt: s.Attempt, Text: text})
		return s.ingestAgain(text, false)
	}
	if o := r.Report.Outcome; o != OK && o != NoChange {
		return say("the writer failed: " + detail(r))
	}
	if r.Tree == s.Tree && len(r.Changes) == 0 {
		return say("the writer reported success, but wrote nothing")
	}
	s.Phase = WikiGating
	s.Candidate, s.Green = r.Tree, false
	return s.gates(StageWiki, -1, r.Tree)
}

// ingestRefused takes pages that gates refuse: all of their reasons go into the
// next prompt. The tree stays, so that the next attempt fixes it; files that are
// not the writer's go.
func (s State) ingestRefused(worst Effect, results []GateResult) (State, []Command) {
	s.feed(results)
	bad := worstOf(results, worst)
	return s.ingestAgain("gate "+bad.Gate+": "+first(bad.Reason), worst == Unscoped)
}

// ingestAgain calls the writer once more, or gives up. The sources are committed
// and true whatever became of the pages: there is no line to stop, and no incident.
func (s State) ingestAgain(why string, rollback bool) (State, []Command) {
	switch s.Charged++; {
	case s.Charged >= s.Start.Limits.Attempts:
		s.End.Status, s.End.Why = GoalNotMet, why
		return s.report()
	case rollback:
		return s.rollback(s.Tree, Then{Do: ThenAttempt, Why: why})
	}
	return s.attempt()
}
