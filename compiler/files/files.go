// Package files reads and writes below a folder, and nowhere else. What goes in
// is a name below the folder; what comes out is a regular file of bounded size,
// or an error that names the file, its state and the remedy.
//
// The names and the symbolic links in a wiki's repository are untrusted. A link
// is followed only where it ends inside the folder, wherever on the way it
// stands; a pipe, a device or a folder instead of a file is never waited
// for or read. All of it is decided on the open file, so that nothing changes
// between the look and the read.
package files

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Root is an open folder that no name and no symbolic link leads out of. Names
// are relative to it; slashes separate their parts on every system. It may be
// used by several goroutines.
type Root struct {
	top  *os.Root
	dir  string // of top, for messages
	base string // the folder that names are relative to, below top
}

// Open opens a folder. The path itself was chosen by the caller, and may go
// through links.
func Open(dir string) (*Root, error) {
	top, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Root{top, dir, "."}, nil
}

// OpenBelow opens a folder that is in top, such as a wiki in its repository:
// names are relative to dir, and links lead anywhere below top. One on the way
// from top to dir that leaves top is refused.
func OpenBelow(top, dir string) (*Root, error) {
	rel, err := filepath.Rel(top, dir)
	if err != nil {
		return nil, err
	}
	if !filepath.IsLocal(rel) {
		return nil, &OutsideError{Path: dir, Root: top}
	}
	r, err := Open(top)
	if err != nil {
		return nil, err
	}
	if info, err := r.Stat(rel); err != nil {
		return nil, errors.Join(err, r.Close())
	} else if !info.IsDir() {
		return nil, errors.Join(&NotRegularError{Path: dir, Is: "a file in the place of a folder"}, r.Close())
	}
	r.base = rel
	return r, nil
}

// Close closes the folder. Files that were opened in it stay open.
func (r *Root) Close() error { return r.top.Close() }

// Sub opens a folder below the root as a separate root: links that leave it are refused
// even if they stay below r.
func (r *Root) Sub(name string) (*Root, error) {
	at, err := r.resolve(name)
	if err != nil {
		return nil, err
	}
	sub, err := r.top.OpenRoot(at)
	if err != nil {
		return nil, r.explain("open", name, err)
	}
	return &Root{sub, r.Path(name), "."}, nil
}

// Path returns where a name lies on disk, for messages.
func (r *Root) Path(name string) string { return filepath.Join(r.dir, r.below(name)) }

// below returns a name relative to top.
func (r *Root) below(name string) string { return filepath.Join(r.base, filepath.FromSlash(name)) }

// Open opens a regular file for reading.
func (r *Root) Open(name string) (*os.File, fs.FileInfo, error) {
	return r.open(name, os.O_RDONLY)
}

// OpenFile opens a regular file with the flags of [os.OpenFile]. One that is
// there and is not a regular file is a [*NotRegularError].
func (r *Root) OpenFile(name string, flag int, mode fs.FileMode) (*os.File, error) {
	if flag&os.O_EXCL != 0 { // nothing is there that could be followed
		f, err := r.top.OpenFile(r.below(name), flag|nonblock, mode)
		return f, r.explain("open", name, err)
	}
	if flag&os.O_CREATE != 0 {
		if _, err := r.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			f, err := r.OpenFile(name, flag|os.O_EXCL, mode)
			if !errors.Is(err, fs.ErrExist) {
				return f, err
			}
		}
	}
	f, _, err := r.open(name, flag&^os.O_CREATE)
	return f, err
}

// open opens an existing file, without truncating it, and without waiting until it is
// known to be a regular file.
func (r *Root) open(name string, flag int) (*os.File, fs.FileInfo, error) {
	f, info, err := r.openAny(name, flag&^os.O_TRUNC)
	if err == nil && !info.Mode().IsRegular() {
		err = &NotRegularError{Path: r.Path(name), Is: kind(info.Mode())}
	}
	if err == nil && flag&os.O_TRUNC != 0 {
		err = f.Truncate(0)
	}
	if err != nil {
		if f != nil {
			f.Close()
		}
		return nil, nil, err
	}
	return f, info, nil
}

