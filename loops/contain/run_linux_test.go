package contain

import (
	"context"
	"encoding/json"
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
)

func TestExitIsPassedOn(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]loops.Exit{
		"exit 0":               {Why: loops.Exited},
		"exit 7":               {Why: loops.Exited, Code: 7},
		"kill -KILL $$":        {Why: loops.Exited, Code: -1, Signal: "killed"},
		"echo out; echo e >&2": {Why: loops.Exited},
		"test -z \"$(cat)\"":   {Why: loops.Exited}, // a closed input
		"test ! -e /proc/self/fd/3 -a ! -e /proc/self/fd/4": {Why: loops.Exited},
	} {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			r := try(t, script)
			exit := r.run(Options{AtMost: loops.Landlock})
			r.want(exit, want)
			if exit.Strays != 0 || exit.Cut || exit.Took <= 0 {
				t.Errorf("%+v", exit)
			}
		})
	}
}

// TestNothingOutlivesTheProgram has every way in which a program leaves
// something behind.
func TestNothingOutlivesTheProgram(t *testing.T) {
	t.Parallel()
	const deaf = `trap '' TERM; `
	for name, script := range map[string]string{
		"in the background":   "sleep 1000 & exit 0",
		"forked twice":        "( (sleep 1000 &) & ) ; exit 0",
		"in its own session":  "setsid sleep 1000 & sleep 0.1; exit 0",
		"a daemon":            "setsid sh -c '(sleep 1000 &) ; exit 0'; exit 0",
		"holds the output":    "setsid sh -c 'echo held; sleep 1000' & sleep 0.1",
		"deaf to SIGTERM":     deaf + "setsid sh -c \"trap '' TERM; sleep 1000 & wait\" & sleep 0.1; exit 0",
		"writes late":         "(until [ -e over ]; do sleep 0.05; done; echo late > late) >/dev/null 2>&1 & exit 0",
		"without environment": "env -i setsid sleep 1000 & sleep 0.1",
		"a tree of three":     "sh -c 'sh -c \"sleep 1000 & sleep 1000\" & sleep 0.2' ; exit 0",
	} {
		for _, level := range []loops.Level{loops.Bubblewrap, loops.Landlock, loops.Bare} {
			t.Run(name+" in "+string(level), func(t *testing.T) {
				t.Parallel()
				needLevel(t, level)
				r := try(t, script)
				exit := r.run(Options{AtMost: level})
				r.want(exit, loops.Exit{Why: loops.Exited})
				if exit.Strays == 0 && level != loops.Bubblewrap { // which kills them itself
					t.Errorf("nothing had to be killed: %+v", exit)
				}
				if name == "writes late" {
					if err := os.WriteFile(filepath.Join(r.dir, "over"), nil, 0o644); err != nil {
						t.Fatal(err)
					}
					time.Sleep(700 * time.Millisecond)
				}
				if got := r.read(filepath.Join(r.dir, "late")); got != "" {
					t.Error("it wrote after the end")
				}
			})
		}
	}
}

