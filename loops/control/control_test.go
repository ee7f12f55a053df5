package control

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/controltest"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/control/publish"
	"github.com/loopwiki/wiki/loops/control/survey"
	"github.com/loopwiki/wiki/loops/plan"
)

func TestMain(m *testing.M) { controltest.Main(m) }

// quiet returns a view of a run that nobody looks at.
func quiet() *Live { return &Live{Say: func(string) {}, Flush: func() error { return nil }} }

const pricing = `-- wiki.yaml --
loops:
  roles:
    maker: {agent: command, argv: [sh, agents/maker.sh]}
    checker: {agent: command, argv: [sh, agents/checker.sh]}
  gates: {test: [sh tests/price_test.sh]}
  budget: {attempts: 2, iterations: 2}
  sandbox: none
-- .gitignore --
/.loopwiki/
-- price.sh --
echo $(($1 * 2))
-- tests/price_test.sh --
test "$(sh price.sh 2)" = 4
-- agents/maker.sh --
cat > /dev/null
MAKER
echo '{"status": "ok", "cost_usd": 0.01}' > "$WIKI_LOOP_RESULT"
-- agents/checker.sh --
cat > /dev/null
echo 'CHECKER' > "$WIKI_LOOP_RESULT"
-- plans/2026-03-a.md --
---
title: Refuse prices below 0
scope: [price.sh]
goal: sh tests/price_test.sh
---
# Refuse prices below 0

## Context

A price below 0 is refused.

## Chunks

### 1. Refuse it

- files: price.sh
- verify: sh tests/price_test.sh
- tests: none

It exits 1.

## Risks

None.
`

// shop returns the repository of a maker and a checker.
func shop(t *testing.T, maker, checker string) *Controller {
	t.Helper()
	return New(controltest.Open(t, strings.NewReplacer("MAKER", maker, "CHECKER", checker).Replace(pricing)))
}

const (
	makes    = `printf 'test "$1" -ge 0 || exit 1\necho $(($1 * 2))\n' > price.sh`
	approves = `{"verdict": "APPROVE", "cost_usd": 0.01}`
	rejects  = `{"verdict": "REJECT", "reasons": [{"path": "price.sh", "line": 1, "message": "no"}], "cost_usd": 0.01}`
)

func found(t *testing.T, c *Controller, args ...string) *Work {
	t.Helper()
	w, err := c.Find(t.Context(), c.Root, args)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// What gates and checkers refuse reaches no branch, and main moves in no case.
func TestRejectedChangesReachNoBranch(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		maker, checker string
		status         loops.Status
		commits        string
	}{
		"made and approved":    {makes, approves, loops.GoalMet, "1"},
		"the test is red":      {"echo echo 5 > price.sh", approves, loops.Stopped, "0"},
		"the checker rejects":  {makes, rejects, loops.Stopped, "0"},
		"the checker is mute":  {makes, "I have thoughts.", loops.Waiting, "0"},
		"outside of its scope": {makes + "; echo x > other.sh", approves, loops.Stopped, "0"},
		"nothing is made":      {"true", approves, loops.Stopped, "0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctl := shop(t, c.maker, c.checker)
			main := controltest.Git(t, ctl.Root, "rev-parse", "main")
			s, err := ctl.Run(t.Context(), found(t, ctl, "execution"), Flags{}, "", quiet())
			if err != nil {
				t.Fatal(err)
			}
			if s.Status != c.status {
				t.Errorf("%s (%s), want %s", s.Status, s.End.Why, c.status)
			}
			commits := "0"
			if controltest.Git(t, ctl.Root, "branch", "--list", "loop/2026-03-a") != "" {
				commits = controltest.Git(t, ctl.Root, "rev-list", "--count", "--invert-grep", "--grep=^docs(log)", "main..loop/2026-03-a", "--", "price.sh")
			}
			if commits != c.commits {
				t.Errorf("%s commits of price.sh on the branch, want %s", commits, c.commits)
			}
			if controltest.Git(t, ctl.Root, "rev-parse", "main") != main || controltest.Git(t, ctl.Root, "status", "--porcelain") != "" {
				t.Error("the main checkout has changed")
			}
		})
	}
}

