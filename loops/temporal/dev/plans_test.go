//go:build server && linux

package dev

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops/temporal/dev/internal/rig"
)

// TestPlansSurviveKills runs twenty plans of two chunks over five repositories on three
// workers, one of which is killed meanwhile, and the server too. They end as the
// embedded driver ends them, and nothing is done twice.
func TestPlansSurviveKills(t *testing.T) {
	const repositories, plans, workers = 5, 4, 3
	want := embedded(t)
	f := newFleet(t, repositories, plans, workers, 300*time.Millisecond)
	began := time.Now()
	runs := map[string][]string{}
	for n := range plans {
		for _, name := range f.Names {
			runs[name] = append(runs[name], f.begin(name, n))
		}
	}
	called := func(n int) func() bool {
		return func() bool {
			calls, err := f.Calls()
			return err == nil && len(calls) >= n
		}
	}
	f.until("agents are called", patience, called(10))
	f.Kill(0)
	if err := f.Work(0); err != nil {
		t.Fatal(err)
	}
	f.until("more agents are called", patience, called(40))
	if err := f.KillServer(); err != nil {
		t.Fatal(err)
	}
	lost := 0
	for _, name := range f.Names {
		for n, run := range runs[name] {
			o := f.ends(name, run, patience, "met", "not-met", "stopped", "waiting", "environment", "budget")
			w := want[n%2]
			if o.Spend.Calls == w.Spend.Calls+1 && lost < workers { // a killed worker's call costs its estimate
				w.Spend, lost = o.Spend, lost+1
			}
			if got := o.String(); got != w.Of(n) {
				_, why := f.wiki(name, "loop", "logs", run)
				t.Errorf("%s ends as\n%s, and with the embedded driver as\n%s\n%s", run, got, w.Of(n), why)
			}
		}
	}
	calls, err := f.Calls()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d plans in %s, %d calls of agents, %d of them made again", repositories*plans, time.Since(began).Round(time.Second), len(calls), rig.Again(calls))
	f.nothingDoubled(2 * repositories * plans)
}

// TestApprovalAfterTheAskingWorkerIsGone kills the worker that asked a person. Another
// one goes on when the person answers.
func TestApprovalAfterTheAskingWorkerIsGone(t *testing.T) {
	f := newFleet(t, 1, 1, 1, 0)
	name := f.Names[0]
	if err := f.Hold("doubt"); err != nil {
		t.Fatal(err)
	}
	run := f.begin(name, 0)
	o := f.ends(name, run, patience, "waiting", "met", "stopped", "not-met", "environment")
	if o.Status != "waiting" || o.WaitingFor != "person" {
		t.Fatalf("it does not ask: %s", o)
	}
	f.Kill(0)
	if err := f.Work(1); err != nil {
		t.Fatal(err)
	}
	if err := f.Release("doubt"); err != nil {
		t.Fatal(err)
	}
	// It follows the run to its end, and another host takes that after two minutes.
	if code, out, err := f.Run(f.Home(name), patience, filepath.Join(f.Programs, "wiki"), "loop", "approve", run, "--by", "ada"); err != nil || code != 0 {
		t.Fatalf("approve: exit status %d, %v: %s", code, err, out)
	}
	if o := f.ends(name, run, patience, "met", "stopped", "not-met", "environment"); o.Status != "met" {
		t.Errorf("it ends as %s", o)
	}
	f.nothingDoubled(2)
}

