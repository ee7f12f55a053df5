package loops

import (
	"slices"
	"testing"
)

// TestWhatStopsTheLine has the same failures in every kind of loop. Broken rules stop the
// line in all of them; work that fails stops it in the loop of plans.
func TestWhatStopsTheLine(t *testing.T) {
	t.Parallel()
	work := func(change func(*Start)) Start {
		s := oneChunk()
		delete(s.Roles, GoalChecker)
		change(&s)
		return s
	}
	kinds := []struct {
		name   string
		start  Start
		stage  Stage
		role   Role
		status Status // of work that fails
		meta   bool
	}{
		{"a plan", work(func(*Start) {}), StageChunk, Maker, Stopped, true},
		{"a task file", work(func(s *Start) { s.Plan.Format = LodeloopTask }), StageChunk, Maker, Stopped, false},
		{"an item of a loop", work(func(s *Start) { s.Control = &Control{Loop: "triage"} }), StageChunk, Maker, Stopped, false},
		{"documentation", docsStart(), StageWiki, Writer, Waiting, false},
	}
	for _, kind := range kinds {
		play := func(results []GateResult, roles ...RoleResult) State {
			b := newBench(t)
			b.roles = map[Role][]RoleResult{kind.role: roles}
			b.gates = map[Stage][][]GateResult{kind.stage: slices.Repeat([][]GateResult{results}, 3)}
			b.run(kind.start)
			return b.s
		}
		if s := play(red("test")); s.Status != kind.status || (len(s.Incidents) > 0) != kind.meta || s.End.Meta != kind.meta {
			t.Errorf("%s: red tests: %s, incidents %v, meta %v", kind.name, s.Status, s.Incidents, s.End.Meta)
		}
		idle := play(nil, changed("t0"), changed("t0"), changed("t0"))
		if kind.role == Maker && ((len(idle.Incidents) > 0) != kind.meta || idle.Breaker.State != Open) {
			t.Errorf("%s: an idle maker: incidents %v, the breaker is %s", kind.name, idle.Incidents, idle.Breaker.State)
		}
		for class, s := range map[string]State{
			ClassTampering:   play(effect("protected", Violation, 1)),
			ClassScope:       play(effect("scope", Unscoped, 5)),
			ClassSecret:      play(nil, RoleResult{Tree: "s", Secrets: 1}),
			ClassContainment: play(nil, RoleResult{Tree: "m", Breaches: []Breach{{What: "refs/heads/main"}}}),
		} {
			if s.Status != Stopped || len(s.Incidents) != 1 || s.Incidents[0].Class != class {
				t.Errorf("%s: %s: %s, incidents %v", kind.name, class, s.Status, s.Incidents)
			}
		}
	}
}

// TestAPersonLetsAWriterTryAgain approves a run whose writer failed too often. The leave
// is for new attempts and waives none of what else goes to a person.
func TestAPersonLetsAWriterTryAgain(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	b.gates = map[Stage][][]GateResult{StageWiki: slices.Repeat([][]GateResult{red("wiki")}, 4)}
	b.run(docsStart())
	if b.s.Status != Waiting || b.s.WaitingFor != ForPerson {
		t.Fatalf("%s, for %q", b.s.Status, b.s.WaitingFor)
	}
	b.play(b.feed(Event{Kind: Answered, Answer: &Answer{Approve: true, By: "ada"}}))
	if b.s.Status != GoalMet || b.s.Spend.Calls != 5 || b.s.Waived {
		t.Errorf("%s after %d calls, waived %v", b.s.Status, b.s.Spend.Calls, b.s.Waived)
	}
}
