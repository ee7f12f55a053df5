package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// terminal is a program on a terminal of its own, of which it is the session's
// leader, as a shell's.
type terminal struct {
	t      *testing.T
	master *os.File
	cmd    *exec.Cmd
	read   chan struct{} // closed when nothing more is shown
	mu     sync.Mutex
	shown  bytes.Buffer
}

// patience is how long anything here may take before a test gives up on it.
const patience = time.Minute

// onTerminal starts the program of this package.
func onTerminal(t *testing.T, dir string, args ...string) *terminal {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no pseudo-terminals here: %v", err)
	}
	var number, unlock int32
	size := [4]uint16{24, 70} // rows, columns
	for _, c := range []struct {
		request uintptr
		at      unsafe.Pointer
	}{{syscall.TIOCSPTLCK, unsafe.Pointer(&unlock)}, {syscall.TIOCGPTN, unsafe.Pointer(&number)}, {syscall.TIOCSWINSZ, unsafe.Pointer(&size)}} {
		if _, _, errno := syscall.Syscall(syscall.SYS_IOCTL, master.Fd(), c.request, uintptr(c.at)); errno != 0 {
			t.Fatal(errno)
		}
	}
	slave, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer slave.Close()
	c := exec.Command("wiki", args...)
	c.Dir, c.Stdin, c.Stdout, c.Stderr = dir, slave, slave, slave
	c.Env = append(os.Environ(), "TERM=xterm", "NO_COLOR=", "HOME="+dir)
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	tt := &terminal{t: t, master: master, cmd: c, read: make(chan struct{})}
	go func() {
		defer close(tt.read)
		b := make([]byte, 4096)
		for {
			n, err := master.Read(b)
			tt.mu.Lock()
			tt.shown.Write(b[:n])
			tt.mu.Unlock()
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() { _ = c.Process.Kill(); master.Close() })
	return tt
}

func (tt *terminal) text() string {
	tt.mu.Lock()
	defer tt.mu.Unlock()
	return tt.shown.String()
}

// until waits for words on the screen.
func (tt *terminal) until(pattern string) {
	tt.t.Helper()
	wanted := regexp.MustCompile(pattern)
	eventually(tt.t, func() bool { return wanted.MatchString(tt.text()) }, func() string { return "no " + pattern + " in\n" + tt.text() })
}

// ends waits for the program's end and returns its exit code.
func (tt *terminal) ends() int {
	tt.t.Helper()
	done := make(chan struct{})
	go func() { _ = tt.cmd.Wait(); <-tt.read; close(done) }()
	select {
	case <-done:
	case <-time.After(patience):
		tt.t.Fatalf("it does not end:\n%s", tt.text())
	}
	return tt.cmd.ProcessState.ExitCode()
}

func eventually(t *testing.T, ok func() bool, why func() string) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal(why())
		}
	}
}

// slowShop is a repository with a plan whose maker says something and hangs. The
// id of a run is its second and its plan: each test has a plan of its own name.
func slowShop(t *testing.T, plan string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "shop")
	for name, text := range map[string]string{
		"wiki.yaml": "loops:\n  roles:\n    maker: {agent: command, argv: [sh, maker.sh]}\n  gates: {test: [test -f price.sh]}\n",
		"maker.sh":  "printf 'I think hard \\033[31mabout prices\\n'\nsleep 600\n",
		"price.sh":  "echo 1\n", "wiki/index.md": "# Shop\n", "goal.sh": "exit 1\n",
		"plans/" + plan + ".md": "---\ntitle: Prices\npriority: P1\neffort: S\nrisk: LOW\nscope: [price.sh]\ngoal: sh goal.sh\n---\n# Prices\n## Context\nWhy.\n## Chunks\n### 1. Think\n- tests: none\n\nThink.\n## Risks\nNone.\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	schematest.NeedGit(t)
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "-A"}, {"-c", "user.name=A", "-c", "user.email=a@example.org", "commit", "-qm", "first"}} {
		c := exec.Command("git", args...)
		c.Dir, c.Env = dir, append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v\n%s", args[0], err, out)
		}
	}
	return dir
}

// summaryOf asks for the latest run, from another process.
func summaryOf(t *testing.T, dir string) (sum schema.RunSummary) {
	t.Helper()
	c := exec.Command("wiki", "loop", "show", "--json")
	c.Dir = dir
	out, err := c.Output()
	if err == nil {
		err = json.Unmarshal(out, &sum)
	}
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return sum
}

// agentsOf are the command lines of the processes that carry a run's mark.
func agentsOf(run string) (out []string) {
	all, _ := filepath.Glob("/proc/[0-9]*/environ")
	for _, name := range all {
		if env, err := os.ReadFile(name); err == nil && bytes.Contains(env, []byte(schema.RunVariable+"="+run+"\x00")) {
			words, _ := os.ReadFile(filepath.Join(filepath.Dir(name), "cmdline"))
			out = append(out, string(bytes.ReplaceAll(words, []byte{0}, []byte{' '})))
		}
	}
	return out
}

