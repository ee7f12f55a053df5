package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/loopwiki/wiki/schema/schematest"
)

// exhaustTree is what is in a folder: the text of files, where links lead, and a word
// for everything else. What the program caches, what keeps that out of git, and what git
// holds is left out: a command that ends before the signal may write it.
func exhaustTree(t *testing.T, dir string) map[string]string {
	t.Helper()
	tree := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(dir, path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case d.IsDir() && (rel == ".home" || rel == ".git" || rel == filepath.Join(".loopwiki", "cache") || rel == filepath.Join(".loopwiki", "runs")):
			return filepath.SkipDir
		case d.IsDir(), rel == filepath.Join(".loopwiki", ".gitignore"):
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			to, _ := os.Readlink(path)
			tree[rel] = "link to " + to
		case !d.Type().IsRegular():
			tree[rel] = d.Type().String()
		default:
			about, err := d.Info()
			if err != nil {
				return err
			}
			if about.Size() > 64<<20 {
				tree[rel] = fmt.Sprint(about.Size())
				return nil
			}
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			tree[rel] = string(b)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// exhaustHalfWritten lists files that are neither as before a command nor as after one that
// was not interrupted.
func exhaustHalfWritten(before, after, now map[string]string) (bad []string) {
	for _, path := range slices.Sorted(maps.Keys(now)) {
		old, was := before[path]
		full, is := after[path]
		switch text := now[path]; {
		case was && text == old, is && text == full:
		case is && filepath.Base(path) == ".wiki-build.json" && json.Valid([]byte(text)): // it lists what is there
		case !was && !is:
			bad = append(bad, path+" is left over")
		default:
			bad = append(bad, fmt.Sprintf("%s is half-written: %d bytes, neither the %d of before nor the %d of a whole run", path, len(text), len(old), len(full)))
		}
	}
	for path := range before { // what a whole run keeps is there
		if _, kept := after[path]; kept {
			if _, ok := now[path]; !ok {
				bad = append(bad, path+" is gone")
			}
		}
	}
	return bad
}

// exhaustEnded checks how a command ended that was sent a signal.
func exhaustEnded(t *testing.T, r exhaustRun, send syscall.Signal) {
	t.Helper()
	if r.interrupted == 0 {
		if bad := exhaustBad(r); bad != "" {
			t.Errorf("wiki %s, which was over before %v could be sent: %s\n%s", strings.Join(r.args, " "), send, bad, exhaustTail(r.out))
		}
		t.Logf("over before the signal: %v", r)
		return
	}
	late := ""
	if r.interrupted > time.Second {
		late = "  MORE THAN A SECOND"
		if schematest.Long() {
			t.Errorf("wiki %s ends %v after %v", strings.Join(r.args, " "), r.interrupted, send)
		}
	}
	t.Logf("%v after %v%s: %v", r.interrupted.Round(time.Millisecond), send, late, r)
	byItself := r.code >= 0 && r.code <= 2 && r.interrupted < 3*time.Second // its end and the signal crossed, or it had begun to write
	if want := 128 + int(send); r.killed != "" || r.code != want && !byItself {
		t.Errorf("wiki %s: %s exit status %d after %v, want %d\n%s", strings.Join(r.args, " "), r.killed, r.code, send, want, exhaustTail(r.out))
	}
	if strings.Contains(r.out, "[running]") || strings.Contains(r.out, "fatal error: ") {
		t.Errorf("wiki %s crashes at %v:\n%s", strings.Join(r.args, " "), send, exhaustTail(r.out))
	}
}

// TestSignalsEndHostileInput sends SIGTERM and SIGINT while a command works on a wiki that exhausts.
func TestSignalsEndHostileInput(t *testing.T) {
	t.Parallel()
	exhaustMeasurable(t)
	for name, c := range schematest.Sample(exhaustCases, 20, 32) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := exhaustMake(t, c)
			before := exhaustTree(t, f.dir)
			for i, args := range c.commands() {
				for j, send := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
					if (i+j)%2 == 1 && !schematest.Long() {
						continue
					}
					r := exhaustMeasure(t, f.dir, send, nil, args...)
					exhaustEnded(t, r, send)
					for path, text := range exhaustTree(t, f.dir) {
						if old, was := before[path]; !strings.HasPrefix(path, "_site/") && (!was || old != text) {
							t.Errorf("wiki %s, interrupted, leaves or changes %q", strings.Join(args, " "), path)
						} else if base := filepath.Base(path); !was && regexp.MustCompile(`(?i)\.(tmp|temp|part|partial|new|swp)[0-9]*$|^\.[^/]*[0-9]{6,}|~$`).MatchString(base) {
							t.Errorf("wiki %s, interrupted, leaves %q", strings.Join(args, " "), path)
						}
					}
				}
			}
		})
	}
}

