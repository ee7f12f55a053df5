package main

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema/schematest"
)

// every is how many places lie between those at which a test kills: fewer for
// somebody who waits for the tests than for a machine that checks a change.
func every() int { return schematest.Every(31, 41) }

// outcome is what a run comes to, whatever happens to its runner.
type outcome struct {
	tree, log, statuses string
	events, calls       int
	usd                 float64
}

// undisturbed carries out the plan and returns what comes of it.
func undisturbed(t *testing.T) outcome {
	t.Helper()
	s := newShop(t)
	before := s.checkout()
	s.must(0, "loop", "run", shopPlan)
	o := s.outcome(before)
	if o.calls != 7 || math.Abs(o.usd-0.12) > 1e-9 {
		t.Fatalf("%d calls, $%v; there are three makers, three checkers and a goal-checker", o.calls, o.usd)
	}
	return o
}

// finished holds what must be true after every run that reached its goal, however often its
// runner died: one end, each call paid for, equal decisions in a replay, and a main checkout
// as it was. It returns the run's state, and how many agents were called.
func (s *shop) finished(checkout string) (state loops.State, calls int) {
	s.t.Helper()
	events := s.events()
	if len(events) == 0 {
		s.t.Fatal("there is no journal")
	}
	state = loops.Fold(events)
	known, lost, ends := 0.0, 0, 0
	for i, e := range events {
		switch {
		case e.Kind == loops.Began && e.Command.Kind == loops.RunRole:
			calls++
			lost++
		case e.Kind == loops.RoleEnded:
			known += e.Role.Report.Usage.USD
			lost--
		case e.Kind == loops.Finished:
			if ends++; i != len(events)-1 {
				s.t.Errorf("the run is finished by event %d of %d", i+1, len(events))
			}
		}
	}
	if state.Status != loops.GoalMet || ends != 1 {
		s.t.Errorf("%s (%s), and %d events finish the run", state.Status, state.End.Why, ends)
	}
	if want := known + 0.25*float64(lost); math.Abs(state.Spend.USD-want) > 1e-9 || state.Spend.Calls != calls {
		s.t.Errorf("$%v spent in %d calls, not $%v in %d", state.Spend.USD, state.Spend.Calls, want, calls)
	}
	for step := range runs.Replay(events) {
		if !step.Same {
			s.t.Errorf("replay: %s", step.Text)
		}
	}
	if now := s.checkout(); now != checkout {
		s.t.Errorf("the main checkout was\n%s\nand is\n%s", checkout, now)
	}
	return state, calls
}

// outcome returns what must be equal for all runs of the shop's plan that reached their goal.
func (s *shop) outcome(checkout string) outcome {
	s.t.Helper()
	state, calls := s.finished(checkout)
	o := outcome{calls: calls, usd: state.Spend.USD, events: len(s.events())}
	branch := "loop/" + shopPlan
	o.tree = s.git("diff", "main", branch, "--", ":!wiki")
	if n := strings.Count(s.git("show", branch+":wiki/log.md"), " loop | Sums"); n != 1 {
		s.t.Errorf("%d entries in the log", n)
	}
	if out := strings.Fields(s.git("ls-tree", "--name-only", branch, "wiki/90_LOG/")); len(out) != 2 {
		s.t.Errorf("pages of runs: %v", out)
	}
	place := filepath.Join(s.dir, filepath.Base(s.top)+"-loop-"+shopPlan)
	if out := s.git("-C", place, "status", "--porcelain"); out != "" {
		s.t.Errorf("the worktree is not its branch's:\n%s", out)
	}
	sum := s.summary()
	for _, c := range sum.Chunks {
		o.statuses += fmt.Sprintf("%s %s %d\n", c.ID, c.Status, c.Attempts)
	}
	o.statuses += fmt.Sprint(sum.Status, sum.Exit, sum.Branch)
	o.log = s.git("log", "--format=%s", branch)
	return o
}

// resumed continues with a run whose runner is dead, and compares.
func (s *shop) resumed(want outcome, checkout string, before map[string]string) {
	s.t.Helper()
	s.must(0, "loop", "resume", "latest", "--json")
	got := s.outcome(checkout)
	if got.calls > want.calls+1 {
		s.t.Errorf("%d calls of agents, undisturbed %d", got.calls, want.calls)
	}
	if got.usd < want.usd-1e-9 {
		s.t.Errorf("$%v were spent, undisturbed $%v", got.usd, want.usd)
	}
	if got.tree != want.tree || got.log != want.log || got.statuses != want.statuses {
		s.t.Errorf("it came to\n%s%s%s\nand not to\n%s%s%s", got.tree, got.log, got.statuses, want.tree, want.log, want.statuses)
	}
	after := s.evidence()
	for name, sum := range before {
		if after[name] != sum {
			s.t.Errorf("%s was overwritten", name)
		}
	}
}

// evidence are sums of what calls left in the run's folder.
func (s *shop) evidence() map[string]string {
	s.t.Helper()
	out := map[string]string{}
	for _, folder := range []string{"chunk-1", "chunk-2", "plan"} {
		root := filepath.Join(s.store().Folder(s.runID()), folder)
		_ = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				text, err := os.ReadFile(name)
				if err != nil {
					s.t.Error(err)
				}
				out[name] = fmt.Sprintf("%x", sha256.Sum256(text))
			}
			return nil
		})
	}
	return out
}

