package survey

import (
	"errors"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/controltest"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/plan"
)

func TestMain(m *testing.M) { controltest.Main(m) }

const shop = `-- wiki.yaml --
loops:
  roles: {maker: {agent: command, argv: [sh, -c, "true"]}}
  gates: {test: [test -f a.txt]}
-- a.txt --
a
-- wiki/index.md --
# Shop

See [[cart]] and [[cart]].

#### Too deep
-- agents/loops/small.md --
# Loop Spec: Small
## Purpose
Do small things.
## Trigger
on dispatch
## Inputs
- items.json
- more.json
## Work Selection Rules
The loop may select work only when:
- the issue is labeled small
- the expected file changes are below three files
The loop must skip and escalate when:
- the same item failed twice before
## Budgets
- max items per run: 2
## Stop Conditions
- all selected work items are completed or escalated
-- agents/loops/repair.md --
# Loop Spec: Repair
## Purpose
Mend links.
## Trigger
on dispatch
## Inputs
- lint findings
## Work Selection Rules
The loop may select work only when:
- the definition of done can be checked with a command
## Budgets
- max iterations: 2
## Stop Conditions
- max iterations are reached
-- agents/state/small.md --
# Loop State: Small

## Current Run

- run_id: 2026-02-01T080000Z
- mode: draft
- selected_items: 1
- opened_pull_requests: 0
- escalations: 0

## Items

### I-5

- status: failed
- reason: red
- attempts: 3
- failures: 2
- next_action: human review
-- items.json --
[
 {"id": "I-1", "title": "One", "labels": ["small"], "files": ["a.txt"], "acceptance": ["x"]},
 {"id": "I-2", "title": "Other", "labels": ["large"], "files": ["a.txt"], "acceptance": ["x"]},
 {"id": "I-3", "title": "Wide", "labels": ["small"], "files": ["wide/*.txt"], "acceptance": ["x"]},
 {"id": "I-5", "title": "Failed", "labels": ["small"], "files": ["a.txt"], "acceptance": ["x"]}
]
-- more.json --
[
 {"id": "I-1", "title": "One again", "labels": ["small"], "files": ["a.txt"], "acceptance": ["x"]},
 {"id": "I-6", "title": "Six", "labels": ["small"], "files": ["a.txt"], "acceptance": ["x"]},
 {"id": "I-7", "title": "Seven", "labels": ["small"], "files": ["a.txt"], "acceptance": ["x"]}
]
-- wide/1.txt --
-- wide/2.txt --
-- wide/3.txt --
`

