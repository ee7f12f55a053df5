package files

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Read reads one file below a folder: see [Root.ReadFile].
func Read(dir, name string, limit Limit) ([]byte, error) {
	r, err := Open(dir)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return r.ReadFile(name, limit)
}

// Replace writes one file below a folder: see [Root.Replace].
func Replace(dir, name string, data []byte, mode fs.FileMode) error {
	r, err := Open(dir)
	if err != nil {
		return err
	}
	defer r.Close()
	return r.Replace(name, data, mode)
}

// ReadPath reads a file in a folder that the caller chose: see [Root.ReadFile].
// Its last name is untrusted, and the path to it is not.
func ReadPath(path string, limit Limit) ([]byte, error) {
	return Read(filepath.Dir(path), filepath.Base(path), limit)
}

// OpenPath opens a file as [ReadPath] does, to read parts of it.
func OpenPath(path string) (*os.File, fs.FileInfo, error) {
	r, err := Open(filepath.Dir(path))
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	return r.Open(filepath.Base(path))
}

// ReplacePath writes a file in a folder that the caller chose: see [Root.Replace].
func ReplacePath(path string, data []byte, mode fs.FileMode) error {
	return Replace(filepath.Dir(path), filepath.Base(path), data, mode)
}

// Make creates a folder that a person named, anywhere, and opens it.
func Make(dir string, mode fs.FileMode) (*Root, error) {
	if err := os.MkdirAll(dir, mode); err != nil {
		return nil, err
	}
	return Open(dir)
}

// MakeBelow creates a folder below top and opens it as a separate root. Links on its
// path are followed if they stay below top.
func MakeBelow(top, dir string, mode fs.FileMode) (*Root, error) {
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
	defer r.Close()
	if err := r.MkdirAll(rel, mode); err != nil {
		return nil, err
	}
	return r.Sub(rel)
}

// ReadGiven reads a file that a person named: where it lies, what links lead to
// it and whether it is a pipe is their choice, and not how much is read.
func ReadGiven(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return readOpen(f, info.Size(), path, Given)
}
