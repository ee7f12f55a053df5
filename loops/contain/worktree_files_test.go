package contain

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
)

// TestSubmodulesArePlainFiles opens worktrees and exports of a repository with a
// submodule in a submodule.
func TestSubmodulesArePlainFiles(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	repository := func(name, file, text string) string {
		dir := filepath.Join(s.dir, name)
		s.write(dir, file, text)
		s.git(dir, "init", "-q", "-b", "main", "--template=")
		s.git(dir, "add", "-A")
		s.git(dir, "commit", "-q", "-m", "first")
		return dir
	}
	inner := repository("inner", "inner.txt", "inner\n")
	outer := repository("outer", "outer.txt", "one\n")
	add := func(dir, from, at string) {
		s.git(dir, "-c", "protocol.file.allow=always", "submodule", "add", "-q", from, at)
		s.git(dir, "commit", "-q", "-m", "a submodule")
	}
	add(outer, inner, "lib/inner")
	add(s.top, outer, "third_party/outer")
	s.git(s.top, "-c", "protocol.file.allow=always", "submodule", "update", "-q", "--init", "--recursive")
	s.write(s.top, "third_party/outer/outer.txt", "not committed\n")

	w := s.open(s.spec("r1"))
	for name, want := range map[string]string{"third_party/outer/outer.txt": "one\n", "third_party/outer/lib/inner/inner.txt": "inner\n"} {
		if got := s.read(w.Path(), name); got != want {
			t.Errorf("the worktree has %s: %q, want %q", name, got, want)
		}
	}
	before := s.snapshot(w, "before")
	s.write(w.Path(), "third_party/outer/outer.txt", "an agent's\n")
	s.write(w.Path(), "third_party/outer/.git/config", "[core]\n")
	s.write(w.Path(), "b.go", "package b\n")
	after := s.snapshot(w, "after")
	changes, err := w.Diff(t.Context(), before.Tree, after.Tree)
	if err != nil || len(changes) != 1 || changes[0].Path != "b.go" {
		t.Errorf("changes are %v, %v; want b.go alone", changes, err)
	}
	dir := filepath.Join(s.dir, "export")
	if err := w.Export(t.Context(), after.Tree, dir); err != nil {
		t.Fatal(err)
	}
	if got := s.read(dir, "third_party/outer/outer.txt"); got != "one\n" {
		t.Errorf("the export has %q, want the submodule's commit", got)
	}
	if fileThere(filepath.Join(dir, "third_party/outer/.git")) {
		t.Error("the export's submodule is a repository")
	}
	if _, err := w.Commit(t.Context(), loops.CommitSpec{Tree: after.Tree, Subject: "x", Key: "k"}); err != nil {
		t.Error(err)
	}
}

// TestSubmodulesThatAreNotCheckedOutAreNamed opens a worktree of a clone without
// its submodule.
func TestSubmodulesThatAreNotCheckedOutAreNamed(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	other := filepath.Join(s.dir, "other")
	s.write(other, "other.txt", "other\n")
	s.git(other, "init", "-q", "-b", "main", "--template=")
	s.git(other, "add", "-A")
	s.git(other, "commit", "-q", "-m", "first")
	s.git(s.top, "-c", "protocol.file.allow=always", "submodule", "add", "-q", other, "lib")
	s.git(s.top, "commit", "-q", "-m", "a submodule")
	s.git(s.top, "submodule", "-q", "deinit", "-f", "lib")
	var notes []string
	spec := s.spec("r1")
	spec.Note = func(n string) { notes = append(notes, n) }
	s.open(spec)
	if !slices.ContainsFunc(notes, func(n string) bool { return strings.Contains(n, "the submodule lib is empty") }) {
		t.Errorf("notes are %q", notes)
	}
}

// TestLargeFilesAreRemoved leaves a sparse file that git would take minutes to read.
func TestLargeFilesAreRemoved(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	w := s.open(s.spec("r1"))
	before := s.snapshot(w, "before")
	name := filepath.Join(w.Path(), "big.bin")
	s.write(w.Path(), "big.bin", "")
	if err := os.Truncate(name, 20<<30); err != nil {
		t.Fatal(err)
	}
	s.write(w.Path(), "b.go", "package b\n")
	_, changes, breaches, err := w.Compare(t.Context(), before)
	if err != nil || len(breaches) > 0 {
		t.Fatal(breaches, err)
	}
	want := []loops.Change{{Path: "b.go", Status: "A", NewMode: "100644"}, {Path: "big.bin", Status: "A", NewMode: "100644", Size: 20 << 30}}
	if !slices.Equal(changes, want) || fileThere(name) {
		t.Errorf("changes are %+v, and it is there: %v", changes, fileThere(name))
	}
}

// TestWorktreeOfSubmoduleLiesBesideTheWholeRepository: within it, it would be an untracked
// repository.
func TestWorktreeOfSubmoduleLiesBesideTheWholeRepository(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	for _, name := range []string{"parts", "whole"} { // the first is a submodule of the second
		top := filepath.Join(s.dir, "home", name)
		if err := os.MkdirAll(top, 0o755); err != nil {
			t.Fatal(err)
		}
		s.git(top, "init", "-q", "-b", "main", "--template=")
		from := s.top
		if name == "whole" {
			from = filepath.Join(s.dir, "home", "parts")
		}
		s.git(top, "-c", "protocol.file.allow=always", "submodule", "add", "-q", from, "lib/shop")
		s.git(top, "commit", "-q", "-m", "add a submodule")
		if name == "whole" {
			s.git(top, "-c", "protocol.file.allow=always", "submodule", "update", "--init", "--recursive", "-q")
		}
	}
	whole := filepath.Join(s.dir, "home", "whole")
	for at, want := range map[string]string{"lib/shop": "whole-shop", "lib/shop/lib/shop": "whole-shop-shop"} {
		s.top = filepath.Join(whole, at)
		w := s.open(s.spec("r-" + want))
		if got := filepath.Join(s.dir, "home", want+"-loop-"+w.spec.Plan); w.Path() != got {
			t.Errorf("the worktree of %s is %s, not %s", at, w.Path(), got)
		}
	}
	if out := s.git(whole, "status", "--porcelain", "--ignore-submodules=untracked"); out != "" {
		t.Errorf("the whole repository sees %s", out)
	}
}
