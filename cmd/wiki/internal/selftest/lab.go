package selftest

import (
	"context"
	"crypto/rand"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// planName is the plan that every scenario runs.
const planName = "2026-03-no-negative-prices"

// lab is a throw-away repository, and what lies around it.
type lab struct {
	dir    string // of all
	repo   string
	self   string // the program
	path   string // PATH
	cache  string // XDG_CACHE_HOME
	mark   string // is on the command line of what scripts leave behind
	token  string // a secret that agents are passed
	vendor string // one that looks like a token of a vendor
	open   bool   // there is no sandbox
}

// newLab makes the repository of a scenario in a new folder.
func newLab(ctx context.Context, s *Scenario, o Options) (*lab, error) {
	dir, err := os.MkdirTemp(o.Dir, "wiki-selftest-"+s.Name+"-*")
	if err != nil {
		return nil, err
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, err
	}
	cache := o.Cache
	if cache == "" {
		cache = filepath.Join(dir, "cache")
	}
	l := &lab{
		cache: cache,
		dir:   dir, repo: filepath.Join(dir, "repo"), self: o.Self, path: toolPath(ctx, s, o.Path), open: o.Open, mark: "86400." + random("0123456789", 9),
		token: random(letters, 40), vendor: "ghp_" + random(letters, 36),
	}
	for _, d := range []string{l.repo, l.at("elsewhere"), l.at("home"), l.at("tmp"), l.at("agents")} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return l, err
		}
	}
	if err := l.write(l.dir, l.scripts(s)); err != nil {
		return l, err
	}
	if err := l.write(l.repo, l.files(s)); err != nil {
		return l, err
	}
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "A shop"}, {"init", "-q", "--bare", l.at("origin.git")},
		{"remote", "add", "origin", l.at("origin.git")}, {"push", "-q", "origin", "main"}, {"stash", "list"},
	} {
		if _, err := l.git(ctx, args...); err != nil {
			return l, err
		}
	}
	return l, nil
}

// toolPath returns the PATH with the programs that a version manager finds by the home of
// the user, which those of a lab don't have.
func toolPath(ctx context.Context, s *Scenario, path string) string {
	if slices.Contains(s.Needs, "cargo") {
		if out, err := exec.CommandContext(ctx, "rustup", "which", "cargo").Output(); err == nil {
			return filepath.Dir(strings.TrimSpace(string(out))) + string(filepath.ListSeparator) + path
		}
	}
	return path
}

const letters = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"

func random(of string, n int) string {
	var b strings.Builder
	for range n {
		i, err := rand.Int(rand.Reader, big.NewInt(int64(len(of))))
		if err != nil {
			panic(err) // the system has no randomness
		}
		b.WriteByte(of[i.Int64()])
	}
	return b.String()
}

func (l *lab) at(name string) string { return filepath.Join(l.dir, name) }

// worktree returns where the run works.
func (l *lab) worktree() string { return l.at("repo-loop-" + planName) }

// fill replaces the words that scripts have for what differs from lab to lab.
func (l *lab) fill(text string) string {
	return strings.NewReplacer("@DIR@", l.dir, "@REPO@", l.repo, "@WIKI@", shellWord(l.self), "@PLAN@", "plans/"+planName+".md", "@MARK@", l.mark,
		"@VENDOR@", l.vendor, "@ELSEWHERE@", l.at("elsewhere")).Replace(text)
}

