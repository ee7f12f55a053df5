package contain

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
)

// left makes a worktree of a plan with a commit.
func (s *sandbox) left(plan string) (*Worktree, Owned) {
	s.t.Helper()
	spec := s.spec("run-" + plan)
	spec.Plan = plan
	w := s.open(spec)
	s.write(w.Path(), plan+".go", "package a\n")
	if _, err := w.Commit(s.t.Context(), loops.CommitSpec{Tree: s.snapshot(w, "x").Tree, Subject: plan, Key: plan}); err != nil {
		s.t.Fatal(err)
	}
	return w, Owned{Run: spec.Run, Folder: spec.Folder, Over: true}
}

func TestGCRemovesOnlyMergedWorktreesOfFinishedRuns(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	var owned []Owned
	ws := map[string]*Worktree{}
	for _, plan := range []string{"merged", "dirty", "open", "running", "locked", "vanished", "moved"} {
		w, o := s.left(plan)
		ws[plan] = w
		o.Over = plan != "running"
		owned = append(owned, o)
		if plan != "open" {
			s.git(s.top, "merge", "-q", "--no-edit", "loop/"+plan)
		}
	}
	s.write(ws["dirty"].Path(), "late.go", "package a\n")
	s.write(ws["dirty"].Path(), "x.log", "ignored")
	s.git(s.top, "worktree", "lock", ws["locked"].Path())
	if err := os.RemoveAll(ws["vanished"].Path()); err != nil {
		t.Fatal(err)
	}
	s.git(ws["moved"].Path(), "commit", "-q", "--allow-empty", "-m", "a person's")
	s.git(s.top, "worktree", "add", "-q", "-b", "mine", filepath.Join(s.dir, "mine"))
	want := map[string]string{
		"loop-merged": "true the run is over and its commits are merged", "loop-dirty": "true the run is over and its commits are merged",
		"loop-open": "false its commits are not merged into the default branch", "loop-running": "false the run is not finished",
		"loop-locked": "false it is locked; run git worktree unlock", "loop-vanished": "true the run is over and its commits are merged",
		"loop-moved": "false another process moved the branch", "mine": "false no known run created it",
	}
	before := s.git(s.top, "for-each-ref") + s.git(s.top, "worktree", "list")
	for _, dry := range []bool{true, false} {
		got, err := GC(t.Context(), s.repo(), owned, dry)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != len(want) {
			t.Errorf("%d worktrees: %+v", len(got), got)
		}
		for _, l := range got {
			if is := fmt.Sprint(l.Removed, " ", l.Why); is != want[strings.TrimPrefix(filepath.Base(l.Path), "my répo-")] {
				t.Errorf("%s: %s", l.Path, is)
			}
			if fileThere(l.Path) != (dry && l.Branch != "loop/vanished" || !l.Removed) {
				t.Errorf("dry run %v: %s is there: %v", dry, l.Path, fileThere(l.Path))
			}
			if l.Branch == "loop/dirty" && (l.Saved != "loop/dirty-wip-1" || fmt.Sprint(l.Ignored) != "[x.log]" || l.Size == 0) {
				t.Errorf("%+v", l)
			}
		}
		if now := s.git(s.top, "for-each-ref") + s.git(s.top, "worktree", "list"); dry && now != before {
			t.Errorf("a dry run changed\n%s", now)
		}
	}
	if out := s.git(s.top, "show", "--name-only", "--format=", "loop/dirty-wip-1"); out != "late.go\n" {
		t.Errorf("saved are %q", out)
	}
	branches := s.git(s.top, "branch", "--list", "loop/*", "--format=%(refname:short)")
	if branches != "loop/dirty-wip-1\nloop/locked\nloop/moved\nloop/open\nloop/running\n" {
		t.Errorf("the branches are\n%s", branches)
	}
}

func TestDefaultBranchAndMerged(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	ctx := t.Context()
	check := func(want string) {
		t.Helper()
		if got, err := DefaultBranch(ctx, s.repo()); err != nil || got != want {
			t.Errorf("the default branch is %q, %v; not %q", got, err, want)
		}
	}
	check("main")
	s.git(s.top, "branch", "trunk")
	s.git(s.top, "config", "init.defaultBranch", "trunk")
	check("trunk")
	s.git(s.top, "symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/develop")
	check("develop")
	s.git(s.top, "symbolic-ref", "-d", "refs/remotes/origin/HEAD")
	s.git(s.top, "commit", "-q", "--allow-empty", "-m", "x")
	for what, want := range map[string]bool{"main": false, "trunk": true, "main~1": true} {
		if got, err := IsMerged(ctx, s.repo(), what); err != nil || got != want {
			t.Errorf("%s is merged: %v, %v", what, got, err)
		}
	}
	if _, err := IsMerged(ctx, s.repo(), "nothing"); err == nil || !strings.Contains(err.Error(), "is not a commit") {
		t.Errorf("the error is %v", err)
	}
}
