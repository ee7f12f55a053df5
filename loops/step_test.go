package loops

import (
	"slices"
	"testing"
	"time"
)

// bench plays a driver: it answers commands by a script.
type bench struct {
	t      *testing.T
	s      State
	at     time.Time
	roles  map[Role][]RoleResult
	gates  map[Stage][][]GateResult
	kinds  []CommandKind
	issued []Command
	events []Event
	tree   string
	commit int
	aside  []Event // what is left of trees
}

func TestAPlanOfTwoChunksIsMet(t *testing.T) {
	b := &bench{t: t, at: time.Date(2026, 7, 4, 8, 0, 0, 0, time.UTC), tree: "t0"}
	b.run(Start{
		Run: "r", Loop: "execution", Mode: Draft, Limits: DefaultLimits(),
		Plan:  Plan{Name: "p", Chunks: []Chunk{{ID: "1"}, {ID: "2", DependsOn: []string{"1"}}}},
		Roles: map[Role]Casting{Maker: {Agent: "command"}, Checker: {Agent: "command"}, GoalChecker: {Agent: "command"}},
	})
	if b.s.Status != GoalMet || b.commit != 2 || b.s.Spend.Calls != 5 {
		t.Errorf("status %s, %d commits, %d calls; end %+v", b.s.Status, b.commit, b.s.Spend.Calls, b.s.End)
	}
}

// What a gate warns of, whoever approves the run reads, once.
func TestGatesWarn(t *testing.T) {
	note := []GateResult{{Gate: "protected", Effect: Note, Warn: true, Reason: []Reason{{Path: "check.sh", Message: "decides"}}}, {Gate: "test", Effect: Note, Reason: []Reason{{Message: "flaky"}}}}
	b := &bench{t: t, at: time.Date(2026, 7, 4, 8, 0, 0, 0, time.UTC), tree: "t0", gates: map[Stage][][]GateResult{StageChunk: {note, note}}}
	b.run(Start{
		Run: "r", Loop: "execution", Mode: Draft, Limits: DefaultLimits(), Plan: Plan{Name: "p", Chunks: []Chunk{{ID: "1"}, {ID: "2"}}},
		Roles: map[Role]Casting{Maker: {Agent: "command"}},
	})
	if want := []string{"check.sh: decides"}; b.s.Status != GoalMet || !slices.Equal(b.s.Warnings, want) {
		t.Errorf("%s with the warnings %q, not %q", b.s.Status, b.s.Warnings, want)
	}
}

func (b *bench) run(start Start) {
	b.t.Helper()
	b.play(b.feed(Event{Kind: Started, Start: &start}))
}

// play carries out commands until nothing follows.
func (b *bench) play(queue []Command) {
	b.t.Helper()
	for n := 0; len(queue) > 0; n++ {
		if n > 300 {
			b.t.Fatal("the run does not end")
		}
		c := queue[0]
		b.kinds, b.issued = append(b.kinds, c.Kind), append(b.issued, c)
		queue = append(queue[1:], b.feed(b.answer(c))...)
	}
}

func (b *bench) feed(e Event) []Command {
	b.at = b.at.Add(time.Second)
	e.At = b.at
	b.events = append(b.events, e)
	var cs []Command
	b.s, cs = Step(b.s, e)
	return cs
}

func (b *bench) answer(c Command) Event {
	e := Event{Kind: answers[c.Kind], Key: c.Key}
	switch c.Kind {
	case EnsureWorktree:
		e.Worktree = &PlaceResult{Head: "c0", Tree: b.tree}
	case TakeSnapshot:
		e.Snapshot = &Snapshot{Tree: b.tree}
	case RunRole:
		if q := b.roles[c.Role]; len(q) > 0 {
			r := q[0]
			b.roles[c.Role] = q[1:]
			if r.Tree == "" {
				r.Tree = b.tree
				if c.Role == Worker && r.Report.Outcome == OK {
					r.Tree += "+"
				}
			}
			b.tree = r.Tree
			e.Role = &r
			return e
		}
		r := RoleResult{Report: Report{Outcome: OK}, Tree: b.tree}
		switch c.Role {
		case Maker, Writer, Worker:
			b.tree += "+"
			r.Tree = b.tree
		case Checker:
			r.Report.Verdict = &Verdict{Decision: Approve}
		case GoalChecker:
			r.Report.Verdict = &Verdict{Decision: Met}
		}
		e.Role = &r
	case RunGates:
		if q := b.gates[c.Stage]; len(q) > 0 {
			e.Gates, b.gates[c.Stage] = q[0], q[1:]
		}
	case Rollback:
		b.tree = c.Tree
	case AskHuman:
		e.Why = c.Why
	case Propose:
		e.Files = []string{"plans/a.md", "plans/b.md"}
	case Withdraw:
		e.Files = []string{"plans/b.md"}
	case SetAside:
		e.Tree = c.Tree
		if len(b.aside) > 0 {
			e.Tree, e.Files, e.Patch = b.aside[0].Tree, b.aside[0].Files, b.aside[0].Patch
			b.aside = b.aside[1:]
		}
		b.tree = e.Tree
	case Commit:
		b.commit++
		e.Commit = "c"
	}
	return e
}
