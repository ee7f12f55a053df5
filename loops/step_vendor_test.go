package loops

import (
	"strings"
	"testing"
	"time"
)

// TestVendorFailuresCostNoAttempt plays a vendor that fails for good: the run waits with
// a date, nobody is charged but for money, and all calls are there again when it is resumed.
func TestVendorFailuresCostNoAttempt(t *testing.T) {
	t.Parallel()
	paid := Usage{USD: 0.1, Cost: CostReported}
	for name, row := range map[string]struct {
		report Report
		calls  int
		For    WaitReason
		until  time.Duration // after the start, to the minute
		why    string
	}{
		"overloaded":     {Report{Outcome: Overloaded, Detail: "HTTP status 529"}, 4, ForVendor, 15 * time.Minute, "the maker's vendor is overloaded: HTTP status 529 (failed 4 times); resume after 2026-07-04T08:15"},
		"unreachable":    {Report{Outcome: Unreachable}, 4, ForVendor, 15 * time.Minute, "can't be reached (failed 4 times)"},
		"limited":        {Report{Outcome: RateLimited}, 1, ForRate, 15 * time.Minute, "the maker hit a rate limit (failed once)"},
		"limited for 1h": {Report{Outcome: RateLimited, ResetsAt: benchDay.Add(time.Hour)}, 1, ForRate, time.Hour, "resume after 2026-07-04T09:00:00Z"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			row.report.Usage = paid
			fails := RoleResult{Report: row.report}
			start := oneChunk()
			start.Limits.Budget.Iterations = 1
			b := newBench(t)
			b.roles = map[Role][]RoleResult{Maker: {fails, fails, fails, fails, fails, fails, fails, fails}}
			b.run(start)
			s := b.s
			if s.Status != Waiting || s.WaitingFor != row.For || !strings.Contains(s.Question, row.why) {
				t.Errorf("%s, for %s: %q", s.Status, s.WaitingFor, s.Question)
			}
			if got := s.Until.Sub(benchDay).Round(time.Minute); got != row.until {
				t.Errorf("it waits for %s, want %s", got, row.until)
			}
			if s.Spend.Calls != row.calls || s.Spend.USD < float64(row.calls)*0.1-1e-9 || s.Charged > 0 || len(s.Incidents) > 0 || s.Iterations > 0 {
				t.Errorf("%+v, %d attempts charged, incidents %v, %d iterations", s.Spend, s.Charged, s.Incidents, s.Iterations)
			}
			b.play(b.feed(Event{Kind: Resumed}))
			if b.s.Spend.Calls != 2*row.calls || b.s.Status != Waiting {
				t.Errorf("resumed: %d calls, %s", b.s.Spend.Calls, b.s.Status)
			}
			b.roles[Maker] = nil
			b.play(b.feed(Event{Kind: Resumed}))
			if b.s.Status != GoalMet || b.s.Chunks[0].Attempts != 1 {
				t.Errorf("the vendor works again: %s after %d attempts: %s", b.s.Status, b.s.Chunks[0].Attempts, b.s.End.Why)
			}
		})
	}
}

// TestUnfinishedWorkIsEscalated holds what a maker did to the bounds of its loop although
// its vendor cut it short: the next call's changes don't name it.
func TestUnfinishedWorkIsEscalated(t *testing.T) {
	t.Parallel()
	start := oneChunk()
	start.Escalation = Escalation{Areas: []Area{{Name: "billing", Globs: []string{"billing/**"}}}}
	b := newBench(t)
	b.roles = map[Role][]RoleResult{Maker: {{Report: Report{Outcome: Unreachable}, Tree: "half", Changes: []Change{{Path: "billing/tax.go"}}}}}
	b.run(start)
	if b.s.Status != Waiting || b.s.WaitingFor != ForPerson || !strings.Contains(b.s.Question, "touches billing") || b.tree != "t0" {
		t.Errorf("%s, for %s: %q, tree %s", b.s.Status, b.s.WaitingFor, b.s.Question, b.tree)
	}
}
