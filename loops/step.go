package loops

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Step returns what a run comes to by an event, and what must be done next. It
// is pure: the state that it is given is not changed, and nothing but the state
// and the event decides.
//
// An event that answers no pending command changes nothing, nor does any event
// after the end.
func Step(s State, e Event) (State, []Command) {
	if s.Status.Over() && s.Phase == Over {
		return s, nil
	}
	s = s.clone()
	if e.Kind == Started {
		if s.Status != "" {
			return s, nil
		}
		return s.begin(e)
	}
	if s.Status == "" {
		return s, nil
	}
	s.tick(e)
	switch e.Kind {
	case Began:
		for i, p := range s.Pending {
			if p.Command.Key == e.Key {
				s.Pending[i].Began = true
			}
		}
		return s, nil
	case Resumed:
		return s.resume()
	case Moved:
		return s.moved(e)
	case StopAsked:
		if !s.Status.Over() {
			s.Status = Interrupted
		}
		return s, nil
	case Answered:
		return s.answer(e)
	}
	i := slices.IndexFunc(s.Pending, func(p Pending) bool { return p.Command.Key == e.Key && e.Key != "" })
	if i < 0 || s.Status == Interrupted {
		return s, nil
	}
	c := s.Pending[i].Command
	if e.Kind != Broken && e.Kind != answers[c.Kind] {
		return s, nil
	}
	s.Pending = slices.Delete(s.Pending, i, i+1)
	return s.result(c, e)
}

// answers says which event answers which command.
var answers = map[CommandKind]EventKind{
	EnsureWorktree: WorktreeReady, TakeSnapshot: SnapshotTaken, RunRole: RoleEnded, RunGates: GatesEnded, Rollback: RolledBack,
	Commit: Committed, AskHuman: Asked, WaitUntil: WaitOver, Publish: Published, WriteReport: Reported, Propose: Proposed, Withdraw: Withdrawn,
	SetAside: PutAside, Discard: Discarded,
}

// result takes the result of a command.
func (s State) result(c Command, e Event) (State, []Command) {
	if e.Kind == Broken {
		return s.broken(c, e)
	}
	switch e.Kind {
	case WorktreeReady:
		if e.Worktree == nil {
			return s.broken(c, e)
		}
		s.Place = *e.Worktree
		s.Head, s.Tree = s.Place.Head, s.Place.Tree
		for _, u := range s.Place.Probes {
			s.Spend = s.Spend.Add(u)
		}
		if s.onlyMoved() {
			return s.finish(GoalMet, "", "citations of code that moved are corrected on "+strings.Join(s.Start.Documentation.Moved, ", ")+"; no page needs a writer")
		}
		if s.alone() != "" {
			s.Chunk = -1
			return s.attempt()
		}
		s.Phase = Baselining
		return s.gates(StageBaseline, -1, s.Tree)
	case SnapshotTaken:
		if e.Snapshot == nil {
			return s.broken(c, e)
		}
		s.Before = *e.Snapshot
		return s.call()
	case RoleEnded:
		if e.Role == nil {
			return s.broken(c, e)
		}
		return s.roleEnded(c, *e.Role)
	case GatesEnded:
		return s.gatesEnded(c, e.Gates)
	case RolledBack:
		return s.rolledBack()
	case Committed:
		return s.committed(c, e)
	case Asked:
		s.Status, s.WaitingFor, s.Question = Waiting, ForPerson, c.Why
		return s, nil
	case WaitOver:
		return s.enter(s.Phase, s.Try+1)
	case Proposed:
		return s.proposed(e)
	case Withdrawn:
		return s.withdrawn(e)
	case PutAside:
		return s.setAside(c, e)
	case Published:
		s.PullRequest = e.PullRequest
	case Discarded:
		s.Patch, s.Place.Branch, s.Place.Path = e.Patch, "", ""
	case Reported:
		if e.Commit != "" {
			s.Head = e.Commit
		}
		return s.reported()
	}
	return s.over()
}

