//go:build unix

package andon

import (
	"os"
	"syscall"
)

// lock waits until no other process holds the file.
func lock(f *os.File) error {
	for {
		if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX); err != syscall.EINTR {
			return err
		}
	}
}
