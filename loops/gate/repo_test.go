//go:build unix

package gate

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/loops"
)

// bareContainer runs programs without a sandbox: the gates are tested here, not
// what runs their commands.
type bareContainer struct{}

func (bareContainer) Run(ctx context.Context, p loops.Process) (loops.Exit, error) {
	out, err := os.OpenFile(p.Stdout, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return loops.Exit{}, err
	}
	defer out.Close()
	e, err := os.OpenFile(p.Stderr, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return loops.Exit{}, err
	}
	defer e.Close()
	ctx, cancel := context.WithTimeout(ctx, p.Wall)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.Argv[0], p.Argv[1:]...)
	cmd.Dir, cmd.Env, cmd.Stdout, cmd.Stderr = p.Dir, p.Env, out, e
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	err = cmd.Run()
	exit := loops.Exit{Why: loops.Exited, Code: cmd.ProcessState.ExitCode(), Level: loops.Bare}
	var status *exec.ExitError
	switch {
	case ctx.Err() != nil:
		exit.Why = loops.EndedWall
	case err != nil && !errors.As(err, &status):
		return loops.Exit{Why: loops.NotStarted, Error: err.Error()}, nil
	}
	return exit, nil
}

func (bareContainer) Sweep(context.Context, string) (int, error) { return 0, nil }
func (bareContainer) Level() (loops.Level, []string)             { return loops.Bare, nil }

// repo is a repository in a temporary folder, and a Worktree over it.
type repo struct {
	tb  testing.TB
	dir string
}

func (r *repo) git(args ...string) string {
	r.tb.Helper()
	out, err := r.tryGit(args...)
	if err != nil {
		r.tb.Fatal(err)
	}
	return out
}

func (r *repo) tryGit(args ...string) (string, error) {
	cmd := exec.Command("git", append([]string{"-c", "core.quotepath=off", "-c", "user.name=Ana", "-c", "user.email=ana@example.org", "-c", "init.defaultBranch=main", "-c", "protocol.file.allow=always"}, args...)...)
	cmd.Dir = r.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + r.dir, "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1"}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %v: %w: %s", args, err, errs.String())
	}
	return strings.TrimSpace(string(out)), nil
}

// newRepo makes a repository of an archive: "-- name --" lines, then contents.
func newRepo(tb testing.TB, archive string) *repo {
	tb.Helper()
	r := &repo{tb, tb.TempDir()}
	r.git("init", "-q", "--template=")
	r.write(archive)
	r.git("add", "-A")
	r.git("commit", "-q", "-m", "Begin")
	return r
}

// copied returns the same in its own folder, without the processes that made it.
func (r *repo) copied(tb testing.TB) *repo {
	tb.Helper()
	c := &repo{tb, tb.TempDir()}
	if err := os.CopyFS(c.dir, os.DirFS(r.dir)); err != nil {
		tb.Fatal(err)
	}
	return c
}

// write writes the files of an archive; one without content is removed.
func (r *repo) write(archive string) {
	r.tb.Helper()
	for _, part := range strings.Split("\n"+archive, "\n-- ")[1:] {
		name, text, ok := strings.Cut(part, " --\n")
		if !ok {
			name, text = strings.TrimSuffix(strings.TrimSpace(part), " --"), ""
		}
		full := filepath.Join(r.dir, filepath.FromSlash(name))
		if text == "" {
			if err := os.RemoveAll(full); err != nil {
				r.tb.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			r.tb.Fatal(err)
		}
		if !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
			r.tb.Fatal(err)
		}
	}
}

// tree returns what git add -A would commit.
func (r *repo) tree() string {
	r.tb.Helper()
	r.git("add", "-A")
	return r.git("write-tree")
}

func (r *repo) Path() string { return r.dir }
func (r *repo) Snapshot(context.Context, string) (loops.Snapshot, error) {
	return loops.Snapshot{}, errors.ErrUnsupported
}
func (r *repo) Compare(context.Context, loops.Snapshot) (string, []loops.Change, []loops.Breach, error) {
	return "", nil, nil, errors.ErrUnsupported
}
func (r *repo) Restore(context.Context, string, string) (string, error) {
	return "", errors.ErrUnsupported
}
func (r *repo) Patch(context.Context, string, string, int) (string, error) {
	return "", errors.ErrUnsupported
}
func (r *repo) Add(context.Context, string, map[string][]byte) (string, error) {
	return "", errors.ErrUnsupported
}
func (r *repo) Commit(context.Context, loops.CommitSpec) (string, error) {
	return "", errors.ErrUnsupported
}

func (r *repo) Export(_ context.Context, tree, dir string) error {
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	archive := exec.Command("sh", "-c", `git archive --format=tar "$1" | tar -xf - -C "$2"`, "sh", tree, dir)
	archive.Dir = r.dir
	archive.Env = []string{"PATH=" + os.Getenv("PATH"), "GIT_CONFIG_GLOBAL=/dev/null"}
	if out, err := archive.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s", err, out)
	}
	return nil
}

