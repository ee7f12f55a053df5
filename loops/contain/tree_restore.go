package contain

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/zeebo/xxh3"

	"github.com/loopwiki/wiki/loops"
)

// Restore makes the worktree equal to a tree, and its branch and its .git what
// the runner left. What it removes from the tree is saved as a patch first.
func (w *Worktree) Restore(ctx context.Context, tree, patch string) (string, error) {
	if _, err := w.guardOwn(ctx, w.kept("restored")); err != nil {
		return "", err
	}
	kept, err := w.latestIgnored()
	if err != nil {
		return "", err
	}
	strays, err := w.newIgnored(ctx, kept)
	if err != nil {
		return "", err
	}
	taken, err := w.peel(ctx, tree, patch, strays)
	if err != nil {
		return "", err
	}
	if err := w.dropSecrets(ctx, tree); err != nil {
		return "", err
	}
	root, err := w.root()
	if err != nil {
		return "", err
	}
	defer root.Close()
	for _, name := range strays {
		if err := root.RemoveAll(filepath.FromSlash(name)); err != nil && !notInFolder(err) {
			return "", err
		}
		removeEmpty(root, path.Dir(name))
	}
	if err := w.sweep(ctx, root); err != nil {
		return "", err
	}
	if !taken {
		patch = ""
	}
	return patch, w.align(ctx)
}

// removeEmpty removes a folder and those above it, as far as they are empty.
func removeEmpty(root *os.Root, dir string) {
	for ; dir != "."; dir = path.Dir(dir) {
		name := filepath.FromSlash(dir)
		if info, err := root.Lstat(name); err != nil || !info.IsDir() || root.Remove(name) != nil {
			return
		}
	}
}

// peel takes off the worktree what is not in the tree, until nothing is left:
// when a file of what is ignored is restored, what it hid comes out.
func (w *Worktree) peel(ctx context.Context, tree, patch string, names []string) (bool, error) {
	var taken bool
	var diffs [][2]string
	for range 5 {
		found, err := w.removeStrays(ctx)
		if err != nil {
			return false, err
		}
		names = append(names, found.nested...)
		now, err := w.writeTree(ctx)
		if err != nil {
			return false, err
		}
		if now == tree || sameTree(ctx, w.shared, now, tree) {
			if !taken && len(names) > 0 {
				return true, w.savePatch(ctx, patch, nil, names)
			}
			return taken, nil
		}
		taken, diffs = true, append(diffs, [2]string{tree, now})
		if err := w.savePatch(ctx, patch, diffs, names); err != nil {
			return false, err
		}
		if _, err := w.git.out(ctx, "read-tree", "--reset", "-u", tree); err != nil {
			return false, err
		}
	}
	return false, fmt.Errorf("the worktree %s can't be reset to %s: another process keeps writing to it", w.path, tree)
}

// sameTree reports whether a tree or commit is of a tree.
func sameTree(ctx context.Context, g git, tree, what string) bool {
	id, err := g.line(ctx, "rev-parse", "--verify", "--quiet", what+"^{tree}")
	return err == nil && id == tree
}

// savePatch writes what is going to be removed. The patch is one that git
// apply understands, unless a secret was in it; before it stand, as comments, the
// names of files that are not in it because git ignores them.
func (w *Worktree) savePatch(ctx context.Context, name string, diffs [][2]string, names []string) error {
	// As text, binary files too: a patch that git applies packs those.
	text, err := w.patchText(ctx, "--text", diffs, names)
	if err != nil {
		return err
	}
	clean, secrets := loops.NewRedactor(w.spec.Redact).Text(text)
	if secrets > 0 {
		w.secret = diffs
	} else if clean, err = w.patchText(ctx, "--binary", diffs, names); err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return writeWhole(name, []byte(clean), 0o600, synced)
}

func (w *Worktree) patchText(ctx context.Context, how string, diffs [][2]string, names []string) (string, error) {
	var b bytes.Buffer
	for _, n := range names {
		b.WriteString("# taken away, not in the patch: " + strconv.Quote(n) + "\n")
	}
	for _, d := range diffs {
		if err := w.shared.stream(ctx, nil, &b, "diff-tree", "-r", "-p", how, "--full-index", "-M", "--no-ext-diff", "--no-textconv",
			"--src-prefix=a/", "--dst-prefix=b/", "--no-relative", d[0], d[1]); err != nil {
			return "", err
		}
	}
	return b.String(), nil
}