// Beside tests that start programs, a lock that was released may be held by a child of
// theirs for a moment: not parallel.
func TestRunDoesNotBeginBesideAnother(t *testing.T) {
	c := shop(t, makes, "mute")
	w := found(t, c, "2026-03-a")
	s, err := c.Run(t.Context(), w, Flags{}, "", quiet())
	if err != nil || s.Status != loops.Waiting {
		t.Fatal(s.Status, err)
	}
	_, err = c.Run(t.Context(), w, Flags{}, "", quiet())
	if unfinished := (*UnfinishedError)(nil); !errors.As(err, &unfinished) || unfinished.ID != s.Start.Run {
		t.Errorf("a run of the plan waits: %v", err)
	}
	release, _, err := process.New(c.Repo).Lock("2026-03-a")
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Run(t.Context(), w, Flags{}, "", quiet())
	if busy := (*process.BusyError)(nil); !errors.As(err, &busy) {
		t.Errorf("somebody holds the plan: %v", err)
	}
	release()

	// A person decides where the checker did not, and the run goes on from there.
	s, err = c.Resume(t.Context(), s.Start.Run, &loops.Answer{Approve: true, By: "ada"}, "", quiet())
	if err != nil || s.Status != loops.GoalMet {
		t.Fatal(s.Status, err)
	}
	again, err := c.Resume(t.Context(), s.Start.Run, nil, "", quiet())
	if err != nil || again.Status != loops.GoalMet || len(again.Chunks) != len(s.Chunks) {
		t.Errorf("a run that is over is resumed: %s, %v", again.Status, err)
	}
}

func TestRunStartsOnlyWhenItsPlanMay(t *testing.T) {
	t.Parallel()
	c := shop(t, makes, "mute")
	if s, err := c.Run(t.Context(), found(t, c, "2026-03-a"), Flags{}, "", quiet()); err != nil || s.Status != loops.Waiting {
		t.Fatal(s.Status, err)
	}
	for name, tt := range map[string]struct {
		plan loops.Plan
		want string
	}{
		"free":               {loops.Plan{Name: "b", Path: "plans/b.md", Scope: []string{"price.sh"}}, ""}, // a run that waits for a person holds no files
		"depends on nothing": {loops.Plan{Name: "b", Path: "plans/b.md", DependsOn: []string{"unknown"}}, ""},
		"depends on a plan":  {loops.Plan{Name: "b", Path: "plans/b.md", DependsOn: []string{"2026-03-a"}}, "b depends on 2026-03-a, which is blocked"},
	} {
		err := c.startable(t.Context(), &tt.plan)
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", name, err, tt.want)
		}
	}
}

// A plan is found by path, by name and by its name without the date; a plan that waits
// for another one is not the next.
func TestFind(t *testing.T) {
	t.Parallel()
	c := shop(t, makes, approves)
	for typed, want := range map[string]string{
		"plans/2026-03-a.md": "2026-03-a", "2026-03-a": "2026-03-a", "a": "2026-03-a", "": "2026-03-a", "b": "no such plan, loop or file: \"b\"", "a b": "one plan at a time",
	} {
		w, err := c.Find(t.Context(), c.Root, strings.Fields(typed))
		if err != nil && !strings.Contains(err.Error(), want) || err == nil && w.Plan.Name != want {
			t.Errorf("%q: %v, want %s", typed, err, want)
		}
	}
	text := string(found(t, c, "a").Src)
	for _, change := range []struct{ name, old, new, want string }{
		{"waits for another", "scope:", "depends_on: [2026-03-zero]\nscope:", "none of the 1 plans is pending"},
		{"is rejected", "scope:", "rejected: no need\nscope:", "none of the 1 plans is pending"},
		{"is faulty", "## Chunks", "## Pieces", ""},
	} {
		controltest.Write(t, c.Repo, "plans/2026-03-a.md", strings.Replace(text, change.old, change.new, 1))
		if w, err := c.Find(t.Context(), c.Root, nil); err == nil || !strings.Contains(err.Error(), change.want) {
			t.Errorf("a plan that %s is found: %v, %v", change.name, w, err)
		}
	}
}

