//go:build !linux

package contain

import (
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
)

// bootID is not known here: processes alone are compared, by when they started.
func bootID() string { return "" }

// processStart says when a process was started.
func processStart(pid int) (string, error) {
	cmd := exec.Command("/bin/ps", "-o", "lstart=", "-p", strconv.Itoa(pid))
	cmd.Env = []string{"LC_ALL=C", "TZ=UTC"}
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("start time of process %d: %w", pid, err)
	}
	start := strings.TrimSpace(string(out))
	if start == "" {
		return "", errors.New("ps has no process " + strconv.Itoa(pid))
	}
	return start, nil
}
