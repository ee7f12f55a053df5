package andon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
)

// The files below a repository's root.
const (
	// Folder holds the incidents, one folder each, and what was learnt of them.
	Folder = ".loopwiki/incidents"

	archiveFolder  = Folder + "/archive"
	openFile       = Folder + "/andon-open.json"
	metaFile       = Folder + "/meta-andon-state.json"
	hypothesesFile = Folder + "/hypotheses.json"
	registryFile   = Folder + "/standardized-rules.json"
	rulesPage      = Folder + "/STANDARDIZED_RULES.md"
	gotchasFolder  = Folder + "/gotchas"
	lockFile       = ".loopwiki/cache/andon.lock"
)

// Version is the version of the documents that this program writes and the
// newest that it reads.
const Version = 1

// Store keeps the incidents of a repository.
type Store struct {
	root string

	// Redact takes secrets out of text before it is written.
	Redact func(string) string
	// Now is the clock.
	Now func() time.Time
	// MetaAfter is how many failed runs in a row are a Meta-Andon; 0 is three.
	MetaAfter int
	// Levels are action levels by class that take the place of the ordinary ones.
	// What is not from 1 to 4 is taken for the nearest.
	Levels map[string]int
}

// NewStore returns the store of the repository whose main checkout is root.
// Secrets are values that must not reach the disk, in whatever form.
func NewStore(root string, secrets ...string) *Store {
	r := loops.NewRedactor(secrets)
	return &Store{
		root:   root,
		Now:    time.Now,
		Redact: func(text string) string { clean, _ := r.Text(text); return clean },
	}
}

// Path returns the file of that name, absolute if the root is.
func (s *Store) Path(name string) string { return filepath.Join(s.root, filepath.FromSlash(name)) }

func (s *Store) now() time.Time { return s.Now().UTC().Truncate(time.Second) }

// disk is the repository while its incidents are read or changed. No name and
// no symbolic link leaves it.
type disk struct{ root *files.Root }

// read calls do with the repository. What does not exist is an error that is fs.ErrNotExist.
func (s *Store) read(do func(disk) error) error {
	root, err := files.Open(s.root)
	if err != nil {
		return err
	}
	defer root.Close()
	return do(disk{root})
}

// change calls do under the lock of the incidents.
func (s *Store) change(do func(disk) error) error {
	return s.read(func(d disk) error {
		if err := d.root.MkdirAll(path.Dir(lockFile), 0o777); err != nil {
			return fmt.Errorf("lock the incidents: %w", err)
		}
		f, err := d.root.OpenFile(lockFile, os.O_RDWR|os.O_CREATE, 0o666)
		if err != nil {
			return fmt.Errorf("lock the incidents: %w", err)
		}
		defer f.Close() // which gives the lock up
		if err := lock(f); err != nil {
			return fmt.Errorf("lock the incidents: %w", err)
		}
		return do(d)
	})
}

func (d disk) file(name string) ([]byte, error) {
	return d.root.ReadFile(name, files.State)
}

func (d disk) has(name string) bool {
	_, err := d.root.Lstat(name)
	return err == nil
}

// replace writes a file as a whole: a new one beside it takes its place.
func (d disk) replace(name string, data []byte) error {
	return d.root.Replace(name, data, 0o666)
}

// once writes a file unless it is there: what people wrote stays.
func (d disk) once(name, text string) error {
	if d.has(name) {
		return nil
	}
	return d.replace(name, []byte(text))
}

func (d disk) remove(name string) error {
	if err := d.root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// names lists a folder, sorted; one that does not exist is empty.
func (d disk) names(folder string) ([]fs.DirEntry, error) {
	list, err := fs.ReadDir(d.root.FS(files.State), folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return list, err
}

func (d disk) writeJSON(name string, v any) error {
	text, err := encode(v)
	if err != nil {
		return err
	}
	return d.replace(name, text)
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// FileError is a file of an incident that can't be read.
type FileError struct {
	Path string // below the repository's root
	Err  error
}

func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() }

func (e *FileError) Unwrap() error { return e.Err }

// Hint returns what to do about it.
func (e *FileError) Hint() string { return "restore the committed state, with git restore or by hand" }

// readJSON reads a document. One that does not exist is an error that is
// fs.ErrNotExist; one that is newer than this program is refused.
func (d disk) readJSON(name string, v any) error {
	src, err := d.file(name)
	if err != nil {
		return err
	}
	var head struct {
		Version int `json:"version"`
	}
	if err := json.Unmarshal(src, &head); err != nil {
		return &FileError{name, err}
	}
	if head.Version > Version {
		return &FileError{name, fmt.Errorf("written by a newer version of wiki (version %d, this program reads up to %d): upgrade wiki", head.Version, Version)}
	}
	if err := json.Unmarshal(src, v); err != nil {
		return &FileError{name, err}
	}
	return nil
}

// readIf reads a document that need not be there.
func (d disk) readIf(name string, v any) error {
	if err := d.readJSON(name, v); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
