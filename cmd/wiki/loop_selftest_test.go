package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/cmd/wiki/internal/selftest"
	"github.com/loopwiki/wiki/schema/schematest"
)

// builtProgram finds the program that testscript made of this test.
func builtProgram(t *testing.T) string {
	t.Helper()
	for _, need := range []string{"git", "sh"} {
		if gone, err := missing("missing:" + need); err != nil {
			t.Fatal(err)
		} else if gone {
			t.Skip(need + " is not here")
		}
	}
	self, err := exec.LookPath("wiki")
	if err != nil {
		t.Fatal(err)
	}
	return self
}

// TestOutcomes runs the outcome table through the program, with git and processes:
// what agents try, what has to come of it, and what has to be as before.
func TestOutcomes(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it is what the second run of CI is for")
	}
	self := builtProgram(t)
	for _, open := range []bool{false, true} {
		t.Run(fmt.Sprintf("open=%t", open), func(t *testing.T) {
			t.Parallel()
			for i, s := range table(open) {
				t.Run(s.Name, func(t *testing.T) {
					if i%5 > 0 {
						schematest.NeedThorough(t, "one of the scenarios in which agents cheat or fail")
					}
					t.Parallel()
					r, err := selftest.Run(t.Context(), selftest.Options{Self: self, Path: os.Getenv("PATH"), Cache: cacheHome(""), Dir: t.TempDir(), Open: open}, &s)
					if err != nil {
						t.Fatal(err)
					}
					if r.Skipped != "" {
						t.Skip(r.Skipped)
					}
					for _, f := range r.Faults {
						t.Error(f)
					}
				})
			}
		})
	}
}

// table is all of it under -long. Else it is one scenario of each row, and one in
// three of those in which a sandbox makes a difference without one.
func table(open bool) []selftest.Scenario {
	var out []selftest.Scenario
	row := ""
	for i, s := range selftest.Scenarios() {
		switch {
		case schematest.Long(), !open && s.Row != row, open && s.Open != nil && i%3 == 0:
			out = append(out, s)
		}
		row = s.Row
	}
	return out
}

// TestSelftestGoesOnAfterASlowScenario gives a run up that takes too long, as one that failed.
func TestSelftestGoesOnAfterASlowScenario(t *testing.T) {
	t.Parallel()
	self := builtProgram(t)
	all, err := selftest.Pick([]string{"hangs-silently", "ignores-sigterm"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	err = selftest.RunAll(t.Context(), selftest.Options{Self: self, Path: os.Getenv("PATH"), Dir: t.TempDir(), Wall: time.Millisecond}, all, func(r selftest.Result) {
		got = append(got, fmt.Sprintf("%s %v %s", r.Name, r.Held, strings.Join(r.Faults, "; ")))
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range all {
		if want := s.Name + " false took longer than 1ms; run it again when the machine has less to do"; i >= len(got) || got[i] != want {
			t.Errorf("results %q, want %q", got, want)
		}
	}
}

// TestSelftestDetectsTampering runs a scenario with a program that does, after the run
// has ended, all that no run may do.
func TestSelftestDetectsTampering(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it is what the second run of CI is for")
	}
	self := builtProgram(t)
	all, err := selftest.Pick([]string{"prints-passed-value"})
	if err != nil {
		t.Fatal(err)
	}
	all[0].Want = selftest.Want{Status: "met", Class: "scope", Charged: 2, Calls: 7, Tree: selftest.Kept, Waiting: "person", Estimated: true, Breach: "config", Strays: true, Meta: true, Blocked: true}
	script := "#!/bin/sh\nrepo=$2\n'" + self + "' \"$@\"\ncode=$?\nrun=$(echo \"$repo\"/.loopwiki/runs/2*)\n"
	wanted := []string{"status: stopped, not met", "class: secret, not scope", "attempts charged: 1, not 2", "calls of agents: 1, not 7",
		"tree: rolled back, not kept", "waits for: , not person", "spend is estimated: false, not true", "[], not config",
		"Meta-Andon: false, not true", "needs a review: false, not true"}
	for _, f := range []struct{ does, seen string }{
		{`echo x >> "$repo/README.md"`, "file repo/README.md is"},
		{`git -C "$repo" rm -q --cached price.sh`, "the repository: index is"},
		{`git -C "$repo" tag v1`, "refs/tags/v1 is new"},
		{`git -C "$repo" config core.fileMode true; git -C "$repo" config x.y z`, "file repo/.git/config is"},
		{`echo x > "$repo/.git/hooks/pre-commit"`, "hooks/pre-commit is new"},
		{`(trap '' HUP; cd "$repo" && exec sleep 5) > /dev/null 2>&1 &`, "a process is still running"},
		{`git -C "$repo" worktree add -q --detach "$repo/../loop-x"`, "git knows the worktrees"},
		{`printf %s "$SELFTEST_TOKEN" > "$run/note"`, "is stored on disk: repo/.loopwiki/runs/"},
		{`printf %s "$SELFTEST_TOKEN" | git -C "$repo" hash-object -w --stdin > /dev/null`, "is stored on disk: an object of git"},
		{`: > "$run/chunk-1/attempt-1/maker/prompt.md"`, "no prompt.md"},
		{`sed '$d' "$run/journal.jsonl" > "$run/j" && mv "$run/j" "$run/journal.jsonl"`, "the journal has 0 terminal events"},
		{`mkdir "$TMPDIR/wiki-run-x"`, "1 temporary folders remain"},
		{`exit 9`, "the exit status is 9; that of \"stopped\" is 4"},
	} {
		script += f.does + "\n"
		wanted = append(wanted, f.seen)
	}
	dir := t.TempDir()
	wrapper := filepath.Join(dir, "program")
	if err := os.WriteFile(wrapper, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	r, err := selftest.Run(t.Context(), selftest.Options{Self: wrapper, Path: os.Getenv("PATH"), Dir: dir}, &all[0])
	if err != nil {
		t.Fatal(err)
	}
	said := strings.Join(r.Faults, "\n")
	for _, w := range wanted {
		if !strings.Contains(said, w) {
			t.Errorf("it does not say %q; it says\n%s", w, said)
		}
	}
	if r.Held {
		t.Error("it says that all held")
	}
}
