package importer

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/loopwiki/wiki/compiler/files"
)

// content is what a file of an import holds.
func (im *Import) content(source *files.Root, f *File) ([]byte, error) {
	if f.data != nil {
		return f.data, nil
	}
	return source.ReadFile(f.From, files.Given)
}

// compare finds out which files are there already.
func (im *Import) compare() error {
	root, err := files.Open(im.root)
	if errors.Is(err, fs.ErrNotExist) {
		for i := range im.Files {
			im.Files[i].State = New
		}
		return nil
	}
	if err != nil {
		return err
	}
	defer root.Close()
	source, err := files.Open(im.source)
	if err != nil {
		return err
	}
	defer source.Close()
	for i := range im.Files {
		if im.Files[i].State, err = im.state(root, source, &im.Files[i]); err != nil {
			return err
		}
	}
	return nil
}

// state compares a file with what is in its place.
func (im *Import) state(root, source *files.Root, f *File) (State, error) {
	if root.Linked(f.Path) {
		return Conflict, nil
	}
	info, err := root.Lstat(f.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return New, nil
	case err != nil || !info.Mode().IsRegular(): // also a file where a folder has to be
		return Conflict, nil
	}
	data, err := im.content(source, f)
	if err != nil {
		return "", fmt.Errorf("read %s: %w", f.From, err)
	}
	if info.Size() != int64(len(data)) {
		return Conflict, nil
	}
	there, err := root.ReadFile(f.Path, files.Given)
	if err != nil || !bytes.Equal(there, data) {
		return Conflict, nil
	}
	return Same, nil
}

// Write writes the files that are new. A file that appeared since the plan was made is
// an error, as is a conflict; none is written over.
func (im *Import) Write() error {
	if c := im.Conflicts(); len(c) > 0 {
		return fmt.Errorf("%s: %w", c[0].Path, fs.ErrExist)
	}
	root, err := files.Make(im.root, 0o777)
	if err != nil {
		return err
	}
	defer root.Close()
	source, err := files.Open(im.source)
	if err != nil {
		return err
	}
	defer source.Close()
	for i := range im.Files {
		f := &im.Files[i]
		if f.State != New {
			continue
		}
		data, err := im.content(source, f)
		if err == nil {
			err = root.MkdirAll(path.Dir(f.Path), 0o777)
		}
		if err == nil {
			err = root.Create(f.Path, data, 0o666)
		}
		if err != nil {
			return fmt.Errorf("import %s: %w", f.From, err)
		}
	}
	return nil
}
