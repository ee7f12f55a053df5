//go:build agents

package main

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/compiler/compilertest"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/schematest"
)

// realAgent is an agent CLI as npm has it, and how it is told of an endpoint that is not a
// vendor's.
type realAgent struct {
	id, model string
	after     []string // what its package runs when it is installed
	env       map[string]string
	settings  string // files of the person's home; ENDPOINT is its address
	cost      loops.CostSource
	argv      []string // of a program that is no agent CLI
}

// cast is the agent as roles of wiki.yaml name it.
func (a realAgent) cast() string {
	if len(a.argv) > 0 {
		return "{agent: command, argv: [" + strings.Join(a.argv, ", ") + "]}"
	}
	return "{agent: " + a.id + ", model: " + a.model + "}"
}

// never begins what a person's own programs would read, and what no call may.
const never = "NEVER-READ-THIS"

var realAgents = []realAgent{
	{id: "claude", model: "haiku", after: []string{"node", "node_modules/@anthropic-ai/claude-code/install.cjs"}, cost: loops.CostReported,
		env: map[string]string{"ANTHROPIC_API_KEY": "dummy-key", "ANTHROPIC_BASE_URL": "ENDPOINT"},
		settings: `-- .claude/CLAUDE.md --
NEVER-READ-THIS
-- .claude/settings.json --
{"hooks": {"PreToolUse": [{"matcher": "*", "hooks": [{"type": "command", "command": "echo NEVER-READ-THIS > hooked"}]}]}}
`},
	{id: "codex", model: "gpt-5", cost: loops.CostPriced, env: map[string]string{"CODEX_API_KEY": "dummy-key"}, settings: `-- .codex/config.toml --
openai_base_url = "ENDPOINT/v1"
developer_instructions = "NEVER-READ-THIS"
-- .codex/AGENTS.md --
NEVER-READ-THIS
`},
	{id: "gemini", model: "gemini-2.5-pro", cost: loops.CostPriced, env: map[string]string{"GEMINI_API_KEY": "dummy-key", "GOOGLE_GEMINI_BASE_URL": "ENDPOINT"}, settings: `-- .gemini/GEMINI.md --
NEVER-READ-THIS
`},
	{id: "opencode", model: "mock/m", after: []string{"node", "node_modules/opencode-ai/postinstall.mjs"}, cost: loops.CostReported, settings: `-- .config/opencode/opencode.json --
{"provider": {"mock": {"npm": "@ai-sdk/openai-compatible", "options": {"baseURL": "ENDPOINT/v1", "apiKey": "dummy-key"}, "models": {"m": {}}}}, "instructions": ["NEVER-READ-THIS.md"]}
-- .config/opencode/AGENTS.md --
NEVER-READ-THIS
`},
	{id: "copilot", model: "m", cost: loops.CostEstimated, env: map[string]string{
		"COPILOT_PROVIDER_BASE_URL": "ENDPOINT/v1", "COPILOT_PROVIDER_TYPE": "openai", "COPILOT_PROVIDER_API_KEY": "dummy-key", "COPILOT_MODEL": "m", "COPILOT_OFFLINE": "true",
	}, settings: `-- .copilot/copilot-instructions.md --
NEVER-READ-THIS
`},
}

// agentShop is the repository of wiki/10_DOMAIN/first-loop.md, with a page that the change makes
// untrue.
const agentShop = `-- price.sh --
echo $(($1 * 2))
-- tests/price_test.sh --
test "$(sh price.sh 2)" = 4
-- wiki/index.md --
# Shop

- [[price]]
-- wiki/log.md --
# Log
-- wiki/price.md --
---
sources: [price.sh]
---
# Price

A price is a number of cents. See [[index]].
-- plans/2026-07-no-negative-prices.md --
---
title: No negative prices
scope: [price.sh]
goal: test -n "$(sh price.sh -1)"
---
# No negative prices

## Context

A price is what a customer pays.

## Chunks

### 1. Refuse a price below 0

- files: price.sh
- verify: sh tests/price_test.sh
- tests: none

A price below 0 is refused, and the refusal says why.

## Risks

None.
`

// sealed is what a judge tries: it sees the tree, and can't change it.
const sealed = `cat price.sh && ! (echo x > price.sh) 2> /dev/null && echo SEALED`

