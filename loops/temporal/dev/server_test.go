//go:build server && linux

package dev

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.temporal.io/sdk/activity"
	"go.temporal.io/sdk/client"
	"go.temporal.io/sdk/log"
	"go.temporal.io/sdk/temporal"
	"go.temporal.io/sdk/worker"
	"go.temporal.io/sdk/workflow"

	"github.com/loopwiki/wiki/loops/temporal/dev/internal/rig"
)

// relayVariable makes the test binary a relay between two addresses, for hosts that
// reach the server of another one.
const relayVariable = "WIKI_TEST_RELAY"

func TestMain(m *testing.M) {
	if listen, target, ok := strings.Cut(os.Getenv(relayVariable), "="); ok {
		fmt.Fprintln(os.Stderr, rig.Relay(listen, target))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// program is the path of a program that .ci/temporal built.
func program(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("WIKI_PROGRAMS")
	if dir == "" {
		t.Fatal("WIKI_PROGRAMS is not set: run .ci/temporal, which builds the programs")
	}
	path := filepath.Join(dir, name)
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path
}

// newServer starts a server that ends with the test.
func newServer(t testing.TB, wrap ...string) *rig.Server {
	t.Helper()
	dir := t.TempDir()
	s, err := rig.NewServer(program(t, "wiki-temporald"), dir, rig.Environ(dir), wrap...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Kill)
	return s
}

// ends runs wiki-temporald to its end.
func ends(t *testing.T, args ...string) (code int, out, errs string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, program(t, "wiki-temporald"), args...)
	c.Env = rig.Environ(t.TempDir())
	var o, e strings.Builder
	c.Stdout, c.Stderr = &o, &e
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return c.ProcessState.ExitCode(), o.String(), e.String()
}

func TestServerSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := fmt.Sprint(taken.Addr().(*net.TCPAddr).Port)
	text := filepath.Join(t.TempDir(), "notes.txt")
	if err := os.WriteFile(text, []byte(strings.Repeat("not a database\n", 1000)), 0o644); err != nil {
		t.Fatal(err)
	}
	running := newServer(t)
	for _, c := range []struct {
		args []string
		code int
		says string
	}{
		{[]string{"--port", "x"}, 2, "invalid value"},
		{[]string{"--port", "70000"}, 2, "--port 70000 is not a port; use 0 to 65535"},
		{[]string{"--namespace", ""}, 2, "--namespace is empty"},
		{[]string{"--log", "loud"}, 2, "--log loud is not a level; use debug"},
		{[]string{"here"}, 2, `unexpected argument "here"`},
		{[]string{"--port", port, "--db", ":memory:"}, 3, "can't listen on port " + port},
		{[]string{"--port", "0", "--db", text}, 3, "was not made by this program"},
		{[]string{"--port", "0", "--db", filepath.Join(text, "x.db")}, 3, "use --db FILE"},
		{[]string{"--port", "0", "--db", running.DB()}, 3, "is in use by another server; stop it, or use another --db FILE"},
	} {
		code, out, errs := ends(t, c.args...)
		if code != c.code || out != "" || !strings.Contains(errs, c.says) {
			t.Errorf("%v: exit status %d, not %d, and %q on standard error, without %q; out %q", c.args, code, c.code, errs, c.says, out)
		}
	}
}