// sweep removes what git does not see: folders without files, pipes and sockets.
func (w *Worktree) sweep(ctx context.Context, root *os.Root) error {
	skip, err := w.ignoredFolders(ctx)
	if err != nil {
		return err
	}
	out, err := w.git.out(ctx, "ls-files", "-s", "-z")
	if err != nil {
		return err
	}
	for _, f := range gitFields(out) {
		if meta, name, ok := strings.Cut(f, "\t"); ok && strings.HasPrefix(meta, "160000 ") {
			skip[name] = true // a submodule's folder is empty and stays
			if err := root.MkdirAll(filepath.FromSlash(name), 0o755); err != nil {
				return err
			}
		}
	}
	var folders []string
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name == ".git" || skip[name]:
			if d.IsDir() {
				return fs.SkipDir
			}
		case d.IsDir() && name != ".":
			folders = append(folders, name)
		case !d.IsDir() && !d.Type().IsRegular() && d.Type()&fs.ModeSymlink == 0:
			return root.Remove(filepath.FromSlash(name))
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, name := range slices.Backward(folders) {
		// It fails if there is something in it, and that is right.
		_ = root.Remove(filepath.FromSlash(name))
	}
	return nil
}

// outputs are the names of folders that programs fill as they run, and that
// nobody reviews.
var outputs = map[string]bool{
	"node_modules": true, "target": true, "dist": true, "build": true, "out": true, "vendor": true, "coverage": true,
	".cache": true, "__pycache__": true, ".pytest_cache": true, ".mypy_cache": true, ".ruff_cache": true, ".tox": true, ".venv": true, "venv": true,
	".gradle": true, ".next": true, ".nuxt": true, ".turbo": true, ".parcel-cache": true, ".nyc_output": true, ".hypothesis": true, ".eggs": true,
	".svelte-kit": true, ".dart_tool": true, ".build": true, "_build": true, "deps": true, "bin": true, "obj": true, ".loopwiki": true,
}

// isOutput reports whether a path that git ignores lies in a folder for output.
func isOutput(name string) bool {
	for part := range strings.SplitSeq(strings.TrimSuffix(name, "/"), "/") {
		if outputs[part] || strings.HasSuffix(part, ".egg-info") {
			return true
		}
	}
	return false
}

// ignoredPaths asks git what it ignores. A folder of which it ignores
// everything ends in a slash.
func (w *Worktree) ignoredPaths(ctx context.Context) ([]string, error) {
	list := []string{"ls-files", "--others", "--ignored", "--exclude-standard", "--directory", "-z"}
	if fileThere(w.index()) {
		if out, err := w.git.out(ctx, list...); !gitFailed(err) {
			return gitFields(out), err
		}
	}
	// There is no index yet, or it was damaged.
	if err := w.forget(); err != nil {
		return nil, err
	}
	if _, err := w.git.out(ctx, "read-tree", w.record.Head); err != nil {
		return nil, err
	}
	out, err := w.git.out(ctx, list...)
	return gitFields(out), err
}

// ignoredFolders returns the folders that git ignores as a whole, without the slash.
func (w *Worktree) ignoredFolders(ctx context.Context) (map[string]bool, error) {
	paths, err := w.ignoredPaths(ctx)
	out := map[string]bool{}
	for _, p := range paths {
		if name, ok := strings.CutSuffix(p, "/"); ok {
			out[name] = true
		}
	}
	return out, err
}

