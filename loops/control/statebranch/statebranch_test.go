package statebranch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/andon"
	"github.com/loopwiki/wiki/loops/control/controltest"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/run"
)

func TestMain(m *testing.M) { controltest.Main(m) }

const shop = `-- wiki.yaml --
loops: {sandbox: none}
-- a.txt --
a
`

// clones makes a bare remote of a repository, and returns a function that clones it.
func clones(t *testing.T) (remote string, clone func() *repo.Repo) {
	t.Helper()
	first := controltest.Open(t, shop)
	remote = filepath.Join(t.TempDir(), "origin.git")
	controltest.Git(t, first.Root, "clone", "--quiet", "--bare", first.Root, remote)
	return remote, func() *repo.Repo {
		dir := filepath.Join(t.TempDir(), "shop")
		controltest.Git(t, first.Root, "clone", "--quiet", remote, dir)
		return controltest.Reopen(t, dir)
	}
}

func sync(t *testing.T, r *repo.Repo) Synced {
	t.Helper()
	controltest.Git(t, r.Root, "fetch", "--quiet")
	s, err := New(r).Sync(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// share synchronizes, and pushes as a job without agents does.
func share(t *testing.T, r *repo.Repo) {
	t.Helper()
	sync(t, r)
	controltest.Git(t, r.Root, "push", "--quiet", "--atomic", "origin", Name, Name+":"+Seen)
}

func begun(t *testing.T, r *repo.Repo, over bool) string {
	t.Helper()
	return controltest.Begun(t, r, loops.Start{Loop: repo.ExecutionLoop, Plan: loops.Plan{Name: "tidy", Path: "plans/tidy.md"}}, over)
}

func failed(t *testing.T, r *repo.Repo, id string) *andon.Incident {
	t.Helper()
	i, err := r.Andon().Open(andon.Failure{Run: id, Status: loops.Stopped, Class: "test_failure", Confidence: 0.9, Output: "FAIL: TestPrice", ExitCode: 1, Why: "tests failed", Command: "go test ./...", At: controltest.Noon, Counts: true})
	if err != nil || i == nil {
		t.Fatal(i, err)
	}
	return i
}

func TestRunsAndIncidentsReachFreshClones(t *testing.T) {
	t.Parallel()
	_, clone := clones(t)
	a := clone()
	id := begun(t, a, true)
	i := failed(t, a, id)
	private := filepath.Join(a.Store.Folder(id), "chunk-1", "attempt-1", "maker")
	if err := os.MkdirAll(private, 0o777); err != nil {
		t.Fatal(err)
	}
	controltest.Write(t, a, ".loopwiki/runs/"+id+"/chunk-1/attempt-1/maker/prompt.md", "secret\n")
	share(t, a)

	b := clone()
	if s := sync(t, b); s.Taken == 0 || s.Ahead {
		t.Errorf("%+v", s)
	}
	line, err := b.Andon().Line()
	if err != nil || line.Open == nil || line.Open.IncidentID != i.ID || line.Meta.ConsecutiveFailures != 1 {
		t.Fatalf("%+v, %v", line, err)
	}
	all, err := b.Summaries()
	if err != nil || len(all) != 1 || all[0].ID != id {
		t.Errorf("%+v, %v", all, err)
	}
	if _, err := os.Stat(filepath.Join(b.Store.Folder(id), "chunk-1")); err == nil {
		t.Error("a prompt travelled")
	}
	if s := sync(t, b); s.Taken != 0 || s.Ahead {
		t.Errorf("again: %+v", s)
	}
}

func TestClosedIncidentsStayClosed(t *testing.T) {
	t.Parallel()
	_, clone := clones(t)
	a := clone()
	i := failed(t, a, begun(t, a, true))
	share(t, a)
	b, c := clone(), clone()
	sync(t, b)
	sync(t, c)
	archive(t, b, i)
	share(t, b)
	for name, r := range map[string]*repo.Repo{"a clone that saw it open": c, "a fresh clone": clone()} {
		sync(t, r)
		if line, err := r.Andon().Line(); err != nil || line.Open != nil || line.Meta.Blocked() || len(line.Noted) > 0 {
			t.Errorf("%s: %+v, %v", name, line, err)
		}
	}
	// It was committed while it was open, and a person closed it on the branch.
	d := clone()
	failed(t, d, "2026-07-10T130000Z-other")
	controltest.Commit(t, d.Root, "incidents")
	for _, open := range list(t, d) {
		archive(t, d, open)
	}
	share(t, d)
	controltest.Git(t, d.Root, "checkout", "--quiet", "--", ".")
	sync(t, d)
	if line, err := d.Andon().Line(); err != nil || line.Open != nil {
		t.Errorf("%+v, %v", line, err)
	}
}

func list(t *testing.T, r *repo.Repo) []*andon.Incident {
	t.Helper()
	all, err := r.Andon().List()
	if err != nil {
		t.Fatal(err)
	}
	var out []*andon.Incident
	for _, i := range all {
		if i.Stops {
			out = append(out, i)
		}
	}
	return out
}

// archive does to the files what closing an incident does.
func archive(t *testing.T, r *repo.Repo, i *andon.Incident) {
	t.Helper()
	at := func(name string) string { return filepath.Join(r.Root, filepath.FromSlash(name)) }
	err := errors.Join(
		os.MkdirAll(at(andon.Folder+"/archive"), 0o777),
		os.Rename(at(i.Dir), at(andon.Folder+"/archive/"+i.ID)),
		os.Remove(at(andon.Folder+"/andon-open.json")),
	)
	if err != nil {
		t.Fatal(err)
	}
}

func TestLostRecordsStopTheLine(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lose func(t *testing.T, remote, first string)
		want string
	}{
		"deleted": {func(t *testing.T, remote, _ string) {
			controltest.Git(t, remote, "update-ref", "-d", "refs/heads/"+Name)
		}, "does not exist anymore"},
		"rewound": {func(t *testing.T, remote, first string) {
			controltest.Git(t, remote, "update-ref", "refs/heads/"+Name, first)
		}, "went back"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			remote, clone := clones(t)
			a := clone()
			begun(t, a, true)
			share(t, a)
			first := controltest.Git(t, remote, "rev-parse", Name)
			a.Now = func() time.Time { return controltest.Noon.Add(time.Hour) }
			begun(t, a, true)
			share(t, a)
			c.lose(t, remote, first)
			b := clone()
			_, err := New(b).Sync(t.Context())
			if lost := (*LostError)(nil); !errors.As(err, &lost) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestIncompleteClonesAreRefused(t *testing.T) {
	t.Parallel()
	remote, _ := clones(t)
	dir := filepath.Join(t.TempDir(), "shop")
	controltest.Git(t, filepath.Dir(remote), "clone", "--quiet", "--single-branch", "--branch=main", remote, dir)
	_, err := New(controltest.Reopen(t, dir)).Sync(t.Context())
	if missing := (*run.MissingError)(nil); !errors.As(err, &missing) {
		t.Errorf("%v", err)
	}
}

// Two clones that run at the same time lose nothing, whoever pushes first.
func TestBothClonesGoOn(t *testing.T) {
	t.Parallel()
	_, clone := clones(t)
	a, b := clone(), clone()
	one := begun(t, a, true)
	b.Now = func() time.Time { return controltest.Noon.Add(time.Minute) }
	two := begun(t, b, false)
	share(t, a)
	share(t, b)
	sync(t, a)
	for _, r := range []*repo.Repo{a, b} {
		if ids, err := r.Store.IDs(); err != nil || strings.Join(ids, " ") != one+" "+two {
			t.Errorf("%q, %v", ids, err)
		}
	}
	// A run that went on in both is for a person to decide.
	for _, r := range []*repo.Repo{a, b} {
		j, _, err := run.OpenJournal(r.Store.Folder(two))
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(j.Append(loops.Event{Kind: loops.Noted, At: r.Now(), Why: r.Root}), j.Close()); err != nil {
			t.Fatal(err)
		}
	}
	share(t, a)
	controltest.Git(t, b.Root, "fetch", "--quiet")
	_, err := New(b).Sync(t.Context())
	if diverged := (*DivergedError)(nil); !errors.As(err, &diverged) || diverged.Run != two {
		t.Errorf("%v", err)
	}
}

func TestForeignFilesOnTheBranchAreRefused(t *testing.T) {
	t.Parallel()
	remote, clone := clones(t)
	controltest.Git(t, remote, "update-ref", "refs/heads/"+Name, "main")
	r := clone()
	if _, err := New(r).Sync(t.Context()); err == nil || !strings.Contains(err.Error(), "no run wrote") {
		t.Errorf("%v", err)
	}
}