// TestStopEndsTheAgentOnTheWorker stops a run while its agent works on another host, as
// far as the person's clone knows.
func TestStopEndsTheAgentOnTheWorker(t *testing.T) {
	f := newFleet(t, 1, 1, 1, 0)
	name := f.Names[0]
	if err := f.Hold("maker"); err != nil {
		t.Fatal(err)
	}
	run := f.begin(name, 0)
	f.until("the maker works", patience, func() bool { return f.Held("maker") })
	agent, ok := f.last()
	if !ok || !alive(agent.PID) {
		t.Fatalf("no agent: %+v", agent)
	}
	began := time.Now()
	gone := make(chan time.Duration, 1)
	go func() {
		for alive(agent.PID) && time.Since(began) < patience {
			time.Sleep(10 * time.Millisecond)
		}
		gone <- time.Since(began)
	}()
	if code, out := f.wiki(name, "loop", "stop", run); code != 0 {
		t.Fatalf("stop: exit status %d: %s", code, out)
	}
	took := <-gone
	if took > 5*time.Second {
		t.Errorf("the agent lived for %s after the stop", took)
	}
	t.Logf("the agent was gone %s after the stop began", took.Round(time.Millisecond))
	o := f.ends(name, run, patience, "stopped", "interrupted", "met", "not-met")
	if !strings.Contains("stopped interrupted", o.Status) {
		t.Errorf("it ends as %s", o)
	}
	f.nothingDoubled(0)
}

// TestApprovalThatNeverComesEndsByItsDeadline lets nobody answer.
func TestApprovalThatNeverComesEndsByItsDeadline(t *testing.T) {
	f := newFleet(t, 1, 1, 1, 0)
	// wiki leaves the deadline to its engine's program, which is started by this one here.
	shim := t.TempDir()
	script := "#!/bin/sh\nif [ \"$1\" = start ]; then shift; set -- start --answer-within 5s \"$@\"; fi\nexec " + filepath.Join(f.Programs, "wiki-temporal") + " \"$@\"\n"
	if err := os.WriteFile(filepath.Join(shim, "wiki-temporal"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	f.Env[0] = "PATH=" + shim + string(os.PathListSeparator) + strings.TrimPrefix(f.Env[0], "PATH=")
	name := f.Names[0]
	if err := f.Hold("doubt"); err != nil {
		t.Fatal(err)
	}
	run := f.begin(name, 0)
	if o := f.ends(name, run, patience, "rejected", "met", "stopped", "not-met", "environment"); o.Status != "rejected" {
		t.Errorf("it ends as %s", o)
	}
	f.nothingDoubled(0)
}

// TestFleetFileOnBothEngines runs a fleet file whose repositories have different engines,
// kills the fleet with -9 meanwhile and starts it again. What it began goes on, and is watched.
func TestFleetFileOnBothEngines(t *testing.T) {
	const repositories, plans = 3, 2
	f := newFleet(t, repositories, plans, 2, 300*time.Millisecond)
	here := f.Names[0] // has its plans carried out by the embedded driver
	f.edit(here, "wiki.yaml", "  engine: temporal\n  address: "+f.Server.Address+"\n", "")
	file := filepath.Join(f.Dir, "fleet.yaml")
	lines := "version: 1\nlimits: {at_once: 3}\nrepositories:\n"
	for _, name := range f.Names {
		lines += "  - path: " + f.Home(name) + "\n"
	}
	if err := os.WriteFile(file, []byte(lines), 0o644); err != nil {
		t.Fatal(err)
	}
	wiki := filepath.Join(f.Programs, "wiki")
	first, err := rig.Start("fleet", f.Dir, f.Dir, f.Env, wiki, "loop", "fleet", file)
	if err != nil {
		t.Fatal(err)
	}
	f.until("agents are called", patience, func() bool {
		calls, err := f.Calls()
		return err == nil && len(calls) >= 4
	})
	first.Kill()
	code, out, err := f.Run(f.Dir, patience, wiki, "loop", "fleet", file, "--json")
	if err != nil || code != 0 {
		t.Fatalf("exit status %d, %v\n%s", code, err, out)
	}
	if n := strings.Count(out, `"status": "met"`); n != repositories*plans {
		t.Errorf("%d plans are met\n%s", n, out)
	}
	for n, name := range f.Names {
		ids, err := filepath.Glob(filepath.Join(f.Home(name), ".loopwiki", "runs", "*", "engine.json"))
		if want := plans * min(n, 1); err != nil || len(ids) != want {
			t.Errorf("%s: %d runs are on the server, not %d: %v", name, len(ids), want, err)
		}
	}
	doubled, err := f.Doubled()
	if err != nil || len(doubled) > 0 {
		t.Errorf("%v %v", doubled, err)
	}
}
