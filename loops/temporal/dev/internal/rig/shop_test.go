//go:build linux

package rig

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// TestShopsOnTheEmbeddedDriver shows that the repositories are what the tests with a
// server take them for: every second plan is rejected once, and all are met.
func TestShopsOnTheEmbeddedDriver(t *testing.T) {
	wiki := filepath.Join(os.Getenv("WIKI_PROGRAMS"), "wiki")
	if _, err := os.Stat(wiki); err != nil {
		t.Skip("no program wiki in WIKI_PROGRAMS; run .ci/temporal, which builds it")
	}
	s, err := NewShops(t.TempDir(), 1, 2, 0, "")
	if err != nil {
		t.Fatal(err)
	}
	for n, attempts := range []int{1, 2} {
		o, err := s.Embedded(wiki, s.Names[0], n)
		if err != nil {
			t.Fatal(err)
		}
		want := []Chunk{{"1", "done", attempts}, {"2", "done", 1}}
		if o.Status != "met" || o.Spend.Calls != 3+2*attempts || !slices.Equal(o.Chunks, want) {
			t.Errorf("plan %d ended as %s", n, o)
		}
		if _, err := s.Git(s.Home(s.Names[0]), "push", "-q", "origin", o.Branch); err != nil {
			t.Fatal(err)
		}
	}
	calls, err := s.Calls()
	if err != nil || len(calls) != 5+7 || Again(calls) != 0 || len(Repeated(calls, nil)) != 0 {
		t.Errorf("%d calls, %v", len(calls), err)
	}
	for _, c := range calls {
		if c.Ended.IsZero() || c.Run == "" || c.Role == "" {
			t.Errorf("a call was not written down whole: %+v", c)
		}
	}
	commits, err := s.Commits(s.Names[0])
	if err != nil || len(commits) != 4 {
		t.Errorf("commits %v, %v", commits, err)
	}
	for subject, n := range commits {
		if n != 1 {
			t.Errorf("%d commits %s", n, subject)
		}
	}
}
