package edit

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema/writing"
)

// StaleError is a file that is not what it was when the changes were made.
type StaleError struct {
	Path string
	Why  string // completes "the file …"
}

func (e *StaleError) Error() string {
	return fmt.Sprintf("%s %s since it was read; nothing was written", e.Path, e.Why)
}

// Hint says what to do about it.
func (e *StaleError) Hint() string { return "run it again" }

// Write makes the changes on disk, below the wiki's root only. All files are checked
// first: if one was changed since it was read, or a new file exists already, nothing is
// written. Each file is replaced atomically and keeps its mode; if a later one fails,
// the earlier ones are restored. Concurrent processes see each other's complete writes.
func (c *Changes) Write() error {
	root, err := os.OpenRoot(c.root)
	if err != nil {
		return err
	}
	defer root.Close()
	defer lock(root)()
	defer writing.Begin()()
	t := &transaction{root: root, list: c.List(), leaving: map[string]bool{}}
	for _, ch := range t.list {
		if ch.moved() {
			t.leaving[ch.From] = true
		}
	}
	if err := t.check(); err != nil {
		return files.Explain(c.root, err)
	}
	if err := t.run(); err != nil {
		return errors.Join(files.Explain(c.root, err), t.undo())
	}
	t.clear()
	return nil
}

// newFile is the mode of a file that is made, before the process's mask.
const newFile fs.FileMode = 0o666

// transaction is one Write.
type transaction struct {
	root    *os.Root
	list    []Change
	modes   []fs.FileMode // of list, as on disk
	leaving map[string]bool
	undos   []func() error
	emptied map[string]bool // folders that files were moved out of
	// replaced are the former contents of files that were moved and rewritten.
	replaced []string
}

// check compares every file with its content when it was read.
func (t *transaction) check() error {
	for _, ch := range t.list {
		mode := newFile
		if ch.From != "" {
			info, err := t.root.Lstat(filepath.FromSlash(ch.From))
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return &StaleError{ch.From, "was removed"}
			case err != nil:
				return fmt.Errorf("can't change %s: %w", ch.From, err)
			case !info.Mode().IsRegular():
				return &NotRegularError{ch.From}
			}
			mode = info.Mode().Perm()
		}
		if ch.rewritten() && ch.From != "" {
			src, err := t.root.ReadFile(filepath.FromSlash(ch.From))
			if err != nil {
				return fmt.Errorf("can't change %s: %w", ch.From, err)
			}
			if !bytes.Equal(src, ch.Old) {
				return &StaleError{ch.From, "was changed by someone else"}
			}
		}
		if err := t.free(&ch); err != nil {
			return err
		}
		t.modes = append(t.modes, mode)
	}
	return nil
}

// free reports what blocks the path of a created or moved file. The file itself, under a
// name that differs in letter case, doesn't.
func (t *transaction) free(ch *Change) error {
	if ch.From == ch.To || t.leaving[ch.To] {
		return nil
	}
	there, err := t.root.Lstat(filepath.FromSlash(ch.To))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("can't create %s: %w", ch.To, err)
	}
	if ch.From != "" && strings.EqualFold(ch.From, ch.To) {
		if own, err := t.root.Lstat(filepath.FromSlash(ch.From)); err == nil && os.SameFile(own, there) {
			return nil
		}
	}
	return fmt.Errorf("%s: %w; nothing was written", ch.To, fs.ErrExist)
}

// run writes: contents first, each into a file beside its place, then all that
// move away, then everything to where it belongs.
func (t *transaction) run() error {
	t.emptied = map[string]bool{}
	ready := make([]string, len(t.list)) // where the file to be put into place lies
	for i, ch := range t.list {
		if writing.Interrupted() {
			return errors.New("interrupted; nothing was written")
		}
		if err := t.mkdir(folder(ch.To)); err != nil {
			return err
		}
		if !ch.rewritten() {
			continue
		}
		tmp, err := t.temporary(ch.To, ch.New, t.modes[i])
		if err != nil {
			return err
		}
		ready[i] = tmp
	}
	for i, ch := range t.list {
		if !ch.moved() {
			continue
		}
		away := besides(ch.From, i, "old")
		if err := t.rename(ch.From, away); err != nil {
			return err
		}
		t.emptied[folder(ch.From)] = true
		if ready[i] == "" {
			ready[i] = away
		} else {
			t.replaced = append(t.replaced, away)
		}
	}
	for i, ch := range t.list {
		if err := t.place(&ch, ready[i]); err != nil {
			return err
		}
	}
	return nil
}