// begin takes the run's first event.
func (s State) begin(e Event) (State, []Command) {
	if e.Start == nil {
		return s, nil
	}
	s.Start, s.Status, s.Phase = *e.Start, Running, Preparing
	s.First, s.Last = e.At, e.At
	if s.Breaker = s.Start.Breaker; s.Breaker.State == "" {
		s.Breaker.State = Closed
	}
	s.RoleUSD = make(map[Role]float64)
	s.Warnings = append(s.Warnings, s.Start.Notes...)
	for _, c := range s.plan().Chunks {
		status := ChunkPending
		if c.Done {
			status = ChunkDone
		}
		s.Chunks = append(s.Chunks, ChunkState{ID: c.ID, Status: status})
	}
	if j, m := s.Start.Roles[Checker], s.Start.Roles[Maker]; j.SameVendor {
		s.Warnings = append(s.Warnings, fmt.Sprintf("the checker (%s) and the maker (%s) are of the same vendor", j.Agent, m.Agent))
	}
	if _, ok := s.Start.Roles[Writer]; !ok && s.plan().Decision {
		s.Warnings = append(s.Warnings, "the plan requires a decision page, but no agent is configured for the role writer")
	}
	if b := s.Start.Limits.Budget; b.ToolCalls > 0 || b.CallTools > 0 {
		for _, r := range Roles() {
			if c, ok := s.Start.Roles[r]; ok && !c.CountsTools && (b.ToolCalls > 0 || r.iterates()) {
				return s.finish(NoGround, ClassEnvironment, fmt.Sprintf("the budget of tool calls can't be enforced: %s (%s) does not report tool calls", c.Agent, r))
			}
		}
	}
	if s.Documenting() {
		return s.beginDocumentation()
	}
	if s.Declares() {
		return s.beginDeclared()
	}
	return s.makeWorktree()
}

func (s State) makeWorktree() (State, []Command) {
	return s.issue(Command{Kind: EnsureWorktree, Key: key(s.Start.Run, -1, 0, "worktree"), Chunk: -1})
}

// tick takes the time of an event. Time in which the run waits, or nobody runs
// it, is not time that it worked.
func (s *State) tick(e Event) {
	if e.Kind != Resumed && e.Kind != WaitOver && e.Kind != Answered && s.Status == Running && e.At.After(s.Last) {
		s.Worked += Duration(e.At.Sub(s.Last))
	}
	if e.At.After(s.Last) {
		s.Last = e.At
	}
}

// issue puts a command among the pending ones.
func (s State) issue(c Command) (State, []Command) {
	s.Pending = append(s.Pending, Pending{Command: c})
	return s, []Command{c}
}

// resume goes on where a runner ended or died. A role that was in work is
// called again, on the tree that it found: what the lost call did is taken
// away, and an estimate of its cost is charged. Everything else is safe to repeat.
func (s State) resume() (State, []Command) {
	if s.Status.Over() {
		return s, nil
	}
	if s.Status == Waiting && s.WaitingFor == ForPerson {
		if s.Declares() && s.expired(s.Last) {
			return s.noAnswer()
		}
		return s, nil
	}
	waited := s.Status == Waiting
	s.Status, s.WaitingFor, s.Question = Running, "", ""
	s.VendorFails, s.VendorWait, s.Until = 0, 0, time.Time{} // a vendor has all calls and all time again
	if waited && len(s.Pending) == 0 {
		return s.enter(s.Phase, s.Try+1)
	}
	var again []Command
	for i := range s.Pending {
		p := &s.Pending[i]
		if p.Command.Kind == RunRole && p.Began {
			s.charge(p.Command, Usage{USD: s.Start.Limits.EstimateUSD, Cost: CostEstimated})
			s.Pending = slices.Delete(s.Pending, i, i+1)
			s.Warnings = append(s.Warnings, "the call of the "+string(p.Command.Role)+" was lost when its runner died; its estimated cost is charged")
			return s.rollback(s.Before.Tree, Then{Do: ThenAgain, Why: "the runner died during the call"})
		}
		p.Began = false
		again = append(again, p.Command)
	}
	return s, again
}

