package publish

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/andon"
	"github.com/loopwiki/wiki/loops/control/controltest"
	"github.com/loopwiki/wiki/loops/control/repo"
)

func TestMain(m *testing.M) { controltest.Main(m) }

const shop = `-- wiki.yaml --
loops: {sandbox: none}
-- .gitignore --
/.loopwiki/
-- a.txt --
a
`

// forge is a repository with a remote of its own, a branch of a run that is met, and a
// program gh that does what a script says; calls are written to gh.log.
type forge struct {
	*repo.Repo
	remote, log string
	state       loops.State
}

func newForge(t *testing.T, gh string) *forge {
	t.Helper()
	r := controltest.Open(t, shop)
	f := &forge{Repo: r, remote: t.TempDir()}
	controltest.Git(t, f.remote, "init", "--quiet", "--bare", "--initial-branch=main")
	controltest.Git(t, r.Root, "remote", "add", "origin", f.remote)
	controltest.Git(t, r.Root, "push", "--quiet", "origin", "main")
	controltest.Git(t, r.Root, "switch", "--quiet", "-c", "loop/p")
	controltest.Write(t, r, "a.txt", "b\n")
	head := controltest.Commit(t, r.Root, "made")
	controltest.Git(t, r.Root, "switch", "--quiet", "main")
	bin := t.TempDir()
	f.log = filepath.Join(bin, "gh.log")
	if gh != "" {
		text := "#!/bin/sh\nprintf '%s\\n' \"$*\" >> " + f.log + "\n" + gh + "\n"
		if err := os.WriteFile(filepath.Join(bin, "gh"), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	getenv := r.Getenv
	r.Getenv = func(name string) string {
		if name == "PATH" {
			return bin
		}
		return getenv(name)
	}
	if err := r.Store.Make(); err != nil {
		t.Fatal(err)
	}
	id, err := r.Store.Create("p", r.Now())
	if err != nil {
		t.Fatal(err)
	}
	f.state = loops.State{Status: loops.GoalMet, Head: head}
	f.state.Start = loops.Start{Run: id, Loop: "execution", Mode: loops.Draft, Plan: loops.Plan{Name: "p", Title: "A  change\nof prices"}}
	f.state.Place.Branch = "loop/p"
	return f
}

// pushed returns the commit of a branch of the remote, "" if there is none.
func (f *forge) pushed(t *testing.T, branch string) string {
	t.Helper()
	line := controltest.Git(t, f.remote, "for-each-ref", "--format=%(objectname)", "refs/heads/"+branch)
	return line
}

const opens = "echo https://forge.example/pull/7"

func TestPublishPushesOneCommitAndOpensARequest(t *testing.T) {
	t.Parallel()
	f := newForge(t, opens)
	later := controltest.Git(t, f.Root, "commit-tree", "-p", f.state.Head, "-m", "later", f.state.Head+"^{tree}")
	controltest.Git(t, f.Root, "update-ref", "refs/heads/loop/p", later)
	main := f.pushed(t, "main")
	for range 2 { // it is safe to repeat
		url, err := New(f.Repo).publish(t.Context(), &f.state)
		if err != nil || url != "https://forge.example/pull/7" {
			t.Fatal(url, err)
		}
	}
	if f.pushed(t, "loop/p") != f.state.Head || f.pushed(t, "main") != main {
		t.Errorf("loop/p is at %s, want %s", f.pushed(t, "loop/p"), f.state.Head)
	}
	log, err := os.ReadFile(f.log)
	if err != nil || !strings.HasPrefix(string(log), "pr create --base=main --head=loop/p --title=A change of prices --body-file=") {
		t.Errorf("gh was called as %q, %v", log, err)
	}
}

func TestPublishRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		gh     string
		change func(t *testing.T, f *forge)
		want   string
		pushed bool
	}{
		"a run in shadow":      {opens, func(_ *testing.T, f *forge) { f.state.Start.Mode = loops.Shadow }, "a run in shadow mode publishes nothing", false},
		"a branch of somebody": {opens, func(_ *testing.T, f *forge) { f.state.Place.Branch = "feature/p" }, "feature/p was not pushed: loops only push to loop/<plan>", false},
		"the default branch there": {opens, func(t *testing.T, f *forge) {
			controltest.Git(t, f.remote, "branch", "loop/P", "main")
			controltest.Git(t, f.remote, "symbolic-ref", "HEAD", "refs/heads/loop/P")
		}, "it is the default branch of origin", false},
		"a remote without a default": {opens, func(t *testing.T, f *forge) { controltest.Git(t, f.remote, "symbolic-ref", "HEAD", "refs/heads/none") }, "does not report its default branch", false},
		"no remote":                  {opens, func(t *testing.T, f *forge) { controltest.Git(t, f.Root, "remote", "remove", "origin") }, "the repository has no remote", false},
		"two remotes, none is origin": {opens, func(t *testing.T, f *forge) {
			controltest.Git(t, f.Root, "remote", "rename", "origin", "a")
			controltest.Git(t, f.Root, "remote", "add", "b", f.remote)
		}, "several remotes (a, b), none named origin", false},
		"a remote that is gone": {opens, func(t *testing.T, f *forge) { controltest.Git(t, f.Root, "remote", "set-url", "origin", "/nowhere") }, "ask origin for its default branch", false},
		"no program gh":         {"", func(*testing.T, *forge) {}, "gh not found", false},
		"the branch moved on there": {opens, func(t *testing.T, f *forge) {
			controltest.Git(t, f.Root, "push", "--quiet", "origin", controltest.Git(t, f.Root, "commit-tree", "-m", "other", "main^{tree}")+":refs/heads/loop/p")
		}, "push loop/p to origin", false},
		"the line is stopped":  {opens, func(t *testing.T, f *forge) { stop(t, f.Repo) }, "stopped", false},
		"gh says no":           {"echo no >&2; exit 1", func(*testing.T, *forge) {}, "gh pr create: no", true},
		"gh prints no address": {"echo done", func(*testing.T, *forge) {}, "gh pr create printed no URL", true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newForge(t, c.gh)
			c.change(t, f)
			url, err := New(f.Repo).publish(t.Context(), &f.state)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%q, %v; want %q", url, err, c.want)
			}
			if pushed := f.pushed(t, "loop/p") == f.state.Head; pushed != c.pushed {
				t.Errorf("pushed is %v", pushed)
			}
		})
	}
}