// place puts a file that is ready where it belongs.
func (t *transaction) place(ch *Change, ready string) error {
	if ch.moved() || ch.From == "" {
		return t.rename(ready, ch.To)
	}
	if err := t.root.Rename(filepath.FromSlash(ready), filepath.FromSlash(ch.To)); err != nil {
		return fmt.Errorf("can't write %s: %w", ch.To, err)
	}
	old, to := ch.Old, ch.To
	t.undos = append(t.undos, func() error { return t.root.WriteFile(filepath.FromSlash(to), old, 0o666) })
	return nil
}

// rename gives a file another name, and remembers how to give it back.
func (t *transaction) rename(from, to string) error {
	if err := t.root.Rename(filepath.FromSlash(from), filepath.FromSlash(to)); err != nil {
		return fmt.Errorf("can't move %s to %s: %w", from, to, err)
	}
	t.undos = append(t.undos, func() error { return t.root.Rename(filepath.FromSlash(to), filepath.FromSlash(from)) })
	return nil
}

// mkdir makes a folder and those above it.
func (t *transaction) mkdir(dir string) error {
	if dir == "" {
		return nil
	}
	if _, err := t.root.Stat(filepath.FromSlash(dir)); err == nil {
		return nil
	}
	if err := t.mkdir(folder(dir)); err != nil {
		return err
	}
	if err := t.root.Mkdir(filepath.FromSlash(dir), 0o777); err != nil {
		return fmt.Errorf("can't create the folder %s: %w", dir, err)
	}
	t.undos = append(t.undos, func() error { return t.root.Remove(filepath.FromSlash(dir)) })
	return nil
}

// temporary writes a content next to the file that it is for.
func (t *transaction) temporary(p string, content []byte, mode fs.FileMode) (string, error) {
	for i := 0; ; i++ {
		tmp := besides(p, i, "new")
		f, err := t.root.OpenFile(filepath.FromSlash(tmp), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) && i < 100 {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("can't write %s: %w", p, err)
		}
		t.undos = append(t.undos, func() error {
			if err := t.root.Remove(filepath.FromSlash(tmp)); !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		})
		_, err = f.Write(content)
		if err == nil {
			err = f.Sync()
		}
		if err = errors.Join(err, f.Close()); err == nil && mode != newFile {
			err = t.root.Chmod(filepath.FromSlash(tmp), mode)
		}
		if err != nil {
			return "", fmt.Errorf("can't write %s: %w", p, err)
		}
		return tmp, nil
	}
}

// besides returns a hidden name in the folder of p.
func besides(p string, i int, what string) string {
	base := path.Base(p)
	base = strings.ToValidUTF8(base[:min(len(base), 150)], "")
	return path.Join(path.Dir(p), fmt.Sprintf(".wiki-%s-%d-%s~", what, i, base))
}

// undo reverts the changes, in reverse order.
func (t *transaction) undo() error {
	var errs []error
	for i := len(t.undos) - 1; i >= 0; i-- {
		if err := t.undos[i](); err != nil {
			errs = append(errs, fmt.Errorf("can't restore: %w", err))
		}
	}
	return errors.Join(errs...)
}

// clear removes the saved contents and empty folders. Leftovers do no harm.
func (t *transaction) clear() {
	for _, p := range t.replaced {
		_ = t.root.Remove(filepath.FromSlash(p))
	}
	for dir := range t.emptied {
		for ; dir != "" && t.root.Remove(filepath.FromSlash(dir)) == nil; dir = folder(dir) {
		}
	}
}