// exhaustInterrupt is a command that is interrupted in a repository of many pages.
type exhaustInterrupt struct {
	args   []string
	config string // below loops:, where $SLEEP is an agent that never ends
	ready  func(cpu, idle time.Duration) bool
	writes bool // it changes files: it is interrupted late in its work, too
}

// exhaustWaits is ready when a command waits for something.
func exhaustWaits(_, idle time.Duration) bool { return idle > 700*time.Millisecond }

const (
	exhaustSleeps   = "[sh, -c, 'exec sleep $SLEEP']"
	exhaustStubborn = `[sh, -c, "trap '' TERM INT HUP; sleep $SLEEP & sleep $SLEEP; sleep $SLEEP"]`
)

var exhaustInterrupts = map[string]exhaustInterrupt{
	"build":              {args: []string{"build", "-o", "_site"}, writes: true},
	"export":             {args: []string{"export", "okf"}, writes: true},
	"lint":               {args: []string{"lint", "--severity", "info"}},
	"lint-fix":           {args: []string{"lint", "--fix"}, writes: true},
	"lint-fix-unsafe":    {args: []string{"lint", "--fix-unsafe"}, writes: true},
	"lint-baseline":      {args: []string{"lint", "--baseline-write"}, writes: true},
	"lint-output":        {args: []string{"lint", "-o", "sarif=report.sarif", "-o", "json=report.json", "-o", "junit=report.xml"}, writes: true},
	"mv-folder":          {args: []string{"mv", "wiki/n01", "wiki/moved"}, writes: true},
	"mv-hub":             {args: []string{"mv", "wiki/index.md", "wiki/start.md"}, writes: true},
	"search":             {args: []string{"search", "pool"}},
	"doctor":             {args: []string{"doctor"}},
	"stats":              {args: []string{"stats"}},
	"graph":              {args: []string{"graph", "-f", "graphml"}},
	"graph-path":         {args: []string{"graph", "path", "index", "p77"}},
	"claims":             {args: []string{"claims"}},
	"show":               {args: []string{"show", "index", "--json"}},
	"query":              {args: []string{"query", "how large is the pool", "--agent", "none"}},
	"verify":             {args: []string{"verify", "--all"}, writes: true},
	"stale":              {args: []string{"stale"}},
	"ingest-folder":      {args: []string{"ingest", "in", "--agent", "none"}, writes: true},
	"eval-contradiction": {args: []string{"eval", "contradictions", "set"}},
	"eval-staleness":     {args: []string{"eval", "staleness", "."}},
	"diff":               {args: []string{"diff", "HEAD"}},
	"serve":              {args: []string{"serve", "--port", "0"}, ready: exhaustWaits},
	"serve-early":        {args: []string{"serve", "--port", "0"}},
	"new":                {args: []string{"new", "concept", "Token bucket"}, writes: true},
	"plan-result":        {args: []string{"plan", "from", "SPEC.md", "--result", "-"}, ready: exhaustWaits},
	"andon-guard":        {args: []string{"andon", "guard"}, ready: exhaustWaits},

	"query-agent":         {args: []string{"query", "how large is the pool"}, config: "  roles: {reader: {agent: command, argv: " + exhaustSleeps + "}}\n"},
	"ingest-agent":        {args: []string{"ingest", "in/a0.md"}, config: "  roles: {writer: {agent: command, argv: " + exhaustSleeps + "}}\n"},
	"plan-from":           {args: []string{"plan", "from", "SPEC.md"}, config: "  roles: {planner: {agent: command, argv: " + exhaustSleeps + "}}\n"},
	"connector":           {args: []string{"connector", "items", "board"}, config: "  connectors: {board: {kind: mcp, argv: " + exhaustSleeps + ", tools: [x], items: {tool: x}}}\n"},
	"loop-maker":          {args: []string{"loop", "run", "slow"}, config: "  roles: {maker: {agent: command, argv: " + exhaustSleeps + "}}\n"},
	"loop-maker-stubborn": {args: []string{"loop", "run", "slow"}, config: "  roles: {maker: {agent: command, argv: " + exhaustStubborn + "}}\n"},
	"loop-gate":           {args: []string{"loop", "run", "slow"}, config: "  roles: {maker: {agent: command, argv: [sh, -c, 'echo 2 > price.sh']}}\n  gates: {test: ['sleep $SLEEP']}\n"},
	"loop-setup":          {args: []string{"loop", "run", "slow"}, config: "  roles: {maker: {agent: command, argv: [sh, -c, 'echo 2 > price.sh']}}\n  gates: {setup: ['sleep $SLEEP']}\n"},
	"loop-checker":        {args: []string{"loop", "run", "slow"}, config: "  roles: {maker: {agent: command, argv: [sh, -c, 'echo 2 > price.sh']}, checker: {agent: command, argv: " + exhaustSleeps + "}}\n"},
	"loop-audit":          {args: []string{"loop", "run", "audit"}, config: "  roles: {auditor: {agent: command, argv: " + exhaustSleeps + "}}\n"},
	"lint-judge":          {args: []string{"lint", "--judge=on"}, config: "  mode: draft\njudge: {command: " + exhaustSleeps + "}\n"},
}

