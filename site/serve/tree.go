package serve

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// tree is a folder and its last known state. Names are slash-separated and relative to
// root; root itself is ".".
type tree struct {
	root string
	skip func(dir string) bool // folders that are not looked into; may be nil
	dirs map[string]map[string]stamp
}

// stamp distinguishes two states of a file without reading it.
type stamp struct {
	size  int64
	mtime time.Time
	dir   bool
}

func newTree(root string, skip func(string) bool) *tree {
	return &tree{root: root, skip: skip, dirs: make(map[string]map[string]stamp)}
}

// scan looks at one folder and, below it, at those that were not known, and
// returns the files that were changed, made or removed since the last look
// and the folders that are new. A folder that can't be read is empty.
func (t *tree) scan(dir string) (changed, fresh []string) {
	entries, err := os.ReadDir(t.path(dir))
	old, known := t.dirs[dir]
	if err != nil && !known {
		return nil, nil
	}
	if err != nil {
		return t.forget(dir), nil
	}
	if !known {
		fresh = append(fresh, dir)
	}
	now := make(map[string]stamp, len(entries))
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		info, err := e.Info()
		if err != nil || e.IsDir() && t.skips(name) {
			continue // gone already, or none of ours
		}
		s := stamp{dir: e.IsDir()}
		if !s.dir {
			if ignoredFile(e.Name()) {
				continue
			}
			s.size, s.mtime = info.Size(), info.ModTime()
		}
		now[e.Name()] = s
	}
	t.dirs[dir] = now
	for name, was := range old {
		is, still := now[name]
		switch {
		case was.dir && (!still || !is.dir):
			changed = append(changed, t.forget(path.Join(dir, name))...)
		case !was.dir && !still:
			changed = append(changed, path.Join(dir, name))
		}
	}
	for name, is := range now {
		child := path.Join(dir, name)
		if !is.dir {
			if was, ok := old[name]; !ok || was.dir || was.size != is.size || !was.mtime.Equal(is.mtime) {
				changed = append(changed, child)
			}
			continue
		}
		if _, ok := t.dirs[child]; !ok {
			c, f := t.scan(child)
			changed, fresh = append(changed, c...), append(fresh, f...)
		}
	}
	return changed, fresh
}

// scanAll looks at every folder.
func (t *tree) scanAll() (changed, fresh []string) {
	dirs := []string{"."}
	for d := range t.dirs {
		if d != "." {
			dirs = append(dirs, d)
		}
	}
	slices.Sort(dirs)
	for _, d := range dirs {
		if _, known := t.dirs[d]; !known && d != "." {
			continue // forgotten with a folder above
		}
		c, f := t.scan(d)
		changed, fresh = append(changed, c...), append(fresh, f...)
	}
	return changed, fresh
}

// forget drops a folder that is gone and returns the files that were below it.
func (t *tree) forget(dir string) (gone []string) {
	for d, files := range t.dirs {
		if d != dir && !strings.HasPrefix(d, dir+"/") && dir != "." {
			continue
		}
		for name, s := range files {
			if !s.dir {
				gone = append(gone, path.Join(d, name))
			}
		}
		delete(t.dirs, d)
	}
	return gone
}

// since returns the files that were changed after a time, as they were last seen.
func (t *tree) since(when time.Time) (names []string) {
	for dir, files := range t.dirs {
		for name, s := range files {
			if !s.dir && s.mtime.After(when) {
				names = append(names, path.Join(dir, name))
			}
		}
	}
	return names
}

func (t *tree) path(name string) string { return filepath.Join(t.root, filepath.FromSlash(name)) }

// name returns the path below root of an absolute path.
func (t *tree) name(abs string) (string, bool) {
	rel, err := filepath.Rel(t.root, abs)
	if err != nil {
		return "", false
	}
	name := filepath.ToSlash(rel)
	return name, name == "." || fs.ValidPath(name)
}

// skips reports whether a folder is not part of the wiki: hidden, or generated.
func (t *tree) skips(dir string) bool {
	base := path.Base(dir)
	return strings.HasPrefix(base, ".") || base == "node_modules" || t.skip != nil && t.skip(dir)
}

// ignoredFile reports whether a file is a temporary file of an editor.
func ignoredFile(base string) bool {
	for _, suffix := range []string{"~", ".swp", ".swx", ".swo", ".tmp", "___jb_tmp___", "___jb_old___", ".crdownload", ".part"} {
		if strings.HasSuffix(base, suffix) {
			return true
		}
	}
	return strings.HasPrefix(base, ".") || strings.HasPrefix(base, "#") && strings.HasSuffix(base, "#") ||
		base == "4913" // vim tries whether it may write here
}
