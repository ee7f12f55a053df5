package loops

import (
	"slices"
	"strings"
	"testing"
)

// escalates plays one chunk under a policy, and returns its bench.
func escalates(t *testing.T, e Escalation, row outcome, change func(*Start)) *bench {
	t.Helper()
	start := oneChunk()
	start.Escalation = e
	if change != nil {
		change(&start)
	}
	return row.playFrom(t, start)
}

func TestEscalationWaitsForPerson(t *testing.T) {
	t.Parallel()
	all := Escalation{SameReason: 2, Unsure: true, Disagree: true, Context: true, Areas: []Area{{Name: "authentication", Words: []string{"auth"}}, {Name: "vendor", Globs: []string{"vendor/**"}}}}
	changes := func(path string) RoleResult {
		return RoleResult{Report: Report{Outcome: OK}, Tree: "x", Changes: []Change{{Path: path, Status: "M"}}}
	}
	disagree := map[string]string{"scope": "pass", "tests": "pass", "quality": "pass", "spec": "pass", "documentation": "fail"}
	for _, row := range []outcome{
		{name: "the change touches authentication: src/auth/session.go", maker: []RoleResult{changes("src/auth/session.go")}, rolled: 1},
		{name: "the change touches authentication: src/userAuth.go", maker: []RoleResult{changes("src/userAuth.go")}, rolled: 1},
		{name: "the change touches vendor: vendor/a/b.go", maker: []RoleResult{changes("vendor/a/b.go")}, rolled: 1},
		{name: "the maker needs context", maker: []RoleResult{{Report: Report{Outcome: PermissionDenied, Detail: "no access"}, Tree: "x"}}, rolled: 1},
		{name: "tests disagree with documentation", checker: []RoleResult{verdict(&Verdict{Decision: Reject, Checks: disagree})}},
		{name: "the checker is uncertain (WARN)", checker: []RoleResult{{Report: Report{Outcome: OK, Assessment: AssessWarn, Verdict: approve}}}},
		{name: "the checker approves, but reports problems", checker: []RoleResult{verdict(&Verdict{Decision: Approve, Checks: map[string]string{"scope": "pass"}})}},
		{name: "2 retries failed for the same reason", chunk: [][]GateResult{red("test"), red("test"), red("test")}},
		{name: "2 retries failed for the same reason: goal not met", goals: [][]GateResult{red("goal"), red("goal"), red("goal")}},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			b := escalates(t, all, row, nil)
			s := b.s
			if s.Status != Waiting || s.WaitingFor != ForPerson || !strings.HasPrefix(s.Question, row.name) || s.Escalated != s.Question {
				t.Fatalf("status %s, asks %q, escalated %q", s.Status, s.Question, s.Escalated)
			}
			if len(s.Incidents) > 0 {
				t.Errorf("an incident: %+v", s.Incidents)
			}
			// Without the policy nobody asks for that.
			if q := escalates(t, Escalation{}, row, nil).s; q.Escalated != "" {
				t.Errorf("escalated without a policy: %s", q.Escalated)
			}
			// A person's yes lets it go on, a no ends it.
			s, _ = Step(b.s, Event{Kind: Answered, At: b.s.Last, Answer: &Answer{Approve: true, By: "ada"}})
			if s.Status != Running || !s.Waived || len(s.Pending) == 0 {
				t.Errorf("after a yes the run is %s, waived %v, with %d commands", s.Status, s.Waived, len(s.Pending))
			}
			s, _ = Step(b.s, Event{Kind: Answered, At: b.s.Last, Answer: &Answer{By: "ada"}})
			if s.End.Status != Rejected {
				t.Errorf("after a no the run is %s", s.End.Status)
			}
		})
	}
}

// A person's yes to what a gate asked goes on with the same tree, and covers no other.
func TestGateAsksAboutOneTree(t *testing.T) {
	t.Parallel()
	b := escalates(t, Escalation{}, outcome{chunk: [][]GateResult{effect("cheat", Ask, 1)}}, nil)
	if b.s.WaitingFor != ForPerson || b.s.Escalated != "gate cheat: x: seen" {
		t.Fatalf("waits for %q: %q", b.s.WaitingFor, b.s.Escalated)
	}
	s, cs := Step(b.s, Event{Kind: Answered, At: b.s.Last, Answer: &Answer{Approve: true, By: "ada"}})
	if s.Phase != Checking || !s.Green || s.Waived || s.Attempt != 1 || len(cs) != 1 {
		t.Errorf("after a yes: phase %s, green %v, waived %v, attempt %d, %d commands", s.Phase, s.Green, s.Waived, s.Attempt, len(cs))
	}
	delete(b.s.Start.Roles, Checker)
	if _, cs = Step(b.s, Event{Kind: Answered, At: b.s.Last, Answer: &Answer{Approve: true, By: "ada"}}); len(cs) != 1 || cs[0].Kind != Commit {
		t.Errorf("without a checker: %v", cs)
	}
	s, _ = Step(b.s, Event{Kind: Answered, At: b.s.Last, Answer: &Answer{By: "ada"}})
	if s.End.Status != Rejected {
		t.Errorf("after a no the run is %s", s.End.Status)
	}
}

