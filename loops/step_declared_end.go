package loops

import (
	"fmt"
	"slices"
)

// conclude ends a declared loop. A loop that was met keeps its tree, one whose iterations,
// time or money are used up that of its best iteration, if the ordinary gates let it pass.
// Everything else goes, with its patch saved.
func (s State) conclude(then Then) (State, []Command) {
	r := s.Rounds
	keep := s.Tree
	if len(s.Outer) > 0 {
		keep = r.Base
	}
	switch then.Status {
	case GoalMet:
		keep = r.Tree
	case GoalNotMet, OverBudget:
		if best := s.best(); best >= 0 {
			keep = r.History[best].Tree
		}
	}
	then.Do = ThenEnd
	r.Ending = &then
	if r.Tree == keep && !s.Partial {
		return s.keep()
	}
	r.Tree = keep
	return s.rollback(keep, Then{Do: ThenKeep, Why: then.Why})
}

// keep has the gates judge what the loop leaves, if it leaves anything.
func (s State) keep() (State, []Command) {
	r := s.Rounds
	if len(s.Outer) > 0 {
		return s.leaveChild()
	}
	if r.Tree == s.Tree {
		return s.endDeclared()
	}
	if rule := s.rule(GuardPerson, "pre_output", ""); rule != nil && r.Gated != rule.ID {
		return s.askPerson(AskedToPass, rule.ID, fmt.Sprintf("safety constraint %s: read the result on %s; approve to commit it", rule.ID, s.Place.Path))
	}
	s.Phase = Gating
	s.Candidate, s.Green = r.Tree, false
	return s.gates(StageChunk, s.Chunk, r.Tree)
}

// notKept takes a result that the gates refuse. A loop that was met goes on with what they
// say, one that ends leaves nothing but a patch.
func (s State) notKept(results []GateResult, why string) (State, []Command) {
	r := s.Rounds
	then := *r.Ending
	if then.Status != GoalMet {
		then.Why += "; the best iteration is not committed: " + why
		return s.rollback(s.Tree, then)
	}
	s.Feedback = nil
	s.feed(results)
	if next, commands, over := s.spentIterations(); over {
		return next, commands
	}
	return s.iterate()
}

// declaredCommitted ends the loop when its result is committed.
func (s State) declaredCommitted() (State, []Command) {
	c := &s.Chunks[s.Chunk]
	c.Commit = s.Head
	return s.endDeclared()
}

func (s State) endDeclared() (State, []Command) {
	then, c := *s.Rounds.Ending, &s.Chunks[s.Chunk]
	c.Status = ChunkFailed
	if then.Status == GoalMet {
		c.Status = ChunkDone
	}
	if c.Commit != "" && then.Status != GoalMet {
		then.Why += "; the best iteration is committed"
	}
	return s.finish(then.Status, then.Class, then.Why)
}

// best is the index of the iteration with the best primary metric, the first of several, or
// -1. One that broke a rule of safety is none.
func (s *State) best() int {
	d, best, most := s.Loop(), -1, 0.0
	for i := range s.Rounds.History {
		it := &s.Rounds.History[i]
		v, ok := it.Of(d.primary())
		if d.lower(d.primary()) {
			v = -v
		}
		if ok && it.Unsafe == 0 && (best < 0 || v > most) {
			best, most = i, v
		}
	}
	return best
}

// bestLine says what the best iteration came to.
func (s *State) bestLine() string {
	best := s.best()
	if best < 0 {
		return ""
	}
	name := s.Loop().primary()
	v, _ := s.Rounds.History[best].Of(name)
	return fmt.Sprintf("; the best was iteration %d, with %s %.3g", s.Rounds.History[best].N, name, v)
}

