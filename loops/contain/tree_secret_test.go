package contain

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestRollbackTakesSecretsOutOfGit looks for a secret in all objects that git
// has, reachable or not, after it was rolled back.
func TestRollbackTakesSecretsOutOfGit(t *testing.T) {
	t.Parallel()
	const secret = "Zk3vQ8rT1xY6bN0pLm"
	s := newSandbox(t)
	spec := s.spec("r1")
	spec.Redact = []string{secret}
	w := s.open(spec)
	// What is the user's own stays, though nothing reaches it and a role left the same.
	s.write(s.top, "kept.txt", "of somebody\n")
	kept := strings.TrimSpace(s.git(s.top, "hash-object", "-w", "kept.txt"))
	s.git(s.top, "update-ref", "refs/keep/it", kept)
	shot := s.snapshot(w, "x")
	s.write(w.Path(), "kept.txt", "of somebody\n")
	s.write(w.Path(), "d/leak.txt", "key: "+secret+"\n")
	s.write(w.Path(), secret+".txt", "by its name\n")
	s.write(w.Path(), "binary", "\x00\x01"+strings.Repeat("\x00key\x01", 500)+secret)
	if _, _, _, err := w.Compare(t.Context(), shot); err != nil {
		t.Fatal(err)
	}
	objects := func() string { return s.git(s.top, "cat-file", "--batch-all-objects", "--batch", "--buffer") }
	if !strings.Contains(objects(), secret) {
		t.Fatal("the secret was never in git: the test shows nothing")
	}
	patch := filepath.Join(s.dir, "p.patch")
	if got, err := w.Restore(t.Context(), shot.Tree, patch); err != nil || got != patch {
		t.Fatal(got, err)
	}
	if text := objects(); strings.Contains(text, secret) {
		t.Error("the secret is an object of git")
	}
	if strings.Contains(s.read(s.dir, "p.patch"), secret) {
		t.Error("the secret is in the patch")
	}
	if got := s.git(s.top, "cat-file", "blob", kept); got != "of somebody\n" {
		t.Errorf("an object that a ref reaches is %q", got)
	}
	s.git(s.top, "fsck", "--full", "--no-dangling")
	if again := s.snapshot(w, "y"); again.Tree != shot.Tree {
		t.Errorf("the tree is %s, was %s", again.Tree, shot.Tree)
	}
}
