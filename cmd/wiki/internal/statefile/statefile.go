// Package statefile reads and writes the files that the program keeps beside a
// wiki, which lie in other people's repositories: no symbolic link in their
// way leads out of the folder they belong to, and none is ever half written.
package statefile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/loopwiki/wiki/schema/writing"
)

// limit is how many bytes of a file are read.
const limit = 64 << 20

// Read returns the file name below folder.
func Read(folder, name string) ([]byte, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && len(b) > limit {
		err = fmt.Errorf("%s has more than %d bytes", filepath.Join(folder, name), limit)
	}
	return b, err
}

// Replace writes the file name below folder: a new one beside it, which then
// takes its place.
func Replace(folder, name string, data []byte) error {
	return replace(folder, name, data, 0o666)
}

// ReplacePrivate writes a file as [Replace] does, for its owner alone to read.
func ReplacePrivate(folder, name string, data []byte) error {
	return replace(folder, name, data, 0o600)
}

// Pending is a pattern for what a process leaves that dies while it replaces a file.
func Pending(name string) string { return name + ".*.new" }

func replace(folder, name string, data []byte, mode os.FileMode) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	defer writing.Begin()()
	fresh := fmt.Sprintf("%s.%d.new", name, os.Getpid())
	f, err := root.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err == nil {
		err = root.Rename(fresh, name)
	}
	if err != nil {
		return errors.Join(err, root.Remove(fresh))
	}
	return nil
}
