package contain

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/loopwiki/wiki/loops"
)

// trial is one run of a shell script.
type trial struct {
	t       *testing.T
	dir     string // the worktree
	process loops.Process
}

// try prepares a script. It runs in an empty folder, alone.
func try(t *testing.T, script string) *trial {
	t.Helper()
	base, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(base, "worktree")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return &trial{t, dir, loops.Process{
		Argv: []string{"sh", "-c", script}, Dir: dir, Env: []string{"PATH=" + os.Getenv("PATH")},
		Stdout: filepath.Join(base, "stdout"), Stderr: filepath.Join(base, "stderr"), Writable: []string{dir},
		Wall: 2 * time.Minute, Grace: 300 * time.Millisecond, MaxOutput: 1 << 20, Mark: "test-" + strings.ReplaceAll(t.Name(), "/", "-"),
	}}
}

// run runs it, and makes sure that nothing is left.
func (r *trial) run(o Options) loops.Exit {
	r.t.Helper()
	exit, err := New(self(), o).Run(r.t.Context(), r.process)
	if err != nil {
		r.t.Fatalf("%v\nstderr: %s", err, r.stderr())
	}
	r.gone()
	return exit
}

// gone fails if a process of the run is alive.
func (r *trial) gone() {
	r.t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(beat) {
		left := marked((&container{}).marks(r.process.Mark), nil)
		if len(left) == 0 {
			return
		}
		if time.Now().After(end) {
			r.t.Errorf("processes %v are alive", left)
			for pid := range left {
				text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
				r.t.Logf("%d: %q", pid, text)
			}
			return
		}
	}
}

func (r *trial) stdout() string { return r.read(r.process.Stdout) }

func (r *trial) stderr() string { return r.read(r.process.Stderr) }

// read returns a file; one that does not exist is empty.
func (r *trial) read(path string) string {
	text, _ := os.ReadFile(path)
	return string(bytes.TrimSpace(text))
}

// await waits until a file of the worktree has a text, and returns it.
func (r *trial) await(name string) string {
	r.t.Helper()
	path := filepath.Join(r.dir, name)
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(beat) {
		if text := r.read(path); text != "" {
			return text
		}
	}
	r.t.Fatalf("%s was not written\nstderr: %s", name, r.stderr())
	return ""
}

func (r *trial) want(exit, want loops.Exit) {
	r.t.Helper()
	if exit.Why != want.Why || exit.Code != want.Code || exit.Signal != want.Signal {
		r.t.Errorf("it ended as %+v, want %+v\nstderr: %s", exit, want, r.stderr())
	}
}
