package contain

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// readIndex reads the main checkout's index: its bytes, to be restored, and a
// digest of its entries. Bytes change when git looks at a file; entries do not.
func (w *Worktree) readIndex(ctx context.Context) (entry, string, error) {
	e, err := w.take(filepath.Join(w.repo.gitDir, "index"), 1<<30)
	if err != nil || e.Gone {
		return e, "", err
	}
	if w.staged[0] == e.Sum {
		return e, w.staged[1], nil
	}
	digest, err := w.entries(ctx)
	if err == nil {
		w.staged = [2]string{e.Sum, digest}
	}
	return e, digest, err
}

// entries returns a digest of what is in the main checkout's index, with the
// flags by which a file can be kept out of sight.
func (w *Worktree) entries(ctx context.Context) (string, error) {
	h := sha256.New()
	err := w.repo.git.stream(ctx, nil, h, "ls-files", "-s", "-v", "-z")
	return hex.EncodeToString(h.Sum(nil)), err
}

// defaultSave is how many bytes of the main checkout's changed files are kept.
const defaultSave = 64 << 20

// readDirty reads the files of the main checkout that are not as its index
// says. Our own folder, and worktrees that lie in the checkout, are not part of it.
func (w *Worktree) readDirty(ctx context.Context) (map[string]entry, error) {
	out, err := w.repo.git.out(ctx, "status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames", "--ignore-submodules=dirty")
	if err != nil {
		return nil, err
	}
	room := w.spec.MaxSave
	if room == 0 {
		room = defaultSave
	}
	dirty := map[string]entry{}
	for _, f := range gitFields(out) {
		if len(f) < 4 {
			continue
		}
		code, name := f[:2], f[3:]
		full := filepath.Join(w.repo.top, filepath.FromSlash(name))
		if code[1] == ' ' || name == ".loopwiki/" || strings.HasPrefix(name, ".loopwiki/") || w.isWorktree(full) {
			continue
		}
		e, err := w.take(full, room)
		if err != nil {
			return nil, err
		}
		if e.Sum != "" {
			room -= e.Size
		}
		e.Code = code
		dirty[name] = e
	}
	return dirty, nil
}

// isWorktree reports whether a folder is a worktree of the repository.
func (w *Worktree) isWorktree(full string) bool {
	if full == w.path {
		return true
	}
	if info, err := os.Lstat(full); err != nil || !info.IsDir() {
		return false
	}
	admin, err := adminOf(w.repo.common, full)
	return err == nil && admin != ""
}

// compareIndex puts the main checkout's index back.
func (w *Worktree) compareIndex(ctx context.Context, was guard, keep string) ([]loops.Breach, error) {
	name := filepath.Join(w.repo.gitDir, "index")
	now, err := w.take(name, 1<<30)
	if err != nil || now.Sum == was.Index.Sum && now.Gone == was.Index.Gone {
		return nil, err
	}
	if !now.Gone && !was.Index.Gone {
		digest, err := w.entries(ctx)
		if err != nil && !gitFailed(err) || err == nil && digest == was.Staged {
			return nil, err
		}
	}
	b := loops.Breach{What: "index of the main checkout", Was: short(was.Index), Is: short(now)}
	if w.spec.Contained {
		w.foreign(b)
		return nil, nil
	}
	b.Restored = w.put(name, was.Index, keep, "index") == nil
	return []loops.Breach{b}, nil
}

