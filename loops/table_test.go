package loops

import (
	"slices"
	"strings"
	"testing"
	"time"
)

var (
	yes, no  = true, false
	evidence = func(text string) *Verdict {
		return &Verdict{Decision: Reject, Reasons: []Reason{{Path: "a.go", Line: 3, Message: text}}}
	}
	approve = &Verdict{Decision: Approve}
	whole   = map[string]string{"scope": "pass", "tests": "pass", "quality": "pass", "spec": "pass", "documentation": "pass"}
)

// limited is a rate limit that is over some time after the run began.
func limited(d time.Duration) RoleResult {
	return RoleResult{Report: Report{Outcome: RateLimited, ResetsAt: benchDay.Add(d)}}
}

func said(o Outcome) RoleResult      { return RoleResult{Report: Report{Outcome: o}} }
func changed(tree string) RoleResult { return RoleResult{Report: Report{Outcome: OK}, Tree: tree} }
func verdict(v *Verdict) RoleResult  { return RoleResult{Report: Report{Outcome: OK, Verdict: v}} }
func red(gate string) []GateResult {
	return []GateResult{{Gate: gate, Effect: Red, Same: gate, Class: "assertion_failure"}}
}
func effect(gate string, e Effect, files int) []GateResult {
	return []GateResult{{Gate: gate, Effect: e, Files: files, Reason: []Reason{{Path: "x", Message: "seen"}}}}
}

// outcome is a row of the table of what agents do and what follows.
type outcome struct {
	name    string
	maker   []RoleResult
	checker []RoleResult
	goal    []RoleResult
	chunk   [][]GateResult
	goals   [][]GateResult
	base    [][]GateResult

	status  Status
	charged int
	calls   int
	commits int
	class   string // of the incident
	meta    bool
	rolled  int // rollbacks
}

