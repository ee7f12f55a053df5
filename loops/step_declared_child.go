package loops

import (
	"fmt"
	"slices"
)

// inner returns the first inner loop from an index on that has to run, -1 if none has: one
// that an evaluator lets run by not passing. They run once in an iteration.
func (s *State) inner(from int) int {
	d, r := s.Loop(), s.Rounds
	for i := max(from, len(d.Children)); !r.Nested && i < len(d.Children)+len(d.Inner); i++ {
		after := d.child(i).After
		if slices.ContainsFunc(r.Marks, func(m Mark) bool { return !m.Passed && (after == "" || m.Evaluator == after) }) {
			return i
		}
	}
	return -1
}

// enterChild begins a child: a loop of its own on the tree as it is, or as its branch began.
func (s State) enterChild(i int) (State, []Command) {
	r, d := s.Rounds, s.Loop()
	c := d.child(i)
	child := &Rounds{Loop: append(slices.Clone(r.Loop), i), Tree: r.Tree, Base: r.Tree, Before: s.Spend.USD, Worked: s.Worked}
	for _, g := range c.Gets {
		if o := r.handed(g); o != nil {
			child.Given = append(child.Given, GivenInput{g.Input, *o})
		}
	}
	s.Outer = append(s.Outer, r)
	s.Rounds = child
	s.Feedback = nil
	return s.iterate()
}

// handed returns the output that a child gets, nil if there is none that others may read.
func (r *Rounds) handed(g Handover) *WorkerOutput {
	from := r.Outputs
	if g.Child != "" {
		from = nil
		for _, c := range r.Children {
			if c.ID == g.Child {
				from = c.Outputs
			}
		}
	}
	for i := len(from) - 1; i >= 0; i-- {
		if from[i].Worker == g.Worker && !from[i].Withheld {
			return &from[i]
		}
	}
	return nil
}

// leaveChild goes on with the loop around a child that ended.
func (s State) leaveChild() (State, []Command) {
	child := s.Rounds
	then := *child.Ending
	result := ChildResult{Status: then.Status, Why: then.Why, Tree: child.Tree, Outputs: child.Outputs}
	if best := s.best(); best >= 0 {
		d := s.Loop()
		result.Score, _ = child.History[best].Of(d.primary())
		if d.lower(d.primary()) {
			result.Score = -result.Score
		}
	}
	index := child.Loop[len(child.Loop)-1]
	r := s.Outer[len(s.Outer)-1]
	s.Rounds, s.Outer = r, s.Outer[:len(s.Outer)-1]
	d := s.Loop()
	result.ID = d.child(index).ID
	r.Children = append(r.Children, result)
	r.Tree = child.Tree
	s.Feedback = nil
	switch {
	case then.Whole, then.Status != GoalMet && then.Status != GoalNotMet && then.Status != OverBudget:
		then.Why = "loop " + result.ID + ": " + then.Why
		return s.conclude(then)
	case index >= len(d.Children):
		return s.leaveInner(index)
	case d.Join.Kind == InSequence || d.Join.Kind == "":
		if then.Status != GoalMet {
			return s.lose(fmt.Sprintf("loop %s ended as %s: %s", result.ID, then.Status, then.Why), ClassGoal)
		}
		return s.nextPart()
	case index < len(d.Children)-1: // the next branch begins where this one did
		r.Tree = r.From
		return s.rollback(r.From, Then{Do: ThenNextPart, Why: "the next branch begins"})
	}
	return s.join()
}

// leaveInner goes on with the next inner loop, or has the evaluators judge again.
func (s State) leaveInner(index int) (State, []Command) {
	d := s.Loop()
	if next := s.inner(index + 1); next >= 0 {
		return s.enterChild(next)
	}
	s.Rounds.Nested = true
	s.Rounds.Part = len(d.Children) + len(d.Workers)
	return s.part()
}

// join makes one result of all branches: the tree of one of them, or none.
func (s State) join() (State, []Command) {
	r, rule := s.Rounds, s.Loop().Join
	var met []ChildResult
	for _, c := range r.Children {
		if c.Status == GoalMet {
			met = append(met, c)
		}
	}
	least := max(1, rule.Least)
	if rule.Kind == AllPass {
		least = len(r.Children)
	}
	if len(met) < least {
		return s.lose(fmt.Sprintf("%d of %d branches are met, %d have to be", len(met), len(r.Children), least), ClassGoal)
	}
	kept := chosen(rule.Kind, met)
	r.Tree = kept.Tree
	return s.rollback(kept.Tree, Then{Do: ThenNextPart, Why: fmt.Sprintf("branch %s is kept (%s)", kept.ID, rule.Kind)})
}

// chosen returns the branch whose tree is kept, the first of equals.
func chosen(kind JoinKind, met []ChildResult) ChildResult {
	best := met[0]
	if kind == FirstPass {
		return best
	}
	votes := map[string]int{}
	for _, c := range met {
		votes[c.Tree]++
	}
	for _, c := range met[1:] {
		more := votes[c.Tree] - votes[best.Tree]
		if kind != Vote {
			more = 0
		}
		if more > 0 || more == 0 && c.Score > best.Score {
			best = c
		}
	}
	return best
}