func TestPassKeepsWithinItsLimits(t *testing.T) {
	t.Parallel()
	ran := func(change func(*loops.State)) loops.State {
		s := loops.State{Status: loops.GoalMet, Iterations: 2, Worked: 60}
		s.Spend.USD, s.Spend.Tokens, s.Spend.ToolCalls = 1, 100, 10
		if change != nil {
			change(&s)
		}
		return s
	}
	failed := func(s *loops.State) { s.Status = loops.Stopped }
	for name, c := range map[string]struct {
		budget loops.Budget
		runs   []loops.State
		why    string
		left   loops.Budget
	}{
		"no bounds":        {loops.Budget{}, []loops.State{ran(nil)}, "", loops.Budget{}},
		"enough of all":    {loops.Budget{Iterations: 3, USD: 2, Tokens: 101, ToolCalls: 11, Clock: 61, PullRequests: 2}, []loops.State{ran(nil)}, "", loops.Budget{Iterations: 1, USD: 1, Tokens: 1, ToolCalls: 1, Clock: 1, PullRequests: 1}},
		"iterations":       {loops.Budget{Iterations: 4}, []loops.State{ran(nil), ran(nil)}, "4 of 4 iterations are used", loops.Budget{}},
		"a call too dear":  {loops.Budget{USD: 1.2}, []loops.State{ran(nil)}, "a call may cost $0.25; $1.00 of $1.20 are spent", loops.Budget{}},
		"tokens":           {loops.Budget{Tokens: 100}, []loops.State{ran(nil)}, "100 of 100 tokens are used", loops.Budget{}},
		"tool calls":       {loops.Budget{ToolCalls: 10}, []loops.State{ran(nil)}, "10 of 10 tool calls are used", loops.Budget{}},
		"time":             {loops.Budget{Clock: 60}, []loops.State{ran(nil)}, "the runtime limit is reached", loops.Budget{}},
		"changes":          {loops.Budget{PullRequests: 1}, []loops.State{ran(nil)}, "1 of 1 changes are waiting for review", loops.Budget{}},
		"failed is no one": {loops.Budget{PullRequests: 1}, []loops.State{ran(failed)}, "", loops.Budget{PullRequests: 1}},
	} {
		pass := &Pass{Runs: c.runs, limits: loops.Limits{Budget: c.budget, EstimateUSD: 0.25}}
		left, why := pass.left()
		if why != c.why || why == "" && fmt.Sprint(left.Budget) != fmt.Sprint(c.left) {
			t.Errorf("%s: %q, %+v left", name, why, left.Budget)
		}
	}
}

func TestPassEndsOnEnvironmentFailure(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status  loops.Status
		waiting loops.WaitReason
		ends    bool
		exit    int
	}{
		"met":                {loops.GoalMet, "", false, 0},
		"waits for a person": {loops.Waiting, loops.ForPerson, false, 6},
		"waits for a limit":  {loops.Waiting, loops.ForRate, true, 6},
		"stopped":            {loops.Stopped, "", true, 4},
		"over budget":        {loops.OverBudget, "", true, 5},
	} {
		pass := &Pass{}
		s := loops.State{Status: c.status, WaitingFor: c.waiting}
		s.End.Why = "why"
		if ends := pass.ended(&s); ends != c.ends || pass.Exit != c.exit || (pass.Why != "") != c.ends {
			t.Errorf("%s: ends %v, exit %d, %q", name, ends, pass.Exit, pass.Why)
		}
	}
}

