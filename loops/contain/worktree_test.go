package contain

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/schematest"
)

// sandbox is a repository in its own folder, with a space and a letter
// that is not ASCII in its path.
type sandbox struct {
	t   testing.TB
	dir string // of everything
	top string // of the checkout
}

func newSandbox(t testing.TB) *sandbox {
	t.Helper()
	schematest.NeedGit(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &sandbox{t, dir, filepath.Join(dir, "my répo")}
	if err := os.Mkdir(s.top, 0o755); err != nil {
		t.Fatal(err)
	}
	s.git(s.top, "init", "-q", "-b", "main", "--template=")
	s.write(s.top, "a.go", "package a\n")
	s.write(s.top, "sub/b.go", "package b\n")
	s.write(s.top, "run.sh", "#!/bin/sh\n")
	s.write(s.top, ".gitignore", "*.log\nnode_modules/\n.loopwiki/\nsecret/\n")
	if err := os.Chmod(filepath.Join(s.top, "run.sh"), 0o755); err != nil {
		t.Fatal(err)
	}
	s.git(s.top, "add", "-A")
	s.git(s.top, "commit", "-q", "-m", "first")
	return s
}

// env returns the environment of a person, with nothing of this machine's.
func (s *sandbox) env() []string {
	return append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1", "HOME="+s.dir,
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org")
}

// try runs git as a person or an agent does, with hooks and all.
func (s *sandbox) try(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, s.env()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	return out.String(), err
}

func (s *sandbox) git(dir string, args ...string) string {
	s.t.Helper()
	out, err := s.try(dir, args...)
	if err != nil {
		s.t.Fatalf("git %v in %s: %v\n%s", args, dir, err, out)
	}
	return out
}

func (s *sandbox) write(dir, name, text string) {
	s.t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		s.t.Fatal(err)
	}
}

func (s *sandbox) read(dir, name string) string {
	s.t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

func (s *sandbox) repo() Repo { return Repo{Dir: s.top, Env: s.env()} }

func (s *sandbox) spec(run string) Spec {
	return Spec{Run: run, Plan: "2026-07-x", Folder: filepath.Join(s.top, ".loopwiki", "runs", run), Name: "Loop", Email: "loop@example.org",
		Now: func() time.Time { return time.Date(2026, 7, 4, 8, 0, 0, 0, time.UTC) }}
}

func (s *sandbox) open(spec Spec) *Worktree {
	s.t.Helper()
	w, err := Open(s.t.Context(), s.repo(), spec)
	if err != nil {
		s.t.Fatal(err)
	}
	return w
}

func (s *sandbox) snapshot(w *Worktree, name string) loops.Snapshot {
	s.t.Helper()
	shot, err := w.Snapshot(s.t.Context(), name)
	if err != nil {
		s.t.Fatal(err)
	}
	return shot
}

func TestOpenIsIdempotentAndCommits(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	ctx := t.Context()
	s.write(s.top, "a.go", "package a // dirty\n")
	s.git(s.top, "checkout", "-q", "--detach")
	s.write(s.top, ".git/hooks/post-checkout", "#!/bin/sh\ntouch "+`"`+s.dir+`/hooked"`+"\n")
	if err := os.Chmod(filepath.Join(s.top, ".git/hooks/post-checkout"), 0o755); err != nil {
		t.Fatal(err)
	}
	w := s.open(s.spec("r1"))
	if w.Path() != filepath.Join(s.dir, "my répo-loop-2026-07-x") || s.read(w.Path(), "a.go") != "package a\n" {
		t.Fatalf("the worktree is %s", w.Path())
	}
	if w = s.open(s.spec("r1")); s.git(w.Path(), "status", "--porcelain") != "" {
		t.Fatal("the worktree is not clean when it is new")
	}
	shot := s.snapshot(w, "r1/1/1/maker")
	s.write(w.Path(), "new.go", "package a\n")
	tree, changes, breaches, err := w.Compare(ctx, shot)
	if err != nil || len(breaches) > 0 || len(changes) != 1 || changes[0].Path != "new.go" || changes[0].Status != "A" {
		t.Fatalf("changes %+v, breaches %+v, %v", changes, breaches, err)
	}
	c := loops.CommitSpec{Tree: tree, Subject: "feat(x): new\nfile", Body: "Loop-Key: forged", Key: "r1/1/1/commit", Run: "r1", Plan: "x"}
	id, err := w.Commit(ctx, c)
	if err != nil {
		t.Fatal(err)
	}
	if out := s.git(w.Path(), "status", "--porcelain"); out != "" {
		t.Errorf("after the commit: %s", out)
	}
	if again, err := s.open(s.spec("r1")).Commit(ctx, c); err != nil || again != id {
		t.Errorf("the same commit again is %s, %v", again, err)
	}
	if out := s.git(w.Path(), "log", "-1", "--format=%an %ae %aI %s|%(trailers:key=Loop-Key,valueonly,separator=%x2c)"); out != "Loop loop@example.org 2026-07-04T08:00:00+00:00 feat(x): new file|r1/1/1/commit\n" {
		t.Errorf("the commit is %q", out)
	}
	if fileThere(filepath.Join(s.dir, "hooked")) {
		t.Error("a hook ran")
	}
	if s.read(s.top, "a.go") != "package a // dirty\n" {
		t.Error("the person's change is gone")
	}
}

func TestOpenRefusesForeignFoldersAndBranches(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, want string
		do         func(*sandbox)
	}{
		{"folder", "was not created by a loop", func(s *sandbox) { s.write(s.dir, "my répo-loop-2026-07-x/precious", "x") }},
		{"branch", "was not created by a loop; rename it", func(s *sandbox) { s.git(s.top, "branch", "loop/2026-07-x") }},
		{"worktree", "was not created by a loop", func(s *sandbox) {
			s.git(s.top, "worktree", "add", "-q", "-b", "loop/2026-07-x", s.dir+"/my répo-loop-2026-07-x")
		}},
		{"other run", "is not over", func(s *sandbox) { s.open(s.spec("r0")) }},
		{"bare", "bare repository", func(s *sandbox) { s.git(s.top, "config", "core.bare", "true") }},
		{"no commit", "commit something first", func(s *sandbox) { s.git(s.top, "checkout", "-q", "--orphan", "x") }},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			c.do(s)
			refs := s.git(s.top, "for-each-ref")
			_, err := Open(t.Context(), s.repo(), s.spec("r1"))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, not about %q", err, c.want)
			}
			if now := s.git(s.top, "for-each-ref"); now != refs {
				t.Errorf("refs changed:\n%s", now)
			}
		})
	}
}

