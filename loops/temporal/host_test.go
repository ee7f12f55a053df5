//go:build unix

package temporal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/testsuite"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"
)

// wikiProgram builds the program once.
var wikiProgram = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "wiki-temporal-test-*")
	if err != nil {
		return "", err
	}
	path := filepath.Join(dir, "wiki")
	cmd := exec.Command("go", "build", "-o", path, "./cmd/wiki")
	cmd.Dir = filepath.Join("..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return path, nil
})

func TestMain(m *testing.M) {
	code := m.Run()
	if path, err := wikiProgram(); err == nil {
		os.RemoveAll(filepath.Dir(path))
	}
	os.Exit(code)
}

// shop is a repository with a plan of two chunks and scripted agents.
type shop struct {
	t               *testing.T
	dir, repo, wiki string
	env             []string
}

func newShop(t *testing.T) *shop {
	t.Helper()
	wiki, err := wikiProgram()
	if err != nil {
		t.Fatal(err)
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{t: t, dir: dir, repo: filepath.Join(dir, "repo"), wiki: wiki}
	s.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + filepath.Join(dir, "home"), "TMPDIR=" + filepath.Join(dir, "tmp"), "GIT_CONFIG_NOSYSTEM=1", "SHOP_TOKEN=sesame-open-7391",
		"GIT_CONFIG_COUNT=2", "GIT_CONFIG_KEY_0=user.name", "GIT_CONFIG_VALUE_0=Ada", "GIT_CONFIG_KEY_1=user.email", "GIT_CONFIG_VALUE_1=ada@example.org",
	}
	for name, text := range map[string]string{
		"tmp/.keep": "", "home/.keep": "",
		"agents/maker.sh":         "echo \"c$WIKI_LOOP_CHUNK\" >> out.txt\necho '{\"status\": \"ok\", \"self_assessment\": \"OK\", \"cost_usd\": 0.01}' > \"$WIKI_LOOP_RESULT\"\n",
		"agents/checker.sh":       "echo '{\"verdict\": \"APPROVE\", \"cost_usd\": 0.01}' > \"$WIKI_LOOP_RESULT\"\n",
		"agents/goal.sh":          "echo '{\"verdict\": \"MET\", \"cost_usd\": 0.01}' > \"$WIKI_LOOP_RESULT\"\n",
		"repo/tests/run.sh":       "true\n",
		"repo/wiki/index.md":      "# Shop\n",
		"repo/wiki.yaml":          shopConfig(dir),
		"repo/plans/2026-03-x.md": shopPlan,
	} {
		s.write(name, text)
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "A shop"}, {"init", "-q", "--bare", "-b", "main", "../origin.git"}, {"remote", "add", "origin", "../origin.git"}, {"push", "-q", "origin", "main"}} {
		s.git(args...)
	}
	return s
}

func shopConfig(dir string) string {
	return fmt.Sprintf(`loops:
  roles:
    maker: {agent: command, argv: [sh, %[1]q]}
    checker: {agent: command, argv: [sh, %[2]q]}
    goal-checker: {agent: command, argv: [sh, %[3]q]}
  gates: {test: [sh tests/run.sh]}
  timeouts: {grace: 300ms, backoff: 50ms}
  env: [SHOP_TOKEN]
`, dir+"/agents/maker.sh", dir+"/agents/checker.sh", dir+"/agents/goal.sh")
}

const shopPlan = `---
title: Two lines
priority: P1
effort: S
risk: LOW
scope: [out.txt]
goal: test -s out.txt
---
# Two lines
## Context
Lines are missing.
## Chunks
### 1. First line
- files: out.txt
- depends on: none
- verify: test -s out.txt
- tests: none

Write c1 to out.txt.
### 2. Second line
- files: out.txt
- depends on: 1
- verify: test -s out.txt
- tests: none

Write c2 to out.txt.
`

