package compiler

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/compiler/files"
)

// Tree looks up files of the repository, or of the folder that a wiki is in:
// what pages name as their sources. Paths are relative to the wiki's root and
// may begin with ../; no path and no symbolic link leads out of the repository.
// Every folder is read once, so a Tree is of one moment.
type Tree struct {
	dir  string // absolute: the repository
	root string // the wiki's root below it, slash-separated
	ws   *Workspace

	mu      sync.Mutex
	folders map[string]map[string]fs.FileMode // nil for what is not a folder
}

// NewTree returns the files around a wiki.
func NewTree(w *Wiki) *Tree {
	return &Tree{dir: w.space.Dir, root: w.space.RootPath, ws: w.space, folders: map[string]map[string]fs.FileMode{}}
}

// Below returns the path below the repository of a path relative to the wiki's root.
func (t *Tree) Below(file string) string { return path.Join(t.root, file) }

// within returns a path below the repository, "" when it leads out of it.
func (t *Tree) within(file string) string {
	p := path.Join(t.root, file)
	if p == ".." || strings.HasPrefix(p, "../") || path.IsAbs(p) {
		return ""
	}
	return p
}

// Above returns the path relative to the wiki's root of a path below the repository.
func (t *Tree) Above(repository string) string {
	rel, err := filepath.Rel(filepath.FromSlash("/"+t.root), filepath.FromSlash("/"+repository))
	if err != nil {
		return repository
	}
	return filepath.ToSlash(rel)
}

// Exists reports whether there is a file or folder at a path, spelled exactly
// so, and which of the two. In a submodule that is not checked out every path is
// taken for a file.
func (t *Tree) Exists(file string) (folder, ok bool) {
	p := t.within(file)
	if p == "" || !filepath.IsLocal(filepath.FromSlash(p)) {
		return false, false
	}
	if p == "." {
		return true, true
	}
	if t.ws.Submodule(p) != "" {
		return false, true // as far as anyone can tell here
	}
	mode, ok := t.list(path.Dir(p))[path.Base(p)]
	if ok && mode&fs.ModeSymlink != 0 {
		root, err := files.Open(t.dir)
		if err != nil {
			return false, false
		}
		defer root.Close()
		info, err := root.Stat(p)
		if err != nil {
			return false, false
		}
		mode = info.Mode()
	}
	return mode.IsDir(), ok
}

// Holds reports whether a file with this extension lies right in a folder.
func (t *Tree) Holds(folder, ext string) bool {
	p := t.within(folder)
	if p == "" {
		return false
	}
	for name, mode := range t.list(p) {
		if mode.IsRegular() && path.Ext(name) == ext {
			return true
		}
	}
	return false
}

// list returns the entries of a folder below the repository.
func (t *Tree) list(dir string) map[string]fs.FileMode {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.listLocked(dir)
}

func (t *Tree) listLocked(dir string) map[string]fs.FileMode {
	if names, known := t.folders[dir]; known {
		return names
	}
	t.folders[dir] = nil
	if dir != "." { // spares the system a call for each missing part
		mode, ok := t.listLocked(path.Dir(dir))[path.Base(dir)]
		if !ok || !mode.IsDir() && mode&fs.ModeSymlink == 0 {
			return nil
		}
	}
	root, err := files.Open(t.dir)
	if err != nil {
		return nil
	}
	defer root.Close()
	entries, err := root.ReadDir(dir)
	if err != nil {
		return nil
	}
	names := make(map[string]fs.FileMode, len(entries))
	for _, e := range entries {
		names[e.Name()] = e.Type()
	}
	t.folders[dir] = names
	return names
}

// Read returns the text of a file of at most limit bytes; ok is false for larger,
// irregular and unreadable files.
func (t *Tree) Read(file string, limit int64) (text []byte, ok bool) {
	p := t.within(file)
	if p == "" || !filepath.IsLocal(filepath.FromSlash(p)) {
		return nil, false
	}
	text, err := files.Read(t.dir, p, files.Limit{Bytes: limit})
	return text, err == nil
}