// optimise changes what the strategy may change, and begins the next iteration.
func (s State) optimise() (State, []Command) {
	r, o := s.Rounds, s.Loop().Optimise
	if s.fellBack() {
		best := r.History[s.best()]
		s.Feedback = append(s.Feedback, Feedback{From: "runner", Attempt: s.Rounds.N, Text: fmt.Sprintf("iteration %d was worse than iteration %d; the files are as that one left them", s.Rounds.N, best.N)})
		return s.backTo(best.Tree, fmt.Sprintf("iteration %d is worse than iteration %d", s.Rounds.N, best.N))
	}
	if r.Steps >= o.Steps {
		return s.iterate()
	}
	switch o.Kind {
	case Structural, ByHand:
		r.Steps++
		return s.escalate(fmt.Sprintf("optimization_strategy %s: iteration %d did not succeed%s; approve to run another as it is, or reject, change %s and run it again",
			o.Kind, s.Rounds.N, s.bestLine(), s.Start.Declared.Path), false)
	case RefinePrompt:
		if text := s.carried(""); text != "" {
			r.Steps++
			r.Refinement = text
		}
	case UpdateMemory:
		if text := s.carried(""); text != "" {
			r.Steps++
			r.Outputs = append(r.Outputs, WorkerOutput{Worker: MemoryOfLoop, Iteration: s.Rounds.N, Summary: text, At: s.Last})
		}
	}
	return s.iterate()
}

// MemoryOfLoop is the writer of what the optimisation puts into the memory.
const MemoryOfLoop = "optimization_strategy"

// fellBack reports whether the tree goes back to that of the best iteration.
func (s *State) fellBack() bool {
	r, d := s.Rounds, s.Loop()
	best, last := s.best(), r.History[len(r.History)-1]
	if best < 0 || r.History[best].Tree == r.Tree {
		return false
	}
	if d.Optimise.OnSafety && last.Unsafe > 0 {
		return true
	}
	now, ok := last.Of(d.primary())
	top, _ := r.History[best].Of(d.primary())
	if d.lower(d.primary()) {
		now, top = -now, -top
	}
	return d.Optimise.Drop != nil && ok && now < top-*d.Optimise.Drop-1e-9
}

// costs takes what was spent before a call. over is set if the loop does not go on.
func (s State) costs() (State, []Command, bool) {
	cost, spent := s.Loop().Cost, s.Spend.USD-s.Rounds.Before
	if cost.Tokens > 0 && s.Spend.Tokens >= int64(cost.Tokens) {
		s.warnOnce(fmt.Sprintf("%d tokens are used, more than token_soft_cap %d", s.Spend.Tokens, cost.Tokens))
	}
	if at := cost.All * cost.Near / 100; cost.Near > 0 && spent >= at {
		why := fmt.Sprintf("$%.2f are spent, %g%% of cumulative_usd %.2f", spent, cost.Near, cost.All)
		if cost.OnNear == Halt {
			next, commands := s.conclude(Then{Status: OverBudget, Why: why})
			return next, commands, true
		}
		s.warnAbout("near", why)
	}
	if spent >= cost.All {
		return s.exceededBy(fmt.Sprintf("$%.2f of cumulative_usd %.2f are spent", spent, cost.All))
	}
	if over := s.overIteration(); over != "" {
		return s.exceededBy(over)
	}
	return s, nil, false
}

// overIteration says that the iteration spent more than one may, or "".
func (s *State) overIteration() string {
	spent, most := s.Spend.USD-s.Rounds.USD, s.Loop().Cost.Iteration
	if spent <= most+1e-9 || spent == 0 {
		return ""
	}
	return fmt.Sprintf("iteration %d spent $%.2f, more than per_iteration_usd %.2f", s.Rounds.N, spent, most)
}

// exceededBy does what the loop says of spending too much. over is set if it does not go on.
func (s State) exceededBy(why string) (next State, commands []Command, over bool) {
	d := s.Loop()
	switch rule := d.failure(CostExceeded); {
	case d.Cost.OnExceed == Warn:
		s.warnOnce(why)
		return s, nil, false
	case rule != nil && !slices.Contains(s.Rounds.Told, "cost"):
		if rule.Action == AskPerson {
			s.Rounds.Told = append(s.Rounds.Told, "cost") // a person who lets it go on is asked no more
		}
		next, commands = s.failedBy(*rule, why)
	case rule != nil:
		s.warnOnce(why)
		return s, nil, false
	default:
		next, commands = s.conclude(Then{Status: OverBudget, Why: why})
	}
	return next, commands, true
}

