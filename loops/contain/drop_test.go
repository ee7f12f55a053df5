package contain

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDropLeavesNothing removes what a run made, committed or not, more than
// once, and what a runner that died in between made again.
func TestDropLeavesNothing(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	state := func() string {
		entries, err := os.ReadDir(filepath.Join(s.top, ".git", "worktrees"))
		if err == nil && len(entries) > 0 {
			return "a worktree is registered"
		}
		return s.git(s.top, "for-each-ref") + s.git(s.top, "worktree", "list") + s.git(s.top, "status", "--porcelain", "--", ":!.loopwiki")
	}
	before := state()
	w, o := s.left("plan")
	s.write(w.Path(), "late.go", "package a\n")
	for range 2 {
		if err := Drop(t.Context(), s.repo(), o); err != nil {
			t.Fatal(err)
		}
		if now := state(); now != before {
			t.Fatalf("the repository was\n%s\nand is\n%s", before, now)
		}
	}
	spec := s.spec(o.Run)
	spec.Plan = "plan"
	if again := s.open(spec); !fileThere(again.Path()) {
		t.Fatal("the worktree is not made again")
	}
	if err := Drop(t.Context(), s.repo(), o); err != nil || state() != before {
		t.Errorf("%v; the repository is\n%s", err, state())
	}
	if err := Drop(t.Context(), s.repo(), Owned{Run: "none", Folder: t.TempDir()}); err != nil {
		t.Errorf("a run without a worktree: %v", err)
	}
}

// TestDropKeepsBranchMovedByOthers leaves a branch that a person moved.
func TestDropKeepsBranchMovedByOthers(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	w, o := s.left("plan")
	s.git(w.Path(), "commit", "-q", "--allow-empty", "-m", "a person's")
	if err := Drop(t.Context(), s.repo(), o); err == nil || !strings.Contains(err.Error(), "another process moved") {
		t.Errorf("got %v", err)
	}
	if s.git(s.top, "branch", "--list", "loop/plan") == "" || !fileThere(w.Path()) {
		t.Error("the person's commit is gone")
	}
}
