//go:build unix

package mcp

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestNothingOutlivesAServer checks that what a server starts ends with it, however it
// ends itself.
func TestNothingOutlivesAServer(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{
		"one that leaves":     `sleep 300 & echo $! > pid; echo '{}'`,
		"one that stays":      `sleep 300 & echo $! > pid; exec sleep 300`,
		"one in another pipe": `sleep 300 </dev/null >/dev/null 2>&1 & echo $! > pid; exit 1`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			ctx := t.Context()
			if strings.HasSuffix(name, "stays") { // it never answers
				var cancel func()
				ctx, cancel = context.WithTimeout(ctx, time.Second)
				defer cancel()
			}
			_, err := Connect(ctx, Server{Argv: []string{"/bin/sh", "-c", script}, Env: os.Environ(), Dir: dir}, "1")
			if err == nil {
				t.Fatal("a shell is no server")
			}
			text, err := os.ReadFile(filepath.Join(dir, "pid"))
			if err != nil {
				t.Fatal(err)
			}
			pid, err := strconv.Atoi(strings.TrimSpace(string(text)))
			if err != nil {
				t.Fatal(err)
			}
			for deadline := time.Now().Add(5 * time.Second); alive(pid); time.Sleep(10 * time.Millisecond) {
				if time.Now().After(deadline) {
					_ = syscall.Kill(pid, syscall.SIGKILL)
					t.Fatal("what the server started is alive")
				}
			}
		})
	}
}

// alive reports whether a process runs: one that nobody has waited for does not.
func alive(pid int) bool {
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err != nil || !strings.Contains(string(stat), ") Z ")
}
