package loops

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// roleEnded takes what a call of an agent came to. What it did outside its
// place stops the line whatever else it did; what the vendor does is nobody's
// fault; the rest is the phase's.
func (s State) roleEnded(c Command, r RoleResult) (State, []Command) {
	s.charge(c, r.Report.Usage)
	if len(r.Breaches) > 0 {
		var what []string
		for _, b := range r.Breaches {
			what = append(what, b.What)
		}
		return s.violated(ClassContainment, fmt.Sprintf("the %s changed what it must not: %s", c.Role, strings.Join(what, ", ")))
	}
	if r.Secrets > 0 {
		return s.violated(ClassSecret, fmt.Sprintf("the %s wrote a secret", c.Role))
	}
	if s.Phase == Writing && s.Auditing() {
		return s.pageMade(r)
	}
	if why := s.outOfTime(r); why != "" {
		if c.Role.ReadOnly() {
			return s.finish(OverBudget, "", why)
		}
		return s.rollback(s.Tree, Then{Do: ThenEnd, Status: OverBudget, Why: why})
	}
	if n, most := r.Report.Usage.ToolCalls, s.Start.Limits.Budget.CallTools; most > 0 && c.Role.iterates() && n > most {
		return s.finish(OverBudget, "", fmt.Sprintf("the %s made %d tool calls in one iteration, more than %d", c.Role, n, most))
	}
	switch o := r.Report.Outcome; {
	case o.Refused():
		return s.finish(NoGround, "", fmt.Sprintf("the %s can't run: %s", c.Role, detail(r)))
	case o.Passes():
		return s.vendorFailed(c, r)
	case o == BudgetSpent:
		return s.finish(OverBudget, "", fmt.Sprintf("the %s's own budget is used up", c.Role))
	}
	switch s.Phase {
	case Checking, GoalChecking:
		return s.judged(c, r)
	case Writing:
		if s.Documenting() {
			return s.documented(c, r)
		}
		if s.Ingesting() {
			return s.ingestWrote(r)
		}
		return s.wrote(r)
	case Planning, Auditing:
		return s.planned(r)
	case Working:
		return s.worked(c, r)
	case Evaluating:
		return s.evaluated(c, r)
	case Reading:
		return s.read(r)
	case Sorting:
		return s.sorted(r)
	}
	if why, undo := s.beyond(r); why != "" {
		return s.escalate(why, undo)
	}
	return s.made(c, r)
}

// charge adds what a call cost.
func (s *State) charge(c Command, u Usage) {
	s.Spend = s.Spend.Add(u)
	if s.RoleUSD == nil {
		s.RoleUSD = make(map[Role]float64)
	}
	s.RoleUSD[Role(c.Caller())] += u.USD
	if cast, ok := s.Start.Cast(c); ok && cast.As != "" {
		s.RoleUSD[cast.As] += u.USD
	}
	s.ChunkUSD += u.USD
	if c.Chunk >= 0 && c.Chunk < len(s.Chunks) {
		s.Chunks[c.Chunk].USD += u.USD
	}
}

// made takes what a maker did.
func (s State) made(c Command, r RoleResult) (State, []Command) {
	changed := s.changedBy(r)
	f, bad := unusable(Maker, r, changed)
	switch {
	case !bad && !changed, f.same == assessment && !changed:
		return s.failed(fail{class: ClassNoChange, why: "the maker reported success, but changed nothing", same: string(NoChange)})
	case bad:
		return s.failed(f)
	}
	s.Phase = Gating
	s.Candidate, s.Green = r.Tree, false
	return s.gates(StageChunk, s.Chunk, r.Tree)
}

// assessment is what failures have in common by which an agent judges itself.
const assessment = "assessment"

// unusable says how a call that changes files failed before any gate ran.
func unusable(role Role, r RoleResult, changed bool) (f fail, bad bool) {
	switch o := r.Report.Outcome; {
	case o == ProgressTimeout:
		return fail{class: ClassBreaker, why: fmt.Sprintf("the %s was killed: %s", role, o), same: string(o), rollback: true, stalled: true}, true
	case o == WallTimeout, o == SilenceTimeout, o == Killed:
		return fail{class: ClassTimeout, why: fmt.Sprintf("the %s was killed: %s", role, o), same: string(o), rollback: true}, true
	case o == Repeating:
		return fail{class: ClassAgent, why: fmt.Sprintf("the %s was killed: %s", role, detail(r)), same: string(o), rollback: true}, true
	case o != OK && o != NoChange:
		return fail{class: ClassAgent, why: fmt.Sprintf("the %s failed: %s", role, detail(r)), same: string(o), changed: changed}, true
	case r.Report.Assessment == AssessFail:
		return fail{class: ClassAgent, why: fmt.Sprintf("the %s's self-assessment is FAIL: %s", role, r.Report.Summary), same: assessment, changed: changed}, true
	}
	return f, false
}

