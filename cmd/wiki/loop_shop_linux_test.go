package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// shop is a repository with a plan of two chunks. Its agents are scripts beside
// it: the checker rejects the first attempt at the first chunk, and everybody
// stops forever where a file in block is called after what they do.
type shop struct {
	t   testing.TB
	dir string // holds everything
	top string // of the repository
	env []string
}

const shopPlan = "2026-03-sums"

// shopFiles are those of the repository. BESIDE stands for the folder of agents.
var shopFiles = map[string]string{
	".gitignore": "*.log\n",
	"wiki.yaml": `loops:
  roles:
    maker: {agent: command, argv: [sh, BESIDE/maker.sh]}
    checker: {agent: command, argv: [sh, BESIDE/checker.sh]}
    goal-checker: {agent: command, argv: [sh, BESIDE/goal-checker.sh]}
  gates: {test: [sh tests/price_test.sh]}
  timeouts: {grace: 1s}
  estimate: {usd_per_call: 0.25}
`,
	"wiki/index.md":       "# Shop\n\n- [[price]]\n",
	"wiki/log.md":         "# Log\n",
	"wiki/price.md":       "# Price\n\nA price is a number of cents.\n",
	"wiki/90_LOG/old.md":  "# Old\n\nSee [[index]].\n",
	"price.sh":            "echo $(($1 * 2))\n",
	"tests/price_test.sh": ". BESIDE/block.sh\nblock test-$(cat price.sh sum.sh 2>/dev/null | grep -c '^# attempt')\ntest \"$(sh price.sh 2)\" = 4\n",
	"tools/goal.sh":       ". BESIDE/block.sh\nblock goal\ntest \"$(sh sum.sh 1 2)\" = 3 && ! sh price.sh -1\n",
	"plans/" + shopPlan + ".md": `---
title: Sums
priority: P1
effort: S
risk: LOW
scope: [price.sh, sum.sh]
goal: sh tools/goal.sh
---
# Sums

## Context

A price is what a customer pays.

## Chunks

### 1. Refuse a price below 0

- files: price.sh
- verify: sh tests/price_test.sh
- tests: none

A price below 0 is refused.

### 2. Add up

- files: sum.sh
- verify: sh tests/price_test.sh
- tests: none

Two numbers are added.

## Risks

None.
`,
}

// agentFiles are next to the repository.
var agentFiles = map[string]string{
	"block.sh": `block() {
	if [ -e "BESIDE/block/$1" ]; then
		setsid sleep 86399 &
		exec sleep 86399
	fi
}
`,
	"maker.sh": `. BESIDE/block.sh
echo "I am the maker of $WIKI_LOOP_CHUNK-$WIKI_LOOP_ATTEMPT"
if [ "$WIKI_LOOP_CHUNK" = 2 ]; then
	printf '# attempt\necho $(($1 + $2))\n' > sum.sh
elif grep -q 'does not say why' "$WIKI_LOOP_PROMPT"; then
	printf '# attempt\n# attempt\ntest "$1" -ge 0 || { echo "a price below 0"; exit 1; }\necho $(($1 * 2))\n' > price.sh
else
	printf '# attempt\ntest "$1" -ge 0 || exit 1\necho $(($1 * 2))\n' > price.sh
fi
echo "a note of $WIKI_LOOP_ATTEMPT" > maker.log
block maker-$WIKI_LOOP_CHUNK-$WIKI_LOOP_ATTEMPT
echo '{"status": "ok", "summary": "done", "cost_usd": 0.01}' > "$WIKI_LOOP_RESULT"
`,
	"checker.sh": `. BESIDE/block.sh
block checker-$WIKI_LOOP_CHUNK-$WIKI_LOOP_ATTEMPT
if [ "$WIKI_LOOP_CHUNK" = 2 ] || grep -q 'a price below 0' price.sh; then
	echo '{"verdict": "APPROVE", "cost_usd": 0.02}' > "$WIKI_LOOP_RESULT"
else
	echo '{"verdict": "REJECT", "reasons": [{"path": "price.sh", "line": 1, "message": "it does not say why"}], "cost_usd": 0.02}' > "$WIKI_LOOP_RESULT"
fi
`,
	"goal-checker.sh": `. BESIDE/block.sh
block goal-checker
echo '{"verdict": "MET", "cost_usd": 0.03}' > "$WIKI_LOOP_RESULT"
`,
}

