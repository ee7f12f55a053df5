//go:build unix

package judge

import (
	"os/exec"
	"syscall"
)

// inGroup makes the program the first of a group of processes.
func inGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup ends all processes of the program's group.
func endGroup(cmd *exec.Cmd) error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
