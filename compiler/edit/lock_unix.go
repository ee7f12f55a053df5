//go:build unix

package edit

import (
	"os"
	"syscall"
)

// lock lets one process at a time compare and write below a wiki's root; unlock ends
// it, and so does the end of the process. Nothing is left behind, as it is the folder
// itself that is locked. Where a file system knows no locks, comparing has to do.
func lock(root *os.Root) (unlock func()) {
	dir, err := root.Open(".")
	if err != nil {
		return func() {}
	}
	for {
		if err = syscall.Flock(int(dir.Fd()), syscall.LOCK_EX); err != syscall.EINTR {
			break
		}
	}
	return func() { dir.Close() }
}
