package run

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/loopwiki/wiki/loops"
)

// The last id in order is the latest run, also if several begin in one second.
func TestRunsOfOneSecondStayInOrder(t *testing.T) {
	t.Parallel()
	s := NewStore(t.TempDir())
	at := time.Date(2026, 7, 4, 8, 0, 0, 0, time.UTC)
	var made []string
	for _, plan := range []string{"audit", "documentation", "documentation", "audit", "audit-2", "audit", "zeal"} {
		id, err := s.Create(plan, at)
		if err != nil {
			t.Fatal(err)
		}
		if latest, err := s.Find("latest"); err != nil || latest != id {
			t.Errorf("latest is %q, %v, want %q", latest, err, id)
		}
		made = append(made, id)
	}
	want := []string{
		"2026-07-04T080000Z-audit", "2026-07-04T080000Z-documentation", "2026-07-04T080000Z-documentation-2", "2026-07-04T080001Z-audit",
		"2026-07-04T080001Z-audit-2", "2026-07-04T080001Z-audit-3", "2026-07-04T080001Z-zeal",
	}
	if diff := cmp.Diff(want, made); diff != "" {
		t.Errorf("ids (-want +got):\n%s", diff)
	}
}

// Money counts on the day on which it was spent, whenever its run began.
func TestSpentOnDayCountsRunsFromTheDayBefore(t *testing.T) {
	t.Parallel()
	s := NewStore(t.TempDir())
	day := time.Date(2026, 7, 4, 0, 0, 0, 0, time.UTC)
	begun := func(plan string, at time.Time, calls ...time.Time) {
		t.Helper()
		id, err := s.Create(plan, at)
		if err != nil {
			t.Fatal(err)
		}
		j, err := CreateJournal(s.Folder(id))
		if err != nil {
			t.Fatal(err)
		}
		start := &loops.Start{Run: id, Loop: "execution", Limits: loops.DefaultLimits(), Base: "b", Plan: loops.Plan{Name: plan, Chunks: []loops.Chunk{{ID: "1"}}},
			Roles: map[loops.Role]loops.Casting{loops.Maker: {Agent: "command"}}}
		events := []loops.Event{{Kind: loops.Started, At: at, Start: start}}
		for st := loops.Fold(events); len(calls) > 0; st = loops.Fold(events) {
			c := st.Pending[0].Command
			e := loops.Event{At: events[len(events)-1].At, Key: c.Key}
			switch c.Kind {
			case loops.EnsureWorktree:
				e.Kind, e.Worktree = loops.WorktreeReady, &loops.PlaceResult{Path: "w", Branch: "b", Tree: "t0", Head: "b"}
			case loops.RunGates:
				e.Kind = loops.GatesEnded
			case loops.TakeSnapshot:
				e.Kind, e.Snapshot = loops.SnapshotTaken, &loops.Snapshot{}
			case loops.RunRole:
				e.Kind, e.At = loops.RoleEnded, calls[0]
				e.Role, calls = &loops.RoleResult{Report: loops.Report{Outcome: loops.Failed, Usage: loops.Usage{USD: 1, Cost: loops.CostReported}}}, calls[1:]
			default:
				t.Fatalf("the kernel wants %s: %s", c.Kind, st.End.Why)
			}
			events = append(events, e)
		}
		for _, e := range events {
			if err := j.Append(e); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.Close(); err != nil {
			t.Fatal(err)
		}
	}
	hour := func(n int) time.Time { return day.Add(time.Duration(n) * time.Hour) }
	begun("before", hour(-5), hour(-4))
	begun("across", hour(-2), hour(-1), hour(1))
	begun("today", hour(3), hour(4), hour(5))
	for at, want := range map[time.Time]float64{hour(12): 3, hour(-12): 2} {
		if got, err := s.SpentOn(at); err != nil || got != want {
			t.Errorf("on %s $%.2f, %v, not $%.2f", at.Format(time.DateOnly), got, err, want)
		}
	}
}
