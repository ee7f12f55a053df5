package edit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/writing"
)

// Relock gives the pages and sources in wiki.lock their new paths, after files
// were moved: what a page was last known true against goes with it. changed is
// false when there is no lock, or nothing in it was moved.
func Relock(ws *compiler.Workspace, moves []schema.Move) (changed bool, err error) {
	dir := ws.Root
	if ws.ConfigPath != "" {
		dir = filepath.Dir(ws.ConfigPath)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return false, err
	}
	defer root.Close()
	info, err := root.Lstat(source.LockName)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.Mode().IsRegular() {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	old, err := root.ReadFile(source.LockName)
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
	defer writing.Begin()()
	temporary := besides(source.LockName, 0, "new")
	if err := root.WriteFile(temporary, next, info.Mode().Perm()); err != nil {
		return false, fmt.Errorf("cannot write %s: %w", source.LockName, err)
	}
	if err := root.Rename(temporary, source.LockName); err != nil {
		return false, errors.Join(fmt.Errorf("cannot write %s: %w", source.LockName, err), root.Remove(temporary))
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