// A pass runs each item that is selected on a branch of its own, tells its agents what
// the item says, and leaves what became of all of them.
func TestPassRunsSelectedItems(t *testing.T) {
	t.Parallel()
	maker := `case $WIKI_LOOP_PLAN in *i-1) grep -q "Write the one" "$WIKI_LOOP_PROMPT" && echo b > b.txt ;; *i-2) echo b > elsewhere.txt ;; esac`
	archive := strings.NewReplacer("MAKER", maker, "CHECKER", approves).Replace(pricing) + `-- items.json --
[
 {"id": "I-1", "title": "Write the one", "labels": ["small"], "files": ["b.txt"], "acceptance": ["it is there"], "verify": ["test -f b.txt"]},
 {"id": "I-9", "title": "Not this", "labels": ["large"], "files": ["b.txt"], "acceptance": ["x"]},
 {"id": "I-2", "title": "Write the other", "labels": ["small"], "files": ["c.txt"], "acceptance": ["it is there"], "verify": ["test -f c.txt"]}
]
-- agents/loops/small.md --
# Loop Spec: Small
## Purpose
Do small things.
## Trigger
on dispatch
## Inputs
- items.json
## Work Selection Rules
The loop may select work only when:
- the issue is labeled small
The loop must skip and escalate when:
- the same item failed once before
## Roles
- maker
- checker
## Budgets
- max iterations: 9
- max attempts per item: 1
## Stop Conditions
- all selected work items are completed or escalated
## Mode
draft
`
	c := New(controltest.Open(t, archive))
	l, err := c.MustFindLoop(c.Root, "small")
	if err != nil {
		t.Fatal(err)
	}
	pass, err := c.OpenPass(t.Context(), l, Flags{})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.RunPass(t.Context(), pass, quiet()); err != nil {
		t.Fatal(err)
	}
	got := make(map[string]plan.ItemStatus)
	for _, it := range pass.State.Items {
		got[it.ID] = it.Status
	}
	if len(pass.Runs) != 2 || got["I-1"] != plan.ItemDrafted || got["I-2"] != plan.ItemFailed || got["I-9"] != "" {
		t.Errorf("%d runs: %v", len(pass.Runs), got)
	}
	if pass.Exit != loops.Stopped.Exit() || !strings.HasPrefix(pass.Why, string(loops.Stopped)) {
		t.Errorf("exit %d: %s", pass.Exit, pass.Why)
	}
	choice := func(id string) string {
		t.Helper()
		s, err := survey.New(c.Repo).Survey(t.Context(), l)
		if err != nil {
			t.Fatal(err)
		}
		for _, chosen := range s.Chosen {
			if chosen.Item.ID == id {
				return string(chosen.Choice) + ": " + chosen.Reason
			}
		}
		return ""
	}
	if got := choice("I-1"); !strings.HasPrefix(got, "skipped: ") {
		t.Errorf("its branch waits for a review: %s", got)
	}
	if got := choice("I-2"); !strings.HasPrefix(got, "escalated: ") || !strings.Contains(got, "it failed 1 times") {
		t.Errorf("it failed: %s", got)
	}
	if text := controltest.Git(t, c.Root, "show", pass.Runs[0].Start.Plan.Branch()+":b.txt"); text != "b" {
		t.Errorf("b.txt holds %q", text)
	}
	controltest.Git(t, c.Root, "worktree", "remove", "--force", pass.Runs[0].Place.Path)
	controltest.Git(t, c.Root, "branch", "--quiet", "-D", pass.Runs[0].Start.Plan.Branch())
	if got := choice("I-1"); !strings.HasPrefix(got, "selected: ") {
		t.Errorf("a person deleted its branch: %s", got)
	}
}

// What a person approves of a run in draft is recorded even where it can't be
// published.
func TestJudgementStandsWithoutARemote(t *testing.T) {
	t.Parallel()
	c := shop(t, makes, approves)
	s, err := c.Run(t.Context(), found(t, c, "a"), Flags{}, "", quiet())
	if err != nil || s.Status != loops.GoalMet {
		t.Fatal(s.Status, s.End.Why, err)
	}
	_, err = publish.New(c.Repo).Judge(t.Context(), s.Start.Run, &loops.Answer{Approve: true, By: "ada", Reason: "read it"})
	if unpublished := (*publish.UnpublishedError)(nil); !errors.As(err, &unpublished) || unpublished.Branch != "loop/2026-03-a" {
		t.Errorf("%v", err)
	}
	if j, err := c.Store.Judgement(s.Start.Run); err != nil || j == nil || !j.Accept || j.By != "ada" {
		t.Errorf("%+v, %v", j, err)
	}
	if publish.New(c.Repo).Published("plans/2026-03-a.md") {
		t.Error("a run in draft published by itself")
	}
}
