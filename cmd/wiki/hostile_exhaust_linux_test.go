package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/schematest"
)

// What a command may take of a hostile wiki. A target is asserted with -long only; the
// guards always are. Time is that of the processor, of which a busy machine takes no more.
const (
	exhaustTargetUser = 5 * time.Second
	exhaustTargetRSS  = 400 << 20
	exhaustGuardUser  = 60 * time.Second
	exhaustGuardRSS   = 1 << 30
	exhaustGuardIdle  = 20 * time.Second // without using the processor: it waits for something
	exhaustGuardWrite = 1 << 30          // the largest file it may write
)

// exhaustNamesALimit is what a message says that names a limit.
var exhaustNamesALimit = regexp.MustCompile(`(?i)\blimits?\b|too (large|big|long|many|deep|complex|wide)|more than [\d,.]+|at most [\d,.]+|larger than|longer than|exceeds|not a regular file`)

// exhaustRun is what one command took, and how it ended.
type exhaustRun struct {
	args        []string
	code        int
	signal      syscall.Signal // that ended it, if one did
	user, wall  time.Duration
	rss         int64 // the most it held, in bytes
	out         string
	interrupted time.Duration // from the signal to the end
	killed      string        // why the test ended it
}

func (r exhaustRun) String() string {
	return fmt.Sprintf("%-40s exit %3d  user %6.2fs  %5d MB", strings.Join(r.args, " "), r.code, r.user.Seconds(), r.rss>>20)
}

// exhaustProcess reads the processor time and the greatest resident size of a process. That of
// wait4 is no use: it begins with what the parent held.
func exhaustProcess(pid int) (cpu time.Duration, rss int64) {
	status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range bytes.Lines(status) {
		if rest, ok := bytes.CutPrefix(line, []byte("VmHWM:")); ok {
			kb, _ := strconv.ParseInt(string(bytes.Fields(rest)[0]), 10, 64)
			rss = kb << 10
		}
	}
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if i := bytes.LastIndexByte(stat, ')'); i >= 0 {
		if f := strings.Fields(string(stat[i+1:])); len(f) > 12 {
			utime, _ := strconv.ParseInt(f[11], 10, 64)
			stime, _ := strconv.ParseInt(f[12], 10, 64)
			cpu = time.Duration(utime+stime) * time.Second / 100
		}
	}
	return cpu, rss
}

// exhaustCommand is the program of this package in a folder, with what it writes bounded.
func exhaustCommand(dir string, args ...string) *exec.Cmd {
	c := exec.Command("sh", append([]string{"-c", fmt.Sprintf(`ulimit -f %d; exec wiki "$@"`, exhaustGuardWrite/512), "sh"}, args...)...)
	c.Dir = dir
	c.Env = append(os.Environ(), "HOME="+filepath.Join(dir, ".home"), "XDG_CACHE_HOME="+filepath.Join(dir, ".home"), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "SOURCE_DATE_EPOCH=1772323200", "NO_COLOR=1", "GITHUB_ACTIONS=", schema.RunVariable+"=")
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return c
}

