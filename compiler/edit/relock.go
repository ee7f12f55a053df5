package edit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
)

// Relock updates the paths of moved pages and sources in wiki.lock, keeping their
// verified state. changed is false without a lock, or if no path changed.
func Relock(ws *compiler.Workspace, moves []schema.Move) (changed bool, err error) {
	dir := ws.Root
	if ws.ConfigPath != "" {
		dir = filepath.Dir(ws.ConfigPath)
	}
	root, err := ws.Open(dir)
	if err != nil {
		return false, err
	}
	defer root.Close()
	old, err := root.ReadFile(source.LockName, files.Lock)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	lock, err := source.ParseLock(old)
	if err != nil {
		return false, fmt.Errorf("%s:%w", filepath.Join(dir, source.LockName), err)
	}
	next := relocked(lock, ws.RootPath, moves).Format()
	if bytes.Equal(next, lock.Format()) {
		return false, nil
	}
	if err := root.Replace(source.LockName, next, newFile); err != nil {
		return false, err
	}
	return true, nil
}

// relocked returns a lock after moves of files below rootPath.
func relocked(lock *source.Lock, rootPath string, moves []schema.Move) *source.Lock {
	pages, targets := map[string]string{}, map[string]string{}
	for _, m := range moves {
		pages[m.From] = m.To
		targets[path.Join(rootPath, m.From)] = path.Join(rootPath, m.To)
	}
	bindings := slices.Clone(lock.Bindings)
	for i := range bindings {
		b := &bindings[i]
		if to, ok := pages[b.Page]; ok {
			b.Page = to
		}
		file := schema.ParseAnchor(b.Target).Path
		if to, ok := targets[file]; ok && len(b.Target) >= len(file) && b.Target[:len(file)] == file {
			b.Target = to + b.Target[len(file):]
		}
	}
	return (&source.Lock{}).With(bindings, nil)
}
