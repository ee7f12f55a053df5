//go:build linux

package rig

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Shops are repositories with plans of two chunks, and the scripts that work on them:
//
//	origin/NAME.git  what workers clone, and push to
//	home/NAME        a person's clone, from which runs are started
//	beside/          the agents, what they wrote of themselves, and what they wait for
type Shops struct {
	Dir   string
	Names []string
	Plans int // in each repository
	Env   []string

	engine string // lines of wiki.yaml
}

// files are those of a repository. BESIDE stands for the folder of agents, ENGINE for
// what carries plans out, NN for the number of a plan.
var files = map[string]string{
	".gitignore": "*.log\n",
	"wiki.yaml": `loops:
  roles:
    maker: {agent: command, argv: [sh, BESIDE/maker.sh]}
    checker: {agent: command, argv: [sh, BESIDE/checker.sh]}
    goal-checker: {agent: command, argv: [sh, BESIDE/goal-checker.sh]}
  gates: {test: [sh tests/price_test.sh]}
  timeouts: {grace: 1s}
  estimate: {usd_per_call: 0.25}
  sandbox: none
ENGINE`,
	"wiki/index.md":       "# Shop\n\n- [[price]]\n",
	"wiki/log.md":         "# Log\n",
	"wiki/price.md":       "# Price\n\nA price is a number of cents.\n",
	"price.sh":            "echo $(($1 * 2))\n",
	"tests/price_test.sh": ". BESIDE/lib.sh\nhold gate\ntest \"$(sh price.sh 2)\" = 4\n",
	"tools/goal.sh":       "test \"$(sh sum-$1.sh 1 2)\" = 3 && ! sh price-$1.sh -1\n",
}

const plan = `---
title: Sums NN
priority: P1
effort: S
risk: LOW
scope: [price-NN.sh, sum-NN.sh]
goal: sh tools/goal.sh NN
---
# Sums NN

## Context

A price is what a customer pays.

## Chunks

### 1. Refuse a price below 0

- files: price-NN.sh
- verify: sh tests/price_test.sh
- tests: none

A price below 0 is refused.

### 2. Add up

- files: sum-NN.sh
- verify: sh tests/price_test.sh
- tests: none

Two numbers are added.

## Risks

None.
`

// agents write one line when they begin and one when they end: who, in which run, at
// which time. They stop where hold finds a file, until it is gone.
var agents = map[string]string{
	"lib.sh": `hold() {
	while [ -e "BESIDE/hold/$1" ]; do
		[ -e "BESIDE/held/$1" ] || : > "BESIDE/held/$1"
		sleep 0.1
	done
}
note() {
	echo "$1 $(basename "$PWD")@$WIKI_LOOP_RUN $WIKI_LOOP_PLAN $WIKI_LOOP_CHUNK $WIKI_LOOP_ATTEMPT $WIKI_LOOP_ROLE $$ $(date +%s%3N)" >> BESIDE/calls
}
number=${WIKI_LOOP_PLAN##*-}
`,
	"maker.sh": `. BESIDE/lib.sh
note begin
hold maker
sleep PACE
if [ "$WIKI_LOOP_CHUNK" = 2 ]; then
	echo 'echo $(($1 + $2))' > sum-$number.sh
elif grep -q 'does not say why' "$WIKI_LOOP_PROMPT"; then
	printf 'test "$1" -ge 0 || { echo "a price below 0"; exit 1; }\necho $(($1 * 2))\n' > price-$number.sh
else
	printf 'test "$1" -ge 0 || exit 1\necho $(($1 * 2))\n' > price-$number.sh
fi
[ ! -e BESIDE/hold/doubt ] || echo "# attempt $WIKI_LOOP_ATTEMPT" >> price-$number.sh
echo '{"status": "ok", "summary": "done", "cost_usd": 0.01}' > "$WIKI_LOOP_RESULT"
note end
`,
	// Every second plan is rejected once, and all while there is doubt: then a person is asked.
	"checker.sh": `. BESIDE/lib.sh
note begin
hold checker
case $number in
*[13579]) strict=yes ;;
*) strict= ;;
esac
if [ -e BESIDE/hold/doubt ]; then
	echo '{"verdict": "REJECT", "reasons": [{"path": "price.sh", "line": 1, "message": "I am not sure"}], "cost_usd": 0.02}' > "$WIKI_LOOP_RESULT"
elif [ "$WIKI_LOOP_CHUNK" = 2 ] || [ -z "$strict" ] || grep -q 'a price below 0' price-$number.sh; then
	echo '{"verdict": "APPROVE", "cost_usd": 0.02}' > "$WIKI_LOOP_RESULT"
else
	echo '{"verdict": "REJECT", "reasons": [{"path": "'price-$number.sh'", "line": 1, "message": "it does not say why"}], "cost_usd": 0.02}' > "$WIKI_LOOP_RESULT"
fi
note end
`,
	"goal-checker.sh": `. BESIDE/lib.sh
note begin
hold goal-checker
echo '{"verdict": "MET", "cost_usd": 0.03}' > "$WIKI_LOOP_RESULT"
note end
`,
}

