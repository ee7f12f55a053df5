package loops

// moved goes on at another host, whose worktree is at the last commit of the run: what was
// not committed is lost with the host before. The chunk in work is begun again with what is
// known of it, and no attempt is charged; a call that was lost costs its estimate.
func (s State) moved(e Event) (State, []Command) {
	if e.Worktree == nil || s.Status != Running || len(s.Pending) == 0 {
		return s, nil
	}
	p := s.Pending[0]
	at := *e.Worktree
	ahead := at.Head != s.Head
	at.Probes, s.Place.Path, s.Place.Branch = nil, at.Path, at.Branch
	if s.Place.Head == "" { // the run had none before
		s.Place, s.Head, s.Tree = at, at.Head, at.Tree
	}
	s.Warnings = append(s.Warnings, "the run went on at another host: "+e.Why)
	if p.Command.Kind == RunRole && p.Began {
		s.charge(p.Command, Usage{USD: s.Start.Limits.EstimateUSD, Cost: CostEstimated})
	}
	then, suspect := s.Then, s.Suspect
	s.Pending, s.Then, s.Suspect, s.Partial = nil, Then{}, nil, false
	switch p.Command.Kind {
	case Commit:
		if ahead { // it was made, and its result was lost
			return s.committed(p.Command, Event{Kind: Committed, Key: p.Command.Key, Commit: at.Head})
		}
	case WriteReport, Publish, Discard, EnsureWorktree:
		return s.issue(p.Command)
	case Rollback:
		if then.Do == ThenEnd {
			return s.finish(then.Status, then.Class, then.Why)
		}
	case RunGates:
		if p.Command.Stage == StageBaseline {
			s.Suspect = suspect // the base is the same there
			return s.issue(p.Command)
		}
	}
	switch {
	case !s.Executing():
		return s.finish(NoGround, ClassEnvironment, "its host is gone")
	case s.Chunk >= 0, s.Phase == Making:
		return s.attempt()
	case s.GoalIsMet: // a writer was at work
		s.PlanAttempt++
		s.Attempt, s.Candidate, s.Green = s.PlanAttempt, "", false
		return s.enter(Writing, 1)
	}
	s.PlanAttempt++
	return s.checkGoal()
}
