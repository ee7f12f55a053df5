package survey

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
)

// ranItem is what the last run of an item came to.
type ranItem struct {
	plan.ItemState
	pass, branch string
}

// since counts what runs of an item add to the state in the checkout.
type since struct{ attempts, failures int }

// ranItems returns the items of a loop that were run here, by id; that of a report is
// "". now is a run that is about to end; it may be nil.
func (v *Surveyor) ranItems(loop string, now *loops.State) (map[string]ranItem, error) {
	all, err := v.Summaries()
	if err != nil {
		return nil, err
	}
	counted, checked := v.checkedIn(loop)
	later := make(map[string]since)
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
		if it.pass > counted {
			n := later[it.ID]
			later[it.ID] = since{n.attempts + it.Attempts, n.failures + it.Failures}
		}
		it.Failures += was.Failures
		it.Attempts += was.Attempts
		out[s.Start.Control.Item] = it
	}
	for _, c := range checked { // which other clones had a part in
		if it, ok := out[c.ID]; ok {
			it.Attempts = max(it.Attempts, c.Attempts+later[c.ID].attempts)
			it.Failures = max(it.Failures, c.Failures+later[c.ID].failures)
			out[c.ID] = it
		}
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

// pushedAgain is what CI puts behind a branch whose name was taken.
var pushedAgain = schema.Expression(`-[0-9]{6,}$`)

// branches returns the branches of loops, here and as they were fetched.
func (v *Surveyor) branches(ctx context.Context) (map[string]bool, error) {
	refs, err := v.Git(ctx, "for-each-ref", "--format=%(refname)", "refs/heads/loop/", "refs/remotes/")
	if err != nil {
		return nil, err
	}
	out := make(map[string]bool)
	for line := range strings.Lines(refs) {
		name, remote := strings.CutPrefix(strings.TrimSpace(line), "refs/remotes/")
		name = strings.TrimPrefix(name, "refs/heads/")
		if remote {
			_, name, _ = strings.Cut(name, "/")
			out[pushedAgain().ReplaceAllString(name, "")] = true
		}
		out[name] = true
	}
	return out, nil
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
	_, checked := v.checkedIn(loop)
	for _, it := range checked {
		out[it.ID] = it
	}
	if len(ran) == 0 {
		return out, nil
	}
	branches, err := v.branches(ctx)
	if err != nil {
		return nil, err
	}
	for id, it := range ran {
		state := it.ItemState
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