func TestToolCallsOfAnIteration(t *testing.T) {
	t.Parallel()
	row := outcome{maker: []RoleResult{{Report: Report{Outcome: OK, Usage: Usage{ToolCalls: 21}}, Tree: "x"}}}
	count := func(counts bool) func(*Start) {
		return func(s *Start) {
			s.Limits.Budget.CallTools = 20
			s.Roles[Maker] = Casting{Agent: "claude", CountsTools: counts}
		}
	}
	if s := escalates(t, Escalation{}, row, count(true)).s; s.Status != OverBudget || !strings.Contains(s.End.Why, "21 tool calls in one iteration, more than 20") {
		t.Errorf("%s: %s", s.Status, s.End.Why)
	}
	if s := escalates(t, Escalation{}, row, count(false)).s; s.Status != NoGround {
		t.Errorf("an agent that does not count: %s", s.Status)
	}
}

func TestVerdictsWithoutProgress(t *testing.T) {
	t.Parallel()
	still := func(text string) RoleResult {
		return verdict(&Verdict{Decision: Reject, Progress: &no, Reasons: []Reason{{Message: text}}})
	}
	row := outcome{checker: []RoleResult{still("a"), still("b"), still("c")}}
	limit := func(n int) func(*Start) { return func(s *Start) { s.Limits.Stalled, s.Limits.Attempts = n, 9 } }
	for n, calls := range map[int]int{1: 2, 2: 4, 3: 6} {
		if s := escalates(t, Escalation{}, row, limit(n)).s; s.Status != Stopped || s.Spend.Calls != calls {
			t.Errorf("%d verdicts without progress: %s after %d calls", n, s.Status, s.Spend.Calls)
		}
	}
}

// A run that reports calls a classifier, changes nothing, and commits nothing.
func TestAReportIsKept(t *testing.T) {
	t.Parallel()
	start := oneChunk()
	start.Plan.Chunks = nil
	start.Control = &Control{Loop: "triage", Pass: "p", Report: true}
	start.Roles = map[Role]Casting{Classifier: {Agent: "command"}}
	run := func(results ...RoleResult) (State, []CommandKind) {
		s, commands := Step(State{}, Event{Kind: Started, At: benchDay, Start: &start})
		var kinds []CommandKind
		for len(commands) > 0 {
			c := commands[0]
			kinds = append(kinds, c.Kind)
			e := Event{Kind: answers[c.Kind], Key: c.Key, At: benchDay}
			switch c.Kind {
			case EnsureWorktree:
				e.Worktree = &PlaceResult{Tree: "t0"}
			case TakeSnapshot:
				e.Snapshot = &Snapshot{Tree: "t0"}
			case RunRole:
				e.Role, results = &results[0], results[1:]
			}
			s, commands = Step(s, e)
		}
		return s, kinds
	}
	same := RoleResult{Report: Report{Outcome: OK}, Tree: "t0", Evidence: "plan/attempt-1/classifier"}
	s, kinds := run(same)
	if s.Status != GoalMet || s.Answer != same.Evidence || slices.Contains(kinds, Commit) || slices.Contains(kinds, RunGates) || slices.Contains(kinds, Publish) {
		t.Errorf("%s, answer %q, after %v", s.Status, s.Answer, kinds)
	}
	wrote := RoleResult{Report: Report{Outcome: OK}, Tree: "w"}
	if s, kinds := run(wrote, same); s.Status != GoalMet || !slices.Contains(kinds, Rollback) {
		t.Errorf("one that wrote, and then did not: %s after %v", s.Status, kinds)
	}
	failed := RoleResult{Report: Report{Outcome: Failed}, Tree: "t0"}
	if s, _ := run(failed, failed, failed); s.Status != GoalNotMet || len(s.Incidents) > 0 {
		t.Errorf("one that fails: %s, %d incidents", s.Status, len(s.Incidents))
	}
}