func loopOf(t *testing.T, r *repo.Repo, name string) *repo.Loop {
	t.Helper()
	l, err := r.MustFindLoop(r.Root, name)
	if err == nil {
		err = l.Err()
	}
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// Every item of all inputs has a choice and a reason: by the rules of the spec, by what
// globs name in the repository, and by what became of it before. An item of two inputs
// is the first's.
func TestSurveyHoldsItemsAgainstTheSpec(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	s, err := New(r).Survey(t.Context(), loopOf(t, r, "small"))
	if err != nil {
		t.Fatal(err)
	}
	want := []struct {
		id     string
		choice plan.Choice
		reason string
	}{
		{"I-1", plan.Selected, ""}, {"I-2", plan.Skipped, "not labeled small"}, {"I-3", plan.Skipped, "3 files"},
		{"I-5", plan.Escalated, "failed 2 times"}, {"I-6", plan.Selected, ""}, {"I-7", plan.Deferred, "item limit"},
	}
	if len(s.Chosen) != len(want) {
		t.Fatalf("%d items, want %d: %+v", len(s.Chosen), len(want), s.Chosen)
	}
	for i, w := range want {
		if c := s.Chosen[i]; c.Item.ID != w.id || c.Choice != w.choice || !strings.Contains(c.Reason, w.reason) {
			t.Errorf("%s %s (%s), want %s %s (%s)", c.Item.ID, c.Choice, c.Reason, w.id, w.choice, w.reason)
		}
	}
	if !s.Wiki || s.Chosen[0].Item.Title != "One" {
		t.Errorf("wiki %v, first %q", s.Wiki, s.Chosen[0].Item.Title)
	}
}

// A page and a rule are one item, with a command that says whether it is done.
func TestFindingsAreItemsByPageAndRule(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	s, err := New(r).Survey(t.Context(), loopOf(t, r, "repair"))
	if err != nil {
		t.Fatal(err)
	}
	var broken []plan.WorkItem
	for _, c := range s.Chosen {
		if c.Item.Rule == "heading-jump" {
			t.Errorf("a note is work: %+v", c.Item)
		}
		if c.Item.Rule == "broken-wikilink" {
			broken = append(broken, c.Item)
		}
	}
	if len(broken) != 1 || broken[0].Path != "wiki/index.md" || len(broken[0].Verify) != 1 || !strings.Contains(broken[0].Verify[0], "lint --fail-on warning --rule broken-wikilink 'wiki/index.md'") || strings.Count(broken[0].Text, "cart") != 2 {
		t.Errorf("%+v", broken)
	}
}

func TestSurveyNamesTheInputThatIsMissing(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, strings.Replace(shop, "- more.json", "- nowhere.json", 1))
	_, err := New(r).Survey(t.Context(), loopOf(t, r, "small"))
	var missing *MissingInputError
	if !errors.As(err, &missing) || missing.In.Path != "nowhere.json" {
		t.Errorf("%v", err)
	}
	r = controltest.Open(t, strings.Replace(shop, "- more.json", "- issues of forge", 1))
	_, err = New(r).Survey(t.Context(), loopOf(t, r, "small"))
	var tracker *NoTrackerError
	if !errors.As(err, &tracker) {
		t.Errorf("%v", err)
	}
}

func TestItemStateOfARun(t *testing.T) {
	t.Parallel()
	ended := func(status loops.Status, change func(*loops.State)) *loops.State {
		s := &loops.State{Status: status, Chunks: []loops.ChunkState{{Attempts: 2}, {Attempts: 1}}}
		s.Start.Run, s.Start.Plan.Name, s.Start.Control = "r1", "p", &loops.Control{Item: "I-1"}
		s.End.Why = "why"
		if change != nil {
			change(s)
		}
		return s
	}
	waiting := func(s *loops.State) { s.WaitingFor, s.Question = loops.ForPerson, "may it?" }
	for name, c := range map[string]struct {
		s        *loops.State
		status   plan.ItemStatus
		failures int
		next     string
	}{
		"met":           {ended(loops.GoalMet, nil), plan.ItemDrafted, 0, "human review of the branch loop/p"},
		"published":     {ended(loops.GoalMet, func(s *loops.State) { s.PullRequest = "https://x/1" }), plan.ItemOpened, 0, "human review of https://x/1"},
		"a report":      {ended(loops.GoalMet, func(s *loops.State) { s.Start.Control.Report = true }), plan.ItemReported, 0, "read the report"},
		"waits":         {ended(loops.Waiting, waiting), plan.ItemWaiting, 0, "wiki loop approve r1"},
		"escalated":     {ended(loops.Waiting, func(s *loops.State) { waiting(s); s.Escalated = "scope" }), plan.ItemEscalated, 0, "wiki loop approve r1"},
		"waits a limit": {ended(loops.Waiting, nil), plan.ItemPending, 0, "the next run"},
		"stopped":       {ended(loops.Stopped, nil), plan.ItemFailed, 1, "read the report"},
		"not met":       {ended(loops.GoalNotMet, nil), plan.ItemFailed, 1, "read the report"},
		"rejected":      {ended(loops.Rejected, nil), plan.ItemFailed, 1, "read the report"},
		"interrupted":   {ended(loops.Interrupted, nil), plan.ItemPending, 0, "the next run"},
		"about to end":  {ended(loops.Running, func(s *loops.State) { s.End.Status = loops.GoalMet }), plan.ItemDrafted, 0, "human review"},
	} {
		it := itemState(c.s, nil)
		if it.Status != c.status || it.Failures != c.failures || !strings.HasPrefix(it.NextAction, c.next) || it.Attempts != 3 {
			t.Errorf("%s: %+v", name, it)
		}
	}
}