// answer takes a person's word.
func (s State) answer(e Event) (State, []Command) {
	if e.Answer == nil || s.Status.Over() {
		return s, nil
	}
	if s.Declares() && s.Status == Waiting && s.WaitingFor == ForPerson {
		return s.declaredAnswer(e)
	}
	if !e.Answer.Approve {
		s.Status, s.WaitingFor, s.Pending = Running, "", nil
		why := "rejected by " + e.Answer.By
		if e.Answer.Reason != "" {
			why += ": " + e.Answer.Reason
		}
		if s.Phase == Proposing || s.Phase == Withdrawing {
			return s.withdraw(why)
		}
		return s.finish(Rejected, "", why)
	}
	if s.Status != Waiting || s.WaitingFor != ForPerson {
		return s, nil
	}
	s.Status, s.WaitingFor, s.Question = Running, "", ""
	if s.Escalated != "" {
		return s.waive(e.Answer.By)
	}
	if s.Phase == Proposing {
		return s.finish(GoalMet, "", "approved by "+e.Answer.By)
	}
	if s.Phase == Preparing { // a run that documents: it asked before it had a worktree
		s.allowed(e.Answer.By)
		return s.makeWorktree()
	}
	s.Warnings = append(s.Warnings, fmt.Sprintf("approved by %s instead of the %s", e.Answer.By, s.Phase.role()))
	if s.Phase == GoalChecking {
		return s.goalMet()
	}
	return s.commit()
}

// broken handles a command that failed.
func (s State) broken(c Command, e Event) (State, []Command) {
	fault := Fault{Message: "the result of " + string(c.Kind) + " is missing"}
	if e.Fault != nil {
		fault = *e.Fault
	}
	switch c.Kind {
	case WriteReport:
		s.Warnings = append(s.Warnings, "can't write the report: "+fault.Message)
		if s.shadow() {
			return s.reported()
		}
		return s.over() // nothing is published whose report nobody can read
	case Publish:
		s.Warnings = append(s.Warnings, "not published: "+fault.Message)
		return s.over()
	case Discard:
		s.Warnings = append(s.Warnings, "can't remove the changes of the shadow run: "+fault.Message)
		return s.over()
	}
	if s.End.Status != "" { // a rollback on the way to the end
		s.Warnings = append(s.Warnings, fault.Message)
		return s.finish(s.End.Status, ClassUnknown, s.End.Why)
	}
	return s.finish(NoGround, ClassEnvironment, fault.Message)
}

// enter begins a phase in which a role works: a snapshot first, if there is
// something left to pay with.
func (s State) enter(p Phase, try int) (State, []Command) {
	s.Phase, s.Try = p, try
	if try == 1 {
		s.Asked, s.Partial = 0, false
	}
	if why := s.exceeded(p.role()); why != "" {
		if p == Writing && s.Auditing() {
			return s.noPages(why)
		}
		if s.Declares() {
			return s.conclude(Then{Status: OverBudget, Why: why, Whole: true})
		}
		return s.finish(OverBudget, "", why)
	}
	return s.issue(Command{Kind: TakeSnapshot, Key: s.key(s.caller() + "/snapshot"), Chunk: s.Chunk, Attempt: s.Attempt, Role: p.role(), Part: s.partID(), Try: try})
}

// call calls the role of the phase.
func (s State) call() (State, []Command) {
	r := s.Phase.role()
	c := Command{Kind: RunRole, Key: s.key(s.caller()), Chunk: s.Chunk, Attempt: s.Attempt, Role: r, Part: s.partID(), Try: s.Try, Tree: s.Before.Tree}
	if r.iterates() {
		s.Iterations++
	}
	c.Feedback = slices.Clone(s.Feedback)
	if r == Worker {
		c.Feedback = append(c.Feedback, s.told(c.Part)...)
	}
	for _, n := range s.Notes {
		if r == Checker {
			c.Feedback = append(c.Feedback, Feedback{From: "gates", Attempt: s.Attempt, Reasons: []Reason{n}})
		}
	}
	return s.issue(c)
}

func (s *State) key(what string) string { return key(s.Start.Run, s.Chunk, s.Attempt, what) }

// caller names a call of the role of the phase in keys.
func (s *State) caller() string {
	name := string(s.Phase.role())
	if part := s.partID(); part != "" {
		name += "-" + part
	}
	return name + s.again()
}

// again returns the suffix of the keys of calls after the first.
func (s *State) again() string {
	if s.Try <= 1 {
		return ""
	}
	return fmt.Sprintf("-%d", s.Try)
}

// next begins the next chunk, or asks whether the goal is reached.
func (s State) next() (State, []Command) {
	s.Charged, s.Feedback, s.Notes, s.ChunkUSD = 0, nil, nil, 0
	s.LastReasons, s.Repeated, s.Candidate, s.Green = "", 0, "", false
	i := s.ready()
	if i < 0 {
		for _, c := range s.Chunks {
			if c.Status != ChunkDone {
				return s.finish(NoGround, ClassEnvironment, "chunk "+c.ID+" depends on a chunk that can't be done")
			}
		}
		return s.checkGoal()
	}
	s.Chunk, s.Attempt = i, 0
	s.Chunks[i].Status = ChunkRunning
	return s.attempt()
}