// ignored lists the files that git ignores outside folders for output: a
// hash of mode, size and content, or time for large ones, a space, the path.
func (w *Worktree) ignored(ctx context.Context) ([]string, error) {
	paths, err := w.ignoredPaths(ctx)
	if err != nil {
		return nil, err
	}
	root, err := w.root()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var out []string
	for _, p := range paths {
		if isOutput(p) {
			continue
		}
		err := fs.WalkDir(root.FS(), strings.TrimSuffix(p, "/"), func(name string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil // it went while we looked
			case err != nil:
				return err
			case d.IsDir():
				if isOutput(name) {
					return fs.SkipDir
				}
				return nil
			}
			out = append(out, likeness(root, name)+" "+name)
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	slices.SortFunc(out, func(a, b string) int { return strings.Compare(a[strings.Index(a, " "):], b[strings.Index(b, " "):]) })
	return slices.Compact(out), nil
}

// smallFile is up to which size, in bytes, an ignored file is known by its content.
const smallFile = 64 << 10

func likeness(root *os.Root, name string) string {
	name = filepath.FromSlash(name)
	info, err := root.Lstat(name)
	if err != nil {
		return "gone"
	}
	h := xxh3.New()
	fmt.Fprintf(h, "%o %d ", info.Mode(), info.Size())
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		to, _ := root.Readlink(name)
		_, _ = h.WriteString(to)
	case info.Mode().IsRegular() && info.Size() <= smallFile:
		text, _ := root.ReadFile(name)
		_, _ = h.Write(text)
	default:
		_, _ = h.WriteString(info.ModTime().String())
	}
	return hex.EncodeToString(h.Sum(nil))
}

// newIgnored lists the paths that git ignores and that were not there before.
func (w *Worktree) newIgnored(ctx context.Context, before []string) ([]string, error) {
	now, err := w.ignored(ctx)
	if err != nil || before == nil {
		return nil, err
	}
	var out []string
	for _, c := range ignoredChanges(before, now) {
		if c.Status == "A" {
			out = append(out, c.Path)
		}
	}
	return out, nil
}

// ignoredChanges returns the ignored paths that are new or changed.
func ignoredChanges(before, now []string) []loops.Change {
	was := make(map[string]string, len(before))
	for _, i := range before {
		print, name, _ := strings.Cut(i, " ")
		was[name] = print
	}
	var out []loops.Change
	for _, i := range now {
		print, name, _ := strings.Cut(i, " ")
		switch old, there := was[name]; {
		case !there:
			out = append(out, loops.Change{Path: name, Status: "A", Ignored: true})
		case old != print:
			out = append(out, loops.Change{Path: name, Status: "M", Ignored: true})
		}
	}
	return out
}

// MaxFile is the size in bytes of the largest file that a role may leave: git would read
// all of it to store it, and no host takes it.
const MaxFile = 100 << 20

// strays are what a role left in the worktree that must not stay.
type strays struct {
	nested []string       // what would make a folder a repository of its own
	large  []loops.Change // files above MaxFile
}

// removeStrays removes them: what lies in a nested repository is then a file like any
// other. Folders that git ignores are not looked at, nor large files that the run's head has.
func (w *Worktree) removeStrays(ctx context.Context) (strays, error) {
	skip, err := w.ignoredFolders(ctx)
	if err != nil {
		return strays{}, err
	}
	root, err := w.root()
	if err != nil {
		return strays{}, err
	}
	defer root.Close()
	var found strays
	walk := func(name string, d fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrPermission):
			return fs.SkipDir // what git can't read, writeTree makes readable
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		case name == ".git" || skip[name] && d.IsDir():
			return skipDir(d)
		case isGitName(path.Base(name)):
			found.nested = append(found.nested, name)
			return skipDir(d)
		}
		if info, err := d.Info(); err == nil && info.Mode().IsRegular() && info.Size() > MaxFile && !w.hasSize(ctx, name, info.Size()) {
			found.large = append(found.large, loops.Change{Path: name, Status: "A", NewMode: "100644", Size: info.Size()})
		}
		return nil
	}
	if err := fs.WalkDir(root.FS(), ".", walk); err != nil {
		return strays{}, err
	}
	for _, name := range found.nested {
		if err := root.RemoveAll(filepath.FromSlash(name)); err != nil {
			return strays{}, err
		}
	}
	for _, c := range found.large {
		if err := root.Remove(filepath.FromSlash(c.Path)); err != nil {
			return strays{}, err
		}
	}
	return found, nil
}

// hasSize reports whether the run's head has a file of this size.
func (w *Worktree) hasSize(ctx context.Context, name string, size int64) bool {
	out, err := w.git.line(ctx, "cat-file", "-s", w.record.Head+":"+name)
	return err == nil && out == strconv.FormatInt(size, 10)
}

func skipDir(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// isGitName reports whether some file system takes a name for .git: git
// refuses to add such a path on any of them.
func isGitName(name string) bool {
	name, _, _ = strings.Cut(strings.ToLower(name), ":")
	name = strings.TrimRight(name, " .")
	return name == ".git" || name == "git~1"
}