func shellWord(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

func (l *lab) write(dir string, files map[string]string) error {
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// prelude are the words that scripts are written in.
const prelude = `say() { printf '%s\n' "$1" > "$WIKI_LOOP_RESULT"; }
work() { printf 'test "$1" -ge 0 || exit 1\necho $(($1 * 2))\n' > price.sh; }
done_() { say '{"status": "ok", "summary": "done", "self_assessment": "OK", "cost_usd": 0.01}'; }
approve() { say '{"verdict": "APPROVE", "cost_usd": 0.01}'; }
reject() { say "{\"verdict\": \"REJECT\", \"reasons\": [{\"path\": \"price.sh\", \"line\": 1, \"message\": \"$1\"}], \"cost_usd\": 0.01}"; }
me() { git -c user.name=x -c user.email=x@example.org "$@"; }
met() { say '{"verdict": "MET", "cost_usd": 0.01}'; }
limited() { say "{\"status\": \"rate-limited\", \"cost_usd\": 0, \"rate_limit\": {\"resets_at\": \"$1\"}}"; }
overloaded() { say '{"status": "overloaded", "cost_usd": 0}'; }
first() { test "$WIKI_LOOP_ATTEMPT" = 1; }
second() { ! first; }
calls() { echo $(ls -d "@REPO@"/.loopwiki/runs/*/chunk-1/attempt-*/"$1"* | wc -l); }
gotest() { printf 'package price\n\nimport "testing"\n\nfunc TestPrice(t *testing.T) {\n\t%s\n\tif %s {\n\t\tt.Fatal("wrong")\n\t}\n}\n' "$1" "$2" > price_test.go; }
`

// scripts returns the agents'.
func (l *lab) scripts(s *Scenario) map[string]string {
	script := func(given, otherwise string) string {
		if given == "" {
			given = otherwise
		}
		return l.fill(prelude + given + "\nexit 0\n")
	}
	return map[string]string{
		"agents/maker.sh": script(s.Maker, "work; done_"), "agents/checker.sh": script(s.Checker, "approve"), "agents/goal.sh": script(s.Goal, "met"),
	}
}

// files are those of the repository before its first commit.
func (l *lab) files(s *Scenario) map[string]string {
	all := map[string]string{
		"README.md": "# Shop\n", ".gitignore": "*.cfg\n", "price.sh": "echo $(($1 * 2))\n",
		"tests/run.sh":        "for t in tests/*_test.sh; do sh \"$t\" || exit 1; done\n",
		"tests/price_test.sh": "test \"$(sh price.sh 2)\" = 4\n", "tools/goal.sh": "! sh price.sh -1\n",
		"go.mod": "module example.org/shop\n\ngo 1.24\n", "price.go": "package price\n\nfunc Price(n int) int { return n * 2 }\n",
		"price_test.go":            "package price\n\nimport \"testing\"\n\nfunc TestPrice(t *testing.T) {\n\tif Price(2) != 4 {\n\t\tt.Fatal(Price(2))\n\t}\n}\n",
		"Makefile":                 "test:\n\tsh tests/run.sh\n",
		"package.json":             "{\"name\": \"shop\", \"scripts\": {\"test\": \"sh tests/run.sh\"}}\n",
		".github/workflows/ci.yml": "on: push\njobs: {test: {runs-on: ubuntu-latest, steps: [{run: sh tests/run.sh}]}}\n",
		"agents/GOALS.md":          "# Goals\n\n- No price is below 0.\n", "wiki/00_SCHEMA.md": "# Schema\n\nPages are short.\n",
		"wiki/index.md": "# Shop\n\n- [[price]]\n", "wiki/price.md": "# Price\n\nA price is a number of cents.\n",
		"wiki/90_LOG/2026-03-01-founded.md": "# Founded\n\nThe shop was founded.\n",
	}
	for name, text := range s.Files {
		all[name] = text
	}
	all["wiki.yaml"], all["plans/"+planName+".md"] = l.config(s), l.plan(s)
	return all
}

// config returns the repository's wiki.yaml.
func (l *lab) config(s *Scenario) string {
	lines := []string{"gates: {test: [sh tests/run.sh]}", "timeouts: {silence: 30s, progress: 30s, wall: 60s, gate: 60s, grace: 300ms, backoff: 50ms}"}
	if s.Config != "" {
		key, _, _ := strings.Cut(s.Config, ":")
		lines = slices.DeleteFunc(lines, func(line string) bool { return strings.HasPrefix(line, key+":") })
		lines = append(lines, s.Config)
	}
	if l.open {
		lines = append(lines, "sandbox: none")
	}
	roles := s.Roles
	if roles == "" {
		roles = "maker: {agent: command, argv: [sh, \"@DIR@/agents/maker.sh\"]}\n    checker: {agent: command, argv: [sh, \"@DIR@/agents/checker.sh\"]}\n    goal-checker: {agent: command, argv: [sh, \"@DIR@/agents/goal.sh\"]}"
	}
	return l.fill("loops:\n  roles:\n    " + roles + "\n  " + strings.Join(lines, "\n  ") + "\n")
}

// plan returns the plan that is run.
func (l *lab) plan(s *Scenario) string {
	scope := strings.Join(append([]string{"price.sh"}, s.Scope...), ", ")
	tests := s.Tests
	if tests == "" {
		tests = "none"
	}
	return fmt.Sprintf(`---
title: No negative prices
priority: P1
effort: S
risk: LOW
scope: [%s]
goal: sh tools/goal.sh
---
# No negative prices

## Context

A price is what a customer pays.

## Chunks

### 1. Refuse a price below 0

- files: %s
- verify: sh tests/run.sh
- tests: %s

A price below 0 is refused.

## Risks

None.
`, quoteGlobs(scope), scope, tests)
}

// quoteGlobs makes items of YAML of globs, which may begin with an asterisk.
func quoteGlobs(scope string) string { return `"` + strings.ReplaceAll(scope, ", ", `", "`) + `"` }

// env returns the environment of the program, and of git.
func (l *lab) env() []string {
	return []string{
		"PATH=" + l.path, "HOME=" + l.at("home"), "XDG_CACHE_HOME=" + l.cache, "TMPDIR=" + l.at("tmp"), "LANG=C.UTF-8", "NO_COLOR=1",
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org", "SELFTEST_TOKEN=" + l.token,
	}
}

// git asks git about the repository.
func (l *lab) git(ctx context.Context, args ...string) (string, error) {
	c := exec.CommandContext(ctx, "git", append([]string{"--no-optional-locks", "-c", "core.quotepath=off", "-c", "core.fsmonitor=false"}, args...)...)
	c.Dir, c.Env = l.repo, l.env()
	out, err := c.Output()
	if failed, ok := err.(*exec.ExitError); ok {
		err = fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(string(failed.Stderr)))
	}
	return strings.TrimSuffix(string(out), "\n"), err
}
