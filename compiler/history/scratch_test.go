package history

import (
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/loopwiki/wiki/schema/schematest"
)

// A scratch repository of a shallow clone knows where its history ends.
func TestScratchOfShallowClone(t *testing.T) {
	schematest.NeedGit(t)
	t.Parallel()
	dir := t.TempDir()
	from, clone, scratch := filepath.Join(dir, "from"), filepath.Join(dir, "clone"), filepath.Join(dir, "scratch")
	for _, args := range [][]string{
		{"init", "-q", from}, {"-C", from, "commit", "-q", "--allow-empty", "-m", "one"}, {"-C", from, "commit", "-q", "--allow-empty", "-m", "two"},
		{"clone", "-q", "--depth", "1", "file://" + filepath.ToSlash(from), clone}, {"init", "-q", scratch},
	} {
		if out, err := exec.Command("git", append([]string{"-c", "user.name=A", "-c", "user.email=a@b"}, args...)...).CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v: %s", args, err, out)
		}
	}
	s, err := NewScratch(t.Context(), clone, scratch)
	if err != nil {
		t.Fatal(err)
	}
	head, err := Resolve(t.Context(), clone, "HEAD")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Checkout(t.Context(), head.ID); err != nil {
		t.Fatal(err)
	}
	commits, err := Commits(t.Context(), scratch, 0)
	if err != nil || len(commits) != 1 || commits[0].ID != head.ID {
		t.Errorf("%v: %+v", err, commits)
	}
}
