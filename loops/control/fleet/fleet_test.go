package fleet

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/controltest"
	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/schema"
)

func TestMain(m *testing.M) { controltest.Main(m) }

// shop is a repository with three plans; two may write the same file, and one depends on
// another.
func shop(priorities ...string) string {
	out := "-- wiki.yaml --\nloops: {sandbox: none, budget: {usd: 2}, gates: {build: [], test: [], lint: []}}\n-- .gitignore --\n/.loopwiki/\n"
	for i, name := range []string{"a", "b", "c"} {
		scope, depends := "["+name+".txt]", "[]"
		if name == "b" {
			scope = `["?.txt"]`
		}
		if name == "c" {
			depends = "[2026-03-b]"
		}
		out += fmt.Sprintf("-- plans/2026-03-%s.md --\n---\ntitle: Plan %s\npriority: %s\neffort: S\nrisk: LOW\nscope: %s\ngoal: test -e done.txt\ndepends_on: %s\n---\n# Plan %[1]s\n## Chunks\n### 1. Count\n- tests: none\n\nCount.\n",
			name, name, priorities[i], scope, depends)
	}
	return out
}

// fleetOf is a fleet of repositories that are there.
func fleetOf(limits schema.FleetLimits, repos ...*repo.Repo) *Fleet {
	file, dirs := &schema.Fleet{Limits: limits}, []string{}
	for i, r := range repos {
		file.Repositories = append(file.Repositories, schema.FleetRepository{Path: fmt.Sprintf("r%d/%s", i, filepath.Base(r.Root))})
		dirs = append(dirs, r.Root)
	}
	f := New(file, dirs)
	f.Clock = func() time.Time { return controltest.Noon }
	f.Open = func(_ context.Context, dir string) (*repo.Repo, error) {
		i := slices.Index(dirs, dir)
		return repos[i], nil
	}
	return f
}

// choose returns what is started one after the other, as if each went on.
func choose(f *Fleet) (out []string) {
	for t := f.next(); t != nil; t = f.next() {
		out = append(out, filepath.Dir(t.row.Repository)+" "+strings.TrimPrefix(t.plan.Name, "2026-03-"))
		f.active[t.key()] = &work{task: t, repo: t.member.repo}
	}
	return out
}

func TestPlansStartByPriorityWithinLimits(t *testing.T) {
	t.Parallel()
	one, two := controltest.Open(t, shop("P2", "P1", "P1")), controltest.Open(t, shop("P1", "P3", "P1"))
	for _, c := range []struct {
		limits schema.FleetLimits
		want   string
	}{
		{schema.FleetLimits{}, "r0 b, r1 a"},                            // two at once, one in a repository
		{schema.FleetLimits{AtOnce: 1}, "r0 b"},                         //
		{schema.FleetLimits{AtOnce: 9}, "r0 b, r1 a"},                   //
		{schema.FleetLimits{AtOnce: 9, PerRepository: 9}, "r0 b, r1 a"}, // a and b may write the same file
		{schema.FleetLimits{DayUSD: 4}, "r0 b, r1 a"},                   //
		{schema.FleetLimits{DayUSD: 3.99}, "r0 b"},                      // each run may spend $2
		{schema.FleetLimits{DayUSD: 1.99}, ""},                          //
	} {
		f := fleetOf(c.limits, one, two)
		f.survey(t.Context())
		if got := strings.Join(choose(f), ", "); got != c.want {
			t.Errorf("%+v: %q, not %q", c.limits, got, c.want)
		}
	}
}

// What runs that nobody promised anything to have spent today is gone, and what was tried is
// not tried again.
func TestInterruptedRunsGoFirst(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop("P1", "P3", "P1"))
	id := controltest.Begun(t, r, loops.Start{Loop: "execution", Plan: loops.Plan{Name: "2026-03-b", Path: "plans/2026-03-b.md", Scope: []string{"b.txt"}}, Limits: loops.Limits{Budget: loops.Budget{USD: 1.5}}}, false)
	f := fleetOf(schema.FleetLimits{AtOnce: 9, PerRepository: 9, DayUSD: 1.5}, r)
	f.survey(t.Context())
	first := f.next()
	if first == nil || first.act != resume || first.row.Run != id || first.row.Status != string(loops.Interrupted) || first.budget != 1.5 {
		t.Fatalf("%+v", first)
	}
	f.tried[first.key()] = errBegun
	f.survey(t.Context())
	if next := f.next(); next != nil {
		t.Errorf("%s is started, which may spend $2 of $1.50", next.row.Plan)
	}
	report, err := f.report()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range report.Rows {
		got = append(got, fmt.Sprintf("%s %s %d %s", row.Plan, row.Status, row.Exit, row.Why))
	}
	want := []string{
		"plans/2026-03-a.md pending 5 it may spend $2.00, more than the $1.50 of a day",
		"plans/2026-03-b.md interrupted 130 ", // before c, which depends on it
		"plans/2026-03-c.md blocked 6 depends on 2026-03-b, not in the default branch",
	}
	if !slices.Contains(got, want[0]) || !slices.Contains(got, want[1]) || !slices.Contains(got, want[2]) || len(got) != 3 || report.Exit != 5 {
		t.Errorf("exit %d\n%s", report.Exit, strings.Join(got, "\n"))
	}
}

