//go:build unix && !linux

package contain

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// Sweep kills what carries the mark of a run in its environment, as far as ps
// shows it.
func (c *container) Sweep(ctx context.Context, mark string) (int, error) {
	if mark == "" {
		return 0, errors.New("sweep: no run given")
	}
	cmd := exec.CommandContext(ctx, "/bin/ps", "eww", "-x", "-o", "pid=,command=")
	cmd.Env = []string{}
	out, err := cmd.Output()
	if err != nil {
		return 0, fmt.Errorf("sweep: list processes: %w", err)
	}
	killed := 0
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) < 2 || slices.ContainsFunc(c.marks(mark), func(m string) bool { return !slices.Contains(fields[1:], m) }) {
			continue
		}
		pid, err := strconv.Atoi(fields[0])
		if err != nil || pid == os.Getpid() || pid == os.Getppid() {
			continue
		}
		if group, err := syscall.Getpgid(pid); err == nil && group == pid {
			_ = syscall.Kill(-group, syscall.SIGKILL)
		}
		if syscall.Kill(pid, syscall.SIGKILL) == nil {
			killed++
		}
	}
	return killed, nil
}
