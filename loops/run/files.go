package run

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/schema"
)

// How much of a file of a run is read to be shown, in bytes.
const (
	headShown = 64 << 10
	tailShown = 192 << 10
)

// maxFiles bounds the files of one run that are listed.
const maxFiles = 2000

// open opens the folder of a run for reading. Neither it nor a folder above it,
// up to the repository, is a symbolic link.
func (s *Store) open(id string) (*files.Root, error) {
	if id == "" || strings.HasPrefix(id, ".") || strings.ContainsAny(id, `/\:`) || !filepath.IsLocal(id) {
		return nil, &UnknownRunError{Given: id}
	}
	for _, dir := range []string{s.dir, filepath.Join(s.dir, "runs"), s.Folder(id)} {
		info, err := os.Lstat(dir)
		if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
			return nil, &UnknownRunError{Given: id}
		}
		if err != nil {
			return nil, err
		}
	}
	return files.Open(s.Folder(id))
}

// Files lists the regular files of a run's folder, in order of their paths.
// Symbolic links are left out, and so is what begins with a dot.
func (s *Store) Files(id string) ([]schema.RunFile, error) {
	root, err := s.open(id)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var out []schema.RunFile
	err = fs.WalkDir(root.FS(files.Text), ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return nil // what can't be read is not shown
		case name != "." && strings.HasPrefix(e.Name(), "."):
			if e.IsDir() {
				return fs.SkipDir
			}
		case len(out) == maxFiles:
			return fs.SkipAll
		case e.Type().IsRegular():
			if info, err := e.Info(); err == nil {
				out = append(out, schema.RunFile{Path: name, Size: info.Size()})
			}
		}
		return nil
	})
	return out, err
}

// Text reads a file of a run's folder, the beginning and the end of one that is
// long. The error is fs.ErrNotExist when there is no such regular file; a
// symbolic link is none, and none is followed on the way to it.
func (s *Store) Text(id, name string) (*schema.RunText, error) {
	root, err := s.open(id)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	missing := fmt.Errorf("read %s of run %s: %w", name, id, fs.ErrNotExist)
	if !fs.ValidPath(name) || name == "." || strings.Contains("/"+name, "/.") || strings.ContainsAny(name, `\:`) {
		return nil, missing
	}
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if info, err := root.Lstat(dir); err != nil || !info.IsDir() {
			return nil, missing
		}
	}
	listed, err := root.Lstat(name)
	if err != nil || !listed.Mode().IsRegular() {
		return nil, missing
	}
	f, info, err := root.Open(name)
	if err != nil {
		return nil, missing
	}
	defer f.Close()
	if !os.SameFile(listed, info) {
		return nil, missing
	}
	return ends(f, schema.RunFile{Path: name, Size: info.Size()})
}

// ends reads what is shown of a file.
func ends(f io.ReaderAt, of schema.RunFile) (*schema.RunText, error) {
	read := func(from, n int64) ([]byte, error) {
		return io.ReadAll(io.NewSectionReader(f, from, n))
	}
	t := &schema.RunText{RunFile: of}
	var err error
	if of.Size <= headShown+tailShown {
		t.Head, err = read(0, of.Size)
		return t, err
	}
	t.Cut = of.Size - headShown - tailShown
	if t.Head, err = read(0, headShown); err != nil {
		return nil, err
	}
	t.Tail, err = read(of.Size-tailShown, tailShown)
	return t, err
}