// compareDirty puts files of the main checkout back. Its index is as it was.
func (w *Worktree) compareDirty(ctx context.Context, was guard, keep string) ([]loops.Breach, error) {
	now, err := w.readDirty(ctx)
	if err != nil {
		return nil, err
	}
	names := maps.Clone(now)
	maps.Copy(names, was.Dirty)
	var breaches []loops.Breach
	var clean []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before, wasDirty := was.Dirty[name]
		after, isDirty := now[name]
		if before == after && wasDirty == isDirty {
			continue
		}
		b := loops.Breach{What: "main checkout: " + name, Was: short(before), Is: short(after), Restored: true}
		if !wasDirty {
			b.Was = "as in the index"
		}
		if !isDirty {
			b.Is = "as in the index"
		}
		if w.spec.Contained {
			w.foreign(b)
			continue
		}
		full := filepath.Join(w.repo.top, filepath.FromSlash(name))
		switch {
		case wasDirty:
			b.Restored = w.put(full, before, keep, "checkout/"+name) == nil
		case after.Code == "??" || after.Code == "!!":
			b.Was = "missing"
			b.Restored = w.put(full, entry{Gone: true}, keep, "checkout/"+name) == nil
		default:
			b.Restored = w.put(full, entry{Gone: true}, keep, "checkout/"+name) == nil
			clean = append(clean, name)
		}
		breaches = append(breaches, b)
	}
	if len(clean) == 0 {
		return breaches, nil
	}
	_, err = w.repo.git.in(ctx, strings.NewReader(strings.Join(clean, "\x00")+"\x00"), "checkout-index", "-f", "-u", "-q", "-z", "--stdin")
	if gitFailed(err) {
		for i := range breaches {
			name := strings.TrimPrefix(breaches[i].What, "main checkout: ")
			if slices.Contains(clean, name) && !fileThere(filepath.Join(w.repo.top, filepath.FromSlash(name))) {
				breaches[i].Restored = false
			}
		}
		err = nil
	}
	return breaches, err
}

// put makes one file what it was. What it is now is kept first.
func (w *Worktree) put(name string, was entry, keep, as string) error {
	if was.Sum == "" && was.Size > 0 {
		return errors.New("it was too large to keep")
	}
	if err := setAside(name, filepath.Join(keep, filepath.FromSlash(as))); err != nil {
		return err
	}
	if was.Gone {
		return nil
	}
	if err := makeFolder(filepath.Dir(name)); err != nil {
		return err
	}
	switch {
	case was.Mode&fs.ModeSymlink != 0:
		return os.Symlink(was.Link, name)
	case was.Mode.IsDir():
		return os.Mkdir(name, was.Mode.Perm())
	case !was.Mode.IsRegular():
		return errors.New("it was not a file")
	}
	text, err := w.load(was.Sum)
	if err != nil {
		return err
	}
	return writeWhole(name, text, was.Mode.Perm(), synced)
}

// makeFolder makes a folder and those above, and what is in their way gives way.
func makeFolder(name string) error {
	info, err := os.Lstat(name)
	switch {
	case err == nil && info.IsDir():
		return nil
	case err == nil:
		return &fs.PathError{Op: "mkdir", Path: name, Err: fs.ErrExist}
	}
	if err := makeFolder(filepath.Dir(name)); err != nil {
		return err
	}
	return os.Mkdir(name, 0o755)
}

// setAside moves what is at a path to another, where nothing is overwritten. A
// folder's link is moved, not what it leads to.
func setAside(from, to string) error {
	info, err := os.Lstat(from)
	if errors.Is(err, fs.ErrNotExist) || notInFolder(err) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	for base, n := to, 1; fileThere(to); n++ {
		to = base + "." + strings.Repeat("~", n)
	}
	err = os.Rename(from, to)
	switch {
	case err == nil:
		return nil
	case info.Mode()&fs.ModeSymlink != 0:
		return os.Remove(from)
	case !info.Mode().IsRegular():
		return err
	}
	text, err := os.ReadFile(from) // on another file system
	if err != nil {
		return err
	}
	if err := os.WriteFile(to, text, 0o600); err != nil {
		return err
	}
	return os.Remove(from)
}

// short returns what a file is, for people.
func short(e entry) string {
	switch {
	case e.Gone, e == entry{}:
		return "missing"
	case e.Link != "":
		return "a link to " + e.Link
	case e.Sum != "":
		return e.Mode.String() + " sha256:" + e.Sum[:12]
	}
	return e.Mode.String()
}