// PlanName is the name of a repository's plan, from 0.
func PlanName(n int) string { return fmt.Sprintf("2026-03-sums-%02d", n) }

// NewShops makes repositories below a folder. A maker takes as long as pace; plans are
// carried out by workers of the server at an address, or by the embedded driver if it is "".
func NewShops(dir string, repositories, plans int, pace time.Duration, address string) (*Shops, error) {
	s := &Shops{Dir: dir, Plans: plans, Env: Environ(dir)}
	if address != "" {
		s.engine = "  engine: temporal\n  address: " + address + "\n"
	}
	for _, sub := range []string{"hold", "held"} {
		if err := os.MkdirAll(filepath.Join(dir, "beside", sub), 0o755); err != nil {
			return nil, err
		}
	}
	for name, text := range agents {
		if err := s.write(filepath.Join(dir, "beside", name), strings.ReplaceAll(text, "PACE", fmt.Sprint(pace.Seconds()))); err != nil {
			return nil, err
		}
	}
	for n := range repositories {
		name := fmt.Sprintf("shop-%02d", n)
		if err := s.found(name); err != nil {
			return nil, err
		}
		s.Names = append(s.Names, name)
	}
	return s, nil
}

// Environ is the environment of programs that are started: nothing of the person's but
// the path, and a home below dir.
func Environ(dir string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LANG=C.UTF-8", "NO_COLOR=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org",
	}
}

// Home is a person's clone of a repository.
func (s *Shops) Home(name string) string { return filepath.Join(s.Dir, "home", name) }

// Origin is the repository that its clones share.
func (s *Shops) Origin(name string) string { return filepath.Join(s.Dir, "origin", name+".git") }

func (s *Shops) write(name, text string) error {
	text = strings.NewReplacer("BESIDE", filepath.Join(s.Dir, "beside"), "ENGINE", s.engine).Replace(text)
	return errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(text), 0o644))
}

// found makes a repository, its origin, and a clone of it.
func (s *Shops) found(name string) error {
	top := s.Home(name)
	for file, text := range files {
		if err := s.write(filepath.Join(top, file), text); err != nil {
			return err
		}
	}
	for n := range s.Plans {
		text := strings.ReplaceAll(plan, "NN", fmt.Sprintf("%02d", n))
		if err := s.write(filepath.Join(top, "plans", PlanName(n)+".md"), text); err != nil {
			return err
		}
	}
	for _, args := range [][]string{
		{"init", "-q", "-b", "main"}, {"add", "-A"}, {"commit", "-q", "-m", "first"},
		{"clone", "-q", "--bare", ".", s.Origin(name)}, {"remote", "add", "origin", s.Origin(name)}, {"fetch", "-q"},
	} {
		if _, err := s.Git(top, args...); err != nil {
			return err
		}
	}
	hook := filepath.Join(s.Origin(name), "hooks", "pre-receive")
	return errors.Join(s.write(hook, "#!/bin/sh\n. BESIDE/lib.sh\nhold push\n"), os.Chmod(hook, 0o755))
}

// Git runs git in a folder and returns what it prints.
func (s *Shops) Git(dir string, args ...string) (string, error) {
	c := exec.Command("git", append([]string{"--no-optional-locks"}, args...)...)
	c.Dir, c.Env = dir, s.Env
	out, err := c.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "", fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, exit.Stderr)
	}
	return string(out), err
}

// Hold makes whoever does something wait there: maker, checker, goal-checker, gate or
// push.
// Doubt is no place to wait: with it, checkers approve of nothing.
func (s *Shops) Hold(what string) error {
	_ = os.Remove(filepath.Join(s.Dir, "beside", "held", what))
	return os.WriteFile(filepath.Join(s.Dir, "beside", "hold", what), nil, 0o644)
}

// Held says whether somebody waits where Hold said.
func (s *Shops) Held(what string) bool {
	_, err := os.Stat(filepath.Join(s.Dir, "beside", "held", what))
	return err == nil
}

// Release lets everybody go on who waits there.
func (s *Shops) Release(what string) error {
	return os.Remove(filepath.Join(s.Dir, "beside", "hold", what))
}