func TestServerHelp(t *testing.T) {
	t.Parallel()
	code, out, errs := ends(t, "--help")
	if code != 0 || errs != "" {
		t.Errorf("exit status %d, %q", code, errs)
	}
	for _, want := range []string{"EXAMPLES\n  wiki-temporald\n", "EXIT STATUS\n  0 ", "-namespace NAME", "(default 7233)"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
	for line := range strings.Lines(out) {
		if len(line) > 81 {
			t.Errorf("a line of more than 80 columns: %s", line)
		}
	}
}

// silence drops what the SDK logs of a server that is away.
type silence struct{}

func (silence) Debug(string, ...any) {}
func (silence) Info(string, ...any)  {}
func (silence) Warn(string, ...any)  {}
func (silence) Error(string, ...any) {}

var _ log.Logger = silence{}

// dial connects to a server, and closes the connection with the test.
func dial(t testing.TB, address, namespace string) client.Client {
	t.Helper()
	c, err := client.Dial(client.Options{HostPort: address, Namespace: namespace, Logger: silence{}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// TestServerKeepsRunsOverAKill kills the server while a workflow runs: its worker finds
// the new process by itself, and goes on where it was.
func TestServerKeepsRunsOverAKill(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	c := dial(t, s.Address, "default")
	w := worker.New(c, "steps", worker.Options{})
	did := make(chan int, 100)
	w.RegisterWorkflowWithOptions(func(ctx workflow.Context, steps int) (int, error) {
		ctx = workflow.WithActivityOptions(ctx, workflow.ActivityOptions{StartToCloseTimeout: time.Minute})
		sum := 0
		for n := range steps {
			var got int
			if err := workflow.ExecuteActivity(ctx, "step", n).Get(ctx, &got); err != nil {
				return 0, err
			}
			sum += got
			if n == 1 {
				workflow.GetSignalChannel(ctx, "go on").Receive(ctx, nil)
			}
		}
		return sum, nil
	}, workflow.RegisterOptions{Name: "count"})
	w.RegisterActivityWithOptions(func(_ context.Context, n int) (int, error) {
		did <- n
		return n, nil
	}, activity.RegisterOptions{Name: "step"})
	if err := w.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Stop)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	run, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{ID: "count", TaskQueue: "steps"}, "count", 4)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		<-did
	}
	s.Kill()
	killed := time.Now()
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	ready := time.Since(killed)
	for {
		err := c.SignalWorkflow(ctx, "count", "", "go on", nil)
		if err == nil {
			break
		}
		if ctx.Err() != nil {
			t.Fatal(err)
		}
		time.Sleep(50 * time.Millisecond)
	}
	<-did
	t.Logf("ready %s after the kill, resumed after %s", ready.Round(time.Millisecond), time.Since(killed).Round(time.Millisecond))
	var sum int
	if err := run.Get(ctx, &sum); err != nil || sum != 0+1+2+3 {
		t.Errorf("%d, %v", sum, err)
	}
	if more := len(did); more != 1 { // the last one; none was done twice
		t.Errorf("%d activities after the third", more)
	}
	// It ends as a person ends it, and what is kept is there for the next one.
	if err := s.Stop(); err != nil {
		t.Error(err)
	}
	if err := s.Start(); err != nil {
		t.Fatal(err)
	}
	if err := c.GetWorkflow(ctx, "count", "").Get(ctx, &sum); err != nil {
		t.Error(err)
	}
}

// TestServerIsReachedFromItsHostOnly looks at what the process listens on.
func TestServerIsReachedFromItsHostOnly(t *testing.T) {
	t.Parallel()
	s := newServer(t)
	listening, err := s.Listening()
	if err != nil {
		t.Fatal(err)
	}
	if len(listening) == 0 {
		t.Fatal("it listens on nothing")
	}
	for _, ip := range listening {
		if !ip.IsLoopback() {
			t.Errorf("it listens on %s", ip)
		}
	}
}

func TestServerMakesNamespacesThatAreAsked(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	env := rig.Environ(dir)
	log := filepath.Join(dir, "shop.log")
	p, err := rig.Start("shop", dir, dir, env, program(t, "wiki-temporald"), "--port", "0", "--db", ":memory:", "--namespace", "shop")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	line, err := p.Await("ready: ", 90*time.Second, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := dial(t, strings.Fields(line)[1], "shop")
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	run, err := c.ExecuteWorkflow(ctx, client.StartWorkflowOptions{ID: "x", TaskQueue: "none", WorkflowExecutionTimeout: time.Second}, "nothing")
	if err != nil {
		t.Fatal(err)
	}
	var timeout *temporal.TimeoutError
	if err := run.Get(ctx, nil); !errors.As(err, &timeout) {
		t.Errorf("a workflow that nobody does ends with %v", err)
	}
	if text, err := os.ReadFile(log); err != nil || strings.Count(string(text), "\n") != 1 {
		t.Errorf("it printed more than a line, or nothing: %s %v", text, err)
	}
}
