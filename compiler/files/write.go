package files

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace writes a file atomically, through a temporary file next to it. Its folder is
// created if necessary. A link that stays below the root is followed; a link that leaves
// it, or any other irregular file, is refused. An existing file keeps its mode, as far
// as mode allows.
func (r *Root) Replace(name string, data []byte, mode fs.FileMode) error {
	if err := r.MkdirAll(filepath.Dir(filepath.FromSlash(name)), 0o777); err != nil {
		return err
	}
	at, there, err := r.target(name)
	if err != nil {
		return err
	}
	fresh, f, err := r.createTemp(at, mode)
	if err != nil {
		return r.explain("write", name, err)
	}
	_, err = f.Write(data)
	if err == nil && there != nil {
		err = f.Chmod(there.Mode().Perm() & mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = r.top.Rename(fresh, at)
	}
	if err != nil {
		return errors.Join(r.explain("write", name, err), r.top.Remove(fresh))
	}
	return nil
}

// target returns the path below top of a file to be replaced, and its info, nil if it
// does not exist.
func (r *Root) target(name string) (string, fs.FileInfo, error) {
	at, err := r.resolve(name)
	if err != nil {
		return "", nil, err
	}
	info, err := r.top.Lstat(at)
	if errors.Is(err, fs.ErrNotExist) {
		return at, nil, nil
	}
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if info, err = r.top.Stat(at); errors.Is(err, fs.ErrNotExist) {
			return "", nil, &NotRegularError{Path: r.Path(name), Is: kind(fs.ModeSymlink)}
		} else if err == nil {
			at, err = r.real(at)
		}
	}
	if err == nil && !info.Mode().IsRegular() {
		err = &NotRegularError{Path: r.Path(name), Is: kind(info.Mode())}
	}
	if err != nil {
		return "", nil, r.explain("write", name, err)
	}
	return at, info, nil
}

// Pending is a pattern for the temporary files left by a process that was killed in
// Replace.
func Pending(name string) string { return name + ".*.new" }

// createTemp makes a new file in the folder of at, with a name that no file has.
func (r *Root) createTemp(at string, mode fs.FileMode) (string, *os.File, error) {
	for i := 0; ; i++ {
		fresh := fmt.Sprintf("%s.%d.new", at, os.Getpid())
		if i > 0 {
			fresh = fmt.Sprintf("%s.%d-%d.new", at, os.Getpid(), i)
		}
		f, err := r.top.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if !errors.Is(err, fs.ErrExist) || i == 100 {
			return fresh, f, err
		}
	}
}

// Create writes a file that must not be there: a link in its place is not
// followed. The error is [fs.ErrExist] when something is.
func (r *Root) Create(name string, data []byte, mode fs.FileMode) error {
	f, err := r.top.OpenFile(r.below(name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return r.explain("create", name, err)
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

// MkdirAll makes a folder and those above it.
func (r *Root) MkdirAll(name string, mode fs.FileMode) error {
	err := r.top.MkdirAll(r.below(name), mode)
	if err != nil && r.IsDir(name) { // through a link that is absolute and stays inside
		return nil
	}
	return r.explain("mkdir", name, err)
}

// Mkdir makes a folder.
func (r *Root) Mkdir(name string, mode fs.FileMode) error {
	return r.explain("mkdir", name, r.top.Mkdir(r.below(name), mode))
}

// Remove removes a file or an empty folder. A link is removed, not what it
// leads to.
func (r *Root) Remove(name string) error {
	return r.explain("remove", name, r.top.Remove(r.below(name)))
}

// RemoveAll removes a file or a folder with all that is in it. Links are
// removed, not what they lead to.
func (r *Root) RemoveAll(name string) error {
	return r.explain("remove", name, r.top.RemoveAll(r.below(name)))
}

// Rename gives a file or a folder another name below the root.
func (r *Root) Rename(from, to string) error {
	err := r.top.Rename(r.below(from), r.below(to))
	if escapes(err) {
		if _, there := r.Lstat(from); there != nil {
			return there
		}
		return r.outside(to)
	}
	return err
}

// Real returns the name of a file without the links on the way to it and at its
// end, with slashes.
func (r *Root) Real(name string) (string, error) {
	at, err := r.real(r.below(name))
	if err == nil {
		at, err = filepath.Rel(filepath.Clean("./"+r.base), at)
	}
	return filepath.ToSlash(at), err
}

// Linked reports whether a folder on the way to a name is a symbolic link.
func (r *Root) Linked(name string) bool {
	for dir := filepath.Dir(filepath.FromSlash(name)); dir != "."; dir = filepath.Dir(dir) {
		if info, err := r.Lstat(dir); err == nil && info.Mode()&fs.ModeSymlink != 0 {
			return true
		}
	}
	return false
}