func TestClocks(t *testing.T) {
	t.Parallel()
	const limit = 4 * time.Second // a busy machine starts a shell and its trap by then
	for name, c := range map[string]struct {
		script string
		set    func(*loops.Process)
		want   loops.Exit
	}{
		"wall": {"sleep 1000", func(p *loops.Process) { p.Wall = limit },
			loops.Exit{Why: loops.EndedWall, Code: -1, Signal: "terminated"}},
		"deaf": {"trap '' TERM; while :; do sleep 0.1; done", func(p *loops.Process) { p.Wall = limit },
			loops.Exit{Why: loops.EndedWall, Code: -1, Signal: "killed"}},
		"cleans up": {"trap 'echo bye; exit 3' TERM; while :; do sleep 0.05; done", func(p *loops.Process) { p.Wall = limit; p.Grace = 10 * time.Second },
			loops.Exit{Why: loops.EndedWall, Code: 3}},
		"silent": {"echo a; sleep 1000", func(p *loops.Process) { p.Silence = limit },
			loops.Exit{Why: loops.EndedSilence, Code: -1, Signal: "terminated"}},
		"a tool runs in silence": {"echo a; sleep 0.3; sleep 8; exit 0", func(p *loops.Process) { p.Silence, p.Tools = limit, true },
			loops.Exit{Why: loops.Exited}},
		"a tool runs without end": {"echo a; sleep 0.3; sleep 1000", func(p *loops.Process) { p.Silence, p.Wall, p.Tools = limit, 3*limit, true },
			loops.Exit{Why: loops.EndedWall, Code: -1, Signal: "terminated"}},
		"silent after its tool": {"echo a; sleep 0.3; sleep 6; while :; do :; done", func(p *loops.Process) { p.Silence, p.Tools = limit, true },
			loops.Exit{Why: loops.EndedSilence, Code: -1, Signal: "terminated"}},
		"silent with a helper of its own": {"sleep 1000 & sleep 0.3; echo a; wait", func(p *loops.Process) { p.Silence, p.Tools = limit, true },
			loops.Exit{Why: loops.EndedSilence, Code: -1, Signal: "terminated"}},
		"silent before it speaks": {"sleep 1000", func(p *loops.Process) { p.Silence, p.Tools = limit, true },
			loops.Exit{Why: loops.EndedSilence, Code: -1, Signal: "terminated"}},
		"chatting": {"while :; do echo still here; sleep 0.05; done",
			func(p *loops.Process) { p.Silence, p.Progress, p.Watch = 20*time.Second, limit, p.Dir },
			loops.Exit{Why: loops.EndedProgress, Code: -1, Signal: "terminated"}},
		"working": {"for i in 1 2 3 4 5 6 7 8 9 10; do echo $i > same; sleep 0.6; done",
			func(p *loops.Process) { p.Progress, p.Watch = limit, p.Dir }, loops.Exit{Why: loops.Exited}},
		"talking": {"for i in 1 2 3 4 5 6 7 8 9 10; do echo $i >&2; sleep 0.6; done",
			func(p *loops.Process) { p.Silence = limit }, loops.Exit{Why: loops.Exited}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := try(t, c.script)
			c.set(&r.process)
			r.want(r.run(Options{AtMost: loops.Landlock}), c.want)
			if name == "cleans up" && r.stdout() != "bye" {
				t.Errorf("it said %q", r.stdout())
			}
		})
	}
}

func TestCancelling(t *testing.T) {
	t.Parallel()
	r := try(t, "trap 'echo bye; exit 0' TERM; echo up > up; while :; do sleep 0.05; done")
	r.process.Grace = 10 * time.Second
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		defer cancel()
		for r.read(filepath.Join(r.dir, "up")) == "" && ctx.Err() == nil {
			time.Sleep(beat)
		}
	}()
	exit, err := New(self(), Options{}).Run(ctx, r.process)
	if err != nil {
		t.Fatal(err)
	}
	r.gone()
	r.want(exit, loops.Exit{Why: loops.EndedStopped})
	if r.stdout() != "bye" {
		t.Errorf("it had no grace: %q", r.stdout())
	}
	if exit, err := New(self(), Options{}).Run(ctx, r.process); err != nil || exit.Why != loops.EndedStopped {
		t.Errorf("started after the end: %+v, %v", exit, err)
	}
}

func TestNotStarted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ program, text, says string }{
		"missing":        {"no-such-program", "", "program not found in PATH"},
		"missing file":   {"./missing", "", "not exist"},
		"not executable": {"./plain", "x", "chmod +x"},
		"a folder":       {"/", "", "directory"},
		"no program":     {"./bad", "\x7fELF nonsense", "exec format error"},
		"no interpreter": {"./script", "#!/no/such/shell\n", "no such file"},
	} {
		for _, level := range []loops.Level{loops.Landlock, loops.Bare} {
			t.Run(name+" "+string(level), func(t *testing.T) {
				t.Parallel()
				r := try(t, "")
				r.process.Argv = []string{c.program}
				if c.text != "" {
					mode := os.FileMode(0o755)
					if name == "not executable" {
						mode = 0o644
					}
					if err := os.WriteFile(filepath.Join(r.dir, c.program), []byte(c.text), mode); err != nil {
						t.Fatal(err)
					}
				}
				exit := r.run(Options{AtMost: level})
				r.want(exit, loops.Exit{Why: loops.NotStarted, Code: -1})
				if !strings.Contains(exit.Error, c.says) {
					t.Errorf("it says %q, not %q", exit.Error, c.says)
				}
			})
		}
	}
}

