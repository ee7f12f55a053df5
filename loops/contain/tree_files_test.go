package contain

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAddPutsFilesIntoTreeAndWorktree(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	w := s.open(s.spec("r1"))
	shot := s.snapshot(w, "x")
	s.write(s.dir, "precious", "precious")
	if err := os.Symlink("../precious", filepath.Join(w.Path(), "link.md")); err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{"wiki/90_LOG/ä b.md": []byte("# A\n"), "run.sh": []byte("#!/bin/sh\ntrue\n"), "link.md": []byte("x\n")}
	tree, err := w.Add(t.Context(), shot.Tree, files)
	if err != nil {
		t.Fatal(err)
	}
	got, changes, _, err := w.Compare(t.Context(), shot)
	if err != nil || got != tree || len(changes) != 3 {
		t.Errorf("the tree is %s, the worktree's %s, %+v, %v", tree, got, changes, err)
	}
	if again, err := w.Add(t.Context(), shot.Tree, files); err != nil || again != tree {
		t.Errorf("the same again is %s, %v", again, err)
	}
	if s.read(s.dir, "precious") != "precious" {
		t.Error("a link was followed")
	}
	for _, c := range changes {
		if c.Path == "run.sh" && c.NewMode != "100755" {
			t.Errorf("%+v", c)
		}
	}
	for _, bad := range []string{"../x", "/x", ".git/config", "sub/.GIT/x", ""} {
		if _, err := w.Add(t.Context(), shot.Tree, map[string][]byte{bad: nil}); err == nil {
			t.Errorf("%q was added", bad)
		}
	}
	patch, err := w.Patch(t.Context(), shot.Tree, tree, 1<<20)
	if err != nil || !strings.Contains(patch, "+true\n") {
		t.Errorf("the patch is %q, %v", patch, err)
	}
	if cut, err := w.Patch(t.Context(), shot.Tree, tree, 100); err != nil || len(cut) > 100 || !strings.HasPrefix(patch, cut) || !strings.HasSuffix(cut, "\n") {
		t.Errorf("the patch of 100 bytes is %q, %v", cut, err)
	}
}