// exhaustMeasure runs a command to its end. With a signal it is sent that as soon as ready
// says so, which is told how long the command has worked and how long it has been doing
// nothing since, or when it has run for a third of a second. Its standard input stays open.
func exhaustMeasure(t *testing.T, dir string, send syscall.Signal, ready func(cpu, idle time.Duration) bool, args ...string) (r exhaustRun) {
	t.Helper()
	c := exhaustCommand(dir, args...)
	said, err := os.CreateTemp(t.TempDir(), "said")
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	c.Stdout, c.Stderr = said, said
	if send != 0 {
		in, end, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		defer end.Close()
		c.Stdin = in
	}
	begun := time.Now()
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- c.Wait() }()
	r.args = args
	var sent, active time.Time
	var last time.Duration
	active = begun
	kill := func(why string) { r.killed = why; _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for running := true; running; {
		select {
		case <-done:
			running = false
		case now := <-tick.C:
			cpu, rss := exhaustProcess(c.Process.Pid)
			r.rss = max(r.rss, rss)
			if cpu != last {
				last, active = cpu, now
			}
			switch {
			case r.killed != "":
			case r.rss > exhaustGuardRSS:
				kill(fmt.Sprintf("it holds more than %d MB", exhaustGuardRSS>>20))
			case cpu > exhaustGuardUser:
				kill(fmt.Sprintf("it takes more than %v of the processor", exhaustGuardUser))
			case !sent.IsZero() && now.Sub(sent) > exhaustGuardIdle:
				kill(fmt.Sprintf("it does not end within %v of %v", exhaustGuardIdle, send))
			case sent.IsZero() && (send == 0 || ready == nil) && now.Sub(active) > exhaustGuardIdle:
				kill(fmt.Sprintf("it does nothing for %v, and does not end", exhaustGuardIdle))
			case sent.IsZero() && now.Sub(begun) > 2*patience && ready != nil:
				kill("it never got ready")
			}
			if send != 0 && sent.IsZero() && (ready != nil && ready(cpu, now.Sub(active)) || ready == nil && now.Sub(begun) > 300*time.Millisecond && cpu > 100*time.Millisecond) {
				sent = now
				_ = syscall.Kill(c.Process.Pid, send)
			}
		}
	}
	r.wall, r.user, r.code = time.Since(begun), c.ProcessState.UserTime(), c.ProcessState.ExitCode()
	if ws, ok := c.ProcessState.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		r.signal = ws.Signal()
		r.code = 128 + int(r.signal)
	}
	if !sent.IsZero() {
		r.interrupted = max(time.Since(sent), 1)
	}
	b, err := os.ReadFile(said.Name())
	if err != nil {
		t.Fatal(err)
	}
	r.out = string(b[max(0, len(b)-8<<20):])
	_ = os.Remove(said.Name())
	return r
}

// exhaustBad says what is wrong with how a command ended, apart from what it took.
func exhaustBad(r exhaustRun) string {
	switch {
	case r.killed != "":
		return r.killed
	case strings.Contains(r.out, "goroutine ") && strings.Contains(r.out, "[running]"), strings.Contains(r.out, "fatal error: "):
		return "it crashes"
	case r.signal != 0:
		return "it is ended by " + r.signal.String()
	case r.code < 0 || r.code > 2:
		return fmt.Sprintf("exit status %d", r.code)
	}
	return ""
}

func exhaustMeasurable(t *testing.T) {
	t.Helper()
	if about, ok := debug.ReadBuildInfo(); ok && slices.ContainsFunc(about.Settings, func(s debug.BuildSetting) bool { return s.Key == "-race" && s.Value == "true" }) {
		t.Skip("what a program takes under the race detector is not what it takes")
	}
}

// exhaustTail is the end of what a command printed, for a message.
func exhaustTail(out string) string {
	const n = 300
	return strings.ToValidUTF8(out[max(0, len(out)-n):], "?")
}

// TestHostileInputIsBounded runs lint, build and what else a case names on each wiki that
// exhausts. A command ends by itself, in bounded memory; where it is over the target it names
// the limit that it kept.
func TestHostileInputIsBounded(t *testing.T) {
	t.Parallel()
	exhaustMeasurable(t)
	for name, c := range schematest.Sample(exhaustCases, 12, 24) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := exhaustMake(t, c)
			for _, args := range c.commands() {
				r := exhaustMeasure(t, f.dir, 0, nil, args...)
				t.Log(r)
				if bad := exhaustBad(r); bad != "" {
					t.Errorf("wiki %s: %s (user %v, %d MB)\n%s", strings.Join(args, " "), bad, r.user, r.rss>>20, exhaustTail(r.out))
				}
				if slices.Equal(args, exhaustSearch("needle")) && r.killed == "" && r.code != 0 { // it is in index.md, whatever else there is
					t.Errorf("wiki %s: exit status %d: what one page is stops the others\n%s", strings.Join(args, " "), r.code, exhaustTail(r.out))
				}
				if over := r.user > exhaustTargetUser || r.rss > exhaustTargetRSS; over && !exhaustNamesALimit.MatchString(r.out) {
					report := t.Logf
					if schematest.Long() {
						report = t.Errorf
					}
					report("OVER THE TARGET, and no limit is named: %v", r)
				}
				if c.says != "" && args[0] == "lint" && r.killed == "" && !regexp.MustCompile(c.says).MatchString(r.out) {
					t.Errorf("wiki %s does not say %q:\n%s", strings.Join(args, " "), c.says, exhaustTail(r.out))
				}
			}
		})
	}
}