// play is what the model does in each role.
var play = []part{
	{begins: "You carry out one chunk of a plan", commands: []string{
		"cat price.sh",
		`printf '%s\n' 'test "$1" -ge 0 || { echo "a price below 0"; exit 1; }' 'echo $(($1 * 2))' > price.sh`,
		`sh tests/price_test.sh && touch ~/left-behind && echo GREEN`,
	}, says: "Prices below 0 are refused.\n\n```json\n{\"status\": \"ok\", \"summary\": \"refuses a price below 0\", \"self_assessment\": \"OK\"}\n```"},
	{begins: "You review a change that another agent made", commands: []string{sealed + ` && ! ls ~/left-behind`},
		says: "I read it.\n\n```json\n{\"verdict\": \"APPROVE\", \"progress\": true}\n```"},
	{begins: "You decide one question: is the goal", commands: []string{sealed}, says: "It says why.\n\n```json\n{\"verdict\": \"MET\"}\n```"},
	{begins: "You keep the project's wiki true", commands: []string{"cat wiki/price.md", `printf '\nA price below 0 is refused.\n' >> wiki/price.md && echo WRITTEN`}, says: "The page says it.\n\n```json\n{\"status\": \"ok\"}\n```"},
	{begins: "You answer a question of what the project", commands: []string{"cat wiki/price.md"}, says: "A price is a number of cents, says [[price]]."},
	{begins: "You audit this repository", commands: []string{"cat price.sh"}, says: "Nothing.\n\n````json findings.json\n{\"version\": 1, \"findings\": []}\n````\n"},
}

// TestAgentsOfNPM lets the agent CLIs of the lock files play every role, with dummy keys and
// a home of their own, against an endpoint on loopback: within bubblewrap and landlock,
// from a home on which none of them ever ran.
func TestAgentsOfNPM(t *testing.T) {
	schematest.NeedGit(t)
	for _, name := range []string{"npm", "node"} {
		_, err := exec.LookPath(name)
		schematest.Need(t, name, err == nil, name+" is not installed")
	}
	wiki := filepath.Join(t.TempDir(), "wiki")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", wiki, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, a := range realAgents {
		t.Run(a.id, func(t *testing.T) {
			program := install(t, a)
			for _, level := range []loops.Level{loops.Bubblewrap, loops.Landlock} {
				t.Run(string(level), func(t *testing.T) {
					s := &stage{T: t, agent: a, level: level, wiki: wiki, endpoint: newEndpoint(t, play)}
					s.build(program)
					s.plan()
					s.advisers()
					s.person()
				})
			}
		})
	}
}

// install installs what a lock file says, and returns the path of its program.
func install(t *testing.T, a realAgent) string {
	dir := t.TempDir()
	for _, name := range []string{"package.json", "package-lock.json"} {
		src, err := os.ReadFile(filepath.Join("testdata", "agents", a.id, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), src, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, argv := range [][]string{{"npm", "install", "--ignore-scripts", "--no-audit", "--no-fund"}, a.after} {
		if len(argv) == 0 {
			continue
		}
		c := exec.CommandContext(t.Context(), argv[0], argv[1:]...)
		c.Dir = dir
		out, err := c.CombinedOutput()
		schematest.Need(t, "npm", err == nil, "npm can't install "+a.id+": "+string(out))
	}
	return filepath.Join(dir, "node_modules", ".bin", a.id)
}

// stage is a repository with an agent in all roles.
type stage struct {
	*testing.T
	agent      realAgent
	level      loops.Level
	wiki       string
	endpoint   *endpoint
	home, repo string
	env        []string
	before     []string // files of the person's home
}

func (s *stage) build(program string) {
	bin := filepath.Join(s.TempDir(), "bin")
	tools := strings.Fields("git sh bash cat node env sed grep ls rm mkdir printf test touch tee uname dirname basename readlink head tail sort")
	if s.level == loops.Bubblewrap {
		tools = append(tools, "bwrap")
	}
	if err := os.Mkdir(bin, 0o700); err != nil {
		s.Fatal(err)
	}
	for _, name := range tools {
		path, err := exec.LookPath(name)
		schematest.Need(s.T, name, err == nil, name+" is not installed")
		if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
			s.Fatal(err)
		}
	}
	if err := os.Symlink(program, filepath.Join(bin, s.agent.id)); err != nil {
		s.Fatal(err)
	}
	url := func(text string) string { return strings.ReplaceAll(text, "ENDPOINT", s.endpoint.URL) }
	s.home = compilertest.Write(s.T, url(s.agent.settings))
	s.env = []string{"PATH=" + bin, "HOME=" + s.home, "LANG=C.UTF-8", "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org"}
	var names []string
	for name, value := range s.agent.env {
		names, s.env = append(names, name), append(s.env, name+"="+url(value))
	}
	roles := ""
	for _, role := range []string{"maker", "checker", "goal-checker", "writer", "reader", "auditor"} {
		roles += "    " + role + ": " + s.agent.cast() + "\n"
	}
	s.repo = filepath.Join(s.TempDir(), "shop")
	compilertest.WriteTo(s.T, s.repo, "-- wiki.yaml --\nloops:\n  roles:\n"+roles+"  env: ["+strings.Join(names, ", ")+"]\n  gates: {test: [sh tests/price_test.sh]}\n"+agentShop)
	for _, args := range [][]string{{"init", "--quiet", "--initial-branch=main"}, {"add", "--all"}, {"commit", "--quiet", "-m", "a shop"}} {
		s.run(0, "git", args...)
	}
	s.before = s.files(s.home)
}

// run runs a program in the repository and returns what it prints.
func (s *stage) run(status int, program string, args ...string) string {
	s.Helper()
	c := exec.CommandContext(s.Context(), program, args...)
	c.Dir, c.Env, c.WaitDelay = s.repo, s.env, time.Second
	var out, said bytes.Buffer
	c.Stdout, c.Stderr = &out, &said
	_ = c.Run() // its status says it
	if got := c.ProcessState.ExitCode(); got != status {
		s.Fatalf("%s %s: exit status %d, want %d\n%s%s", filepath.Base(program), strings.Join(args, " "), got, status, out.String(), said.String())
	}
	return out.String()
}

// files lists the files below a folder, but for our own cache.
func (s *stage) files(dir string) (names []string) {
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && e.Name() == "wiki" && filepath.Base(filepath.Dir(path)) == ".cache":
			return filepath.SkipDir
		case !e.IsDir():
			names = append(names, path)
		}
		return nil
	})
	if err != nil {
		s.Fatal(err)
	}
	return names
}

