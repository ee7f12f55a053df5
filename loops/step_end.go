package loops

import (
	"fmt"
	"time"
)

// fail is how an attempt failed.
type fail struct {
	class, why string
	same       string // equal for failures that are the same
	changed    bool   // the tree is not what it was
	rollback   bool
	gate       bool // a gate found it
	stalled    bool // no attempt follows
}

// failed takes an attempt that failed before any gate ran, and tells the next
// one why.
func (s State) failed(f fail) (State, []Command) {
	s.Feedback = append(s.Feedback, Feedback{From: "runner", Attempt: s.Attempt, Text: f.why})
	return s.charged(f)
}

// charged takes a failed attempt: the next one, or the end of the line.
func (s State) charged(f fail) (State, []Command) {
	s.Charged++
	if s.Chunk >= 0 {
		s.Chunks[s.Chunk].Charged = s.Charged
	}
	s.Breaker = s.Breaker.Next(s.Start.Limits, s.Iterations, f.changed, digest([]Reason{{Message: f.class + " " + f.same}}))
	if why := s.sameReason(f); why != "" {
		return s.escalate(why, f.rollback)
	}
	switch {
	case f.stalled && s.plan().Format == MarkdownPlan: // the breaker of a task file counts it
		return s.exhausted(f, Stopped, f.why)
	case s.Charged >= s.Start.Limits.Attempts:
		return s.exhausted(f, Stopped, fmt.Sprintf("%d failed attempts in a row, the last: %s", s.Charged, f.why))
	case s.Breaker.State == Open:
		return s.exhausted(f, Stopped, "the circuit breaker is open: "+s.Breaker.Reason+": "+f.why)
	case f.rollback:
		return s.rollback(s.Tree, Then{Do: ThenAttempt, Why: f.why})
	}
	return s.attempt()
}

// exhausted takes work that failed too often. A run that documents waits for a person;
// a plan's gates are asked first whether they still pass on its base.
func (s State) exhausted(f fail, status Status, why string) (State, []Command) {
	switch {
	case s.Documenting() && !grave[f.class]:
		s.Exhausted = true
		return s.escalate(why, f.rollback)
	case s.Executing() && f.gate:
		return s.suspect(Suspect{Class: f.class, Why: why, Status: status, Meta: true, Rollback: f.rollback})
	}
	return s.give(f, status, why, !f.stalled)
}

// give ends the run after a failed attempt.
func (s State) give(f fail, status Status, why string, meta bool) (State, []Command) {
	s.End.Meta = meta && s.Executing()
	if s.Chunk >= 0 {
		s.Chunks[s.Chunk].Status = ChunkFailed
	}
	if f.rollback {
		s.End.Status, s.End.Why = status, why
		return s.rollback(s.Tree, Then{Do: ThenEnd, Status: status, Why: why, Class: f.class})
	}
	return s.finish(status, f.class, why)
}

// finishFailed ends the run without a rollback.
func (s State) finishFailed(status Status, class, why string, meta bool) (State, []Command) {
	return s.give(fail{class: class}, status, why, meta)
}

// violated stops the line: what was done goes, with its patch saved.
func (s State) violated(class, why string) (State, []Command) {
	if s.Phase == Making || s.Phase == Gating || s.Documenting() {
		s.Charged++
	}
	if s.Chunk >= 0 {
		s.Chunks[s.Chunk].Charged = s.Charged
	}
	return s.give(fail{class: class, rollback: true}, Stopped, why, s.End.Meta)
}

// finishMet ends a run that reached its goal.
func (s State) finishMet() (State, []Command) { return s.finish(GoalMet, "", "") }

// finish leaves an incident where the line stopped, and asks for the report. Without
// a class there is none: nothing failed that anybody could learn from.
func (s State) finish(status Status, class, why string) (State, []Command) {
	s.End.Status, s.End.Why = status, why
	if s.stopsLine(status, class) {
		s.Incidents = append(s.Incidents, Incident{
			ID: IncidentID(s.Last, s.Start.Run+" "+why), Class: class, Confidence: confidence(class), At: s.Last,
			Chunk: s.Chunk, Attempt: s.Attempt, Why: why, Meta: s.End.Meta,
		})
	}
	return s.report()
}

func (s State) report() (State, []Command) {
	s.Phase = Reporting
	return s.issue(Command{Kind: WriteReport, Key: key(s.Start.Run, -1, 0, "report"), Chunk: -1, Why: s.End.Why})
}

