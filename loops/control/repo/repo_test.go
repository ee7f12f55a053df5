package repo_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/controltest"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/schema/schematest"
)

func TestMain(m *testing.M) { controltest.Main(m) }

const shop = `-- wiki.yaml --
loops:
  roles: {maker: {agent: claude, usd: 2}}
  budget: {iterations: 4}
  timeouts: {wall: 5m}
-- .gitignore --
/.loopwiki/
-- go.mod --
module shop
-- a/a.txt --
a
-- agents/loops/small.md --
# Loop Spec: Small
## Purpose
Do small things.
-- agents/loops/checklist.md --
# What to look at
-- agents/loops/README.md --
# Loop Spec: None
-- docs/LOOP_SPEC.md --
# Loop Spec: Elsewhere
`

// Runs belong to the main checkout, wherever in the repository they are asked for.
func TestOpen(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	tree := filepath.Join(t.TempDir(), "tree")
	controltest.Git(t, r.Root, "worktree", "add", "--quiet", tree)
	for _, dir := range []string{filepath.Join(r.Root, "a"), tree, filepath.Join(tree, "a")} {
		got, err := repo.Open(t.Context(), dir, r.Getenv)
		if err != nil || got.Root != r.Root {
			t.Errorf("%s: %v, %v", dir, got, err)
		}
	}
	_, err := repo.Open(t.Context(), t.TempDir(), r.Getenv)
	if none := (*repo.NoRepositoryError)(nil); !errors.As(err, &none) {
		t.Errorf("%v", err)
	}
}

func TestRelative(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	out := t.TempDir()
	schematest.Symlink(t, out, filepath.Join(r.Root, "link"))
	for path, want := range map[string]string{
		filepath.Join(r.Root, "a", "a.txt"): "a/a.txt", filepath.Join(r.Root, "a", "..", "go.mod"): "go.mod", filepath.Join(r.Root, "none.md"): "none.md",
		out: "", filepath.Join(r.Root, "link"): "", filepath.Join(r.Root, ".."): "",
	} {
		if got, ok := r.Relative(path); ok != (want != "") || got != want {
			t.Errorf("%s is %q, %v; want %q", path, got, ok, want)
		}
	}
}

// Loops are the specs of agents/loops, and the built-in ones that none stands for. What
// has a title of its own there is no spec.
func TestLoops(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	all, err := r.Loops()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range all {
		if !l.Builtin {
			names = append(names, l.Spec.Name)
		}
	}
	if !slices.Equal(names, []string{"small"}) {
		t.Errorf("%q", names)
	}
	for typed, want := range map[string]string{
		"small": "agents/loops/small.md", "docs/LOOP_SPEC.md": "docs/LOOP_SPEC.md", "docs": "", "../x.md": "",
		loops.AuditLoop: "builtin", loops.DocumentationLoop: "builtin",
	} {
		l, ok, err := r.FindLoop(r.Root, typed)
		if err != nil || ok != (want != "") || ok && want != "builtin" && l.Spec.Path != want || ok && l.Builtin != (want == "builtin") {
			t.Errorf("%s: %+v, %v, %v", typed, l, ok, err)
		}
	}
	_, err = r.MustFindLoop(r.Root, "smal")
	if none := (*repo.NoLoopError)(nil); !errors.As(err, &none) || none.Hint() != "did you mean small?" {
		t.Errorf("%v", err)
	}
	l, err := r.MustFindLoop(r.Root, "small")
	if err != nil {
		t.Fatal(err)
	}
	if faulty := (*repo.FaultyLoopError)(nil); !errors.As(l.Err(), &faulty) || len(faulty.Lines()) == 0 {
		t.Errorf("a spec without budgets and stop conditions: %v", l.Err())
	}
}

func TestLimitsAndTimeouts(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	l, d := r.Limits(), loops.DefaultLimits()
	if l.Budget.Iterations != 4 || l.Attempts != d.Attempts || l.Budget.RoleUSD[loops.Maker] != 2 {
		t.Errorf("%+v", l)
	}
	if at := r.Timeouts(); time.Duration(at.Wall) != 5*time.Minute || at.Grace != loops.DefaultTimeouts().Grace {
		t.Errorf("%+v", at)
	}
	if g := r.Commands(); len(g.Test) == 0 || !strings.HasPrefix(g.Test[0], "go test") {
		t.Errorf("a Go module has tests: %+v", g)
	}
	r.Config.Gates.Lint = []string{"true"}
	if g := r.Commands(); len(g.Test) != 0 || len(g.Lint) != 1 {
		t.Errorf("what is configured is all: %+v", g)
	}
	r.Config.Gates.Lint, r.Config.Gates.Test = nil, []string{}
	if g := r.Commands(); len(g.Test) != 0 || len(g.Build) == 0 || !g.Given {
		t.Errorf("an empty list switches one kind off: %+v", g)
	}
}