// exhaustRepository has many pages with work for each command: links to fix,
// contradictions, sentences to judge, sources to verify.
func exhaustRepository(t *testing.T, c exhaustInterrupt, sleep string, n int) string {
	t.Helper()
	f := exhaustMake(t, exhaustCase{make: func(f *exhaustFolder) {
		f.pages(n, func(i int) string {
			return fmt.Sprintf("---\ntitle: Page %d\nsources: [src/a%d.go#Max]\n---\n# Page %d\n\nThe size of pool %d is %d. [[Index.md]] [x](P%d.md) [[idnex]]\n\n%s", i, i%200, i, i/2, i, i+1, exhaustWords(1500, i))
		})
		for i := range 200 {
			f.file(fmt.Sprintf("src/a%d.go", i), fmt.Sprintf("package src\n\n// Max is one.\nconst Max = %d\n", i))
		}
		for i := range 600 {
			f.file(fmt.Sprintf("in/a%d.md", i), "# A\n\n"+exhaustWords(3000, i))
		}
		for name, days := range map[string]int{"Gateway": 30, "Audit": 90} {
			f.file("wiki/"+name+".md", fmt.Sprintf("# %s\n\n[[Gateway]] The gateway keeps a copy of every reading for %d days.\n", name, days))
		}
		f.file("set/labels.json", `{"version": 1, "labels": []}`)
		f.link("../wiki", "set/wiki")
		f.file("price.sh", "echo 1\n")
		f.file("SPEC.md", "# Spec\n\nA price below 0 is refused.\n")
		f.file("plans/2026-07-slow.md", "---\ntitle: Prices\npriority: P1\neffort: S\nrisk: LOW\nscope: [price.sh]\ngoal: test -f nothing\n---\n# Prices\n## Context\nWhy.\n## Chunks\n### 1. Think\n- tests: none\n\nThink.\n## Risks\nNone.\n")
		config := "version: 1\nroot: wiki\n"
		if c.config != "" {
			config += "loops:\n" + strings.ReplaceAll(c.config, "$SLEEP", sleep)
		}
		f.file("wiki.yaml", config)
	}})
	f.commit()
	return f.dir
}

// exhaustCopy copies a repository.
func exhaustCopy(t *testing.T, from string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "r")
	if out, err := exec.Command("cp", "-a", from, dir).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return dir
}

