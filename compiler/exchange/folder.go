package exchange

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/exchange/okf"
	"github.com/loopwiki/wiki/compiler/files"
)

// manifestName is the file in which an export says which files it made. Only those may
// be removed by the next one.
const manifestName = ".wiki-export.json"

// manifestVersion is that of the file's format, and the newest that is read.
const manifestVersion = 1

type manifest struct {
	Version int      `json:"version"`
	Files   []string `json:"files"`
}

// ErrForeignFolder is returned for a folder that holds files which no export made.
var ErrForeignFolder = errors.New("the folder is not empty and was not made by an export")

// Written says what became of the files of a folder.
type Written struct {
	Files, Written, Removed int
}

// WriteTo writes the files of an export to a folder, which is made if need be. Files of
// an earlier export that this one doesn't have are removed, other files are kept. A
// folder with other files alone is refused unless force is set. No link on the way to the
// folder leaves within, if that is not empty.
func (e *Export) WriteTo(w *compiler.Wiki, dir, within string, force bool) (done Written, err error) {
	if err := apart(w, dir); err != nil {
		return done, err
	}
	open := files.Make
	if within != "" {
		open = func(dir string, mode fs.FileMode) (*files.Root, error) { return files.MakeBelow(within, dir, mode) }
	}
	root, err := open(dir, 0o755)
	if err != nil {
		return done, fmt.Errorf("create the output folder: %w", err)
	}
	defer root.Close()
	made, err := readManifest(root, force)
	if err != nil {
		return done, err
	}
	var names []string
	for _, f := range e.Files {
		names = append(names, f.Path)
	}
	all := append(slices.Clone(made), names...)
	slices.Sort(all)
	// Until all is written, the folder may hold files of both.
	if err := writeManifest(root, slices.Compact(all)); err != nil {
		return done, err
	}
	for _, name := range made {
		if slices.Contains(names, name) || !filepath.IsLocal(filepath.FromSlash(name)) || root.Linked(name) {
			continue
		}
		if err := root.Remove(name); err == nil {
			done.Removed++
			for d := path.Dir(name); d != "." && root.Remove(d) == nil; d = path.Dir(d) { // empty
			}
		} else if !errors.Is(err, fs.ErrNotExist) {
			return done, fmt.Errorf("remove %s of an earlier export: %w", name, err)
		}
	}
	pages, err := w.Workspace().OpenPages()
	if err != nil {
		return done, err
	}
	defer pages.Close()
	for _, f := range e.Files {
		changed, err := writeFile(root, pages, f)
		if err != nil {
			return done, err
		}
		if done.Files++; changed {
			done.Written++
		}
	}
	return done, writeManifest(root, names)
}

// writeFile writes a file unless it is there with the same bytes.
func writeFile(root, pages *files.Root, f okf.File) (changed bool, err error) {
	data := f.Data
	if f.From != "" {
		if data, err = pages.ReadFile(f.From, files.Given); err != nil {
			return false, fmt.Errorf("read %s: %w", f.From, err)
		}
	}
	if at, info, err := root.Open(f.Path); err == nil {
		same := info.Size() == int64(len(data))
		if same {
			there, err := io.ReadAll(at)
			same = err == nil && bytes.Equal(there, data)
		}
		at.Close()
		if same {
			return false, nil
		}
	}
	if err := root.Replace(f.Path, data, 0o644); err != nil {
		return false, fmt.Errorf("write %s: %w", f.Path, err)
	}
	return true, nil
}

// apart refuses a folder that holds the wiki, where pages would be written over, one
// in the wiki, which would get the pages twice, and one of git's.
func apart(w *compiler.Wiki, dir string) error {
	out, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	if real, err := filepath.EvalSymlinks(out); err == nil {
		out = real
	}
	wiki := w.Workspace().Root
	if real, err := filepath.EvalSymlinks(wiki); err == nil {
		wiki = real
	}
	for _, pair := range [][2]string{{out, wiki}, {wiki, out}} {
		if rel, err := filepath.Rel(pair[0], pair[1]); err == nil && filepath.IsLocal(rel) {
			return &PlaceError{dir}
		}
	}
	if slices.Contains(strings.Split(filepath.ToSlash(strings.ToLower(out)), "/"), ".git") {
		return &PlaceError{dir}
	}
	return nil
}

// PlaceError is a folder that an export can't be written to.
type PlaceError struct{ Dir string }

func (e *PlaceError) Error() string {
	return fmt.Sprintf("can't export to %s: it is in the wiki, holds the wiki, or is part of a .git folder", e.Dir)
}

// Hint says what to do about it.
func (e *PlaceError) Hint() string { return "choose another folder with -o" }

// readManifest returns the files that the last export made. A folder that is not empty
// and has no list of them is refused unless force is set.
func readManifest(root *files.Root, force bool) ([]string, error) {
	b, err := root.ReadFile(manifestName, files.Manifest)
	if errors.Is(err, fs.ErrNotExist) {
		entries, err := root.ReadDir(".")
		if err == nil && len(entries) > 0 && !force {
			err = ErrForeignFolder
		}
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("read the list of files of the last export: %w", err)
	}
	var m manifest
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, fmt.Errorf("read %s in the output folder: %w; remove the folder and export again", manifestName, err)
	}
	if m.Version > manifestVersion {
		return nil, fmt.Errorf("%s in the output folder has version %d, this program reads up to %d; upgrade wiki to a newer release, or use another folder", manifestName, m.Version, manifestVersion)
	}
	return m.Files, nil
}

func writeManifest(root *files.Root, names []string) error {
	b, err := json.MarshalIndent(manifest{Version: manifestVersion, Files: names}, "", " ")
	if err == nil {
		err = root.Replace(manifestName, append(b, '\n'), 0o644)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", manifestName, err)
	}
	return nil
}
