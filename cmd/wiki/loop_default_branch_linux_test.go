package main

import (
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema/schematest"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/schema/yaml"
	"github.com/spf13/pflag"
)

// everyKey is a configuration in which every key of loops: says something.
const everyKey = `loops:
  roles:
    maker: {agent: command, model: m, argv: [sh, agents/maker.sh], timeout: 1m, usd: 4}
    checker: {agent: command, argv: [sh, agents/checker.sh]}
    goal-checker: {agent: command, argv: [sh, agents/goal.sh]}
  gates: {setup: ["true"], build: ["true"], test: ["true"], lint: ["true"]}
  protect: [main, refs/heads/main]
  timeouts: {progress: 1m, silence: 1m, wall: 1m, gate: 1m, grace: 1s, backoff: 1s}
  budget: {usd: 9, day_usd: 90, chunk_usd: 9, change_usd: 9, tokens: 90000, iterations: 9, attempts: 9, tool_calls: 0, clock: 10m, pull_requests: 9}
  estimate: {usd_per_call: 0.01}
  prices: {m: {input: 1, output: 1}}
  mode: MODE
  engine: embedded
  worktrees: ../trees
  env: [HOME]
  secrets: [SHOP_TOKEN]
  sandbox: best-effort
  notify: "true main {status}"
  connectors:
    issues: {kind: github, repository: main/main, labels: [main], env: [HOME]}
    board: {kind: mcp, argv: ["true", main], tools: [list], items: {tool: list, arguments: {branch: main}}}
`

// unset are keys that are left out of it: with one, no command is called at all, the others
// are for another engine.
var unset = []string{"budget.tool_calls", "address", "namespace", "task_queue"}

// flagValues are what every flag of loop run is given. Those in apart change what the
// command does and are tried alone.
var (
	flagValues = map[string][]string{
		"agent": {"--agent=command"}, "maker": {"--maker=command"}, "checker": {"--checker=command"}, "max-iterations": {"-n=5"}, "timeout": {"--timeout=1m"},
		"budget": {"--budget=9"}, "notify": {"--notify=true main {status}"}, "verbose": {"--verbose"}, "no-color": {"--no-color"}, "quiet": {"--quiet"}, "on": {"--on=embedded"},
	}
	apart = map[string]string{
		"dry-run": "--dry-run", "json": "--json", "resume": "--resume", "reset": "--reset", "status": "--status", "in-place": "--in-place", "repair": "--repair", "since": "--since=main",
		"id": "--id=refs/heads/main", "input": "--input=branch=main",
	}
	// other are flags that are given in every try, say where the program works, or
	// carry out the same command in another process.
	other = []string{"mode", "directory", "root", "help", "detach"}
)

// TestRunsDoNotMoveDefaultBranch runs the loop in every mode, with every flag
// and key, all grants, and a remote that accepts every push, and checks that main does
// not move, locally or there.
func TestRunsDoNotMoveDefaultBranch(t *testing.T) {
	if testing.Short() {
		t.Skip("a run is carried out for every mode and many flags")
	}
	t.Parallel()
	var all []string
	lone := make(map[string]bool)
	run, _, err := newRoot(&program{out: text.New(io.Discard), err: text.New(io.Discard), env: func(string) string { return "" }}).Find([]string{"loop", "run"})
	if err != nil {
		t.Fatal(err)
	}
	run.InheritedFlags() // adds them to Flags
	run.Flags().VisitAll(func(f *pflag.Flag) {
		switch {
		case flagValues[f.Name] != nil:
			all = append(all, flagValues[f.Name]...)
		case apart[f.Name] != "":
			lone[apart[f.Name]] = true
		case !slices.Contains(other, f.Name):
			t.Errorf("--%s of loop run is not tried here: add it", f.Name)
		}
	})
	for _, mode := range loopModes {
		tryModeOnDefaultBranch(t, mode, append([]string{"--mode=" + mode}, all...))
	}
	tryModeOnDefaultBranch(t, "autonomous", nil) // as the configuration asks for it
	for flag := range schematest.Sample(lone, 1, 4) {
		tryModeOnDefaultBranch(t, "autonomous", []string{flag})
	}
}