// Agents are given a minimum and what is named; of that, what is named like a key must reach
// no disk.
func TestEnviron(t *testing.T) {
	t.Parallel()
	values := map[string]string{"PATH": "/usr/bin", "LC_ALL": "C.UTF-8", "HOME": "/home/ada", "API_KEY": "sesame-open", "SHORT": "abc", "OTHER": "not-given"}
	env, redact := repo.Environ(func(name string) string { return values[name] }, []string{"API_KEY", "SHORT", "HOME", "UNSET", "PATH"})
	if want := []string{"API_KEY=sesame-open", "HOME=/home/ada", "LC_ALL=C.UTF-8", "PATH=/usr/bin", "SHORT=abc"}; !slices.Equal(env, want) {
		t.Errorf("%q, want %q", env, want)
	}
	if !slices.Equal(redact, []string{"sesame-open"}) {
		t.Errorf("%q", redact)
	}
}

// A secret is what is named like a key, what has the form of one, and what logs in within a
// URL. An address or a model's name is none.
func TestEnvironKnowsSecrets(t *testing.T) {
	t.Parallel()
	token := "gh" + "p_" + strings.Repeat("aB3", 12)
	for name, c := range map[string]struct{ value, want string }{
		"OPENAI_API_KEY":    {"sesame-open", "sesame-open"},
		"CLOUD_TOKEN":       {"sesame-open", "sesame-open"},
		"DB_PASS":           {"sesame-open", "sesame-open"},
		"PLAIN":             {token, token},
		"DATABASE_URL":      {"postgres://ada:sesame-open@db/shop", "sesame-open"},
		"HTTPS_PROXY":       {"http://sesame-open@proxy:3128", "sesame-open"},
		"OPENAI_BASE_URL":   {"https://llm.example.org/v1", ""},
		"ANTHROPIC_MODEL":   {"claude-haiku", ""},
		"KEYBOARD":          {"qwertz-layout", ""},
		"COPILOT_OFFLINE":   {"trueish", ""},
		"EDITOR":            {"/usr/bin/vim -p", ""},
		"GOOGLE_CLOUD_ZONE": {"europe-west3-a", ""},
	} {
		_, redact := repo.Environ(func(n string) string { return map[string]string{name: c.value}[n] }, []string{name})
		if got := strings.Join(redact, " "); got != c.want {
			t.Errorf("%s=%s: %q, want %q", name, c.value, got, c.want)
		}
	}
}

// A declared secret is hidden whether agents are given it or not.
func TestDeclaredSecretsAreHidden(t *testing.T) {
	t.Parallel()
	r := &repo.Repo{Getenv: func(n string) string {
		return map[string]string{"SHIBBOLETH": "sesame-open", "OTHER": "other-value"}[n]
	}}
	r.Config.Secrets, r.Config.Env = []string{"SHIBBOLETH", "UNSET"}, []string{"OTHER"}
	env, redact := r.Environment()
	if !slices.Equal(env, []string{"OTHER=other-value"}) || !slices.Equal(redact, []string{"sesame-open"}) {
		t.Errorf("%q, %q", env, redact)
	}
}

// A program of the repository does not take the place of one of the machine.
func TestLookPathPassesRelativeFoldersOver(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "gh"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		dir: filepath.Join(dir, "gh"), "": "", ".": "", "bin" + string(filepath.ListSeparator) + dir: filepath.Join(dir, "gh"), t.TempDir(): "",
	} {
		if got := repo.LookPath(path, "gh"); got != want {
			t.Errorf("%q: %q, want %q", path, got, want)
		}
	}
}

// Plans that wait for a person's word are proposed by the run that wrote them, and a run's
// latest state is found by its plan.
func TestSummaries(t *testing.T) {
	t.Parallel()
	r := controltest.Open(t, shop)
	start := loops.Start{Loop: "execution", Plan: loops.Plan{Name: "p", Path: "plans/p.md"}}
	over, open := controltest.Begun(t, r, start, true), controltest.Begun(t, r, start, false)
	if last, ok := r.Latest("plans/p.md"); !ok || last.ID != open || last.Status != string(loops.Interrupted) {
		t.Errorf("%+v", last)
	}
	if _, ok := r.Latest("plans/q.md"); ok {
		t.Error("a plan that was not run")
	}
	if !r.Over(over) || r.Over(open) || !r.Failed(over) || r.Failed(open) {
		t.Errorf("over %v %v, failed %v %v", r.Over(over), r.Over(open), r.Failed(over), r.Failed(open))
	}
	if id, err := r.FindRun(nil); err != nil || id != open {
		t.Errorf("%s, %v", id, err)
	}
	if proposed, err := r.Proposed(); err != nil || len(proposed) != 0 {
		t.Errorf("%v, %v", proposed, err)
	}
}
