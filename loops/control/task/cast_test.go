package task

import (
	"strconv"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/control/cast"
	"github.com/loopwiki/wiki/loops/control/controltest"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/loopwiki/wiki/schema"
)

func TestMain(m *testing.M) { controltest.Main(m) }

func TestCast(t *testing.T) {
	t.Parallel()
	configured := cast.Roles{"maker": {Agent: "codex"}}
	script := cast.Roles{"maker": {Agent: "command", Argv: []string{"sh"}}}
	for name, c := range map[string]struct {
		format       loops.PlanFormat
		agent        string // of the file
		environment  string
		roles        cast.Roles
		given        cast.Given
		maker, check string
	}{
		"nobody is named":            {loops.RalphTask, "", "", nil, cast.Given{}, "claude", ""},
		"wiki.yaml":                  {loops.RalphTask, "", "", configured, cast.Given{}, "codex", ""},
		"the command line":           {loops.RalphTask, "", "", configured, cast.Given{Agent: "gemini"}, "gemini", ""},
		"--maker over --agent":       {loops.RalphTask, "", "", configured, cast.Given{Agent: "codex", Maker: "gemini"}, "gemini", ""},
		"lodeloop's file":            {loops.LodeloopTask, "gemini", "", nil, cast.Given{}, "gemini", ""},
		"wiki.yaml over the file":    {loops.LodeloopTask, "gemini", "", configured, cast.Given{}, "codex", ""},
		"the environment over both":  {loops.LodeloopTask, "gemini", "claude", configured, cast.Given{}, "claude", ""},
		"the environment elsewhere":  {loops.RalphTask, "", "claude", configured, cast.Given{}, "codex", ""},
		"an evaluator of agent-loop": {loops.AgentLoop, "", "", configured, cast.Given{}, "codex", "codex"},
		"no evaluator by a command":  {loops.AgentLoop, "", "", script, cast.Given{}, "command", ""},
		"--checker":                  {loops.AgentLoop, "", "", configured, cast.Given{Checker: "claude"}, "codex", "claude"},
	} {
		task := &Task{Task: &plan.Task{Agent: c.agent}, Plan: &loops.Plan{Format: c.format}}
		task.Options.Given = map[string]bool{"agent": c.environment != ""}
		task.Options.Agent = c.environment
		got, err := task.Cast(c.roles, c.given)
		if err != nil || got[loops.Maker].Agent != c.maker || got[loops.Checker].Agent != c.check {
			t.Errorf("%s: %s and %s, %v; want %s and %s", name, got[loops.Maker].Agent, got[loops.Checker].Agent, err, c.maker, c.check)
		}
	}
}

func TestLimits(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		format               loops.PlanFormat
		environment          int // iterations
		configured           schema.LoopBudget
		flag                 int
		iterations, attempts int
	}{
		"ralph by default":         {loops.RalphTask, 0, schema.LoopBudget{}, 0, 10, 11},
		"ralph as configured":      {loops.RalphTask, 0, schema.LoopBudget{Iterations: 3}, 0, 3, 4},
		"a flag":                   {loops.RalphTask, 0, schema.LoopBudget{Iterations: 3}, 2, 2, 3},
		"attempts as configured":   {loops.RalphTask, 0, schema.LoopBudget{Attempts: 5}, 0, 10, 5},
		"lodeloop's environment":   {loops.LodeloopTask, 7, schema.LoopBudget{Iterations: 3}, 0, 7, 8},
		"lodeloop as configured":   {loops.LodeloopTask, 0, schema.LoopBudget{Iterations: 3}, 0, 3, 4},
		"a flag over both of them": {loops.LodeloopTask, 7, schema.LoopBudget{Iterations: 3}, 2, 2, 3},
	} {
		options, err := plan.ReadLodeloop([]string{"--", "task.json"}, func(name string) string {
			if name == "LODELOOP_MAX_ITER" && c.environment > 0 {
				return strconv.Itoa(c.environment)
			}
			return ""
		})
		if err != nil {
			t.Fatal(err)
		}
		task := &Task{Task: &plan.Task{}, Plan: &loops.Plan{Format: c.format}, Options: options}
		l := loops.DefaultLimits()
		if c.configured.Iterations > 0 {
			l.Budget.Iterations = c.configured.Iterations
		}
		l.Attempts = 5
		got := task.LimitsOver(l, c.configured, c.flag)
		if got.Budget.Iterations != c.iterations || got.Attempts != c.attempts {
			t.Errorf("%s: %d iterations and %d attempts, want %d and %d", name, got.Budget.Iterations, got.Attempts, c.iterations, c.attempts)
		}
	}
}

const shop = `-- wiki.yaml --
loops: {sandbox: none}
-- app/prd.json --
{"project": "Shop", "branchName": "ralph/a", "userStories": [{"id": "US-1", "title": "A", "priority": 1, "passes": false, "acceptanceCriteria": ["x"]}]}
-- app/a.txt --
a
`

// opened returns the task of a repository, with its workdir found.
func opened(t *testing.T) (*Task, contain.Repo) {
	t.Helper()
	r := controltest.Open(t, shop)
	task, err := Open(r.Root+"/app/prd.json", "", r.Getenv)
	if err != nil {
		t.Fatal(err)
	}
	if err := task.Locate(t.Context()); err != nil {
		t.Fatal(err)
	}
	return task, r.Checkout()
}

// A run works in place on a branch of the person's own, where nothing is lost.
func TestWorkInPlace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		do   func(dir string)
		want string
	}{
		"the default branch": {func(string) {}, "the checkout is on the default branch, main"},
		"no branch":          {func(dir string) { controltest.Git(t, dir, "switch", "--quiet", "--detach") }, "is not on a branch"},
		"a branch":           {func(dir string) { controltest.Git(t, dir, "switch", "--quiet", "-c", "mine") }, ""},
		"a change": {func(dir string) {
			controltest.Git(t, dir, "switch", "--quiet", "-c", "mine")
			controltest.Git(t, dir, "rm", "--quiet", "--cached", "app/a.txt")
		}, "agents would not see: app/a.txt"},
	} {
		task, repo := opened(t)
		c.do(repo.Dir)
		err := task.WorkInPlace(t.Context(), repo)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) || (err == nil) != (task.InPlace == "mine") {
			t.Errorf("%s: %v, on %q", name, err, task.InPlace)
		}
	}
}

// Stories that passed are on the branch of an earlier run until a person merges it.
func TestBase(t *testing.T) {
	t.Parallel()
	task, repo := opened(t)
	head := controltest.Git(t, repo.Dir, "rev-parse", "HEAD")
	if base, err := task.Base(t.Context()); err != nil || base != head {
		t.Errorf("%s, %v: there is no branch yet", base, err)
	}
	tip := controltest.Git(t, repo.Dir, "commit-tree", "-p", head, "-m", "story", head+"^{tree}")
	controltest.Git(t, repo.Dir, "branch", task.Plan.Branch(), tip)
	if base, err := task.Base(t.Context()); err != nil || base != tip {
		t.Errorf("%s, %v: the branch is ahead", base, err)
	}
	task.InPlace = "main"
	if base, err := task.Base(t.Context()); err == nil || !strings.Contains(err.Error(), "merge it first") {
		t.Errorf("%s, %v", base, err)
	}
	controltest.Git(t, repo.Dir, "merge", "--quiet", "--ff-only", tip)
	controltest.Commit(t, repo.Dir, "on")
	if base, err := task.Base(t.Context()); err != nil || base != controltest.Git(t, repo.Dir, "rev-parse", "HEAD") {
		t.Errorf("%s, %v: it is merged", base, err)
	}
}