func TestSameRepositoryCountsOnce(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop("P1", "P1", "P1"))
	f := fleetOf(schema.FleetLimits{AtOnce: 9}, r, r)
	f.survey(t.Context())
	report, err := f.report()
	if err != nil {
		t.Fatal(err)
	}
	last := report.Rows[len(report.Rows)-1]
	if last.Plan != "" || last.Why != "the same repository as "+report.Rows[0].Repository || last.Exit != 2 {
		t.Errorf("%+v", last)
	}
}

func TestUncommittedChangesHoldARepositoryBack(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop("P1", "P1", "P1"))
	controltest.Write(t, r, "untracked.txt", "new\n")
	f := fleetOf(schema.FleetLimits{}, r)
	if f.survey(t.Context()); f.next() == nil {
		t.Fatal("untracked files hold it back")
	}
	controltest.Write(t, r, ".gitignore", "/.loopwiki/\n*.log\n")
	f.survey(t.Context())
	if next := f.next(); next != nil {
		t.Fatalf("%s is started", next.row.Plan)
	}
	if row := f.members[0].tasks[0].row; row.Status != blocked || row.Exit != 3 || !strings.HasPrefix(row.Why, "uncommitted changes to 1 tracked file") {
		t.Errorf("%+v", row)
	}
}

func TestRunnersThatDidNotBegin(t *testing.T) {
	t.Parallel()
	failed := func(code int, said string) error { return &process.NotBegunError{Code: code, Said: []byte(said)} }
	for _, c := range []struct {
		err       error
		why, hint string
		exit      int
	}{
		{nil, errBegun.Error(), "", 0},
		{&process.IdleError{ID: "r"}, errBegun.Error(), "", 0},
		{failed(0, "it is over"), errBegun.Error(), "", 0},
		{failed(3, "wiki: claude not found\nhint: install it\n"), "claude not found", "install it", 3},
		{failed(1, ""), "the run did not start: exit status 1", "", 1},
		{errors.New("disk full"), "disk full", "", 0},
	} {
		got := outcome(c.err)
		var held *heldError
		hint, exit := "", 0
		if errors.As(got, &held) {
			hint, exit = held.hint, held.exit
		}
		if got.Error() != c.why || hint != c.hint || exit != c.exit {
			t.Errorf("%v: %q, %q, %d", c.err, got, hint, exit)
		}
	}
}

func TestHintsNameTheRepository(t *testing.T) {
	t.Parallel()
	for hint, want := range map[string]string{
		"see why: wiki loop show r":                           "see why: wiki -C ../$shop loop show r",
		"review it: git diff HEAD...b; wiki loop approve":     "review it: git -C ../$shop diff HEAD...b; wiki -C ../$shop loop approve",
		"read .loopwiki/incidents/x; then 'wiki andon close'": "read ../$shop/.loopwiki/incidents/x; then 'wiki -C ../$shop andon close'",
		"list plans with 'wiki plan list'":                    "list plans with 'wiki -C ../$shop plan list'",
		"run the fleet again":                                 "run the fleet again",
	} {
		if got := inRepository(hint, "../$shop"); got != want {
			t.Errorf("%q: %q, not %q", hint, got, want)
		}
	}
}

// Every exit code of a row has a place, and one that no row has by itself does not hide others.
func TestWorstExitCode(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ a, b, worse int }{{4, 3, 4}, {6, 5, 5}, {0, 6, 6}, {1, 130, 1}, {143, 4, 4}, {143, 5, 143}, {2, 5, 2}} {
		got := c.a
		if rank(c.b) < rank(c.a) {
			got = c.b
		}
		if got != c.worse {
			t.Errorf("of %d and %d %d is worse", c.a, c.b, got)
		}
	}
}

func TestLockHoldsAFileOnce(t *testing.T) {
	file, cache := filepath.Join(t.TempDir(), "plans.yaml"), t.TempDir()
	if _, err := Lock(file, cache); err == nil {
		t.Error("a file that is not there is locked")
	}
	controltest.Write(t, &repo.Repo{Root: filepath.Dir(file)}, "plans.yaml", "repositories: []\n")
	release, err := Lock(file, cache)
	if err != nil {
		t.Fatal(err)
	}
	var busy *BusyError
	if _, err := Lock(filepath.Join(filepath.Dir(file), ".", "plans.yaml"), cache); !errors.As(err, &busy) || busy.PID == 0 {
		t.Errorf("%v", err)
	}
	release()
	if release, err = Lock(file, cache); err != nil {
		t.Fatal(err)
	}
	release()
}