// TestResumeAfterKilledRunner kills the runner of a run of two chunks before, during and
// after its commands, and resumes: it comes to what it does undisturbed.
func TestResumeAfterKilledRunner(t *testing.T) {
	if testing.Short() {
		t.Skip("a run is carried out for every place where its runner dies")
	}
	t.Parallel()
	began := time.Now()
	want := undisturbed(t)
	t.Run("random", func(t *testing.T) { killedAtRandom(t, want, time.Since(began)) })
	t.Run("between", func(t *testing.T) { killedBetween(t, want) })
	t.Run("during", func(t *testing.T) { killedDuring(t, want) })
	t.Run("git", func(t *testing.T) { killedByGit(t, want) })
}

// killedAtRandom kills the runner at random moments of a run that takes about a time.
func killedAtRandom(t *testing.T, want outcome, takes time.Duration) {
	for n := 0; n < 40; n += every() {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			s := newShop(t)
			before := s.checkout()
			after := rand.N(takes)
			r := s.start(nil, "loop", "run", shopPlan)
			pid := r.pid()
			timer := time.AfterFunc(after, func() { _ = syscall.Kill(pid, syscall.SIGKILL) }) // it may have ended
			code := r.wait()
			timer.Stop()
			t.Logf("killed after %s with %d events", after, len(s.events()))
			switch {
			case code != -9 && code != 0:
				t.Fatalf("exit status %d:\n%s", code, r.said())
			case len(s.events()) == 0:
				s.must(0, "loop", "run", shopPlan)
			default:
				s.resumed(want, before, s.evidence())
			}
		})
	}
}

// killedBetween kills the runner with each event of its journal as the last, so
// that each command has not begun, has begun, or has just ended.
func killedBetween(t *testing.T, want outcome) {
	for n := 1; n <= want.events; n += every() {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			before := s.checkout()
			r := s.start([]string{fmt.Sprint("DIES_AFTER=", n)}, "loop", "run", shopPlan, "--json")
			if code := r.wait(); code != -9 || len(s.events()) != n {
				t.Fatalf("exit status %d, %d events:\n%s", code, len(s.events()), r.said())
			}
			s.resumed(want, before, s.evidence())
		})
	}
}

// killedDuring kills the runner while an agent or a gate works.
func killedDuring(t *testing.T, want outcome) {
	places := []string{"test-0", "maker-1-1", "test-1", "checker-1-1", "maker-1-2", "test-2", "checker-1-2", "maker-2-1", "test-3", "checker-2-1", "goal", "goal-checker"}
	for i := 0; i < len(places); i += (every() + 1) / 2 {
		t.Run(places[i], func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			before := s.checkout()
			s.block(places[i])
			r := s.start(nil, "loop", "run", shopPlan)
			s.until("it works at "+places[i], func() bool { return s.asleep() == 2 })
			r.signal(syscall.SIGKILL)
			if code := r.wait(); code != -9 {
				t.Fatalf("exit status %d:\n%s", code, r.said())
			}
			if n := s.asleep(); n != 0 {
				t.Errorf("%d processes are left", n)
			}
			s.unblock(places[i])
			s.resumed(want, before, s.evidence())
		})
	}
}

// killedByGit kills the runner at its calls of git, before git has done what it
// was asked for or after it.
func killedByGit(t *testing.T, want outcome) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	shim := func(s *shop, n int) []string {
		bin := filepath.Join(s.dir, "bin")
		s.write(bin, "count", fmt.Sprint(n))
		s.write(bin, "git", `#!/bin/sh
n=$(cat BIN/count) && n=$((n-1)) && echo $n > BIN/count
[ $n -eq 0 ] && { [ WHEN = after ] && GIT "$@" >/dev/null 2>&1; kill -9 $PPID; }
exec GIT "$@"
`, "BIN", bin, "GIT", git, "WHEN", []string{"before", "after"}[n%2])
		if err := os.Chmod(filepath.Join(bin, "git"), 0o755); err != nil {
			t.Fatal(err)
		}
		return []string{"PATH=" + bin + ":" + os.Getenv("PATH")}
	}
	// How many calls there are is found out by one that is never reached.
	s := newShop(t)
	if r := s.start(shim(s, 1<<20), "loop", "run", shopPlan); r.wait() != 0 {
		t.Fatal(r.said())
	}
	text, _ := os.ReadFile(filepath.Join(s.dir, "bin", "count"))
	left, err := strconv.Atoi(strings.TrimSpace(string(text)))
	calls := 1<<20 - left
	if err != nil || calls < 50 {
		t.Fatalf("%d calls of git: %v", calls, err)
	}
	step := calls*every()/42 | 1 // so that before and after take turns
	if schematest.Long() {
		step = 3
	}
	for n := 1 + step/2; n <= calls; n += step {
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			before := s.checkout()
			if r := s.start(shim(s, n), "loop", "run", shopPlan); r.wait() != -9 {
				t.Fatalf("it was not killed:\n%s", r.said())
			}
			if len(s.events()) == 0 {
				s.must(0, "loop", "run", shopPlan)
				return
			}
			s.resumed(want, before, s.evidence())
		})
	}
}
