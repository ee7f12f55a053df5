package fleet

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/controltest"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
)

// workers are those of another engine, which end a run when they are asked about it for the
// third time: it has no worktree.
type workers struct {
	t       *testing.T
	asked   func(n int)
	gone    error // of each refresh
	n       int
	started []string
	stopped []string
}

func (w *workers) Start(_ context.Context, r *repo.Repo, pl *loops.Plan) (string, error) {
	id := controltest.Begun(w.t, r, loops.Start{Loop: "execution", Plan: *pl}, false)
	w.started = append(w.started, id)
	return id, r.Store.SetEngine(id, run.Engine{Name: "temporal", First: "x"})
}

func (w *workers) Resume(context.Context, *repo.Repo, string) error { return nil }

func (w *workers) Stop(_ context.Context, _ *repo.Repo, id string) error {
	w.stopped = append(w.stopped, id)
	return nil
}

func (w *workers) Refresh(_ context.Context, r *repo.Repo) error {
	if w.n++; w.asked != nil {
		w.asked(w.n)
	}
	if w.gone != nil {
		return w.gone
	}
	if w.n < 3 || len(w.started) == 0 {
		return nil
	}
	id := w.started[len(w.started)-1]
	s, events, err := r.Store.Read(id)
	for n := len(events); err == nil && !s.Status.Over(); {
		e := loops.Event{Kind: loops.Broken, Key: s.Pending[0].Command.Key, Fault: &loops.Fault{}, At: r.Now()}
		if s.Pending[0].Command.Kind == loops.WriteReport {
			e.Kind = loops.Reported
		}
		s, _ = loops.Step(s, e)
		n++
		_, err = r.Store.Extend(id, n, []loops.Event{e})
	}
	return err
}

// elsewhere is a fleet of one plan for another engine.
func elsewhere(t *testing.T) (*Fleet, *repo.Repo, *workers) {
	r := controltest.Open(t, shop("P1", "P3", "P3"))
	r.Config.Engine = "temporal"
	f, w := fleetOf(schema.FleetLimits{}, r), &workers{t: t}
	f.members[0].Plans, f.Elsewhere = []string{"2026-03-a"}, w
	return f, r, w
}

func TestRunsElsewhereAreWatchedToTheirEnd(t *testing.T) {
	t.Parallel()
	f, _, w := elsewhere(t)
	report, err := f.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(w.started) != 1 || len(w.stopped) > 0 || len(report.Rows) != 1 {
		t.Fatalf("started %v, stopped %v: %+v", w.started, w.stopped, report.Rows)
	}
	if row := report.Rows[0]; row.Run != w.started[0] || row.Status != string(loops.NoGround) || row.Exit != loops.NoGround.Exit() {
		t.Errorf("%+v", row)
	}
}

// Who stops the fleet stops the runs that it started elsewhere, and no others.
func TestRunsElsewhereAreStoppedWithTheFleet(t *testing.T) {
	t.Parallel()
	for _, ours := range []bool{true, false} {
		f, r, w := elsewhere(t)
		ctx, stop := context.WithCancel(t.Context())
		w.asked = func(n int) {
			if n == 2 {
				stop()
			}
		}
		if !ours { // somebody handed it over before
			if _, err := w.Start(ctx, r, &loops.Plan{Name: "2026-03-a", Path: "plans/2026-03-a.md", Scope: []string{"a.txt"}}); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := f.Run(ctx); err != nil {
			t.Fatal(err)
		}
		var want []string
		if ours {
			want = w.started
		}
		if len(w.started) != 1 || !slices.Equal(w.stopped, want) {
			t.Errorf("ours %v: started %v, stopped %v", ours, w.started, w.stopped)
		}
	}
}

// Runs on a server that can't be reached are shown as they were fetched last, with the reason.
func TestRunsElsewhereThatCanNotBeReached(t *testing.T) {
	t.Parallel()
	f, r, w := elsewhere(t)
	if _, err := w.Start(t.Context(), r, &loops.Plan{Name: "2026-03-a", Path: "plans/2026-03-a.md", Scope: []string{"a.txt"}}); err != nil {
		t.Fatal(err)
	}
	w.gone = errors.New("no server at 127.0.0.1:7233")
	report, err := f.Status(t.Context())
	if err != nil || len(report.Rows) != 1 {
		t.Fatal(report, err)
	}
	if row := report.Rows[0]; row.Status != string(loops.Running) || !strings.Contains(row.Why, w.gone.Error()) {
		t.Errorf("%+v", row)
	}
}
