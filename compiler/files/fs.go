package files

import (
	"cmp"
	"io/fs"
	"os"
	"slices"
)

// FS returns the files below the root for those who read an [fs.FS]: what they
// read is regular and of at most limit bytes.
func (r *Root) FS(limit Limit) fs.FS {
	return fileSystem{func() (*Root, func(), error) { return r, func() {}, nil }, limit}
}

// DirFS takes the place of [os.DirFS]. The folder is opened for each operation,
// so that there is nothing to close.
func DirFS(dir string, limit Limit) fs.FS { return DirFSBelow(dir, dir, limit) }

// DirFSBelow is a [DirFS] of a folder in top, as with [OpenBelow].
func DirFSBelow(top, dir string, limit Limit) fs.FS {
	return fileSystem{func() (*Root, func(), error) {
		r, err := OpenBelow(top, dir)
		if err != nil {
			return nil, nil, err
		}
		return r, func() { r.Close() }, nil
	}, limit}
}

type fileSystem struct {
	root  func() (*Root, func(), error)
	limit Limit
}

// do runs one operation on a valid name.
func do[T any](s fileSystem, op, name string, f func(*Root) (T, error)) (T, error) {
	var none T
	if !fs.ValidPath(name) {
		return none, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	r, done, err := s.root()
	if err != nil {
		return none, err
	}
	defer done()
	return f(r)
}

// Open opens a folder, or a regular file that ends in an error beyond the limit.
func (s fileSystem) Open(name string) (fs.File, error) {
	return do(s, "open", name, func(r *Root) (fs.File, error) {
		f, info, err := r.openAny(name, os.O_RDONLY)
		switch {
		case err != nil:
			return nil, err
		case info.IsDir():
			return f, nil
		case info.Mode().IsRegular():
			return &bounded{f, r.Path(name), s.limit, s.limit.Bytes}, nil
		}
		f.Close()
		return nil, &NotRegularError{Path: r.Path(name), Is: kind(info.Mode())}
	})
}

func (s fileSystem) ReadFile(name string) ([]byte, error) {
	return do(s, "read", name, func(r *Root) ([]byte, error) { return r.ReadFile(name, s.limit) })
}

func (s fileSystem) Stat(name string) (fs.FileInfo, error) {
	return do(s, "stat", name, func(r *Root) (fs.FileInfo, error) { return r.Stat(name) })
}

func (s fileSystem) Lstat(name string) (fs.FileInfo, error) {
	return do(s, "lstat", name, func(r *Root) (fs.FileInfo, error) { return r.Lstat(name) })
}

func (s fileSystem) ReadLink(name string) (string, error) {
	return do(s, "readlink", name, func(r *Root) (string, error) {
		to, err := r.top.Readlink(r.below(name))
		return to, r.explain("readlink", name, err)
	})
}

// ReadDir lists a folder, sorted as [fs.ReadDirFS] wants it.
func (s fileSystem) ReadDir(name string) ([]fs.DirEntry, error) {
	return do(s, "readdir", name, func(r *Root) ([]fs.DirEntry, error) {
		entries, err := r.ReadDir(name)
		slices.SortFunc(entries, func(a, b fs.DirEntry) int { return cmp.Compare(a.Name(), b.Name()) })
		return entries, err
	})
}

// bounded is a file that no more than a limit is read of.
type bounded struct {
	file  *os.File
	path  string
	limit Limit
	left  int64
}

func (b *bounded) Stat() (fs.FileInfo, error) { return b.file.Stat() }
func (b *bounded) Close() error               { return b.file.Close() }
func (b *bounded) Read(p []byte) (int, error) {
	if int64(len(p)) > b.left+1 {
		p = p[:b.left+1]
	}
	n, err := b.file.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return 0, &TooLargeError{Path: b.path, Limit: b.limit}
	}
	return n, err
}