func TestEndlessOutput(t *testing.T) {
	t.Parallel()
	r := try(t, "echo first; i=0; while [ $i -lt 100000 ]; do echo 'a line of some length'; i=$((i+1)); done; echo last")
	r.process.MaxOutput = 1_500_000
	exit := r.run(Options{})
	r.want(exit, loops.Exit{Why: loops.Exited})
	text := r.stdout()
	if !exit.Cut || len(text) > 1_500_100 || !strings.HasPrefix(text, "first\n") || !strings.HasSuffix(text, "\nlast") || !strings.Contains(text, "bytes omitted]") {
		t.Errorf("%+v: %d bytes are kept, %.20q to %.20q", exit, len(text), text, text[max(0, len(text)-20):])
	}

	r = try(t, "head -c 50000000 /dev/zero | tr '\\0' x; sleep 1000")
	exit = r.run(Options{})
	if exit.Why != loops.EndedOutput || !exit.Cut {
		t.Errorf("50 MB: %+v", exit)
	}
	if n := len(r.stdout()); n > 1<<20+100 || n < 1<<20 {
		t.Errorf("50 MB: %d bytes are kept", n)
	}
}

func TestSecretsAreNowhere(t *testing.T) {
	t.Parallel()
	const secret = "s3cr3t/of the+house"
	r := try(t, `printf '%s' "${KEY%house}"; sleep 0.2; echo "house"; printf '%s' "$KEY" | base64 >&2; echo up > up
		while ! test -e seen; do sleep 0.02; done; echo "$KEY" > in-the-tree`)
	r.process.Env = append(r.process.Env, "KEY="+secret)
	r.process.Redact = []string{secret}
	lines := make(chan string, 1)
	go func() {
		for end := time.Now().Add(time.Minute); r.read(filepath.Join(r.dir, "up")) == "" && time.Now().Before(end); {
			time.Sleep(beat)
		}
		files, _ := filepath.Glob("/proc/[0-9]*/cmdline")
		var all strings.Builder
		for _, f := range files {
			all.WriteString(r.read(f))
		}
		if err := os.WriteFile(filepath.Join(r.dir, "seen"), nil, 0o644); err != nil {
			t.Error(err)
		}
		lines <- all.String()
	}()
	exit := r.run(Options{})
	if all := <-lines; strings.Contains(all, secret) || !strings.Contains(all, "__supervise") {
		t.Error("the secret is on a command line, or the supervisor is not")
	}
	if r.stdout() != "[redacted]" || r.stderr() != "[redacted]==" && r.stderr() != "[redacted]=" && r.stderr() != "[redacted]" {
		t.Errorf("stdout %q, stderr %q", r.stdout(), r.stderr())
	}
	if exit.Redacted != 2 {
		t.Errorf("%d places were replaced, want 2", exit.Redacted)
	}
	if got := r.read(filepath.Join(r.dir, "in-the-tree")); got != secret {
		t.Errorf("the program had %q", got)
	}
}

func TestEnvironmentHasOnlyGivenVariables(t *testing.T) {
	t.Parallel()
	for _, level := range []loops.Level{loops.Landlock, loops.Bare} {
		r := try(t, "tr '\\0' '\\n' < /proc/self/environ")
		r.process.Env = append(r.process.Env, "A=1", "A=2", "TERM=xterm")
		r.run(Options{AtMost: level})
		got := strings.Split(r.stdout(), "\n")
		slices.Sort(got)
		got = slices.DeleteFunc(got, func(kv string) bool {
			return strings.HasPrefix(kv, "PWD=") || strings.HasPrefix(kv, "_=") || strings.HasPrefix(kv, "SHLVL=") || strings.HasPrefix(kv, "OLDPWD=")
		})
		want := []string{"A=2", "CI=1", "NO_COLOR=1", "PATH=" + os.Getenv("PATH"), "TERM=dumb", "WIKI_LOOP_RUN=" + r.process.Mark}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", level, got, want)
		}
	}
}

func TestInputIsTheFile(t *testing.T) {
	t.Parallel()
	r := try(t, "cat")
	r.process.Stdin = filepath.Join(r.dir, "prompt")
	if err := os.WriteFile(r.process.Stdin, []byte("do this"), 0o600); err != nil {
		t.Fatal(err)
	}
	r.run(Options{})
	if r.stdout() != "do this" {
		t.Errorf("it read %q", r.stdout())
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*loops.Process){
		"no program":       func(p *loops.Process) { p.Argv = nil },
		"relative folder":  func(p *loops.Process) { p.Dir = "." },
		"missing folder":   func(p *loops.Process) { p.Dir += "/none" },
		"no time":          func(p *loops.Process) { p.Wall = 0 },
		"missing input":    func(p *loops.Process) { p.Stdin = p.Dir + "/none" },
		"output is there":  func(p *loops.Process) { p.Stdout = "/dev/null" },
		"sandbox required": func(p *loops.Process) { p.Require = true },
	} {
		r := try(t, "true")
		change(&r.process)
		if exit, err := New(self(), Options{AtMost: loops.Bare}).Run(t.Context(), r.process); err == nil {
			t.Errorf("%s: %+v", name, exit)
		}
		r.gone()
	}
}

