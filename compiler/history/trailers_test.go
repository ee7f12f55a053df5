package history

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTrailers(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	read := func(dir string) []Trailer {
		t.Helper()
		got, err := Trailers(context.Background(), dir, "Loop-Plan")
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got := read(r.dir); got != nil {
		t.Errorf("before the first commit: %v", got)
	}
	empty := func(message string) { r.git("commit", "-q", "--allow-empty", "-m", message) }
	empty("first")
	r.git("checkout", "-q", "-b", "loop/a")
	empty("feat(a): 1 A\n\nbody\n\nLoop-Run: r1\nLoop-Plan: plans/a.md")
	if got := read(r.dir); got != nil {
		t.Errorf("what is not merged counts: %v", got)
	}
	r.git("checkout", "-q", "main")
	r.git("merge", "-q", "--no-ff", "loop/a", "-m", "merge")
	empty("B (#2)\n\n* feat(b): 1 B\n\nLoop-Plan: plans/b.md\n\n* more\n\nLoop-Plan: plans/b.md")
	empty("says Loop-Plan: nothing")
	want := []Trailer{{"B (#2)", "plans/b.md"}, {"B (#2)", "plans/b.md"}, {"feat(a): 1 A", "plans/a.md"}}
	if diff := cmp.Diff(want, read(r.dir)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	// In a clone the default branch is origin's, whatever is checked out.
	clone := t.TempDir()
	r.git("branch", "-m", "main", "trunk")
	r.git("clone", "-q", r.dir, clone)
	r.git("-C", clone, "checkout", "-q", "-b", "main", "HEAD~3")
	if diff := cmp.Diff(want, read(clone)); diff != "" {
		t.Errorf("in a clone (-want +got):\n%s", diff)
	}
	// Without main and master it is what is checked out.
	if diff := cmp.Diff(want, read(r.dir)); diff != "" {
		t.Errorf("on trunk (-want +got):\n%s", diff)
	}
}