func newShop(t testing.TB) *shop { return newShopIn(t, "shop") }

// newShopIn makes the repository in a folder of that name.
func newShopIn(t testing.TB, name string) *shop {
	t.Helper()
	schematest.NeedGit(t)
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &shop{t: t, dir: dir, top: filepath.Join(dir, name)}
	s.env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LANG=C.UTF-8", "NO_COLOR=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org",
		"GORACE=" + os.Getenv("GORACE"), // of the program under test, too
		"GOGC=" + fewCollections,
	}
	for name, text := range agentFiles {
		s.write(filepath.Join(dir, "beside"), name, text)
	}
	for name, text := range shopFiles {
		s.write(s.top, name, text)
	}
	s.git("init", "-q", "-b", "main")
	s.commit("first")
	return s
}

// write writes a file; words in its text stand for others.
func (s *shop) write(dir, name, text string, words ...string) {
	s.t.Helper()
	name = filepath.Join(dir, filepath.FromSlash(name))
	text = strings.NewReplacer(append(words, "BESIDE", filepath.Join(s.dir, "beside"))...).Replace(text)
	if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644)); err != nil {
		s.t.Fatal(err)
	}
}

func (s *shop) commit(message string) {
	s.t.Helper()
	s.git("add", "-A")
	s.git("commit", "-q", "--no-verify", "-m", message)
}

// git runs git in the repository and returns what it prints.
func (s *shop) git(args ...string) string {
	s.t.Helper()
	c := exec.Command("git", append([]string{"--no-optional-locks", "-c", "core.quotepath=off"}, args...)...)
	c.Dir, c.Env = s.top, s.env
	out, err := c.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			s.t.Fatalf("git %v: %v\n%s", args, err, exit.Stderr)
		}
		s.t.Fatalf("git %v: %v", args, err)
	}
	return string(out)
}

// reaped is a runner that works, below a process that sees what it leaves.
type reaped struct {
	*exec.Cmd
	s        *shop
	out, err bytes.Buffer
}

// start starts wiki, or what stands for it, in the repository.
func (s *shop) start(env []string, args ...string) *reaped {
	s.t.Helper()
	program, err := exec.LookPath("reaper")
	if err != nil {
		s.t.Fatal(err)
	}
	r := &reaped{s: s, Cmd: exec.Command(program, append([]string{"mortal"}, args...)...)}
	r.Dir, r.Env, r.Stdout, r.Stderr = s.top, append(slices.Clone(s.env), env...), &r.out, &r.err
	if err := r.Start(); err != nil {
		s.t.Fatal(err)
	}
	return r
}

// wait returns the exit code, -9 for a runner that was killed.
func (r *reaped) wait() int {
	r.s.t.Helper()
	err := r.Wait()
	code := r.ProcessState.ExitCode()
	if code < 0 || code == leftAlive {
		r.s.t.Fatalf("%v: %v\n%s", r.Args, err, r.said())
	}
	if code == wasKilled {
		return -9
	}
	return code
}

func (r *reaped) said() string { return r.out.String() + r.err.String() }

// pid is that of wiki itself, beside which reaper may have adopted others.
func (r *reaped) pid() (pid int) {
	r.s.t.Helper()
	r.s.until("the runner starts", func() bool {
		for _, c := range childrenOf(r.Process.Pid) {
			words, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", c))
			if bytes.HasPrefix(words, []byte("mortal\x00")) {
				pid = c
			}
		}
		return pid > 0
	})
	return pid
}

