//go:build server && linux

package dev

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops/temporal/dev/internal/rig"
)

// patience is for machines with much else to do; nothing is asserted of how long things
// take but of a stop.
const patience = 15 * time.Minute

// fleet is a rig.Fleet that ends with its test, and fails it.
type fleet struct {
	*rig.Fleet
	t *testing.T
}

// newFleet starts a server and workers; wrap is put before the
// commands of the server and of a person.
func newFleet(t *testing.T, repositories, plans, workers int, pace time.Duration, wrap ...string) *fleet {
	t.Helper()
	programs := filepath.Dir(program(t, "wiki-worker"))
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f, err := rig.NewFleet(programs, dir, repositories, plans, pace, wrap...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			f.Tails(t.Log)
		}
		if err := f.Close(); err != nil {
			t.Error(err)
		}
	})
	for n := range workers {
		if err := f.Work(n); err != nil {
			t.Fatal(err)
		}
	}
	return &fleet{f, t}
}

// edit changes a file of a person's clone, and pushes that to the origin.
func (f *fleet) edit(repository, name, from, to string) {
	f.t.Helper()
	path := filepath.Join(f.Home(repository), name)
	text, err := os.ReadFile(path)
	if err != nil || !strings.Contains(string(text), from) {
		f.t.Fatalf("%s of %s has no %q: %v", name, repository, from, err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), from, to, 1)), 0o644); err != nil {
		f.t.Fatal(err)
	}
	for _, args := range [][]string{{"commit", "-qam", "edit " + name}, {"push", "-q", "origin", "HEAD"}} {
		if _, err := f.Git(f.Home(repository), args...); err != nil {
			f.t.Fatal(err)
		}
	}
}

// begin starts a plan.
func (f *fleet) begin(repository string, plan int) (run string) {
	f.t.Helper()
	run, err := f.Begin(repository, plan)
	if err != nil {
		f.t.Fatal(err)
	}
	return run
}

// until waits until something holds.
func (f *fleet) until(what string, patience time.Duration, holds func() bool) {
	f.t.Helper()
	for end := time.Now().Add(patience); !holds(); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(end) {
			f.t.Fatalf("it does not come about within %s that %s", patience, what)
		}
	}
}

// ends waits until a run is in one of the states, and returns how it ended.
func (f *fleet) ends(repository, run string, patience time.Duration, status ...string) (o rig.Outcome) {
	f.t.Helper()
	f.until(fmt.Sprintf("%s is %s", run, strings.Join(status, " or ")), patience, func() bool {
		var err error
		if o, err = f.Outcome(repository, run, append(slices.Clone(f.Wrap), filepath.Join(f.Programs, "wiki"))...); err != nil {
			return false
		}
		for _, s := range status {
			if o.Status == s {
				return true
			}
		}
		return false
	})
	return o
}

// wiki runs wiki in a person's clone, and returns its exit code and output.
func (f *fleet) wiki(repository string, args ...string) (code int, out string) {
	f.t.Helper()
	code, out, err := f.Wiki(repository, args...)
	if err != nil {
		f.t.Fatal(err)
	}
	return code, out
}

// nothingDoubled looks for commits and calls that were made twice.
func (f *fleet) nothingDoubled(commits int) {
	f.t.Helper()
	doubled, err := f.Doubled()
	if err != nil {
		f.t.Fatal(err)
	}
	for _, d := range doubled {
		f.t.Error(d)
	}
	if total, err := f.Total(); err != nil || total != commits {
		f.t.Errorf("%d commits of chunks, not %d: %v", total, commits, err)
	}
}

// embedded is how plans end that the embedded driver carries out: the first one, and the
// second, which is rejected once.
func embedded(t *testing.T) [2]rig.Outcome {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s, err := rig.NewShops(dir, 1, 2, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	var out [2]rig.Outcome
	for n := range out {
		if out[n], err = s.Embedded(program(t, "wiki"), s.Names[0], n); err != nil {
			t.Fatal(err)
		}
		if out[n].Status != "met" {
			t.Fatalf("the embedded driver ends with %s", out[n])
		}
	}
	return out
}

// alive says whether a process is there, and has not ended.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, state, _ := strings.Cut(string(text), ") ")
	return err == nil && !strings.HasPrefix(state, "Z")
}

// last is the last call of an agent.
func (f *fleet) last() (c rig.Call, ok bool) {
	calls, err := f.Calls()
	if err != nil || len(calls) == 0 {
		return c, false
	}
	return calls[len(calls)-1], true
}