// wrote takes what a writer did.
func (s State) wrote(r RoleResult) (State, []Command) {
	if o := r.Report.Outcome; o != OK && o != NoChange {
		return s.unwritten("the writer failed: " + detail(r))
	}
	// A decision page that is asked for may be there already: gates know.
	if !s.changedBy(r) && !s.plan().Decision {
		return s.finishMet()
	}
	s.Phase = WikiGating
	s.Candidate, s.Green = r.Tree, false
	return s.gates(StageWiki, -1, r.Tree)
}

// unwritten takes an attempt of the writer that came to nothing. The change is
// judged and committed already: it is not lost for a page.
func (s State) unwritten(why string) (State, []Command) {
	s.WikiFails++
	s.Feedback = append(s.Feedback, Feedback{From: "runner", Attempt: s.Attempt, Text: why})
	if s.WikiFails < s.Start.Limits.Attempts {
		return s.enter(Writing, s.Try+1)
	}
	s.Warnings = append(s.Warnings, "wiki not updated: "+why)
	return s.rollback(s.Tree, Then{Do: ThenWritten, Why: why})
}

// judged takes a verdict. A judge that changes the tree has judged nothing.
func (s State) judged(c Command, r RoleResult) (State, []Command) {
	if r.Tree != s.Before.Tree || len(r.Changes) > 0 {
		then := Then{Do: ThenAgain, Why: fmt.Sprintf("the %s changed files: its verdict is discarded", c.Role)}
		if s.Asked++; s.Asked > 1 {
			then.Do = ThenAsk
		}
		return s.rollback(s.Before.Tree, then)
	}
	v := r.Report.Verdict
	if v == nil || r.Report.Outcome != OK {
		if s.Asked++; s.Asked > 1 {
			return s.ask(fmt.Sprintf("the %s gave no verdict, twice: %s", c.Role, detail(r)))
		}
		return s.enter(s.Phase, s.Try+1)
	}
	if s.Phase == GoalChecking {
		if v.Decision == Met {
			return s.goalMet()
		}
		return s.notMet(v)
	}
	if v.Progress != nil && !*v.Progress {
		s.Stalled++
	} else {
		s.Stalled = 0
	}
	if why := s.doubtful(r.Report); why != "" {
		return s.escalate(why, false)
	}
	if v.Approves() {
		return s.commit()
	}
	return s.rejected(v)
}

// rejected takes a checker's no. The tree stays: the next attempt builds on it.
func (s State) rejected(v *Verdict) (State, []Command) {
	reasons := reasonsOf(v)
	if d := digest(reasons); d == s.LastReasons {
		s.Repeated++
	} else {
		s.LastReasons, s.Repeated = d, 0
	}
	s.Feedback = append(s.Feedback, Feedback{From: string(Checker), Attempt: s.Attempt, Reasons: reasons})
	if n := s.Start.Limits.stalled(); s.Stalled >= n {
		return s.finishFailed(Stopped, ClassBreaker, fmt.Sprintf("the checker saw no progress %s", times(n)), false)
	}
	// The gates are green. A checker that has nothing new to say against that
	// has one more attempt to be right, and then a person decides.
	if s.Repeated >= 2 {
		return s.ask("the checker rejects a change that passed the gates, again for the same reasons")
	}
	return s.charged(fail{class: ClassRejected, why: "the checker rejects: " + first(reasons), same: "rejected " + s.LastReasons, changed: true})
}

// reasonsOf returns a verdict's reasons, and the checks that fail or are missing.
func reasonsOf(v *Verdict) []Reason {
	reasons := append([]Reason(nil), v.Reasons...)
	if v.Checks != nil {
		for _, c := range Checks {
			switch v.Checks[c] {
			case "pass":
			case "":
				reasons = append(reasons, Reason{Message: "the verdict does not cover " + c})
			default:
				reasons = append(reasons, Reason{Message: "not passed: " + c})
			}
		}
	}
	if len(reasons) == 0 {
		reasons = []Reason{{Message: "no reason given"}}
	}
	return reasons
}

func digest(reasons []Reason) string {
	h := sha256.New()
	for _, r := range reasons {
		fmt.Fprintf(h, "%s\x00%s\x00", r.Path, r.Message)
	}
	return hex.EncodeToString(h.Sum(nil)[:8])
}

func first(reasons []Reason) string {
	if len(reasons) == 0 {
		return ""
	}
	return reasons[0].String()
}

func detail(r RoleResult) string {
	for _, t := range []string{r.Report.Detail, r.Exit.Error, string(r.Report.Outcome)} {
		if t != "" {
			return t
		}
	}
	return "no reason given"
}