// outcomes is the table of what agents do and what follows: one chunk, a maker,
// a checker and a goal-checker that are all right unless a row says otherwise.
var outcomes = []outcome{
	{name: "all is well", status: GoalMet, calls: 3, commits: 1},
	{name: "the base is red", base: [][]GateResult{red("test")}, status: NoGround},
	{name: "a tool is missing", base: [][]GateResult{effect("test", Environment, 0)}, status: NoGround},
	{name: "a tool is missing after the maker", chunk: [][]GateResult{effect("test", Environment, 0)}, status: NoGround, calls: 1, class: ClassEnvironment},
	{name: "a tool is missing after the maker, for the base too", chunk: [][]GateResult{effect("test", Environment, 0)}, base: [][]GateResult{nil, effect("test", Environment, 0)}, status: NoGround, calls: 1},
	{name: "red three times, and the base is red too", chunk: [][]GateResult{red("test"), red("test"), red("test")}, base: [][]GateResult{nil, red("test")}, status: NoGround, charged: 3, calls: 3},
	{name: "the goal is red for ever, and the base fails too", goals: [][]GateResult{red("goal"), red("goal"), red("goal")}, base: [][]GateResult{nil, red("test")}, status: NoGround, calls: 6, commits: 3},
	{name: "touches a test", chunk: [][]GateResult{effect("protected", Violation, 1)}, status: Stopped, charged: 1, calls: 1, class: ClassTampering, rolled: 1},
	{name: "a test passes on the base, then an honest one", chunk: [][]GateResult{red("red-first")}, status: GoalMet, charged: 1, calls: 4, commits: 1},
	{name: "claims done three times", maker: []RoleResult{changed("t0"), changed("t0"), changed("t0")}, status: Stopped, charged: 3, calls: 3, class: ClassNoChange, meta: true},
	{name: "claims done once", maker: []RoleResult{changed("t0")}, status: GoalMet, charged: 1, calls: 4, commits: 1},
	{name: "red three times", chunk: [][]GateResult{red("test"), red("test"), red("test")}, status: Stopped, charged: 3, calls: 3, class: "assertion_failure", meta: true},
	{name: "checker rejects once", checker: []RoleResult{verdict(evidence("a"))}, status: GoalMet, charged: 1, calls: 5, commits: 1},
	{name: "checker approves and a check fails", checker: []RoleResult{verdict(&Verdict{Decision: Approve, Checks: map[string]string{"scope": "pass", "tests": "fail", "quality": "pass", "spec": "pass", "documentation": "pass"}})}, status: GoalMet, charged: 1, calls: 5, commits: 1},
	{name: "checker approves and a check is missing", checker: []RoleResult{verdict(&Verdict{Decision: Approve, Checks: map[string]string{"scope": "pass"}})}, status: GoalMet, charged: 1, calls: 5, commits: 1},
	{name: "checker approves with all checks", checker: []RoleResult{verdict(&Verdict{Decision: Approve, Checks: whole})}, status: GoalMet, calls: 3, commits: 1},
	{name: "checker rejects for ever, for one reason", checker: []RoleResult{verdict(evidence("a")), verdict(evidence("a")), verdict(evidence("a"))}, status: Waiting, charged: 2, calls: 6},
	{name: "checker rejects for ever, for new reasons", checker: []RoleResult{verdict(evidence("a")), verdict(evidence("b")), verdict(evidence("c"))}, status: Stopped, charged: 3, calls: 6, class: ClassRejected, meta: true},
	{name: "checker sees no progress twice", checker: []RoleResult{verdict(&Verdict{Decision: Reject, Progress: &no}), verdict(&Verdict{Decision: Reject, Progress: &no})}, status: Stopped, charged: 1, calls: 4, class: ClassBreaker},
	{name: "checker sees progress again", checker: []RoleResult{verdict(&Verdict{Decision: Reject, Progress: &no}), verdict(&Verdict{Decision: Reject, Progress: &yes, Reasons: []Reason{{Message: "b"}}})}, status: GoalMet, charged: 2, calls: 7, commits: 1},
	{name: "checker writes once", checker: []RoleResult{{Report: Report{Outcome: OK, Verdict: approve}, Tree: "w"}}, status: GoalMet, calls: 4, commits: 1, rolled: 1},
	{name: "checker writes twice", checker: []RoleResult{{Report: Report{Outcome: OK, Verdict: approve}, Tree: "w"}, {Report: Report{Outcome: OK, Verdict: approve}, Tree: "v"}}, status: Waiting, calls: 3, rolled: 2},
	{name: "checker can not be read once", checker: []RoleResult{said(BadOutput)}, status: GoalMet, calls: 4, commits: 1},
	{name: "checker can not be read", checker: []RoleResult{said(BadOutput), said(BadOutput)}, status: Waiting, calls: 3},
	{name: "hangs in silence", maker: []RoleResult{{Report: Report{Outcome: SilenceTimeout}, Tree: "h"}}, status: GoalMet, charged: 1, calls: 4, commits: 1, rolled: 1},
	{name: "a gate asks a person", chunk: [][]GateResult{effect("cheat", Ask, 1)}, status: Waiting, calls: 1},
	{name: "a gate asks, another is red", chunk: [][]GateResult{append(effect("cheat", Ask, 1), red("test")...)}, status: GoalMet, charged: 1, calls: 4, commits: 1},
	{name: "hangs chatting", maker: []RoleResult{said(WallTimeout), said(SilenceTimeout), said(WallTimeout)}, status: Stopped, charged: 3, calls: 3, class: ClassTimeout, meta: true, rolled: 3},
	{name: "makes no progress for ten minutes", maker: []RoleResult{said(ProgressTimeout)}, status: Stopped, charged: 1, calls: 1, class: ClassBreaker, rolled: 1},
	{name: "two files out of scope", chunk: [][]GateResult{effect("scope", Unscoped, 2)}, status: GoalMet, charged: 1, calls: 4, commits: 1, rolled: 1},
	{name: "five files out of scope", chunk: [][]GateResult{effect("scope", Unscoped, 5)}, status: Stopped, charged: 1, calls: 1, class: ClassScope, rolled: 1},
	{name: "moves a ref", maker: []RoleResult{{Report: Report{Outcome: OK}, Tree: "m", Breaches: []Breach{{What: "refs/heads/main"}}}}, status: Stopped, charged: 1, calls: 1, class: ClassContainment, rolled: 1},
	{name: "checker moves a ref", checker: []RoleResult{{Report: Report{Outcome: OK, Verdict: approve}, Breaches: []Breach{{What: "config"}}}}, status: Stopped, calls: 2, class: ClassContainment, rolled: 1},
	{name: "prints a secret", maker: []RoleResult{{Report: Report{Outcome: OK}, Tree: "s", Secrets: 1}}, status: Stopped, charged: 1, calls: 1, class: ClassSecret, rolled: 1},
	{name: "not logged in", maker: []RoleResult{said(NotAuthenticated)}, status: NoGround, calls: 1},
	{name: "not paid", maker: []RoleResult{said(NotPaid)}, status: NoGround, calls: 1},
	{name: "no such program", maker: []RoleResult{said(NotFound)}, status: NoGround, calls: 1},
	{name: "limit of rate for ten minutes", maker: []RoleResult{limited(10 * time.Minute)}, status: GoalMet, calls: 4, commits: 1},
	{name: "limit of rate for ten minutes, twice", maker: []RoleResult{limited(10 * time.Minute), limited(10 * time.Minute)}, status: Waiting, calls: 2},
	{name: "limit of rate for an hour", maker: []RoleResult{limited(time.Hour)}, status: Waiting, calls: 1},
	{name: "limit of rate that is over, for ever", maker: []RoleResult{limited(0), limited(0), limited(0), limited(0)}, status: Waiting, calls: 4},
	{name: "limit of rate without a time", maker: []RoleResult{said(RateLimited)}, status: Waiting, calls: 1},
	{name: "overloaded three times", maker: []RoleResult{said(Overloaded), said(Unreachable), said(Overloaded)}, status: GoalMet, calls: 6, commits: 1},
	{name: "overloaded four times", maker: []RoleResult{said(Overloaded), said(Unreachable), said(Overloaded), said(Unreachable)}, status: Waiting, calls: 4},
	{name: "overloaded before and after it failed", maker: []RoleResult{said(Overloaded), said(Failed), said(Overloaded), said(Overloaded), said(Overloaded)}, status: Waiting, charged: 1, calls: 5},
	{name: "overloaded for the maker and for the checker", maker: []RoleResult{said(Overloaded), said(Overloaded)}, checker: []RoleResult{said(Overloaded), said(Overloaded)}, status: Waiting, calls: 5},
	{name: "unreachable when the work was done", maker: []RoleResult{{Report: Report{Outcome: Unreachable}, Tree: "half"}, changed("half")}, status: GoalMet, calls: 4, commits: 1},
	{name: "overloaded, then it changes nothing", maker: []RoleResult{said(Overloaded), changed("t0")}, status: GoalMet, charged: 1, calls: 5, commits: 1},
	{name: "checker writes and is unreachable", checker: []RoleResult{{Report: Report{Outcome: Unreachable}, Tree: "w"}}, status: GoalMet, calls: 4, commits: 1, rolled: 1},
	{name: "one tool error again and again", maker: []RoleResult{{Report: Report{Outcome: Repeating}, Tree: "r"}}, status: GoalMet, charged: 1, calls: 4, commits: 1, rolled: 1},
	{name: "its own budget is spent", maker: []RoleResult{said(BudgetSpent)}, status: OverBudget, calls: 1},
	{name: "spends all", maker: []RoleResult{{Report: Report{Outcome: OK, Usage: Usage{USD: 4.9, Cost: CostReported}}, Tree: "e"}}, status: OverBudget, calls: 1},
	{name: "judges itself a failure", maker: []RoleResult{{Report: Report{Outcome: OK, Assessment: AssessFail}, Tree: "f"}}, status: GoalMet, charged: 1, calls: 4, commits: 1},
	{name: "ends with an error", maker: []RoleResult{said(Failed)}, status: GoalMet, charged: 1, calls: 4, commits: 1},
	{name: "the goal is red once", goals: [][]GateResult{red("goal")}, status: GoalMet, calls: 5, commits: 2},
	{name: "the goal is red for ever", goals: [][]GateResult{red("goal"), red("goal"), red("goal")}, status: GoalNotMet, calls: 6, commits: 3, class: ClassGoal, meta: true},
	{name: "the goal is green and NOT MET once", goal: []RoleResult{verdict(&Verdict{Decision: NotMet})}, status: GoalMet, calls: 6, commits: 2},
	{name: "the goal is green and NOT MET twice", goal: []RoleResult{verdict(&Verdict{Decision: NotMet}), verdict(&Verdict{Decision: NotMet})}, status: Waiting, calls: 6, commits: 2},
	{name: "goal-checker writes twice", goal: []RoleResult{{Report: Report{Outcome: OK}, Tree: "w"}, {Report: Report{Outcome: OK}, Tree: "w2"}}, status: Waiting, calls: 4, commits: 1, rolled: 2},
}