func TestEarlierRunIsTakenOverIfNothingIsLost(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	w := s.open(s.spec("r0"))
	next := s.spec("r1")
	next.Over = func(run string) bool { return run == "r0" }
	s.write(w.Path(), "new.go", "package a\n")
	if _, err := Open(t.Context(), s.repo(), next); err == nil || !strings.Contains(err.Error(), "uncommitted changes") {
		t.Fatalf("a dirty worktree: %v", err)
	}
	shot := s.snapshot(w, "x")
	if _, err := w.Commit(t.Context(), loops.CommitSpec{Tree: shot.Tree, Subject: "x", Key: "k"}); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), s.repo(), next); err == nil || !strings.Contains(err.Error(), "not merged") {
		t.Fatalf("an unmerged branch: %v", err)
	}
	s.git(s.top, "merge", "-q", "loop/2026-07-x")
	if w := s.open(next); markOf(w.admin) != "r1" {
		t.Error("the worktree is not the new run's")
	}
}

func TestHalfMadeWorktreeIsRepaired(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(*sandbox, *Worktree){
		"registered, not marked": func(s *sandbox, w *Worktree) {
			w.record.Made, w.record.Filled = false, false
			for _, n := range []string{"a.go", "sub", "run.sh", ".gitignore"} {
				_ = os.RemoveAll(filepath.Join(w.path, n))
			}
			_ = os.Remove(filepath.Join(w.admin, ownershipMark))
		},
		"half filled": func(s *sandbox, w *Worktree) {
			w.record.Filled = false
			_ = os.RemoveAll(filepath.Join(w.path, "sub"))
			s.write(w.path, "a.go", "packa")
			s.write(w.kept(), "index.lock", "")
		},
		"branch without worktree": func(s *sandbox, w *Worktree) {
			w.record.Made, w.record.Filled = false, false
			_ = os.RemoveAll(w.path)
			_ = os.RemoveAll(w.admin)
		},
		"folder deleted": func(s *sandbox, w *Worktree) { _ = os.RemoveAll(w.path) },
		"stale locks": func(s *sandbox, w *Worktree) {
			for _, n := range []string{filepath.Join(w.admin, "index.lock"), w.index() + ".lock"} {
				_ = os.WriteFile(n, nil, 0o644)
				_ = os.Chtimes(n, time.Time{}, time.Unix(1, 0))
			}
		},
		"garbage for an index": func(s *sandbox, w *Worktree) { s.write(w.kept(), "index", "garbage") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSandbox(t)
			w := s.open(s.spec("r1"))
			spoil(s, w)
			if err := w.save(); err != nil {
				t.Fatal(err)
			}
			w = s.open(s.spec("r1"))
			if out := s.git(w.Path(), "status", "--porcelain"); out != "" {
				t.Errorf("the worktree is not clean: %s", out)
			}
			if shot := s.snapshot(w, "x"); shot.Tree != strings.TrimSpace(s.git(s.top, "rev-parse", "main^{tree}")) {
				t.Error("the tree is not the base's")
			}
		})
	}
}

func TestCommitWhoseResultWasLostIsFound(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	w := s.open(s.spec("r1"))
	s.write(w.Path(), "n.go", "package a\n")
	before := w.record.Head
	c := loops.CommitSpec{Tree: s.snapshot(w, "x").Tree, Subject: "x", Key: "k"}
	id, err := w.Commit(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	w.record.Head, w.record.Next = before, id // the runner died after update-ref
	if err := w.save(); err != nil {
		t.Fatal(err)
	}
	if again, err := s.open(s.spec("r1")).Commit(t.Context(), c); err != nil || again != id {
		t.Errorf("the commit is %s, %v; it was %s", again, err, id)
	}
}
