package history

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Whatever a repository configures, asking about it starts none of it.
func TestHostileConfiguration(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the hooks are shell scripts")
	}
	r := newRepo(t)
	r.write("a.md", prose("a"))
	r.write(".gitignore", "*.log\n")
	r.write("x.log", "x")
	r.commit(1)
	r.git("mv", "a.md", "b.md")
	r.write("b.md", prose("a")+"x\n")
	r.commit(2)
	r.write("b.md", prose("a")+"y\n")
	r.commit(3)
	clean := r.load(".")
	before, err := clean.Shortened(t.Context(), "b.md")
	if err != nil || len(before) != 2 {
		t.Fatalf("%d revisions, %v", len(before), err)
	}

	ran := filepath.Join(t.TempDir(), "ran")
	script := filepath.Join(t.TempDir(), "evil")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho \"$0 $*\" >>'"+ran+"'\ncat\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	hooks := t.TempDir()
	for _, h := range []string{"post-index-change", "fsmonitor-watchman", "reference-transaction", "post-checkout"} {
		if err := os.Symlink(script, filepath.Join(hooks, h)); err != nil {
			t.Fatal(err)
		}
	}
	for key, value := range map[string]string{
		"core.hooksPath": hooks, "core.fsmonitor": script, "core.pager": script, "pager.log": script, "core.editor": script,
		"core.sshCommand": script, "core.gitProxy": script, "core.askPass": script, "credential.helper": script,
		"diff.external": script, "diff.evil.textconv": script, "diff.evil.command": script, "interactive.diffFilter": script,
		"filter.evil.clean": script, "filter.evil.smudge": script, "filter.evil.process": script, "filter.evil.required": "true",
		"log.showSignature": "true", "gpg.program": script, "gpg.ssh.program": script, "alias.log": "!" + script,
		"log.follow": "true", "log.showRoot": "false", "log.date": "raw", "log.decorate": "full", "log.diffMerges": "separate",
		"log.mailmap": "true", "diff.renames": "copies", "diff.renameLimit": "1", "diff.noprefix": "true", "diff.relative": "true",
		"diff.orderFile": "no/such/file", "diff.ignoreSubmodules": "none", "color.ui": "always", "color.diff": "always",
		"core.quotePath": "true", "i18n.logOutputEncoding": "UTF-16", "format.pretty": "fuller", "status.renames": "copies",
		"status.showUntrackedFiles": "no", "status.relativePaths": "false", "status.branch": "true", "status.showStash": "true",
		"submodule.recurse": "true", "core.attributesFile": ".gitattributes", "notes.displayRef": "*", "core.commentChar": "R",
	} {
		r.git("config", key, value)
	}
	r.write(".gitattributes", "*.md diff=evil filter=evil text\n*.log filter=evil\n")
	r.write(".mailmap", "Eve <eve@example.org> <ana@example.org>\n")
	if err := os.Chtimes(filepath.Join(r.dir, "b.md"), date(9), date(9)); err != nil {
		t.Fatal(err) // git must now compare the contents, where filters would run
	}

	hostile := r.load(".")
	if diff := cmp.Diff(clean, hostile, cmpopts.IgnoreUnexported(History{})); diff != "" {
		t.Error(diff)
	}
	if got, err := hostile.Shortened(t.Context(), "b.md"); err != nil || !cmp.Equal(before, got) {
		t.Errorf("what b.md was: %q, %v; before %q", got, err, before)
	}
	ignored, err := Ignored(t.Context(), r.dir)
	if err != nil || !ignored.Has("x.log", false) {
		t.Errorf("x.log is not ignored: %v", err)
	}
	if _, err := Toplevel(t.Context(), r.dir); err != nil {
		t.Error(err)
	}
	if what, err := os.ReadFile(ran); err == nil {
		t.Errorf("something ran:\n%s", what)
	}

	r.git("config", "filter.a=b.clean", script)
	if _, err := withoutFilters(t.Context(), r.dir); err == nil || !strings.Contains(err.Error(), "can't disable the filter") {
		t.Errorf("a filter that options can not name: %v", err)
	}
}

