//go:build !unix

package judge

import (
	"os/exec"
	"runtime"
	"strconv"
)

// inGroup does nothing: there are no groups that signals reach.
func inGroup(*exec.Cmd) {}

// endGroup ends the program, and on Windows the processes below it. Those of one
// that has ended by itself are not known any more.
func endGroup(cmd *exec.Cmd) error {
	if cmd.ProcessState != nil {
		return nil
	}
	if runtime.GOOS == "windows" {
		_ = exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(cmd.Process.Pid)).Run()
	}
	return cmd.Process.Kill()
}