func tryModeOnDefaultBranch(t *testing.T, mode string, flags []string) {
	t.Run(strings.TrimSpace(mode+" "+strings.Join(flags[:min(len(flags), 1)], " ")), func(t *testing.T) {
		t.Parallel()
		s := newShop(t)
		remote := filepath.Join(s.dir, "remote.git")
		s.git("init", "-q", "--bare", "-b", "main", remote)
		s.write(filepath.Join(s.dir, "bin"), "gh", "#!/bin/sh\necho https://example.org/pull/1\n")
		if err := os.Chmod(filepath.Join(s.dir, "bin", "gh"), 0o755); err != nil {
			t.Fatal(err)
		}
		s.env[0] = "PATH=" + filepath.Join(s.dir, "bin") + ":" + os.Getenv("PATH")
		s.write(s.top, "wiki.yaml", everyKey, "MODE", mode)
		s.write(s.top, "agents/maker.sh", "echo '# sum' > sum.sh\necho '{\"status\": \"ok\", \"cost_usd\": 0.01}' > \"$WIKI_LOOP_RESULT\"\n")
		s.write(s.top, "agents/checker.sh", "echo '{\"verdict\": \"APPROVE\", \"cost_usd\": 0.01}' > \"$WIKI_LOOP_RESULT\"\n")
		s.write(s.top, "agents/goal.sh", "echo '{\"verdict\": \"MET\", \"cost_usd\": 0.01}' > \"$WIKI_LOOP_RESULT\"\n")
		s.write(s.top, "plans/"+shopPlan+".md", "---\ntitle: Sums\npriority: P1\neffort: S\nrisk: LOW\nscope: [sum.sh]\ngoal: test -f sum.sh\n---\n# Sums\n## Context\nSums.\n## Chunks\n### 1. Add up\n- files: sum.sh\n- tests: none\n\nAdd.\n## Risks\nNone.\n")
		s.write(s.top, ".loopwiki/modes.yaml", "version: 1\nrecords:\n  - loop: execution\n    mode: autonomous\n    by: ada\n    reason: to see\n    at: 2026-03-01T00:00:00Z\n")
		s.commit("everything is granted")
		s.git("remote", "add", "origin", remote)
		s.git("push", "-q", "origin", "main")
		// A push that names no branch would go to main.
		s.git("config", "push.default", "upstream")
		s.git("config", "branch.loop/"+shopPlan+".remote", "origin")
		s.git("config", "branch.loop/"+shopPlan+".merge", "refs/heads/main")
		s.git("config", "remote.origin.push", "+refs/heads/loop/"+shopPlan+":refs/heads/main")
		here, there := s.git("rev-parse", "main"), s.git("-C", remote, "rev-parse", "main")

		code, said := s.wiki(append([]string{"loop", "run", "execution"}, flags...)...)
		if len(flags) != 1 && code != 0 {
			t.Errorf("exit status %d:\n%s%s", code, said, s.must(0, "loop", "show", "latest"))
		}
		if len(flags) != 1 && mode != "manual" {
			s.wiki("loop", "approve", "latest", "--by=ada")
		}
		if now := s.git("rev-parse", "main"); now != here {
			t.Errorf("main moved:\n%s", said)
		}
		if now := s.git("-C", remote, "rev-parse", "main"); now != there {
			t.Errorf("main of the remote moved:\n%s", said)
		}
		pushed := s.git("-C", remote, "for-each-ref", "--format=%(refname)", "refs/heads/loop/")
		if want := mode == "autonomous" || mode == "draft"; len(flags) != 1 && (pushed != "") != want {
			t.Errorf("pushed in %s: %q:\n%s", mode, pushed, said)
		}
	})
}

// TestEveryLoopsKeyIsTested checks that no key of loops: is missing from the test above.
func TestEveryLoopsKeyIsTested(t *testing.T) {
	t.Parallel()
	c, faults := yaml.LoadConfig([]byte(strings.ReplaceAll(everyKey, "MODE", "autonomous")))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	var visit func(v reflect.Value, path string)
	visit = func(v reflect.Value, path string) {
		if v.Kind() == reflect.Struct {
			for i := range v.NumField() {
				key, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("yaml"), ",")
				visit(v.Field(i), strings.TrimPrefix(path+"."+key, "."))
			}
			return
		}
		if v.IsZero() && !slices.Contains(unset, path) {
			t.Errorf("loops.%s says nothing in everyKey: add it", path)
		}
	}
	visit(reflect.ValueOf(c.Loops), "")
	visit(reflect.ValueOf(c.Loops.Roles["maker"]), "roles.maker")
}

// TestNoFlagTakesATargetBranch checks that no command of loops takes a branch to bring
// work to, or the leave to force it.
func TestNoFlagTakesATargetBranch(t *testing.T) {
	t.Parallel()
	bad := regexp.MustCompile(`merge|push|force|branch|target|upstream|onto|main|master`)
	root, _, err := newRoot(&program{out: text.New(io.Discard), err: text.New(io.Discard), env: func(string) string { return "" }}).Find([]string{"loop"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range root.Commands() {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			if bad.MatchString(f.Name) {
				t.Errorf("%s --%s", c.CommandPath(), f.Name)
			}
		})
	}
}