func (r *repo) Diff(_ context.Context, from, to string) ([]loops.Change, error) {
	out, err := r.tryGit("diff-tree", "-r", "-z", "-M", from, to)
	if err != nil {
		return nil, err
	}
	var list []loops.Change
	fields := strings.Split(strings.TrimRight(out, "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		meta := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		c := loops.Change{OldMode: meta[0], NewMode: meta[1], Status: meta[4][:1], Path: fields[i+1]}
		if c.Status == "R" {
			c.From = c.Path
			i++
			c.Path = fields[i+1]
		}
		list = append(list, c)
	}
	return list, nil
}

// goCache is that of the tests' own machine: the standard library is compiled
// once.
var goCache = sync.OnceValue(func() string {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		panic(err)
	}
	return strings.TrimSpace(string(out))
})

// goEnv is that of commands of Go: what go vet says and what a debugger needs is
// not the subject here, and costs as much as the tests.
func goEnv() []string {
	return []string{"GOCACHE=" + goCache(), "GOPROXY=off", "GOFLAGS=-vet=off -ldflags=-w"}
}

// judged is a judgement to be made.
type judged struct {
	repo     *repo
	plan     loops.Plan
	stage    loops.Stage
	commands loops.GateCommands
	protect  []string
	redact   []string
	rules    []*linter.Rule
	ignored  []string
	base     string // HEAD if empty
	last     string
	timeout  time.Duration
	path     string
	cache    string

	repair        loops.Repair
	failures      []loops.BaseFailure
	documentation *loops.DocumentationRequest
	ingest        *loops.IngestRequest
	declared      *loops.Declared
	part          string // of a declared loop
}

// newJudged is that of one chunk with every file in scope and new tests.
func newJudged(r *repo) *judged {
	return &judged{repo: r, stage: loops.StageChunk, cache: r.tb.TempDir(), path: os.Getenv("PATH"), plan: loops.Plan{
		Name: "p", Path: "plans/p.md", Scope: []string{"**"}, Chunks: []loops.Chunk{{ID: "1", Title: "One", Tests: loops.TestsRule{Kind: loops.TestsNew}}},
	}}
}

func (j *judged) judge() []loops.GateResult {
	r := j.repo
	r.tb.Helper()
	dir := r.tb.TempDir()
	g := New(Options{
		Container: bareContainer{}, Path: j.path, Env: goEnv(), Timeouts: loops.Timeouts{Gate: loops.Duration(j.timeout)},
		Protect: j.protect, Redact: j.redact, Rules: j.rules, Today: time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC), Cache: j.cache,
	})
	base := r.git("rev-parse", cmp.Or(j.base, "HEAD"))
	c := loops.Candidate{Start: &loops.Start{Run: "r", Plan: j.plan, Gates: j.commands, Repair: j.repair, Documentation: j.documentation, Ingest: j.ingest, Declared: j.declared}, Stage: j.stage, Part: j.part, Attempt: 1, Tree: r.tree(), Base: base, Last: j.last, Failures: j.failures, Worktree: r, Dir: dir}
	for _, p := range j.ignored {
		c.Changes = append(c.Changes, loops.Change{Path: p, Status: "A", Ignored: true})
	}
	results, err := g.Judge(r.tb.Context(), c)
	if err != nil {
		r.tb.Fatal(err)
	}
	entries, err := filepath.Glob(filepath.Join(dir, "tree-*"))
	if err != nil || len(entries) > 0 {
		r.tb.Errorf("exports are left: %v, %v", entries, err)
	}
	return results
}

// said is one result as a line per reason.
func said(results []loops.GateResult) string {
	var b strings.Builder
	for _, r := range results {
		if r.Effect == loops.Passed {
			continue
		}
		fmt.Fprintf(&b, "%s: %s %s\n", r.Gate, r.Effect, r.Class)
		for _, why := range r.Reason {
			fmt.Fprintf(&b, "\t%s:%d: %s\n", why.Path, why.Line, why.Message)
		}
	}
	return b.String()
}

// expect judges and compares the worst effect, the gate that said it, and a part
// of what it said.
func (j *judged) expect(effect loops.Effect, gate, part string) []loops.GateResult {
	j.repo.tb.Helper()
	results := j.judge()
	text := said(results)
	if got := loops.Worst(results); got != effect {
		j.repo.tb.Errorf("the worst is %s, want %s:\n%s%s", got, effect, text, printed(results))
		return results
	}
	if gate == "" {
		return results
	}
	for _, r := range results {
		if r.Gate != gate || r.Effect != effect {
			continue
		}
		for _, why := range r.Reason {
			if strings.Contains(why.Path+": "+why.Message, part) {
				return results
			}
		}
	}
	j.repo.tb.Errorf("gate %s did not say %q:\n%s", gate, part, text)
	return results
}

func printed(results []loops.GateResult) string {
	var b strings.Builder
	for _, r := range results {
		b.WriteString(r.Output)
	}
	return b.String()
}