var benchDay = time.Date(2026, 7, 4, 8, 0, 0, 0, time.UTC)

func newBench(t *testing.T) *bench { return &bench{t: t, at: benchDay, tree: "t0"} }

func oneChunk() Start {
	return Start{
		Run: "r", Loop: "execution", Mode: Draft, Limits: DefaultLimits(), Plan: Plan{Name: "p", Chunks: []Chunk{{ID: "1", Title: "One"}}},
		Roles: map[Role]Casting{Maker: {Agent: "command"}, Checker: {Agent: "command"}, GoalChecker: {Agent: "command"}},
	}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	for _, row := range outcomes {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			b := row.play(t)
			s := b.s
			if s.Status != row.status {
				t.Errorf("status %s (%s), want %s", s.Status, s.End.Why+s.Question, row.status)
			}
			if got := s.Chunks[0].Charged; got != row.charged {
				t.Errorf("%d attempts are charged, want %d", got, row.charged)
			}
			if s.Spend.Calls != row.calls || b.commit != row.commits {
				t.Errorf("%d calls and %d commits, want %d and %d", s.Spend.Calls, b.commit, row.calls, row.commits)
			}
			var class string
			if len(s.Incidents) > 0 {
				class = s.Incidents[0].Class
			}
			if class != row.class || len(s.Incidents) > 0 != (class != "") || s.End.Meta != row.meta {
				t.Errorf("incident %q, meta %v, want %q and %v", class, s.End.Meta, row.class, row.meta)
			}
			if n := b.count(Rollback); n != row.rolled {
				t.Errorf("%d rollbacks, want %d", n, row.rolled)
			}
		})
	}
}