func (s *State) warnOnce(why string) {
	if !slices.Contains(s.Warnings, why) {
		s.Warnings = append(s.Warnings, why)
	}
}

// warnAbout warns once of a thing, however it is worded.
func (s *State) warnAbout(what, why string) {
	if !slices.Contains(s.Rounds.Told, what) {
		s.Rounds.Told = append(s.Rounds.Told, what)
		s.Warnings = append(s.Warnings, why)
	}
}

// Judgement returns what an event says as the answer of an evaluator that is a person, and the
// evaluator's name in commands; ok is false if it says nothing of that.
func (s *State) Judgement(e Event) (m Mark, part string, ok bool) {
	if e.Kind != Answered || s.Status != Waiting || !s.Declares() || s.Rounds.Asked != AskedToMark || s.expired(e.At) {
		return m, "", false
	}
	m = Mark{Evaluator: s.localID(), Score: 1, Passed: true, Summary: e.Answer.Reason}
	if !e.Answer.Approve {
		m.Score, m.Passed, m.Reasons = 0, false, []Reason{{Message: "rejected by " + e.Answer.By + reasonOf(e.Answer)}}
	}
	return m, s.partID(), true
}

// declaredAnswer takes a person's word on a declared loop that waits for it.
func (s State) declaredAnswer(e Event) (State, []Command) {
	r := s.Rounds
	asked := r.Asked
	mark, _, _ := s.Judgement(e)
	if asked == AskedToMark && s.expired(e.At) {
		return s.noAnswer()
	}
	if !e.Answer.Approve {
		rule := s.Loop().failure(HumanRejected)
		if asked != AskedToMark || rule == nil {
			return s.rejectedByPerson(e.Answer)
		}
		s.Status, s.WaitingFor, s.Question, r.Asked = Running, "", "", ""
		if r.Refused++; r.Refused >= rule.Consecutive && rule.Action != Retry {
			return s.failedBy(*rule, "rejected by "+e.Answer.By+reasonOf(e.Answer))
		}
		return s.marked(mark)
	}
	s.Status, s.WaitingFor, s.Question, r.Asked = Running, "", "", ""
	switch {
	case asked == AskedToRun:
		d := s.Start.Declared
		s.Warnings = append(s.Warnings, "approved by "+e.Answer.By+": "+d.Path+" "+d.Hash)
		return s.makeWorktree()
	case asked == AskedToMark:
		r.Refused = 0
		return s.marked(mark)
	case asked == AskedToPass && r.Ending != nil:
		return s.keep()
	case asked == AskedToPass:
		return s.part()
	case s.Phase == Gating && s.Green: // a gate asked, about this tree alone
		s.Escalated = ""
		return s.declaredPassed()
	}
	s.Warnings = append(s.Warnings, fmt.Sprintf("%s let it go on: %s", e.Answer.By, s.Escalated))
	s.Escalated, s.Waived = "", true
	r.Since, r.Errors, r.Lost, r.UnsafeRow = len(r.History), 0, 0, 0
	return s.iterate()
}

func reasonOf(a *Answer) string {
	if a.Reason == "" {
		return ""
	}
	return ": " + a.Reason
}

// rejectedByPerson ends the loop: what it did is kept as a patch.
func (s State) rejectedByPerson(a *Answer) (State, []Command) {
	s.Status, s.WaitingFor, s.Pending = Running, "", nil
	why := "rejected by " + a.By + reasonOf(a)
	if s.Place.Path == "" {
		return s.finish(Rejected, "", why)
	}
	return s.rollback(s.Tree, Then{Do: ThenEnd, Status: Rejected, Why: why})
}
