package history

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/schema/schematest"
)

// TestMain gives git a home of its own, so that anyone who runs the tests can't
// change what they see.
func TestMain(m *testing.M) {
	home, err := os.MkdirTemp("", "history")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	os.Setenv("HOME", home)
	os.Setenv("USERPROFILE", home)
	os.Setenv("XDG_CONFIG_HOME", filepath.Join(home, ".config"))
	code := m.Run()
	os.RemoveAll(home)
	os.Exit(code)
}

// repo is a scratch repository with a clock of its own.
type repo struct {
	testing.TB
	dir string
}

func newRepo(t testing.TB) *repo {
	t.Helper()
	schematest.NeedGit(t)
	r := &repo{t, t.TempDir()}
	r.git("init", "-q", "-b", "main")
	return r
}

// git runs git as a user would, dated to the first of 2026.
func (r *repo) git(args ...string) string { r.Helper(); return r.gitAt(1, args...) }

func (r *repo) gitAt(day int, args ...string) string {
	r.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = r.dir
	date := date(day).Format(time.RFC3339)
	cmd.Env = append(environment(), "GIT_COMMITTER_DATE="+date, "GIT_AUTHOR_DATE=2001-01-01T00:00:00Z",
		"GIT_AUTHOR_NAME=Ana Ü", "GIT_AUTHOR_EMAIL=ana@example.org", "GIT_COMMITTER_NAME=Bo", "GIT_COMMITTER_EMAIL=bo@example.org",
		"GIT_ALLOW_PROTOCOL=file")
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// date is the n-th day of 2026, at noon.
func date(day int) time.Time { return time.Date(2026, 1, day, 12, 0, 0, 0, time.UTC) }

func (r *repo) write(path, content string) {
	r.Helper()
	full := filepath.Join(r.dir, filepath.FromSlash(path))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(content), 0o644); err != nil {
		r.Fatal(err)
	}
}

// commit commits everything on that day and returns the commit.
func (r *repo) commit(day int) string {
	r.Helper()
	r.git("add", "-A")
	r.gitAt(day, "commit", "-q", "--allow-empty", "-m", "change")
	return r.git("rev-parse", "HEAD")
}

func (r *repo) load(dir string) *History {
	r.Helper()
	h, err := Load(context.Background(), filepath.Join(r.dir, dir))
	if err != nil {
		r.Fatal(err)
	}
	return h
}

// prose is text long enough for git to recognise it after an edit.
func prose(seed string) string {
	var b strings.Builder
	for i := range 40 {
		fmt.Fprintf(&b, "%s, line %d of the page\n", seed, i)
	}
	return b.String()
}

// summary puts a history into one line per file: created, changed, commits, names before.
func summary(h *History) string {
	var b strings.Builder
	for _, path := range sortedKeys(h.Files) {
		f := h.Files[path]
		fmt.Fprintf(&b, "%s %s %s %d", path, f.Created.Time.Format("01-02"), f.Changed.Time.Format("01-02"), f.Commits)
		for _, old := range f.Renamed {
			fmt.Fprintf(&b, " <%s", old)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