// What was selected is read back under the name that it was given: two passes of one
// second do not share a file.
func TestPassesOfOneSecondHaveTheirOwnNames(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	v, l := New(r), loopOf(t, r, "small")
	s, err := v.Survey(t.Context(), l)
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for range 2 {
		id, err := v.Keep(l, "2026-07-10T120000Z", loops.Draft, s.Chosen)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, id)
	}
	if ids[0] != "2026-07-10T120000Z" || ids[1] != "2026-07-10T120000Z-2" {
		t.Fatalf("%q", ids)
	}
	state, err := v.State("small", ids[1], nil)
	if err != nil {
		t.Fatal(err)
	}
	// Selected but not run, and deferred, are pending; skipped is not for this loop.
	got := make(map[string]plan.ItemStatus)
	for _, it := range state.Items {
		got[it.ID] = it.Status
	}
	for id, want := range map[string]plan.ItemStatus{"I-1": plan.ItemPending, "I-2": "", "I-5": plan.ItemEscalated, "I-7": plan.ItemPending} {
		if got[id] != want {
			t.Errorf("%s is %q, want %q", id, got[id], want)
		}
	}
	if len(state.Items) != 4 || state.Run != ids[1] || state.Selected != 2 || state.Escalations != 1 {
		t.Errorf("%+v", state)
	}
}

// A clone that ran nothing goes on with the counts of the state in its checkout.
func TestStateGoesOnInFreshClones(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	v := New(r)
	l, err := r.MustFindLoop(r.Root, "small")
	if err != nil {
		t.Fatal(err)
	}
	item := func(s *plan.LoopState) plan.ItemState {
		for _, it := range s.Items {
			if it.ID == "I-5" {
				return it
			}
		}
		t.Fatalf("no I-5: %+v", s.Items)
		return plan.ItemState{}
	}
	pass := func(id string, choice plan.Choice) *plan.LoopState {
		id, err := v.Keep(l, id, loops.Draft, []plan.Chosen{{Item: plan.WorkItem{ID: "I-5"}, Choice: choice, Reason: "said"}})
		if err != nil {
			t.Fatal(err)
		}
		s, err := v.State("small", id, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if it := item(pass("2026-07-10T100000Z", plan.Skipped)); it.Attempts != 3 || it.Failures != 2 || it.Status != plan.ItemFailed {
		t.Errorf("skipped: %+v", it)
	}
	if it := item(pass("2026-07-10T110000Z", plan.Deferred)); it.Attempts != 3 || it.Failures != 2 || it.Status != plan.ItemPending {
		t.Errorf("deferred: %+v", it)
	}
	begun := controltest.Begun(t, r, loops.Start{
		Loop: "small", Plan: loops.Plan{Name: "small-i-5", Path: "agents/loops/small.md"},
		Control: &loops.Control{Loop: "small", Pass: "2026-07-10T120000Z", Item: "I-5"},
	}, false)
	now, _, err := r.Store.Read(begun)
	if err != nil {
		t.Fatal(err)
	}
	now.Status, now.Chunks = loops.Stopped, []loops.ChunkState{{Attempts: 2}}
	id, err := v.Keep(l, "2026-07-10T120000Z", loops.Draft, []plan.Chosen{{Item: plan.WorkItem{ID: "I-5"}, Choice: plan.Selected, Reason: "said"}})
	if err != nil {
		t.Fatal(err)
	}
	s, err := v.State("small", id, &now)
	if err != nil {
		t.Fatal(err)
	}
	if it := item(s); it.Attempts != 5 || it.Failures != 3 {
		t.Errorf("after a run here: %+v", it)
	}
}
