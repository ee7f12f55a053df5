package plan

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/loopwiki/wiki/loops"
)

func TestReadLodeloop(t *testing.T) {
	t.Parallel()
	none := func(string) string { return "" }
	env := func(name string) string {
		return map[string]string{"LODELOOP_AGENT": "claude", "LODELOOP_MAX_ITER": "7", "LODELOOP_TIMEOUT": "60", "CB_NO_PROGRESS_THRESHOLD": "1", "CB_SAME_ERROR_THRESHOLD": "9"}[name]
	}
	got, err := ReadLodeloop([]string{"task.json"}, none)
	want := LodeloopOptions{Task: "task.json", Agent: "codex", MaxIterations: 20, Timeout: 600 * time.Second, NoProgress: 3, SameError: 5, Given: map[string]bool{}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	got, err = ReadLodeloop([]string{"-n", "10", "--timeout=30", "--notify", "say {status}", "--verbose", "--resume", "--", "-t.json"}, env)
	want = LodeloopOptions{Task: "-t.json", Agent: "claude", MaxIterations: 10, Timeout: 30 * time.Second, Notify: "say {status}", Verbose: true, Resume: true, NoProgress: 1, SameError: 9,
		Given: map[string]bool{"agent": true, "max-iterations": true, "timeout": true, "CB_NO_PROGRESS_THRESHOLD": true, "CB_SAME_ERROR_THRESHOLD": true, "notify": true, "verbose": true, "resume": true}}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	l := got.Limits(loops.DefaultLimits())
	if l.Budget.Iterations != 10 || l.NoProgress != 1 || l.HalfOpen != 1 || l.SameError != 9 {
		t.Errorf("%+v", l)
	}
	for args, want := range map[string]string{
		"":                              "no task file: expected task.json",
		"a.json b.json":                 "two task files, a.json and b.json: expected one",
		"-n":                            "-n needs a value",
		"-n --verbose a":                "-n needs a value",
		"-n many a":                     `-n: "many" is not a whole number from 1 to 1000000`,
		"--agent gemini a":              `--agent: "gemini" is not a lodeloop agent: expected one of codex, claude`,
		"--max-iteration 3 a":           `unknown option --max-iteration: did you mean "--max-iterations"?`,
		"--dry-run=yes a":               "--dry-run takes no value",
		"--notify 'a a":                 `--notify: "'a" is not a command: unclosed quote, substitution or compound command`,
		"--CB_SAME_ERROR_THRESHOLD 1 a": "unknown option --CB_SAME_ERROR_THRESHOLD: expected one of --max-iterations, --agent, --timeout, --notify, --dry-run, --resume, --reset, --status, --verbose, --help",
	} {
		if _, err := ReadLodeloop(strings.Fields(args), none); err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", args, err, want)
		}
	}
	if _, err := ReadLodeloop([]string{"a"}, func(n string) string { return map[string]string{"LODELOOP_TIMEOUT": "-1"}[n] }); err == nil || err.Error() != `LODELOOP_TIMEOUT: "-1" is not a whole number from 1 to 1000000` {
		t.Error(err)
	}
}

// What a run says never becomes a command.
func TestNotifyArgs(t *testing.T) {
	t.Parallel()
	for line, want := range map[string][]string{
		`notify-send "loop {status}" {iterations}/{stories}`: {"notify-send", "loop a; rm -rf $HOME 'x'", "3/2 of 5"},
		`sh -c 'echo "$1"' -- {status}`:                      {"sh", "-c", `echo "$1"`, "--", "a; rm -rf $HOME 'x'"},
		`a\ b "c\"d\e" '' ` + "\t x":                         {"a b", `c"d\e`, "", "x"},
	} {
		got, err := NotifyArgs(line, "a; rm -rf $HOME 'x'", "3", "2 of 5")
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", line, err, diff)
		}
	}
	for _, line := range []string{"", "  ", `a "b`, `'' x`, "a; b", "a & b", "a #b", "a >b", "A=1 a", "! a", "(a)", "a\nb"} {
		if got, err := NotifyArgs(line, "", "", ""); err == nil {
			t.Errorf("%q is %q", line, got)
		}
	}
}

