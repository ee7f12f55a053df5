package contain

import (
	"strings"
	"testing"
)

// A run that goes on starts from what an earlier one committed and nobody merged;
// what that one did not commit is on a branch.
func TestContinue(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	first, _ := s.left("p")
	s.write(first.Path(), "late.go", "package a\n")
	tip := strings.TrimSpace(s.git(s.top, "rev-parse", "loop/p"))
	spec := s.spec("run-2")
	spec.Plan, spec.Base = "p", tip
	spec.Over = func(string) bool { return true }
	if _, err := Open(t.Context(), s.repo(), spec); err == nil || !strings.Contains(err.Error(), "that are not merged") {
		t.Fatalf("a run that does not go on: %v", err)
	}
	spec = s.spec("run-3")
	spec.Plan, spec.Base, spec.Continue = "p", tip, true
	spec.Over = func(string) bool { return true }
	second := s.open(spec)
	if at, err := second.Place(t.Context()); err != nil || at.Head != tip || at.Path != first.Path() {
		t.Errorf("%+v, %v", at, err)
	}
	if got := s.git(s.top, "ls-tree", "--name-only", "loop/p-wip-1", "late.go"); got != "late.go\n" {
		t.Errorf("on the branch of what was not committed: %q", got)
	}
	// One that starts from less would lose something, unless another branch has it.
	s.git(s.top, "branch", "-q", "-D", "loop/p-wip-1")
	spec = s.spec("run-4")
	spec.Plan, spec.Base, spec.Continue = "p", tip+"^", true
	spec.Over = func(string) bool { return true }
	if _, err := Open(t.Context(), s.repo(), spec); err == nil || !strings.Contains(err.Error(), "that are not merged") {
		t.Error(err)
	}
}

// What a run left that did not reach its goal is put aside for the next one, unless a
// person went on with it.
func TestAfterAFailedRun(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	first, _ := s.left("p")
	s.write(first.Path(), "late.go", "package a\n")
	tip := strings.TrimSpace(s.git(s.top, "rev-parse", "loop/p"))
	var noted []string
	spec := s.spec("run-2")
	spec.Plan, spec.Note = "p", func(text string) { noted = append(noted, text) }
	spec.Over, spec.Failed = func(string) bool { return true }, func(string) bool { return true }
	second := s.open(spec)
	if at, err := second.Place(t.Context()); err != nil || at.Head == tip || at.Path != first.Path() {
		t.Errorf("%+v, %v", at, err)
	}
	if got := s.git(s.top, "ls-tree", "--name-only", "loop/p-wip-1", "late.go"); got != "late.go\n" {
		t.Errorf("on the branch of what was set aside: %q", got)
	}
	s.git(s.top, "merge-base", "--is-ancestor", tip, "loop/p-wip-1")
	if len(noted) != 1 || !strings.Contains(noted[0], "is on loop/p-wip-1") {
		t.Errorf("noted %q", noted)
	}

	s.write(second.Path(), "theirs.go", "package a\n")
	s.git(second.Path(), "add", "theirs.go")
	s.git(second.Path(), "-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", "by hand")
	spec = s.spec("run-3")
	spec.Plan, spec.Over, spec.Failed = "p", func(string) bool { return true }, func(string) bool { return true }
	if _, err := Open(t.Context(), s.repo(), spec); err == nil || !strings.Contains(err.Error(), "that are not merged") {
		t.Errorf("over the commit of a person: %v", err)
	}
}

// Nothing is lost by setting a run aside, and its name is free again.
func TestSetAside(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	first, owned := s.left("p")
	tip := strings.TrimSpace(s.git(s.top, "rev-parse", "loop/p"))
	// A second run that adds nothing to the first holds all that the first did.
	spec := s.spec("run-2")
	spec.Plan, spec.Base, spec.Continue = "p", tip, true
	spec.Over = func(string) bool { return true }
	s.open(spec)
	again := Owned{Run: spec.Run, Folder: spec.Folder, Over: true}
	if left, err := GC(t.Context(), s.repo(), []Owned{owned, again}, false); err != nil || len(left) != 1 || left[0].Removed {
		t.Fatalf("%+v, %v", left, err)
	}
	if saved, err := SetAside(t.Context(), s.repo(), owned); err != nil || saved != "" {
		t.Fatalf("of a run whose place another has: %q, %v", saved, err)
	}
	saved, err := SetAside(t.Context(), s.repo(), again)
	if err != nil || saved != "loop/p-wip-1" {
		t.Fatalf("%q, %v", saved, err)
	}
	if got := strings.TrimSpace(s.git(s.top, "rev-parse", saved)); got != tip {
		t.Errorf("%s is %s, want %s", saved, got, tip)
	}
	if there, _ := lexists(first.Path()); there {
		t.Error("the worktree is there")
	}
	if got := s.git(s.top, "for-each-ref", "refs/heads/loop/p"); got != "" {
		t.Errorf("the branch is there: %s", got)
	}
	if saved, err := SetAside(t.Context(), s.repo(), again); err != nil || saved != "" {
		t.Errorf("a second time: %q, %v", saved, err)
	}
}
