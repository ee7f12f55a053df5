package contain

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
)

// precious puts into the checkout what a rollback removes from a worktree.
func (s *sandbox) precious() {
	s.t.Helper()
	s.git(s.top, "init", "-q", "--template=", "sub/inner")
	s.write(s.top, "sub/b.go", "package b // a person's\n")
	s.write(s.top, "sub/inner/c.go", "package c\n")
	s.write(s.top, "draft.md", "a person's draft\n")
	s.write(s.top, "secret/x.log", "ignored\n")
	s.write(s.top, "node_modules/left/index.js", "left\n")
	large, err := os.Create(filepath.Join(s.top, "sub", "large.bin"))
	if err == nil {
		err = large.Truncate(MaxFile + 1) // sparse
		large.Close()
	}
	if err == nil {
		err = os.MkdirAll(filepath.Join(s.top, "empty/er"), 0o755)
	}
	if err == nil {
		err = os.Chmod(filepath.Join(s.top, "secret"), 0o500)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { os.Chmod(filepath.Join(s.top, "secret"), 0o700) })
}

// checkout lists what is in the main checkout, with its contents.
func (s *sandbox) checkout() string {
	s.t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(s.top, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name == filepath.Join(s.top, ".git") || d.Name() == ".loopwiki" {
			return fs.SkipDir
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		fmt.Fprintln(&b, strings.TrimPrefix(name, s.top), info.Mode(), info.Size())
		if d.Type().IsRegular() && info.Size() < 1<<20 {
			b.WriteString(s.read("", name))
		}
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return b.String() + s.git(s.top, "rev-parse", "HEAD", "main") + s.git(s.top, "config", "--list", "--local")
}

// A link that takes the place of a folder of the worktree, or of the worktree itself, and
// leads into the checkout.
func TestLinksIntoTheCheckoutChangeNothingThere(t *testing.T) {
	t.Parallel()
	ways := map[string]func(s *sandbox, w *Worktree, o Owned) error{
		"rollback": func(s *sandbox, w *Worktree, _ Owned) error {
			shot := readLatest(s.t, w)
			if _, _, _, err := w.Compare(t.Context(), shot); err != nil {
				return err
			}
			_, err := w.Restore(t.Context(), shot.Tree, filepath.Join(s.dir, "patch"))
			return err
		},
		"restore": func(s *sandbox, w *Worktree, _ Owned) error {
			_, err := w.Restore(t.Context(), readLatest(s.t, w).Tree, filepath.Join(s.dir, "patch"))
			return err
		},
		"resume": func(s *sandbox, w *Worktree, _ Owned) error {
			again, err := Open(t.Context(), s.repo(), w.spec)
			if err != nil {
				return err
			}
			if _, err := again.Snapshot(t.Context(), "y"); err != nil {
				return err
			}
			_, err = again.Restore(t.Context(), readLatest(s.t, w).Tree, filepath.Join(s.dir, "patch"))
			return err
		},
		"gc": func(s *sandbox, _ *Worktree, o Owned) error {
			_, err := GC(t.Context(), s.repo(), []Owned{o}, false)
			return err
		},
		"drop":  func(s *sandbox, _ *Worktree, o Owned) error { return Drop(t.Context(), s.repo(), o) },
		"aside": func(s *sandbox, _ *Worktree, o Owned) error { _, err := SetAside(t.Context(), s.repo(), o); return err },
	}
	for _, link := range [][2]string{
		{"", ""}, {"", "sub"}, {"sub", "sub"}, {"sub", ""}, {"node_modules", "node_modules"}, {"secret", "secret"}, {"new/folder", ""}, {".git", ".git"}, {"empty", "empty"},
	} {
		for way, do := range ways {
			t.Run(fmt.Sprintf("%s/%q to %q", way, link[0], link[1]), func(t *testing.T) {
				t.Parallel()
				s := newSandbox(t)
				w, o := s.left("plan")
				s.git(s.top, "merge", "-q", "--no-edit", "loop/plan")
				s.precious()
				s.snapshot(w, "x")
				before := s.checkout()
				at := filepath.Join(w.Path(), filepath.FromSlash(link[0]))
				if err := os.RemoveAll(at); err != nil {
					t.Fatal(err)
				}
				if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(filepath.Join(s.top, link[1]), at); err != nil {
					t.Fatal(err)
				}
				if err := do(s, w, o); err != nil {
					t.Error(err)
				}
				if after := s.checkout(); after != before {
					t.Errorf("the checkout was\n%s\nand is\n%s", before, after)
				}
			})
		}
	}
}

// readLatest returns the snapshot that was taken last.
func readLatest(t testing.TB, w *Worktree) loops.Snapshot {
	t.Helper()
	old, err := readSaved(w.record.Latest)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := w.shared.line(t.Context(), "rev-parse", "--verify", w.record.Head+"^{tree}")
	if err != nil {
		t.Fatal(err)
	}
	return loops.Snapshot{Head: w.record.Head, Tree: tree, Ignored: old.Ignored, Guarded: old.Guard.digest(), Saved: w.record.Latest}
}