// calls reads what the calls of the newest run came to, by role.
func (s *stage) calls() map[string]loops.RoleResult {
	runs, err := filepath.Glob(filepath.Join(s.repo, ".loopwiki", "runs", "*"))
	if err != nil || len(runs) == 0 {
		s.Fatalf("no run: %v", err)
	}
	out := make(map[string]loops.RoleResult)
	for _, path := range s.files(runs[len(runs)-1]) {
		if filepath.Base(path) != "call.json" {
			continue
		}
		src, err := os.ReadFile(path)
		var r loops.RoleResult
		if err == nil {
			err = json.Unmarshal(src, &r)
		}
		if err != nil {
			s.Fatal(err)
		}
		out[filepath.Base(filepath.Dir(path))] = r
	}
	return out
}

// played holds a call against what its model did.
func (s *stage) played(role string, r loops.RoleResult, turns int) {
	s.Helper()
	u := r.Report.Usage
	if r.Report.Outcome != loops.OK || r.Exit.Level != s.level {
		s.Errorf("%s: %s (%s) in %s", role, r.Report.Outcome, r.Report.Detail, r.Exit.Level)
	}
	if u.InputTokens != int64(turns*tokensIn) || u.OutputTokens != int64(turns*tokensOut) || u.ToolCalls != turns-1 || u.Cost != s.agent.cost {
		s.Errorf("%s: %+v, want %d turns and a cost that is %s", role, u, turns, s.agent.cost)
	}
	if r.Report.Session == "" {
		s.Errorf("%s: no session", role)
	}
}

// plan runs a plan: maker, checker, goal-checker, writer.
func (s *stage) plan() {
	s.run(0, s.wiki, "loop", "run", "no-negative-prices")
	calls := s.calls()
	for role, turns := range planTurns {
		s.played(role, calls[role], turns)
	}
	s.changed()
}

// planTurns are the turns that the play has for each role of a plan.
var planTurns = map[string]int{"maker": 4, "checker": 2, "goal-checker": 2, "writer": 3}

// changed checks what the commands of a plan's roles printed, and what they left.
func (s *stage) changed() {
	s.Helper()
	for begins, want := range map[string]string{
		play[0].begins: "GREEN", play[1].begins: "SEALED", play[2].begins: "SEALED", play[3].begins: "WRITTEN",
	} {
		if got := s.endpoint.ran(begins); len(got) == 0 || !strings.Contains(got[len(got)-1], want) {
			s.Errorf("%s: its commands printed %q, want %q", begins, got, want)
		}
	}
	if diff := s.run(0, "git", "diff", "main...loop/2026-07-no-negative-prices"); !strings.Contains(diff, "+A price below 0 is refused.") {
		s.Errorf("the change is\n%s", diff)
	}
}

// advisers ask a reader and an auditor.
func (s *stage) advisers() {
	if answer := s.run(0, s.wiki, "query", "What is a price?"); !strings.Contains(answer, "A price is a number of cents") {
		s.Errorf("the reader says %q", answer)
	}
	s.played("reader", s.calls()["reader"], 2)
	s.run(0, s.wiki, "loop", "run", "audit")
	s.played("auditor", s.calls()["auditor"], 2)
}

// person checks that nothing of the person's settings was read, and nothing left there.
func (s *stage) person() {
	if s.endpoint.heard(never) {
		s.Error("the person's instructions were read")
	}
	if after := s.files(s.home); strings.Join(after, "\n") != strings.Join(s.before, "\n") {
		s.Errorf("the home has %q, had %q", after, s.before)
	}
	if len(s.agent.argv) > 0 {
		return // doctor probes agent CLIs alone
	}
	if out := s.run(0, s.wiki, "doctor", "--agents", "--probe"); !strings.Contains(out, "probe: ran a command (sandbox "+string(s.level)+")") {
		s.Errorf("doctor says\n%s", out)
	}
}