// openAny opens a file or a folder without waiting for it.
func (r *Root) openAny(name string, flag int) (*os.File, fs.FileInfo, error) {
	f, err := r.top.OpenFile(r.below(name), flag|nonblock, 0)
	if escapes(err) {
		var at string
		if at, err = r.resolve(name); err == nil {
			f, err = r.top.OpenFile(at, flag|nonblock, 0)
		}
	}
	if err != nil {
		if info, serr := r.Stat(name); serr == nil && !info.Mode().IsRegular() && !info.IsDir() {
			err = &NotRegularError{Path: r.Path(name), Is: kind(info.Mode())} // a socket, or a pipe that nobody reads
		}
		return nil, nil, r.explain("open", name, err)
	}
	info, err := f.Stat()
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, info, nil
}

// ReadFile reads a regular file of at most limit bytes.
func (r *Root) ReadFile(name string, limit Limit) ([]byte, error) {
	f, info, err := r.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readOpen(f, info.Size(), r.Path(name), limit)
}

// readOpen reads an open file into a buffer of exactly its size, since pages stay in
// memory. A file of unknown size is read anyway.
func readOpen(f io.Reader, size int64, path string, limit Limit) ([]byte, error) {
	if size > limit.Bytes {
		return nil, &TooLargeError{Path: path, Limit: limit}
	}
	if size > 0 {
		src := make([]byte, size)
		n, err := io.ReadFull(f, src)
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = nil // it has become shorter
		}
		return src[:n], err
	}
	src, err := io.ReadAll(io.LimitReader(f, limit.Bytes+1))
	if err == nil && int64(len(src)) > limit.Bytes {
		return nil, &TooLargeError{Path: path, Limit: limit}
	}
	return src, err
}

// Stat describes a file, following links that stay below the root.
func (r *Root) Stat(name string) (fs.FileInfo, error) {
	info, err := r.top.Stat(r.below(name))
	if escapes(err) {
		var at string
		if at, err = r.resolve(name); err == nil {
			info, err = r.top.Stat(at)
		}
	}
	return info, r.explain("stat", name, err)
}

// Lstat describes a file without following links.
func (r *Root) Lstat(name string) (fs.FileInfo, error) {
	info, err := r.top.Lstat(r.below(name))
	return info, r.explain("lstat", name, err)
}