// play runs the row's agents and gates.
func (o outcome) play(t *testing.T) *bench { return o.playFrom(t, oneChunk()) }

// playFrom plays the row with a start of its own.
func (o outcome) playFrom(t *testing.T, start Start) *bench {
	b := newBench(t)
	b.roles = map[Role][]RoleResult{Maker: slices.Clone(o.maker), Checker: slices.Clone(o.checker), GoalChecker: slices.Clone(o.goal)}
	b.gates = map[Stage][][]GateResult{StageChunk: slices.Clone(o.chunk), StageGoal: slices.Clone(o.goals), StageBaseline: slices.Clone(o.base)}
	b.run(start)
	return b
}

func (b *bench) count(k CommandKind) (n int) {
	for _, have := range b.kinds {
		if have == k {
			n++
		}
	}
	return n
}

// TestAPersonDecides goes on where a judge could not.
func TestAPersonDecides(t *testing.T) {
	t.Parallel()
	for _, approves := range []bool{true, false} {
		b := newBench(t)
		b.roles = map[Role][]RoleResult{Checker: {said(BadOutput), said(BadOutput)}}
		b.run(oneChunk())
		if b.s.Status != Waiting || b.s.WaitingFor != ForPerson || !strings.Contains(b.s.Question, "gave no verdict") {
			t.Fatalf("%s, for %q: %q", b.s.Status, b.s.WaitingFor, b.s.Question)
		}
		if cs := b.feed(Event{Kind: Resumed}); len(cs) > 0 || b.s.Status != Waiting {
			t.Fatalf("it went on without an answer: %v", cs)
		}
		b.play(b.feed(Event{Kind: Answered, Answer: &Answer{Approve: approves, By: "ada", Reason: "read it"}}))
		want, commits := GoalMet, 1
		if !approves {
			want, commits = Rejected, 0
		}
		if b.s.Status != want || b.commit != commits {
			t.Errorf("approve %v: %s with %d commits, want %s with %d", approves, b.s.Status, b.commit, want, commits)
		}
	}
}

// TestFeedbackIsVerbatim holds what a maker is told about its last attempt, and
// what it is not told.
func TestFeedbackIsVerbatim(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.gates = map[Stage][][]GateResult{
		StageChunk: {{{Gate: "test", Effect: Red, Output: "want 3, got 4\n"}}},
		StageGoal:  {{{Gate: "goal", Effect: Red, Hidden: true, Output: "sh goal.sh: 7 of 9", Reason: []Reason{{Message: "sh goal.sh: exit status 1"}}}}},
	}
	b.run(oneChunk())
	var texts []string
	for _, c := range b.issued {
		if c.Kind == RunRole && c.Role == Maker {
			for _, f := range c.Feedback {
				texts = append(texts, f.From+": "+f.Text+first(f.Reasons))
			}
		}
	}
	want := []string{"gate test: want 3, got 4\n", "runner: the plan's goal is not met yet"}
	if !slices.Equal(texts, want) {
		t.Errorf("got %q, want %q", texts, want)
	}
}