func isInterrupted(t *testing.T, dir string) {
	t.Helper()
	sum := summaryOf(t, dir)
	if sum.Status != "interrupted" || sum.Exit != 130 {
		t.Errorf("%s, exit %d", sum.Status, sum.Exit)
	}
	// A runner that has no more time leaves the last of it to the supervisor.
	eventually(t, func() bool { return len(agentsOf(sum.ID)) == 0 },
		func() string { return fmt.Sprintf("processes of the run are alive: %q", agentsOf(sum.ID)) })
}

// TestCtrlCInterruptsForegroundRun shows the live line, too.
func TestCtrlCInterruptsForegroundRun(t *testing.T) {
	t.Parallel()
	dir := slowShop(t, "2026-07-interrupted")
	tt := onTerminal(t, dir, "loop", "run", "interrupted")
	tt.until(`chunk 1, attempt 1, maker  \d+s  \$0.00 spent, \$5.00 left  I think`)
	for line := range strings.SplitSeq(tt.text(), wipe.String()) {
		if len([]rune(line)) > 69 && !strings.HasSuffix(line, "\n") {
			t.Errorf("the live line is too wide: %q", line)
		}
		if strings.Contains(line, "\x1b") {
			t.Errorf("what an agent printed steers the terminal: %q", line)
		}
	}
	if _, err := tt.master.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	if code := tt.ends(); code != 130 {
		t.Errorf("exit status %d\n%s", code, tt.text())
	}
	isInterrupted(t, dir)
}

// TestHangupInterruptsRun closes the terminal of a run in the foreground.
func TestHangupInterruptsRun(t *testing.T) {
	t.Parallel()
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("whoever started this ignores hangups, as nohup does, and what it starts ignores them too")
	}
	dir := slowShop(t, "2026-07-hung-up")
	tt := onTerminal(t, dir, "loop", "run", "hung-up")
	tt.until("maker .command. started")
	eventually(t, func() bool { return len(agentsOf(summaryOf(t, dir).ID)) > 0 }, func() string { return "no agent is running" })
	tt.master.Close()
	tt.ends()
	isInterrupted(t, dir)
}

// TestDetach follows a run that its terminal does not hold, and stops it.
func TestDetach(t *testing.T) {
	t.Parallel()
	dir := slowShop(t, "2026-07-detached")
	t.Cleanup(func() { // what a test that fails leaves
		c := exec.Command("wiki", "loop", "stop")
		c.Dir = dir
		_ = c.Run()
	})
	below := filepath.Join(dir, "plans")
	tt := onTerminal(t, below, "-C", "..", "loop", "run", "plans/2026-07-detached.md", "--detach", "-n", "7")
	if code := tt.ends(); code != 0 {
		t.Fatalf("exit status %d\n%s", code, tt.text())
	}
	tt.until("running in the background")
	tt.master.Close()
	sum := summaryOf(t, dir)
	if sum.Status != "running" {
		t.Fatalf("%s after its terminal was closed", sum.Status)
	}
	journal, err := os.ReadFile(filepath.Join(dir, ".loopwiki", "runs", sum.ID, "journal.jsonl"))
	if err != nil || !bytes.Contains(journal, []byte(`"iterations":7`)) {
		t.Errorf("-n 7 did not arrive: %v\n%.2000s", err, journal)
	}

	busy := onTerminal(t, dir, "loop", "run", "detached", "--detach")
	if code := busy.ends(); code != 3 {
		t.Errorf("a second one: exit status %d", code)
	}
	busy.until("plan 2026-07-detached is already running")
	if ids, err := os.ReadDir(filepath.Join(dir, ".loopwiki", "runs")); err != nil || len(ids) != 2 { // and .locks
		t.Errorf("%v, %v", ids, err)
	}

	logs := onTerminal(t, dir, "loop", "logs", "-f")
	logs.until("maker .command. started")
	if _, err := logs.master.WriteString("\x03"); err != nil {
		t.Fatal(err)
	}
	logs.ends()
	if now := summaryOf(t, dir); now.Status != "running" {
		t.Fatalf("%s after Ctrl-C in logs -f", now.Status)
	}

	stop := onTerminal(t, dir, "loop", "stop")
	if code := stop.ends(); code != 0 || !strings.Contains(stop.text(), "stopped; 'wiki loop resume") {
		t.Errorf("exit status %d\n%s", code, stop.text())
	}
	if left := agentsOf(sum.ID); len(left) > 0 {
		t.Errorf("processes of the run are alive: %q", left)
	}
	isInterrupted(t, dir)
}
