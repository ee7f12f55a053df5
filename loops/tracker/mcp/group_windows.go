package mcp

import "os/exec"

func grouped(*exec.Cmd) {}

// endGroup ends the program; what it started is its own to end here.
func endGroup(c *exec.Cmd) {
	if c.Process != nil {
		_ = c.Process.Kill()
	}
}
