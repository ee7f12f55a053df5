//go:build unix

package contain

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// scratchPrefix begins the name of a run's folder among the temporary ones of the
// machine, scratchLock is the file in it that whoever made it holds, and scratchWork
// the folder in it that a role may write to, and that alone.
const (
	scratchPrefix = "wiki-run-"
	scratchLock   = "lock"
	scratchWork   = "work"
)

// Scratch makes a folder outside every repository that lasts as long as it is
// needed: done removes it with all that is in it, and where this process does not live
// to call that, [SweepScratch] does.
func Scratch() (dir string, done func() error, err error) {
	for {
		made, err := os.MkdirTemp("", scratchPrefix+"*")
		if err != nil {
			return "", nil, err
		}
		f, err := os.OpenFile(filepath.Join(made, scratchLock), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return "", nil, err
		}
		if syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) != nil || !inPlace(f) {
			f.Close()
			continue // a sweep took it for one that nobody holds, and removes it, or has
		}
		dir = filepath.Join(made, scratchWork)
		return dir, func() error { return errors.Join(removeScratch(made), f.Close()) }, os.Mkdir(dir, 0o700)
	}
}

// inPlace reports whether a file that was opened is still the one of its name.
func inPlace(f *os.File) bool {
	opened, err := f.Stat()
	named, err2 := os.Lstat(f.Name())
	return err == nil && err2 == nil && os.SameFile(opened, named)
}

// SweepScratch removes the folders of [Scratch] that nobody holds anymore, and says
// how many there were. Those of other users stay, what else has such a name, and what
// can't be removed.
func SweepScratch() int {
	temp := os.TempDir()
	entries, err := os.ReadDir(temp)
	if err != nil {
		return 0
	}
	n := 0
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), scratchPrefix) && e.IsDir() && mine(e) && sweepScratch(filepath.Join(temp, e.Name())) {
			n++
		}
	}
	return n
}

// sweepScratch removes one such folder if nobody holds it.
func sweepScratch(dir string) bool {
	f, err := os.OpenFile(filepath.Join(dir, scratchLock), os.O_RDWR|syscall.O_NOFOLLOW|syscall.O_NONBLOCK, 0)
	if err != nil {
		return false // it is not made yet, or somebody removes it
	}
	defer f.Close()
	return syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil && removeScratch(dir) == nil
}

// removeScratch removes a folder, and what a role took its rights from.
func removeScratch(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	return errors.Join(makeReadable(dir), os.RemoveAll(dir))
}

// mine reports whether what an entry stands for, a process or a folder, is this user's.
func mine(e os.DirEntry) bool {
	info, err := e.Info()
	if err != nil {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Getuid()
}