// reported returns what follows the report: a run in shadow leaves nothing but its
// record, an autonomous one that is met opens its pull request.
func (s State) reported() (State, []Command) {
	switch {
	case s.shadow():
		s.Phase = Discarding
		return s.issue(Command{Kind: Discard, Key: key(s.Start.Run, -1, 0, "discard"), Chunk: -1, Tree: s.Tree})
	case s.Start.Mode != Autonomous || s.End.Status != GoalMet || s.Planning() && !s.Auditing() || s.PullRequest != "":
		return s.over()
	case s.Tree == s.Place.Tree: // nothing was changed that somebody could review
		return s.over()
	}
	if most := s.Start.Limits.Budget.PullRequests; most > 0 && s.Start.Opened >= most {
		s.Warnings = append(s.Warnings, fmt.Sprintf("not published: %d of %d pull requests are open", s.Start.Opened, most))
		return s.over()
	}
	s.Phase = Publishing
	return s.issue(Command{Kind: Publish, Key: key(s.Start.Run, -1, 0, "publish"), Chunk: -1})
}

// shadow reports whether a run has to leave nothing, and has a place that it
// would leave.
func (s *State) shadow() bool {
	return s.Start.Mode == Shadow && !s.Planning() && s.Place.Head != ""
}

// over ends the run.
func (s State) over() (State, []Command) {
	s.Phase, s.Status, s.Pending = Over, s.End.Status, nil
	return s, nil
}

// exceeded reports why a role can't be called, or "". What a call may cost is set
// aside before it is made.
func (s *State) exceeded(r Role) string {
	l, b := s.Start.Limits, s.Start.Limits.Budget
	paid := r
	if cast, _ := s.Start.Cast(Command{Role: r, Part: s.partID()}); cast.As != "" {
		paid = cast.As
	}
	over := func(spent, more, limit float64) bool { return limit > 0 && spent+more > limit+1e-9 }
	switch {
	case over(s.Spend.USD, l.EstimateUSD, b.USD):
		return fmt.Sprintf("a call of the %s may cost $%.2f; $%.2f of $%.2f are spent", r, l.EstimateUSD, s.Spend.USD, b.USD)
	case over(s.Start.SpentToday+s.Spend.USD, l.EstimateUSD, b.DayUSD):
		return fmt.Sprintf("a call of the %s may cost $%.2f; $%.2f of the day's $%.2f are spent", r, l.EstimateUSD, s.Start.SpentToday+s.Spend.USD, b.DayUSD)
	case over(s.RoleUSD[paid], l.EstimateUSD, b.RoleUSD[paid]):
		return fmt.Sprintf("a call of the %s may cost $%.2f; it has spent $%.2f of its $%.2f", paid, l.EstimateUSD, s.RoleUSD[paid], b.RoleUSD[paid])
	case over(s.ChunkUSD, l.EstimateUSD, b.ChunkUSD):
		return fmt.Sprintf("a call of the %s may cost $%.2f; the chunk has spent $%.2f of its $%.2f", r, l.EstimateUSD, s.ChunkUSD, b.ChunkUSD)
	case b.Tokens > 0 && s.Spend.Tokens >= b.Tokens:
		return fmt.Sprintf("%d of %d tokens are used", s.Spend.Tokens, b.Tokens)
	case b.ToolCalls > 0 && s.Spend.ToolCalls >= b.ToolCalls:
		return fmt.Sprintf("%d of %d tool calls are used", s.Spend.ToolCalls, b.ToolCalls)
	case b.Iterations > 0 && r.iterates() && s.Iterations >= b.Iterations:
		return fmt.Sprintf("%d of %d iterations are used", s.Iterations, b.Iterations)
	case b.Clock > 0 && s.Worked >= b.Clock:
		return s.clock()
	}
	return ""
}

// outOfTime says that a call was ended as the run's own time is over, or "": that is
// no failure of who was called.
func (s *State) outOfTime(r RoleResult) string {
	if b := s.Start.Limits.Budget.Clock; r.Report.Outcome != WallTimeout || b == 0 || s.Worked < b {
		return ""
	}
	return s.clock()
}

func (s *State) clock() string {
	return fmt.Sprintf("%v of %v have passed", time.Duration(s.Worked).Round(time.Second), time.Duration(s.Start.Limits.Budget.Clock))
}
