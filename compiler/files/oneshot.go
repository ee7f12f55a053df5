package files

import (
	"io/fs"
	"os"
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
