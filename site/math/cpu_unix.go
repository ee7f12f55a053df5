//go:build unix

package math

import (
	"syscall"
	"time"
)

// cpuTime is the processor time of the process so far.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return time.Since(started)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

var started = time.Now()