// stop leaves the incident of a failed run, which stops the line.
func stop(t *testing.T, r *repo.Repo) {
	t.Helper()
	if _, err := r.Andon().Open(andon.Failure{Run: "r1", Plan: "plans/p.md", Status: loops.Stopped, Why: "it reached outside", Class: loops.ClassContainment}); err != nil {
		t.Fatal(err)
	}
}

func TestPublishReturnsTheRequestThatIsThere(t *testing.T) {
	t.Parallel()
	f := newForge(t, `echo 'a pull request for branch "loop/p" already exists:' >&2; echo https://forge.example/pull/3 >&2; exit 1`)
	if url, err := New(f.Repo).publish(t.Context(), &f.state); err != nil || url != "https://forge.example/pull/3" {
		t.Errorf("%q, %v", url, err)
	}
}

// What nobody approved is published only by a loop that is granted autonomy still.
func TestPublishUnattendedNeedsAGrant(t *testing.T) {
	t.Parallel()
	f := newForge(t, opens)
	f.state.Start.Mode = loops.Autonomous
	if url, err := New(f.Repo).PublishUnattended(t.Context(), &f.state); err == nil || !strings.Contains(err.Error(), "execution is now limited to draft mode") {
		t.Errorf("%q, %v", url, err)
	}
	controltest.Git(t, f.Root, "checkout", "--quiet", "main")
	controltest.Write(t, f.Repo, ".loopwiki/modes.yaml", "version: 1\nrecords:\n  - {loop: execution, mode: autonomous, by: ada, reason: ok, at: \"2026-07-01T00:00:00Z\"}\n")
	controltest.Git(t, f.Root, "add", "--force", ".loopwiki/modes.yaml")
	controltest.Git(t, f.Root, "commit", "--quiet", "-m", "grant")
	if url, err := New(f.Repo).PublishUnattended(t.Context(), &f.state); err != nil || url == "" {
		t.Errorf("%q, %v", url, err)
	}
}

func TestJudgeOfARunThatIsOver(t *testing.T) {
	t.Parallel()
	f := newForge(t, opens)
	p, id := New(f.Repo), controltest.Begun(t, f.Repo, f.state.Start, true)
	_, err := p.Judge(t.Context(), id, &loops.Answer{Approve: true, By: "ada"})
	if notMet := (*NotMetError)(nil); !errors.As(err, &notMet) {
		t.Errorf("a run that is not met is approved: %v", err)
	}
	if url, err := p.Judge(t.Context(), id, &loops.Answer{By: "ada", Reason: "no"}); err != nil || url != "" {
		t.Errorf("%q, %v", url, err)
	}
	if j, err := f.Store.Judgement(id); err != nil || j == nil || j.Accept || j.By != "ada" || j.Reason != "no" {
		t.Errorf("%+v, %v", j, err)
	}
	if _, err := os.Stat(f.log); err == nil {
		t.Error("gh was called")
	}
}