func (s *shop) write(name, text string) {
	s.t.Helper()
	path := filepath.Join(s.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) git(args ...string) string {
	s.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = s.repo, s.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("git %q: %v: %s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// submission is what 'wiki loop run --on temporal' hands over: a program in the place of
// wiki-temporal keeps it.
func (s *shop) submission() run.Submission {
	s.t.Helper()
	s.write("bin/wiki-temporal", "#!/bin/sh\ncat > "+s.dir+"/submission.json\n")
	if err := os.Chmod(filepath.Join(s.dir, "bin/wiki-temporal"), 0o755); err != nil {
		s.t.Fatal(err)
	}
	cmd := exec.Command(s.wiki, "-C", s.repo, "loop", "run", "--on", "temporal", "--detach", "2026-03-x")
	cmd.Env = append(s.env[1:len(s.env):len(s.env)], "PATH="+filepath.Join(s.dir, "bin")+":"+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil {
		s.t.Fatalf("submit: %v: %s", err, out)
	}
	text, err := os.ReadFile(filepath.Join(s.dir, "submission.json"))
	if err != nil {
		s.t.Fatal(err)
	}
	var sub run.Submission
	if err := json.Unmarshal(text, &sub); err != nil {
		s.t.Fatal(err)
	}
	return sub
}

// carry runs the workflow of a submission with a host's real activities, and returns the
// events of its journal.
func carry(t *testing.T, h *Host, sub run.Submission) ([]loops.Event, schema.RunSummary) {
	t.Helper()
	var mu sync.Mutex
	var got []loops.Event
	step := func(ctx context.Context, w Work) (Done, error) {
		mu.Lock()
		got = append(got, w.Step.Events...)
		mu.Unlock()
		return h.Step(ctx, w)
	}
	in := Input{Submission: sub}
	for range 10 {
		var suite testsuite.WorkflowTestSuite
		suite.SetLogger(quiet{})
		env := suite.NewTestWorkflowEnvironment()
		env.SetTestTimeout(15 * time.Minute)
		env.SetWorkerOptions(worker.Options{DeadlockDetectionTimeout: time.Minute})
		env.RegisterWorkflowWithOptions(Loop, workflow.RegisterOptions{Name: WorkflowName})
		env.RegisterActivityWithOptions(step, activity.RegisterOptions{Name: StepName})
		env.ExecuteWorkflow(WorkflowName, in)
		err := env.GetWorkflowError()
		var again *workflow.ContinueAsNewError
		if errors.As(err, &again) {
			in = Input{}
			if err := converter.GetDefaultDataConverter().FromPayloads(again.Input, &in); err != nil {
				t.Fatal(err)
			}
			continue
		}
		var sum schema.RunSummary
		if err != nil {
			t.Fatal(err)
		}
		if err := env.GetWorkflowResult(&sum); err != nil {
			t.Fatal(err)
		}
		return got, sum
	}
	t.Fatal("the workflow is continued as new for ever")
	return nil, schema.RunSummary{}
}

// Names that a host is told become folders below its root and nowhere else.
func TestNamesStayBelowTheRoot(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	h := &Host{ID: "ada", Root: filepath.Join(root, "host")}
	for _, name := range []string{"", ".", "..", "../x", "a/b", "/a", ".git"} {
		for _, w := range []Work{{Name: name, Step: run.StepRequest{Run: "r"}}, {Name: "n", Step: run.StepRequest{Run: name}}} {
			if _, err := h.Step(t.Context(), w); err == nil || !strings.Contains(err.Error(), "can't be the name") {
				t.Errorf("%+v: %v", w, err)
			}
		}
	}
	if left, err := os.ReadDir(root); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

// A run on a host is that of the embedded driver, event for event, but for times, commits
// and folders; its commits are on the branch of the remote, and its evidence is stored.
func TestARunOnAHostIsThatOfTheEmbeddedDriver(t *testing.T) {
	t.Parallel()
	here := newShop(t)
	cmd := exec.Command(here.wiki, "-C", here.repo, "loop", "run", "2026-03-x")
	cmd.Env = here.env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	journals, err := filepath.Glob(filepath.Join(here.repo, ".loopwiki/runs/*/journal.jsonl"))
	if err != nil || len(journals) != 1 {
		t.Fatalf("%q, %v", journals, err)
	}
	want := readEvents(t, journals[0])

	there := newShop(t)
	h := &Host{ID: "ada", Root: filepath.Join(there.dir, "host"), Wiki: there.wiki, Env: there.env, Artifacts: Folder(filepath.Join(there.dir, "artifacts"))}
	sub := there.submission()
	got, sum := carry(t, h, sub)
	if sum.Status != string(loops.GoalMet) {
		t.Fatalf("%+v", sum)
	}
	g, w := portable(t, got, there, sub.Start.Run), portable(t, want, here, want[0].Start.Run)
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) || g[i] != w[i] {
			t.Fatalf("event %d of %d and %d is\n%s\nwant\n%s", i+1, len(g), len(w), at(g, i), at(w, i))
		}
	}
	there.git("fetch", "-q", "origin")
	if subjects := there.git("log", "--format=%s", "main..origin/loop/2026-03-x"); len(strings.Split(subjects, "\n")) != len(strings.Split(here.git("log", "--format=%s", "main..loop/2026-03-x"), "\n")) {
		t.Errorf("the branch of the remote has\n%s", subjects)
	}
	prompts, err := filepath.Glob(filepath.Join(there.dir, "artifacts", sub.Start.Run+"-*", runPart, "chunk-1/attempt-1/maker/prompt.md"))
	if err != nil || len(prompts) != 1 {
		t.Fatalf("the prompt is not stored: %q, %v", prompts, err)
	}
	if text, err := os.ReadFile(prompts[0]); err != nil || !bytes.Contains(text, []byte("First line")) {
		t.Errorf("the prompt is %s, %v", text, err)
	}
	if left, err := filepath.Glob(filepath.Join(h.Root, "runs", "*")); err != nil || len(left) > 0 {
		t.Errorf("the clone of a run that is over is left: %q, %v", left, err)
	}
}

// Two repositories may begin a plan of one name in one second. The end of one run leaves the
// clone of the other alone.
func TestRunsOfOneNameStayApart(t *testing.T) {
	t.Parallel()
	h := &Host{Root: t.TempDir()}
	one := Work{Repository: "/a", Name: "shop", First: "x", Step: run.StepRequest{Run: "r"}}
	two := Work{Repository: "/b", Name: "shop", First: "y", Step: run.StepRequest{Run: "r"}}
	for _, w := range []*Work{&one, &two} {
		if err := os.MkdirAll(h.clone(w).dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := h.remove(h.clone(&one), &one); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(h.clone(&two).dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(h.clone(&one).dir); !os.IsNotExist(err) {
		t.Errorf("%v", err)
	}
}

func at(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "nothing"
}

var (
	ids   = regexp.MustCompile(`\b[0-9a-f]{40}\b|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b`)
	spans = regexp.MustCompile(`,"duration":"[^"]*"`) // left out where it is short
	times = regexp.MustCompile(`"(took|at|guarded)":("[^"]*"|[0-9.]+)`)
)

// portable writes events without what differs from machine to machine and from day to day.
func portable(t *testing.T, events []loops.Event, s *shop, id string) []string {
	t.Helper()
	known := make(map[string]string)
	var out []string
	for _, e := range events {
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		line := string(text)
		if e.Worktree != nil {
			line = strings.ReplaceAll(line, e.Worktree.Path, "WORKTREE")
		}
		line = strings.ReplaceAll(line, id, "RUN")
		line = strings.ReplaceAll(strings.ReplaceAll(line, s.dir+"/host/runs/"+unique("RUN", "")+"/repo", "REPO"), s.dir+"/repo", "REPO")
		line = spans.ReplaceAllString(strings.ReplaceAll(line, s.dir, "DIR"), "")
		line = times.ReplaceAllString(line, `"$1":0`)
		out = append(out, ids.ReplaceAllStringFunc(line, func(id string) string {
			if known[id] == "" {
				known[id] = fmt.Sprintf("ID%d", len(known))
			}
			return known[id]
		}))
	}
	return out
}
