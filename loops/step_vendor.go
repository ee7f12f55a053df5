package loops

import (
	"fmt"
	"time"
)

// vendorFailed takes a call that failed by its vendor's fault. No attempt is charged and
// nothing is stopped: the call is made again on the tree that it left, until the calls
// or the time that a run has for that are used up. Then the run waits.
func (s State) vendorFailed(c Command, r RoleResult) (State, []Command) {
	s.VendorFails++
	if c.Role.iterates() {
		s.Iterations--
	}
	why := fmt.Sprintf(vendorWords[r.Report.Outcome], c.Role)
	if d := r.Report.Detail; d != "" {
		why += ": " + d
	}
	if s.changedBy(r) {
		if c.Role.ReadOnly() {
			return s.rollback(s.Before.Tree, Then{Do: ThenWait, Why: why, Until: r.Report.ResetsAt, Outcome: r.Report.Outcome})
		}
		if why, undo := s.beyond(r); why != "" {
			return s.escalate(why, undo)
		}
		s.Partial = true
	}
	return s.waitForVendor(r.Report.Outcome, r.Report.ResetsAt, why)
}

// vendorWords say how a vendor failed whom.
var vendorWords = map[Outcome]string{
	RateLimited: "the %s hit a rate limit", Overloaded: "the %s's vendor is overloaded", Unreachable: "the %s's vendor can't be reached",
}

// waitForVendor waits in this process, or parks the run. A limit that nobody says the
// end of parks it at once: a call that comes too early would renew it.
func (s State) waitForVendor(o Outcome, resets time.Time, why string) (State, []Command) {
	l, until := s.Start.Limits, resets
	if o != RateLimited {
		doublings := max(0, s.VendorFails-1) // a run that was resumed meanwhile has all its calls again
		if soon := s.Last.Add(time.Duration(l.Backoff) << doublings); until.Before(soon) {
			until = soon
		}
	}
	wait := Duration(max(0, until.Sub(s.Last)))
	if until.IsZero() || s.VendorFails > l.Overloads || l.MaxWait > 0 && s.VendorWait+wait > l.MaxWait {
		return s.park(o, resets, why)
	}
	s.VendorWait += wait
	s.Serial++
	return s.issue(Command{Kind: WaitUntil, Key: s.key(fmt.Sprintf("wait-%d", s.Serial)), Chunk: s.Chunk, Attempt: s.Attempt, Until: until, Why: why})
}

// park leaves the run waiting, with the time from which to go on.
func (s State) park(o Outcome, resets time.Time, why string) (State, []Command) {
	s.Status, s.WaitingFor, s.Until = Waiting, ForVendor, resets
	if o == RateLimited {
		s.WaitingFor = ForRate
	}
	if s.Until.IsZero() {
		s.Until = s.Last.Add(time.Duration(s.Start.Limits.MaxWait))
	}
	s.Question = fmt.Sprintf("%s (failed %s); resume after %s", why, times(s.VendorFails), s.Until.UTC().Format(time.RFC3339))
	return s, nil
}

// changedBy reports whether a call changed something, or one before it that its vendor cut short.
func (s *State) changedBy(r RoleResult) bool {
	return s.Partial || r.Tree != s.Before.Tree || len(r.Changes) > 0
}