// attempt begins the next attempt at the chunk.
func (s State) attempt() (State, []Command) {
	if s.Declares() {
		return s.iterate()
	}
	s.Candidate, s.Green, s.Notes = "", false, nil
	if s.Chunk >= 0 {
		s.Attempt++
		s.Chunks[s.Chunk].Attempts = s.Attempt
	} else {
		s.PlanAttempt++
		s.Attempt = s.PlanAttempt
	}
	if p := s.alone(); p != "" {
		s.Aside = false
		return s.enter(p, 1)
	}
	return s.enter(Making, 1)
}

// alone returns the phase of a run that has one role and no chunks, "" for any other.
func (s *State) alone() Phase {
	switch {
	case s.Planning():
		return s.proposing()
	case s.Documenting(), s.Ingesting():
		return Writing
	case s.Querying():
		return Reading
	case s.Reading():
		return Sorting
	}
	return ""
}

// gates judges a tree.
func (s State) gates(stage Stage, chunk int, tree string) (State, []Command) {
	s.Serial++
	return s.issue(Command{
		Kind: RunGates, Key: key(s.Start.Run, chunk, s.Attempt, fmt.Sprintf("gates-%s-%d", stage, s.Serial)),
		Chunk: chunk, Attempt: s.Attempt, Stage: stage, Part: s.partID(), Tree: tree,
	})
}

// rollback makes the worktree equal to a tree, and goes on with what follows.
func (s State) rollback(tree string, then Then) (State, []Command) {
	s.Serial++
	s.Then = then
	return s.issue(Command{Kind: Rollback, Key: s.key(fmt.Sprintf("rollback-%d", s.Serial)), Chunk: s.Chunk, Attempt: s.Attempt, Role: s.Phase.role(), Tree: tree, Why: then.Why})
}

func (s State) rolledBack() (State, []Command) {
	then := s.Then
	s.Then = Then{}
	switch then.Do {
	case ThenAttempt:
		return s.attempt()
	case ThenAgain:
		return s.enter(s.Phase, s.Try+1)
	case ThenAsk:
		return s.ask(then.Why)
	case ThenWait:
		return s.waitForVendor(then.Outcome, then.Until, then.Why)
	case ThenWritten:
		return s.finishMet()
	case ThenKeep:
		return s.keep()
	case ThenNextPart:
		return s.nextPart()
	case ThenNextPage:
		return s.pagesDropped(1, then.Why)
	case ThenNoPages:
		return s.pagesDropped(len(s.Wanted), then.Why)
	}
	return s.finish(then.Status, then.Class, then.Why)
}

// ask asks a person.
func (s State) ask(why string) (State, []Command) {
	s.Serial++
	return s.issue(Command{Kind: AskHuman, Key: s.key(fmt.Sprintf("ask-%d", s.Serial)), Chunk: s.Chunk, Attempt: s.Attempt, Role: s.worker(), Why: why})
}

// commit records the tree that gates and checker let pass.
func (s State) commit() (State, []Command) {
	if !s.Green || s.Candidate == "" {
		return s.finish(NoGround, ClassEnvironment, "nothing to commit: no change passed the gates")
	}
	s.Phase = Committing
	what := "commit"
	if s.onlyPages() {
		what = "commit-wiki"
	}
	return s.issue(Command{Kind: Commit, Key: s.key(what), Chunk: s.Chunk, Attempt: s.Attempt, Tree: s.Candidate})
}

func (s State) committed(c Command, e Event) (State, []Command) {
	if len(e.Breaches) > 0 {
		return s.violated(ClassContainment, "files changed after the gates ran: "+e.Breaches[0].What)
	}
	s.Head, s.Tree = e.Commit, c.Tree
	if s.Declares() {
		return s.declaredCommitted()
	}
	if s.Auditing() {
		return s.pageKept()
	}
	if s.onlyPages() {
		return s.finishMet()
	}
	if s.Chunk >= 0 {
		s.Chunks[s.Chunk].Status, s.Chunks[s.Chunk].Commit = ChunkDone, e.Commit
	}
	s.Breaker = s.Breaker.Next(s.Start.Limits, s.Iterations, true, "") // a commit is progress
	return s.next()
}