// exhaustSleepers are the processes of agents that a test began, by how long they sleep.
func exhaustSleepers(sleep string) (pids []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, name := range all {
		if words, err := os.ReadFile(name); err == nil && strings.Contains(string(words), sleep) {
			pids = append(pids, strings.ReplaceAll(string(words), "\x00", " "))
		}
	}
	return pids
}

var exhaustAgents atomic.Int64

// TestSignalsEndCommands interrupts commands that read, write, serve, and wait for agents: each
// ends, every file is as before or as after a whole run, and no process is left.
func TestSignalsEndCommands(t *testing.T) {
	t.Parallel()
	exhaustMeasurable(t)
	large := exhaustRepository(t, exhaustInterrupt{}, "", 3000/schematest.Every(3, 3))
	before := exhaustTree(t, large)
	t.Run("all", func(t *testing.T) { // and large stays until they are over
		for name, c := range schematest.Sample(exhaustInterrupts, 5, 9) {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				if strings.Contains(c.config, "$SLEEP") {
					exhaustInterruptWaiting(t, c)
					return
				}
				exhaustInterruptWorking(t, c, large, before)
			})
		}
	})
}

// exhaustInterruptWaiting interrupts a command once it waits for a program that never ends.
func exhaustInterruptWaiting(t *testing.T, c exhaustInterrupt) {
	for _, send := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		sleep := fmt.Sprintf("6%03d.%d", exhaustAgents.Add(1), os.Getpid())
		dir := exhaustRepository(t, c, sleep, 20)
		before := exhaustTree(t, dir)
		r := exhaustMeasure(t, dir, send, func(_, _ time.Duration) bool { return len(exhaustSleepers(sleep)) > 0 }, c.args...)
		if r.interrupted == 0 {
			t.Fatalf("no agent began: %v\n%s", r, exhaustTail(r.out))
		}
		exhaustEnded(t, r, send)
		for range 50 { // a process that was ended is reaped by anyone who has it
			if len(exhaustSleepers(sleep)) == 0 {
				break
			}
			time.Sleep(100 * time.Millisecond)
		}
		if left := exhaustSleepers(sleep); len(left) > 0 {
			t.Errorf("%v leaves %q", send, left)
		}
		for _, bad := range exhaustHalfWritten(before, before, exhaustTree(t, dir)) {
			if !strings.HasPrefix(bad, ".loopwiki/") || !strings.HasSuffix(bad, "left over") { // what a run says of itself
				t.Errorf("%v, %s", send, bad)
			}
		}
	}
}

// exhaustInterruptWorking interrupts a command while it works: early and, if it writes, in
// the second half of its work.
func exhaustInterruptWorking(t *testing.T, c exhaustInterrupt, large string, before map[string]string) {
	after := before
	at := []func(cpu, idle time.Duration) bool{c.ready, c.ready}
	if c.writes {
		dir := exhaustCopy(t, large)
		whole := exhaustMeasure(t, dir, 0, nil, c.args...)
		if bad := exhaustBad(whole); bad != "" {
			t.Fatalf("%s: %v\n%s", bad, whole, exhaustTail(whole.out))
		}
		after = exhaustTree(t, dir)
		for _, part := range []time.Duration{50, 70, 80, 90, 95} {
			at = append(at, func(cpu, _ time.Duration) bool { return cpu > whole.user*part/100 })
		}
	}
	for i, ready := range at {
		send := []syscall.Signal{syscall.SIGTERM, syscall.SIGINT}[i%2]
		dir := exhaustCopy(t, large)
		r := exhaustMeasure(t, dir, send, ready, c.args...)
		exhaustEnded(t, r, send)
		for _, bad := range exhaustHalfWritten(before, after, exhaustTree(t, dir)) {
			t.Errorf("interrupt %d, %v: %s", i, send, bad)
		}
		if c.args[0] == "build" { // what an interrupted build leaves, the next one takes up
			if again := exhaustMeasure(t, dir, 0, nil, c.args...); again.code != 0 {
				t.Errorf("after %v the next build: %v\n%s", send, again, exhaustTail(again.out))
			} else if !maps.Equal(exhaustTree(t, dir), after) {
				t.Errorf("after %v the next build is not as one that was never interrupted", send)
			}
		}
	}
}
