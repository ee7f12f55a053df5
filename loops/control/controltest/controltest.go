// Package controltest creates real repositories with scripted agents, for the tests of
// loops/control and the packages below it.
package controltest

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/linter"
	_ "github.com/loopwiki/wiki/linter/rules" // they are what is found
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema/schematest"
)

const supervise = "__supervise"

// Main runs tests, and lets their binary be the supervisor of what they start.
func Main(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == supervise {
		if err := contain.Supervise(context.Background(), os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(3)
		}
		os.Exit(0)
	}
	os.Exit(schematest.InMemory(m).Run())
}

// Noon is the clock of the repositories.
var Noon = time.Date(2026, 7, 10, 12, 0, 0, 0, time.UTC)

// Open makes a repository of a txtar archive, with one commit on main, and opens it with
// the configuration in its wiki.yaml.
func Open(t *testing.T, archive string) *repo.Repo {
	t.Helper()
	schematest.NeedGit(t)
	schematest.Need(t, "unix", runtime.GOOS != "windows", "agents run on unix")
	dir := filepath.Join(t.TempDir(), "shop")
	compilertest.WriteTo(t, dir, archive)
	Git(t, dir, "init", "--quiet", "--initial-branch=main")
	Commit(t, dir, "first")
	return Reopen(t, dir)
}

// Reopen opens a repository as a process begun later does.
func Reopen(t *testing.T, dir string) *repo.Repo {
	t.Helper()
	home := t.TempDir()
	r, err := repo.Open(t.Context(), dir, func(name string) string {
		return map[string]string{
			"PATH": os.Getenv("PATH"), "HOME": home, "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
			"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.org", "GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.org",
		}[name]
	})
	if err != nil {
		t.Fatal(err)
	}
	ws, err := compiler.Detect(r.Root, "")
	if err != nil {
		t.Fatal(err)
	}
	r.Config, r.Rules, r.Self = ws.Config.Loops, linter.Rules(), []string{os.Args[0], supervise}
	r.Now = func() time.Time { return Noon }
	return r
}

// Git runs git in a repository and returns what it prints.
func Git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	c := exec.Command("git", args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org", "GIT_AUTHOR_DATE=2026-07-01T00:00:00Z", "GIT_COMMITTER_DATE=2026-07-01T00:00:00Z")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// Commit commits all that lies in a repository.
func Commit(t *testing.T, dir, message string) string {
	t.Helper()
	Git(t, dir, "add", "--all")
	Git(t, dir, "commit", "--quiet", "--allow-empty", "--message", message)
	return Git(t, dir, "rev-parse", "HEAD")
}

// Write writes a file of a repository.
func Write(t *testing.T, r *repo.Repo, name, text string) {
	t.Helper()
	compilertest.WriteTo(t, r.Root, "-- "+name+" --\n"+text)
}

// Begun makes a run of a plan that has a journal and goes no further. If over is set, it
// ended for want of a worktree.
func Begun(t *testing.T, r *repo.Repo, start loops.Start, over bool) (id string) {
	t.Helper()
	if err := r.Store.Make(); err != nil {
		t.Fatal(err)
	}
	id, err := r.Store.Create(start.Plan.Name, r.Now())
	if err != nil {
		t.Fatal(err)
	}
	start.Run = id
	journal, err := run.CreateJournal(r.Store.Folder(id))
	if err != nil {
		t.Fatal(err)
	}
	var s loops.State
	for e := (loops.Event{Kind: loops.Started, Start: &start}); ; {
		e.At = r.Now()
		if err := journal.Append(e); err != nil {
			t.Fatal(err)
		}
		if s, _ = loops.Step(s, e); !over || s.Status.Over() {
			break
		}
		e = loops.Event{Kind: loops.Broken, Key: s.Pending[0].Command.Key, Fault: &loops.Fault{}}
		if s.Pending[0].Command.Kind == loops.WriteReport {
			e.Kind = loops.Reported
		}
	}
	if err := journal.Close(); err != nil {
		t.Fatal(err)
	}
	return id
}