// The environment of anyone who calls must not point git elsewhere.
func TestEnvironment(t *testing.T) {
	r := newRepo(t)
	r.write("a.md", "1")
	r.commit(1)
	other := newRepo(t)
	t.Setenv("GIT_DIR", filepath.Join(other.dir, ".git"))
	t.Setenv("GIT_WORK_TREE", other.dir)
	t.Setenv("GIT_LITERAL_PATHSPECS", "0")
	t.Setenv("GIT_SSH_COMMAND", "ssh -v")
	if got := summary(r.load(".")); got != "a.md 01-01 01-01 1\n" {
		t.Error(got)
	}
	if env := strings.Join(environment(), "\n"); !strings.Contains(env, "GIT_SSH_COMMAND=ssh -v") || strings.Contains(env, "GIT_DIR") {
		t.Error(env)
	}
}

func TestNoHistory(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	outside := t.TempDir()
	bare := filepath.Join(t.TempDir(), "bare")
	r.git("init", "-q", "--bare", bare)
	for _, dir := range []string{outside, bare, filepath.Join(r.dir, ".git")} {
		_, loadErr := Load(t.Context(), dir)
		_, topErr := Toplevel(t.Context(), dir)
		_, ignoredErr := Ignored(t.Context(), dir)
		for i, err := range []error{topErr, ignoredErr, loadErr} {
			if dir != outside && i == 2 {
				continue // a bare repository has a history, but no files
			}
			if !errors.Is(err, ErrNoRepository) || !strings.Contains(err.Error(), "git init") {
				t.Errorf("%d in %s: %v", i, dir, err)
			}
		}
	}
	if _, err := Load(t.Context(), filepath.Join(outside, "missing")); err == nil || errors.Is(err, ErrNoRepository) || errors.Is(err, ErrNoGit) {
		t.Errorf("a folder that is not there: %v", err)
	}
	f := &failure{command: "log", dir: "d", stderr: "fatal: detected dubious ownership in repository at '/x'\nTo add an exception…"}
	if !errors.Is(f, ErrNotTrusted) {
		t.Error("dubious ownership is not recognised")
	}
}

// A repository of another user, which only root can make.
func TestRepositoryOfAnotherUserIsRefused(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root can give files to another user")
	}
	r := newRepo(t)
	if err := os.Chown(filepath.Join(r.dir, ".git"), 4242, 4242); err != nil {
		t.Skip(err)
	}
	if err := os.Chown(r.dir, 4242, 4242); err != nil {
		t.Skip(err)
	}
	_, loadErr := Load(t.Context(), r.dir)
	_, topErr := Toplevel(t.Context(), r.dir)
	_, ignoredErr := Ignored(t.Context(), r.dir)
	for _, err := range []error{loadErr, topErr, ignoredErr} {
		if !errors.Is(err, ErrNotTrusted) || !strings.Contains(err.Error(), "safe.directory "+r.dir) || strings.Contains(err.Error(), "\n") {
			t.Error(err)
		}
	}
}

func TestNoGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Load(context.Background(), t.TempDir()); !errors.Is(err, ErrNoGit) {
		t.Error(err)
	}
}

func TestCancel(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("a.md", "1")
	r.commit(1)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	cancelled, stop := context.WithCancel(t.Context())
	stop()
	if _, err := Load(cancelled, r.dir); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled context: %v", err)
	}
	if _, err := output(ctx, r.dir, "-c", "alias.wait=!sleep 30", "wait"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a command that takes too long: %v", err)
	}
}

func TestToplevel(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.write("a b/ü/x.md", "x")
	top, err := Toplevel(t.Context(), filepath.Join(r.dir, "a b", "ü"))
	if err != nil {
		t.Fatal(err)
	}
	want, err := filepath.EvalSymlinks(r.dir)
	if err != nil {
		t.Fatal(err)
	}
	if top != want {
		t.Errorf("got %s, want %s", top, want)
	}
}
