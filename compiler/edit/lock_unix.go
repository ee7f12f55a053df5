//go:build unix

package edit

import (
	"os"
	"syscall"
)

// lock serializes processes that compare and write below a wiki's root; unlock, or the
// end of the process, releases it. The folder itself is locked, so no file is left. On
// file systems without locks, only the comparison protects.
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