// TestTheRunnerIsKilled kills the parent of the supervisor.
func TestTheRunnerIsKilled(t *testing.T) {
	t.Parallel()
	for _, level := range []loops.Level{loops.Bubblewrap, loops.Landlock, loops.Bare} {
		t.Run(string(level), func(t *testing.T) {
			t.Parallel()
			needLevel(t, level)
			r := try(t, "setsid sh -c 'trap \"\" TERM; sleep 1000 & echo $! > child; wait' & sleep 1000")
			kill := r.inAnotherRunner(level)
			r.await("child")
			kill()
			r.gone()
		})
	}
}

// TestSweep kills runner and supervisor both; only the mark is left to go by.
func TestSweep(t *testing.T) {
	t.Parallel()
	r := try(t, "setsid sleep 1000 & (sh -c 'env -i sleep 1000; true' &) ; sleep 0.1; echo $PPID > up; sleep 1000")
	kill := r.inAnotherRunner(loops.Bare)
	supervisor, err := strconv.Atoi(r.await("up"))
	if err != nil || supervisor <= 1 {
		t.Fatal(supervisor, err)
	}
	if err := syscall.Kill(supervisor, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	kill()
	if n, err := New(self(), Options{Place: "elsewhere"}).Sweep(t.Context(), r.process.Mark); n != 0 || err != nil {
		t.Errorf("a run of that name in another repository: %d killed, %v", n, err)
	}
	n, err := New(self(), Options{}).Sweep(t.Context(), r.process.Mark)
	if err != nil || n == 0 {
		t.Errorf("%d killed, %v", n, err)
	}
	r.gone()
	if n, err := New(self(), Options{}).Sweep(t.Context(), r.process.Mark); n != 0 || err != nil {
		t.Errorf("again: %d killed, %v", n, err)
	}
	if _, err := New(self(), Options{}).Sweep(t.Context(), ""); err == nil {
		t.Error("a sweep of every run is not refused")
	}
}

// inAnotherRunner runs the process from a process of its own, and returns how
// that one is killed.
func (r *trial) inAnotherRunner(level loops.Level) (kill func()) {
	r.t.Helper()
	text, err := json.Marshal(r.process)
	if err != nil {
		r.t.Fatal(err)
	}
	path := filepath.Join(filepath.Dir(r.dir), "process.json")
	if err := os.WriteFile(path, text, 0o600); err != nil {
		r.t.Fatal(err)
	}
	cmd := exec.Command(os.Args[0], "__runner", path, string(level))
	if err := cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	kill = func() {
		cmd.Process.Kill()
		cmd.Wait()
	}
	r.t.Cleanup(kill)
	return kill
}

func TestTheSupervisorIsKilled(t *testing.T) {
	t.Parallel()
	r := try(t, "setsid sleep 1000 & sleep 0.1; kill -KILL $PPID; sleep 1000")
	_, err := New(self(), Options{AtMost: loops.Bare}).Run(t.Context(), r.process)
	if err == nil || !strings.Contains(err.Error(), "supervisor died") {
		t.Errorf("error %v", err)
	}
	r.gone()
}

func TestTwentyRunsLeaveNothing(t *testing.T) {
	fds := func() int { return len(must(os.ReadDir("/proc/self/fd"))) }
	r := try(t, "setsid sleep 1000 & true")
	r.run(Options{})
	before := fds()
	for i := range 20 {
		r.process.Stdout, r.process.Stderr = fmt.Sprintf("%s.%d", r.process.Stdout, i), fmt.Sprintf("%s.%d", r.process.Stderr, i)
		r.run(Options{})
	}
	if after := fds(); after != before {
		t.Errorf("%d files are open, %d were", after, before)
	}
	if left := children(os.Getpid()); len(left) > 0 {
		t.Errorf("children %v are left", left)
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
