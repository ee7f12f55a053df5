package source

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
)

// LockFolder returns the absolute path of the folder that wiki.lock lies in:
// that of wiki.yaml, or the wiki's root when there is none.
func LockFolder(ws *compiler.Workspace) string {
	if ws.ConfigPath != "" {
		return filepath.Dir(ws.ConfigPath)
	}
	return ws.Root
}

// ReadLock reads the wiki.lock of a wiki; without one it returns nil and no
// error. What can not be read is an error that begins with its place, as it is
// with wiki.yaml: what the pages were last known true against can not be guessed.
func ReadLock(ws *compiler.Workspace) (*Lock, error) {
	src, err := lockBytes(ws)
	if src == nil || err != nil {
		return nil, err
	}
	lock, err := ParseLock(src)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", filepath.Join(LockFolder(ws), LockName), err)
	}
	return lock, nil
}

// lockBytes returns what wiki.lock holds, nil when there is none.
func lockBytes(ws *compiler.Workspace) ([]byte, error) {
	src, err := ws.ReadFile(LockFolder(ws), LockName, files.Lock)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return src, err
}

// WriteLock writes the wiki.lock of a wiki.
func WriteLock(ws *compiler.Workspace, lock *Lock) error {
	return ws.Replace(LockFolder(ws), LockName, lock.Format())
}