func (r *reaped) signal(sig syscall.Signal) {
	r.s.t.Helper()
	if err := syscall.Kill(r.pid(), sig); err != nil {
		r.s.t.Fatal(err)
	}
}

// wiki runs a command to its end.
func (s *shop) wiki(args ...string) (int, string) {
	s.t.Helper()
	r := s.start(nil, args...)
	return r.wait(), r.said()
}

// must is wiki, with the exit code that it must have.
func (s *shop) must(code int, args ...string) string {
	s.t.Helper()
	got, said := s.wiki(args...)
	if got != code {
		s.t.Fatalf("wiki %s: exit status %d, not %d:\n%s", strings.Join(args, " "), got, code, said)
	}
	return said
}

// until waits for something that comes about.
func (s *shop) until(what string, holds func() bool) {
	s.t.Helper()
	for end := time.Now().Add(time.Minute); !holds(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			s.t.Fatalf("it does not come about that %s", what)
		}
	}
}

// block makes anyone who does something stop there forever.
func (s *shop) block(what string) { s.write(filepath.Join(s.dir, "beside", "block"), what, "") }

func (s *shop) unblock(what string) {
	if err := os.Remove(filepath.Join(s.dir, "beside", "block", what)); err != nil {
		s.t.Fatal(err)
	}
}

// store is where the runs are.
func (s *shop) store() *runs.Store { return runs.NewStore(s.top) }

// runID is that of the only run.
func (s *shop) runID() string {
	s.t.Helper()
	ids, err := s.store().IDs()
	if err != nil || len(ids) != 1 {
		s.t.Fatalf("runs %v: %v", ids, err)
	}
	return ids[0]
}

// events are those of the only run, none if it has no journal yet.
func (s *shop) events() []loops.Event {
	ids, err := s.store().IDs()
	if err != nil || len(ids) == 0 {
		return nil
	}
	_, events, _ := s.store().Read(ids[0])
	return events
}

// asleep are the processes of the only run that sleep forever.
func (s *shop) asleep() int {
	n := 0
	entries, _ := os.ReadDir("/proc")
	for _, e := range entries {
		if _, err := strconv.Atoi(e.Name()); err != nil {
			continue
		}
		words, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "cmdline"))
		if !bytes.HasPrefix(words, []byte("sleep\x0086399\x00")) {
			continue
		}
		env, _ := os.ReadFile(filepath.Join("/proc", e.Name(), "environ"))
		if dir, _ := os.Readlink(filepath.Join("/proc", e.Name(), "cwd")); strings.HasPrefix(dir, s.dir) || bytes.Contains(env, []byte("="+s.dir)) {
			n++
		}
	}
	return n
}

// summary is what show prints of the latest run.
func (s *shop) summary() schema.RunSummary {
	s.t.Helper()
	out := s.must(0, "loop", "show", "latest", "--json")
	var sum schema.RunSummary
	if err := json.Unmarshal([]byte(out), &sum); err != nil {
		s.t.Fatalf("%v:\n%s", err, out)
	}
	return sum
}

// checkout is everything of the main checkout that a run must leave as it was.
func (s *shop) checkout() string {
	s.t.Helper()
	text := s.git("rev-parse", "HEAD") + s.git("ls-files", "-s") + s.git("status", "--porcelain", "--", ":!.loopwiki") +
		s.git("stash", "list") + s.git("config", "--list", "--local")
	for line := range strings.Lines(s.git("for-each-ref")) {
		if !strings.Contains(line, "\trefs/heads/loop/") {
			text += line
		}
	}
	hooks, _ := filepath.Glob(filepath.Join(s.top, ".git", "hooks", "*"))
	head, _ := os.ReadFile(filepath.Join(s.top, ".git", "HEAD"))
	return text + strings.Join(hooks, "\n") + string(head)
}
