package contain

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/loops"
)

// TestKilledAnywhere lets git be killed, and every call after it fail, at each
// call of git in turn, and then does the same again with a git that works: what
// was left has to be repaired.
func TestKilledAnywhere(t *testing.T) {
	t.Parallel()
	s := newSandbox(t)
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	bin := filepath.Join(s.dir, "bin")
	s.write(bin, "git", `#!/bin/sh
n=$(cat "$COUNT"); n=$((n-1)); echo $n >"$COUNT"
[ $n -lt 0 ] && kill -9 $$
[ $n -eq 0 ] && [ "$AFTER" = yes ] && { "`+real+`" "$@" >/dev/null 2>&1; kill -9 $$; }
[ $n -eq 0 ] && kill -9 $$
exec "`+real+`" "$@"
`)
	if err := os.Chmod(filepath.Join(bin, "git"), 0o755); err != nil {
		t.Fatal(err)
	}
	for n := 1; ; n += 3 {
		after := []string{"no", "yes"}[n/3%2]
		spec := s.spec(fmt.Sprintf("r%d", n))
		spec.Plan = fmt.Sprintf("p%d", n)
		count := filepath.Join(s.dir, "count")
		s.write(s.dir, "count", fmt.Sprint(n))
		died := work(t, Repo{Dir: s.top, Env: append(s.env(), "COUNT="+count, "AFTER="+after)}, filepath.Join(bin, "git"), spec)
		if err := work(t, s.repo(), "", spec); err != nil {
			t.Fatalf("killed at call %d (%s): then %v, first %v", n, after, err, died)
		}
		path := filepath.Join(s.dir, filepath.Base(s.top)+"-loop-"+spec.Plan)
		if out := s.git(path, "log", "--format=%s", "main..") + s.git(path, "status", "--porcelain"); out != "work\n" {
			t.Fatalf("killed at call %d (%s): the log and the status are %q", n, after, out)
		}
		if died == nil {
			if n < 15 {
				t.Fatalf("there were only %d calls of git", n)
			}
			return
		}
		s.git(s.top, "worktree", "remove", "--force", path)
	}
}

// work is one chunk of a run, with a program for git or the one on the PATH.
func work(t *testing.T, repo Repo, program string, spec Spec) error {
	ctx := t.Context()
	repo.program = program
	w, err := Open(ctx, repo, spec)
	if err != nil {
		return err
	}
	shot, err := w.Snapshot(ctx, "maker")
	if err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(w.Path(), "work.go"), []byte("package a\n"), 0o644); err != nil {
		return err
	}
	tree, changes, breaches, err := w.Compare(ctx, shot)
	if err != nil {
		return err
	}
	if len(breaches) > 0 || len(changes) > 1 {
		return fmt.Errorf("changes %+v, breaches %+v", changes, breaches)
	}
	if err := w.Export(ctx, tree, filepath.Join(spec.Folder, "export"+strings.TrimLeft(filepath.Base(program), "."))); err != nil {
		return err
	}
	_, err = w.Commit(ctx, loops.CommitSpec{Tree: tree, Subject: "work", Key: "k"})
	return err
}