func TestAppendProgress(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 7, 4, 10, 0, 0, 0, time.FixedZone("", 7200))
	first := AppendProgress(nil, ProgressEntry{Iteration: 1, At: at, Story: "S1", What: "Adds\n## Iteration 9", Files: []string{"a.go", "b.go"},
		Verification: []Verified{{"go test", true}, {"go vet", false}}, Failure: "x\n## y\n```\n", Patterns: []string{"errors are wrapped"}})
	want := `# Progress

## Codebase Patterns

- errors are wrapped

---

## Iteration 1 — 2026-07-04T08:00:00Z — S1

- Adds ## Iteration 9
- **Files:** a.go, b.go
- **Verification:** ✓ go test, ✗ go vet
- **Failure context:**

      x
      ## y
      ` + "```" + `

---
`
	if diff := cmp.Diff(want, string(first)); diff != "" {
		t.Fatalf("(-want +got):\n%s", diff)
	}
	second := AppendProgress(first, ProgressEntry{Iteration: 2, At: at, Story: "S1", Learnings: []string{"l"}, Patterns: []string{"errors are wrapped", "no globals"}})
	rest, ok := strings.CutPrefix(string(second), strings.Replace(want, "- errors are wrapped\n", "- errors are wrapped\n- no globals\n", 1))
	if !ok || rest != "\n## Iteration 2 — 2026-07-04T08:00:00Z — S1\n\n- **Learnings:**\n  - l\n\n---\n" {
		t.Errorf("%s", second)
	}
	own := AppendProgress([]byte("own words"), ProgressEntry{Iteration: 1, At: at, Story: "S", Patterns: []string{"p"}})
	if !strings.HasPrefix(string(own), "## Codebase Patterns\n\n- p\n\n---\n\nown words\n\n## Iteration 1") {
		t.Errorf("%s", own)
	}
	long := AppendProgress(nil, ProgressEntry{At: at, Failure: strings.Repeat("é", maxFailure)})
	if len(long) > maxFailure+400 {
		t.Errorf("%d bytes", len(long))
	}
}

func TestCircuit(t *testing.T) {
	t.Parallel()
	b := loops.Breaker{State: loops.HalfOpen, NoProgress: 2, Same: 1, LastProgress: 4, Opens: 1, Reason: "no <progress>"}
	src := WriteCircuit(b)
	want := "{\n  \"state\": \"HALF_OPEN\",\n  \"consecutive_no_progress\": 2,\n  \"consecutive_same_error\": 1,\n  \"last_progress_iteration\": 4,\n  \"total_opens\": 1,\n  \"reason\": \"no <progress>\"\n}\n"
	if string(src) != want {
		t.Errorf("%s", src)
	}
	if got, err := ReadCircuit(src); err != nil || got != b {
		t.Errorf("%+v, %v", got, err)
	}
	for _, bad := range []string{"", "{", `{"state": "AJAR"}`, `{"state": "OPEN", "total_opens": -1}`} {
		if got, err := ReadCircuit([]byte(bad)); err == nil || got.State != loops.Closed {
			t.Errorf("%q: %+v, %v", bad, got, err)
		}
	}
}

func TestWriteResult(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 7, 4, 8, 0, 0, 0, time.UTC)
	s := &loops.State{Status: loops.OverBudget, Iterations: 20, First: at, Last: at.Add(90 * time.Second), End: loops.End{Why: "no iterations are left"},
		Chunks: []loops.ChunkState{{Status: loops.ChunkDone}, {Status: loops.ChunkRunning}}}
	s.Start.Limits.Budget.Iterations = 20
	want := "{\n  \"status\": \"max_iterations\",\n  \"iterations\": 20,\n  \"stories_completed\": 1,\n  \"stories_total\": 2,\n  \"duration_seconds\": 90,\n  \"last_error\": \"no iterations are left\",\n  \"timestamp\": \"2026-07-04T08:01:30Z\"\n}\n"
	if got := string(WriteResult(s)); got != want {
		t.Error(got)
	}
	for status, want := range map[loops.Status]string{loops.GoalMet: "complete", loops.Stopped: "failed", loops.Running: "running"} {
		if got := LodeloopStatus(&loops.State{Status: status}); got != want {
			t.Errorf("%s is %s", status, got)
		}
	}
	if LodeloopPrompt(3) != "logs/prompt_3.md" || LodeloopLog(12) != "logs/iteration_12.log" {
		t.Error("the names of files are lodeloop's")
	}
}

func FuzzNotifyArgs(f *testing.F) {
	f.Add(`a "b {status}" 'c'`, "x y")
	f.Add("a $(b) {stories}", "x")
	f.Fuzz(func(t *testing.T, line, value string) {
		plain, err := NotifyArgs(line, "", "", "")
		filled, err2 := NotifyArgs(line, value, value, value)
		if (err == nil) != (err2 == nil) || len(plain) != len(filled) {
			t.Errorf("%q: %q and %q", line, plain, filled)
		}
	})
}
