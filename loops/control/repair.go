package control

import (
	"fmt"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/plan"
)

// RepairError is a repair that may not be started like this.
type RepairError struct{ why, hint string }

func (e *RepairError) Error() string { return e.why }

// Hint returns what to do.
func (e *RepairError) Hint() string { return e.hint }

// repair returns on whose word a run may start on a red base. Autonomous runs never may,
// nor do runs of a spec that does not say so.
func (s starter) repair(w *Work, f Flags, mode loops.Mode) (loops.Repair, error) {
	spec, err := s.specOf(w)
	if err != nil {
		return loops.NoRepair, err
	}
	asked := f.Repair || w.Plan.RedBase || w.Task != nil && w.Mode == "fix"
	switch {
	case asked && mode == loops.Autonomous:
		return loops.NoRepair, &RepairError{w.Plan.Path + " repairs a red base, which an autonomous run may not", "run it with --mode draft"}
	case asked && spec != nil && !spec.Repairs():
		return loops.NoRepair, &RepairError{fmt.Sprintf("%s repairs a red base, which %s does not allow", w.Plan.Path, spec.Path), `add "A red base may be repaired" to its section Gates`}
	case mode == loops.Autonomous:
		return loops.NoRepair, nil
	case asked, spec != nil && spec.Repairs():
		return loops.RepairAsked, nil
	case w.Task != nil && w.Mode != "explore":
		return loops.RepairVerify, nil
	}
	return loops.NoRepair, nil
}

// specOf returns the spec that a person wrote for the loop of some work, nil if there is none.
func (s starter) specOf(w *Work) (*plan.LoopSpec, error) {
	switch {
	case w.Item != nil:
		return w.Item.pass.Loop.Spec, nil
	case w.Task != nil:
		return nil, nil
	}
	l, err := s.Builtin(repo.ExecutionLoop)
	if err != nil || l.Builtin {
		return nil, err
	}
	return l.Spec, nil
}
