package gate

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// tree is an export, read through a root that nothing leaves.
type tree struct {
	dir   string
	rev   string                 // what was exported
	id    string                 // equal for equal trees; set by seal
	files map[string]fs.FileMode // by path, slash-separated; without folders
	root  *os.Root
}

// readTree lists the files of an export.
func readTree(dir, rev string) (*tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	t := &tree{dir: dir, rev: rev, id: rev, files: map[string]fs.FileMode{}, root: root}
	err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, p)
		t.files[filepath.ToSlash(rel)] = info.Mode()
		return err
	})
	return t, err
}

// paths returns the files' paths, sorted.
func (t *tree) paths() []string {
	out := make([]string, 0, len(t.files))
	for p := range t.files {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

// has reports whether a file is in the tree.
func (t *tree) has(p string) bool {
	_, ok := t.files[p]
	return ok
}

// largest is the size in bytes up to which a file's content is looked at.
const largest = 16 << 20

// read returns a file's content, or a symbolic link's target; nil for what is
// not there or too large.
func (t *tree) read(p string) []byte {
	mode, ok := t.files[p]
	if !ok {
		return nil
	}
	name := filepath.FromSlash(p)
	if mode&fs.ModeSymlink != 0 {
		to, err := t.root.Readlink(name)
		if err != nil {
			return nil
		}
		return []byte(to)
	}
	f, err := t.root.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, largest+1))
	if err != nil || len(src) > largest {
		return nil
	}
	return src
}

// change is one path that differs, with what it was and is.
type change struct {
	path             string
	from             string // of a rename, the path that is gone
	added, gone      bool
	oldMode, newMode string // as git has them
	old, now         []byte
	ignored          bool
	size             int64 // of a file that was removed as it is too large, else 0
}

func (c *change) symlink() bool   { return c.newMode == "120000" || c.oldMode == "120000" }
func (c *change) submodule() bool { return c.newMode == "160000" || c.oldMode == "160000" }

// retyped reports a file that became a link, or the other way round.
func (c *change) retyped() bool {
	return !c.added && !c.gone && c.oldMode != "" && c.newMode != "" && c.oldMode[:min(3, len(c.oldMode))] != c.newMode[:min(3, len(c.newMode))]
}

// binary reports content that is not text.
func binary(src []byte) bool { return bytes.IndexByte(src[:min(len(src), 8000)], 0) >= 0 }

// addedLines calls yield with the lines of now that old does not have as often,
// with their numbers from 1.
func addedLines(old, now []byte, yield func(line int, text string)) {
	had := map[string]int{}
	for line := range strings.Lines(string(old)) {
		had[strings.TrimRight(line, "\r\n")]++
	}
	n := 0
	for line := range strings.Lines(string(now)) {
		n++
		text := strings.TrimRight(line, "\r\n")
		if had[text]--; had[text] < 0 {
			yield(n, text)
		}
	}
}

// put writes a file of one tree into another's folder: content, mode, or link.
func (t *tree) put(p, dir string) error {
	mode, ok := t.files[p]
	target := filepath.Join(dir, filepath.FromSlash(p))
	if err := os.RemoveAll(target); err != nil || !ok {
		return err
	}
	if err := clearWay(dir, p); err != nil {
		return err
	}
	if mode&fs.ModeSymlink != 0 {
		to, err := os.Readlink(filepath.Join(t.dir, filepath.FromSlash(p)))
		if err != nil {
			return err
		}
		return os.Symlink(to, target)
	}
	src, err := os.Open(filepath.Join(t.dir, filepath.FromSlash(p)))
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(target, os.O_CREATE|os.O_EXCL|os.O_WRONLY, mode.Perm())
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	return errors.Join(err, dst.Close())
}

// clearWay makes the folders of a path, in place of a link or a file that a
// candidate put there.
func clearWay(dir, p string) error {
	at := dir
	parts := strings.Split(p, "/")
	for _, part := range parts[:len(parts)-1] {
		at = filepath.Join(at, part)
		if info, err := os.Lstat(at); err == nil && !info.IsDir() {
			if err := os.Remove(at); err != nil {
				return err
			}
		}
		if err := os.MkdirAll(at, 0o755); err != nil {
			return err
		}
	}
	return nil
}

// put writes what the file became into an export: from memory, as commands may
// have changed the export that it was read from.
func (c *change) put(t *tree) error {
	mode := fs.FileMode(0o644)
	if c.newMode == "100755" {
		mode = 0o755
	}
	if err := clearWay(t.dir, c.path); err != nil {
		return err
	}
	target := filepath.Join(t.dir, filepath.FromSlash(c.path))
	if err := os.RemoveAll(target); err != nil {
		return err
	}
	t.files[c.path] = mode
	return os.WriteFile(target, c.now, mode.Perm())
}
