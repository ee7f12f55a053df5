package contain

import (
	"os"
	"strings"
	"sync"
)

// bootID names the time since the machine was started.
var bootID = sync.OnceValue(func() string {
	text, _ := os.ReadFile("/proc/sys/kernel/random/boot_id") // without one, processes alone are compared
	return strings.TrimSpace(string(text))
})

// processStart says when a process was started, in ticks since the machine was.
func processStart(pid int) (string, error) {
	p, err := readProcess(pid)
	if err == nil && p.dead() {
		err = os.ErrProcessDone
	}
	return p.start, err
}
