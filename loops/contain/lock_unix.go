//go:build unix

package contain

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"syscall"
)

// Lock takes the lock whose file is path, for an owner that people recognise. If
// another process holds it the error is a *Busy. The note says whose it was if
// that one did not give it back; it is "" otherwise. The file stays.
func Lock(path, owner string) (held *Held, note string, err error) {
	f, err := openLocked(path)
	if err != nil {
		return nil, "", err
	}
	fail := func(err error) (*Held, string, error) {
		return nil, "", errors.Join(err, f.Close())
	}
	text, err := io.ReadAll(io.LimitReader(f, 64<<10))
	if err != nil {
		return fail(fmt.Errorf("lock %s: %w", path, err))
	}
	if h, ok := parseHolder(text); ok {
		if h.alive() { // the file system does not keep locks as it should
			return fail(&Busy{path, h.Owner, h.PID})
		}
		note = h.takenOver()
	}
	start, err := processStart(os.Getpid())
	if err != nil {
		return fail(fmt.Errorf("lock %s: %w", path, err))
	}
	text, err = json.Marshal(holder{holderVersion, owner, os.Getpid(), start, bootID()})
	if err != nil {
		return fail(fmt.Errorf("lock %s: %w", path, err))
	}
	if err := f.Truncate(0); err != nil {
		return fail(fmt.Errorf("lock %s: %w", path, err))
	}
	if _, err := f.WriteAt(append(text, '\n'), 0); err != nil {
		return fail(fmt.Errorf("lock %s: %w", path, err))
	}
	return &Held{f}, note, nil
}

// openLocked opens the file and locks it. If the file was replaced in between,
// what was locked is not what others lock.
func openLocked(path string) (*os.File, error) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|syscall.O_NOFOLLOW, 0o600)
		if err != nil {
			return nil, fmt.Errorf("lock %s: %w", path, err)
		}
		err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if errors.Is(err, syscall.EWOULDBLOCK) {
			busy := &Busy{Path: path}
			if text, err := io.ReadAll(io.LimitReader(f, 64<<10)); err == nil {
				if h, ok := parseHolder(text); ok {
					busy.Owner, busy.PID = h.Owner, h.PID
				}
			}
			return nil, errors.Join(busy, f.Close())
		}
		if err != nil {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
		}
		is, err := f.Stat()
		if err != nil {
			return nil, errors.Join(fmt.Errorf("lock %s: %w", path, err), f.Close())
		}
		if at, err := os.Lstat(path); err == nil && os.SameFile(is, at) {
			return f, nil
		}
		f.Close()
	}
}

// Release gives the lock back. The file stays, empty: one that is removed could
// be the one that another process has just opened. To close the file is not
// enough: a process that is being started elsewhere in this one has a copy of the
// descriptor until it runs its program, and the lock lasts as long as a copy.
func (h *Held) Release() error {
	return errors.Join(h.file.Truncate(0), syscall.Flock(int(h.file.Fd()), syscall.LOCK_UN), h.file.Close())
}

// Holder returns the process that holds a lock, and what it said that it is.
// It takes nothing, so that who looks is in nobody's way.
func Holder(path string) (owner string, pid int, held bool) {
	text, err := os.ReadFile(path)
	if err != nil {
		return "", 0, false
	}
	h, ok := parseHolder(text)
	if !ok || !h.alive() {
		return "", 0, false
	}
	return h.Owner, h.PID, true
}
