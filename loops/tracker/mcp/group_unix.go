//go:build unix

package mcp

import (
	"os/exec"
	"syscall"
)

// grouped makes a program the head of a process group of its own.
func grouped(c *exec.Cmd) { c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// endGroup ends what a program has started beside it, and the program itself. Where
// nothing of it is left there is nothing to say.
func endGroup(c *exec.Cmd) {
	if c.Process != nil {
		_ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
	}
}
