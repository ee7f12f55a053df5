package survey

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
)

// ranItem is what the last run of an item came to.
type ranItem struct {
	plan.ItemState
	pass, branch string
}

// ranItems returns the items of a loop that were run here, by id; that of a report is
// "". now is a run that is about to end; it may be nil.
func (v *Surveyor) ranItems(loop string, now *loops.State) (map[string]ranItem, error) {
	all, err := v.Summaries()
	if err != nil {
		return nil, err
	}
	out := make(map[string]ranItem)
	for _, sum := range all { // the oldest first
		if sum.Loop != loop {
			continue
		}
		s, events, err := v.Store.Read(sum.ID)
		if err != nil || s.Start.Control == nil || s.Start.Control.Loop != loop {
			continue // a run without a journal that can be read tells nothing
		}
		if now != nil && now.Start.Run == sum.ID {
			s = *now
		}
		was := out[s.Start.Control.Item]
		it := ranItem{itemState(&s, events), s.Start.Control.Pass, s.Start.Plan.Branch()}
		it.Failures += was.Failures
		it.Attempts += was.Attempts
		out[s.Start.Control.Item] = it
	}
	return out, nil
}

// itemState returns what a run says of its item.
func itemState(s *loops.State, events []loops.Event) plan.ItemState {
	it := plan.ItemState{ID: s.Start.Control.Item, Reason: cmp.Or(s.End.Why, "goal met")}
	for _, c := range s.Chunks {
		it.Attempts += c.Attempts
	}
	for _, e := range events {
		if e.Kind != loops.GatesEnded || !strings.Contains(e.Key, "gates-"+string(loops.StageChunk)) {
			continue
		}
		it.Gates = nil
		for _, g := range e.Gates {
			result := "passed"
			if g.Effect >= loops.Red {
				result = g.Effect.String()
			}
			it.Gates = append(it.Gates, plan.ItemGate{Name: g.Gate, Result: result})
		}
	}
	status := s.Status
	if s.End.Status != "" {
		status = s.End.Status
	}
	switch {
	case status == loops.GoalMet && s.Start.Control.Report:
		it.Status, it.NextAction = plan.ItemReported, "read the report: wiki loop show "+s.Start.Run
	case status == loops.GoalMet && s.PullRequest != "":
		it.Status, it.NextAction = plan.ItemOpened, "human review of "+s.PullRequest
	case status == loops.GoalMet:
		it.Status, it.NextAction = plan.ItemDrafted, "human review of the branch "+s.Start.Plan.Branch()
	case status == loops.Waiting && s.WaitingFor == loops.ForPerson:
		it.Status, it.Reason = plan.ItemWaiting, s.Question
		if s.Escalated != "" {
			it.Status = plan.ItemEscalated
		}
		it.NextAction = fmt.Sprintf("wiki loop approve %s continues it, wiki loop reject ends it", s.Start.Run)
	case status == loops.Stopped, status == loops.GoalNotMet, status == loops.Rejected:
		it.Status, it.Failures, it.NextAction = plan.ItemFailed, 1, "read the report: wiki loop show "+s.Start.Run
	default:
		it.Status, it.NextAction = plan.ItemPending, "the next run takes it"
		if s.End.Why == "" {
			it.Reason = "the run is " + string(status)
		}
	}
	return it
}

// past returns what became of a loop's items before: what runs here say, and what the
// state in the checkout does. A branch that a person deleted was not wanted: its
// item may be taken again.
func (v *Surveyor) past(ctx context.Context, loop string) (map[string]plan.ItemState, error) {
	ran, err := v.ranItems(loop, nil)
	if err != nil {
		return nil, err
	}
	out := make(map[string]plan.ItemState)
	for _, it := range v.checkedIn(loop) {
		out[it.ID] = it
	}
	if len(ran) == 0 {
		return out, nil
	}
	refs, err := v.Git(ctx, "for-each-ref", "--format=%(refname:short)", "refs/heads/loop/")
	if err != nil {
		return nil, err
	}
	branches := make(map[string]bool)
	for line := range strings.Lines(refs) {
		branches[strings.TrimSpace(line)] = true
	}
	for id, it := range ran {
		state := it.ItemState
		state.Failures = max(state.Failures, out[id].Failures)
		if (state.Status == plan.ItemDrafted || state.Status == plan.ItemOpened) && !branches[it.branch] {
			state.Status = plan.ItemPending
		}
		if state.Status == plan.ItemEscalated { // its run waits for the person's word
			state.Status = plan.ItemWaiting
		}
		out[id] = state
	}
	return out, nil
}
