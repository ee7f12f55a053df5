package compiler_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/schema/schematest"
)

func TestRepository(t *testing.T) {
	t.Parallel()
	schematest.NeedGit(t)
	dir := compilertest.Write(t, "-- wiki/a.md --\n# A\n-- src/pool/a.go --\npackage pool\n\n// Limit is how many.\nconst Limit = 3\n-- src/b.go --\npackage src\n")
	git := func(day string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "commit.gpgSign=false"}, args...)...)
		cmd.Dir = dir
		for _, kv := range os.Environ() {
			if !strings.HasPrefix(kv, "GIT_") {
				cmd.Env = append(cmd.Env, kv)
			}
		}
		cmd.Env = append(cmd.Env, "GIT_COMMITTER_DATE="+day+"T12:00:00Z", "GIT_AUTHOR_DATE="+day+"T12:00:00Z")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	compile := func(dir string, opt compiler.Options) *compiler.Wiki {
		t.Helper()
		ws, err := compiler.Detect(dir, "")
		if err != nil {
			t.Fatal(err)
		}
		w, err := compiler.Compile(t.Context(), ws, opt)
		if err != nil {
			t.Fatal(err)
		}
		return w
	}
	if _, err := compile(dir, compiler.Options{History: true}).Repository(t.Context()); err == nil {
		t.Error("a repository without git")
	}
	git("2026-03-01", "init", "-q")
	git("2026-03-01", "add", "-A")
	git("2026-03-01", "commit", "-qm", "first")
	git("2026-04-01", "mv", "src/pool", "src/limits")
	git("2026-04-01", "commit", "-qm", "move")
	git("2026-05-01", "rm", "-q", "src/b.go")
	git("2026-05-01", "commit", "-qm", "delete")

	if _, err := compile(dir, compiler.Options{}).Repository(t.Context()); err == nil {
		t.Error("a history that nobody asked for")
	}
	w := compile(dir, compiler.Options{History: true})
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := w.Repository(cancelled); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	r, err := w.Repository(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	again, err := w.Recompile(t.Context(), []string{"a.md"})
	if err != nil {
		t.Fatal(err)
	}
	if same, _ := again.Repository(t.Context()); same != r {
		t.Error("the history was read again")
	}
	for file, want := range map[string]string{"a.md": "2026-03-01", "../src/limits/a.go": "2026-04-01", "../src/limits/": "2026-04-01", "../src": "2026-04-01",
		"../src/b.go": "", "../none": ""} {
		if got := r.Changed(file).String(); got != want {
			t.Errorf("%s changed on %q, want %q", file, got, want)
		}
	}
	for file, want := range map[string]string{"../src/b.go": "2026-05-01", "../src/pool/a.go": "2026-04-01", "../src/limits/a.go": "", "../none": ""} {
		if got := r.Gone(file).String(); got != want {
			t.Errorf("%s is gone since %q, want %q", file, got, want)
		}
	}
	if got := strings.Join(r.Moved("../src/pool/a.go"), " "); got != "../src/limits/a.go" {
		t.Errorf("moved to %q", got)
	}
	commit := r.Changed("a.md").Commit
	if at, ok := r.Time(commit[:8]); !ok || at.Format("2006-01-02") != "2026-03-01" {
		t.Errorf("%s was made on %v, %v", commit[:8], at, ok)
	}

	shallow := filepath.Join(t.TempDir(), "clone")
	git("2026-05-02", "clone", "-q", "--depth", "1", "file://"+filepath.ToSlash(dir), shallow)
	if _, err := compile(shallow, compiler.Options{History: true}).Repository(t.Context()); err == nil || !strings.Contains(err.Error(), "git fetch --unshallow") {
		t.Errorf("shallow: %v", err)
	}
}