// IsFile reports whether a name is a regular file below the root.
func (r *Root) IsFile(name string) bool {
	info, err := r.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// IsDir reports whether a name is a folder below the root.
func (r *Root) IsDir(name string) bool {
	info, err := r.Stat(name)
	return err == nil && info.IsDir()
}

// ReadDir lists a folder, in no order.
func (r *Root) ReadDir(name string) ([]fs.DirEntry, error) {
	f, info, err := r.openAny(name, os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if !info.IsDir() {
		return nil, &NotRegularError{Path: r.Path(name), Is: "a file in the place of a folder"}
	}
	return f.ReadDir(-1)
}

// escapes reports whether an operation was refused since it would have left the
// root. The standard library has no name for that error.
func escapes(err error) bool {
	for under := errors.Unwrap(err); under != nil; under = errors.Unwrap(err) {
		err = under
	}
	return err != nil && err.Error() == "path escapes from parent"
}

// resolve returns the name that the links of a name lead to, below top; links
// may be absolute. What is not there yet is looked for in its folder. Nothing is
// trusted for having been resolved: it is opened below top again.
func (r *Root) resolve(name string) (string, error) {
	at := r.below(name)
	if !filepath.IsLocal(at) {
		return "", &OutsideError{Path: r.Path(name), Root: r.dir}
	}
	if _, err := r.top.Stat(at); !escapes(err) {
		return at, nil
	}
	if real, err := r.real(at); err == nil {
		return real, nil
	}
	return "", r.outside(name)
}

// real returns a path below top without links.
func (r *Root) real(at string) (string, error) {
	top, err := filepath.EvalSymlinks(r.dir)
	if err != nil {
		return "", err
	}
	full := filepath.Join(top, at)
	real, err := filepath.EvalSymlinks(full)
	if errors.Is(err, fs.ErrNotExist) {
		if real, err = filepath.EvalSymlinks(filepath.Dir(full)); err == nil {
			real = filepath.Join(real, filepath.Base(full))
		}
	}
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(top, real)
	if err == nil && !filepath.IsLocal(rel) {
		err = &OutsideError{Path: full, Target: real, Root: r.dir}
	}
	return rel, err
}

// explain gives an error the whole path, and says which link leaves the root.
func (r *Root) explain(op, name string, err error) error {
	if err == nil {
		return nil
	}
	if escapes(err) {
		return r.outside(name)
	}
	var pe *fs.PathError
	if errors.As(err, &pe) && pe == err {
		return &fs.PathError{Op: op, Path: r.Path(name), Err: pe.Err}
	}
	return err
}

// outside names the first link on the way to a name that leaves the root.
func (r *Root) outside(name string) error {
	e := &OutsideError{Path: r.Path(name), Root: r.dir}
	at := ""
	for part := range strings.SplitSeq(filepath.ToSlash(r.below(name)), "/") {
		at = filepath.Join(at, part)
		if _, err := r.top.Stat(at); !escapes(err) {
			continue
		}
		if to, err := r.top.Readlink(at); err == nil {
			e.Path, e.Target = filepath.Join(r.dir, at), to
		}
		break
	}
	return e
}

// Explain makes an [*OutsideError] of an error of an [os.Root] of a folder that
// says no more than that a path leaves it.
func Explain(dir string, err error) error {
	var pe *fs.PathError
	var le *os.LinkError
	var names []string
	switch {
	case !escapes(err):
		return err
	case errors.As(err, &pe):
		names = []string{pe.Path}
	case errors.As(err, &le):
		names = []string{le.Old, le.New}
	}
	r, oerr := Open(dir)
	if oerr != nil {
		return err
	}
	defer r.Close()
	for _, name := range names {
		if _, serr := r.Stat(name); outsideOf(serr) {
			return serr
		}
	}
	return err
}

func outsideOf(err error) bool {
	var e *OutsideError
	return errors.As(err, &e)
}

// OutsideError is a path that leads out of the folder that it was opened in.
type OutsideError struct {
	Path   string // the symbolic link, or the path if there is none
	Target string // target of the symbolic link; empty if there is none
	Root   string // the folder
	Remedy string // overrides the default hint
}

func (e *OutsideError) Error() string {
	if e.Target == "" {
		return fmt.Sprintf("%s is outside %s", e.Path, e.Root)
	}
	return fmt.Sprintf("%s is a symbolic link to %s, outside of %s", e.Path, e.Target, e.Root)
}

// Hint says what to do about it.
func (e *OutsideError) Hint() string {
	if e.Remedy != "" {
		return e.Remedy
	}
	return "replace the link with its target, or with a link that stays inside"
}

// NotRegularError is a pipe, a device, a socket, a folder or a dangling link where a
// file is expected.
type NotRegularError struct {
	Path string
	Is   string // what it is, such as "a socket"
}

func (e *NotRegularError) Error() string {
	return fmt.Sprintf("%s is %s, not a regular file", e.Path, e.Is)
}

// Hint says what to do about it.
func (e *NotRegularError) Hint() string { return "move it away, or put a regular file in its place" }

// kind names what is found instead of a regular file.
func kind(m fs.FileMode) string {
	switch {
	case m.IsDir():
		return "a folder"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	case m&fs.ModeSymlink != 0:
		return "a dangling symbolic link"
	}
	return "something else"
}
