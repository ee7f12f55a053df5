package contain

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Patch returns the difference of two trees or commits as a unified diff of at
// most max bytes. It is cut at the end of a line.
func (w *Worktree) Patch(ctx context.Context, from, to string, max int) (string, error) {
	if from == to || max <= 0 {
		return "", nil
	}
	until, cancel := context.WithCancel(ctx)
	defer cancel()
	out := &capped{room: max, full: cancel}
	err := w.shared.stream(until, nil, out, "diff-tree", "-r", "-p", "-M", "-l1000", "--no-ext-diff", "--no-textconv",
		"--src-prefix=a/", "--dst-prefix=b/", "-O/dev/null", "--no-relative", "--unified=3", from, to)
	if err != nil && (!out.cut || ctx.Err() != nil) {
		return "", err
	}
	text := out.kept.String()
	if out.cut {
		text = text[:strings.LastIndexByte(text, '\n')+1]
	}
	return text, nil
}

// capped keeps the first bytes that are written to it, and says when it is full.
type capped struct {
	kept bytes.Buffer
	room int
	full func()
	cut  bool
}

func (c *capped) Write(p []byte) (int, error) {
	left := c.room - c.kept.Len()
	if left < len(p) {
		c.cut = true
		c.full()
		c.kept.Write(p[:left])
		return len(p), nil
	}
	return c.kept.Write(p)
}

// Add returns a tree with files put into it, by their slash-separated paths,
// and writes them into the worktree. A file that was executable stays so; no
// link is followed out of the worktree.
func (w *Worktree) Add(ctx context.Context, tree string, files map[string][]byte) (string, error) {
	names := slices.Sorted(maps.Keys(files))
	for _, name := range names {
		if !filepath.IsLocal(filepath.FromSlash(name)) || slices.ContainsFunc(strings.Split(name, "/"), isGitName) {
			return "", fmt.Errorf("add %q to a tree: not a path in the worktree", name)
		}
	}
	index := w.kept("adding")
	for _, stale := range []string{index, index + ".lock"} {
		if err := os.Remove(stale); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	g := w.git.with("GIT_INDEX_FILE=" + index)
	if _, err := g.out(ctx, "read-tree", tree); err != nil {
		return "", err
	}
	was, err := w.modes(ctx, tree, names)
	if err != nil {
		return "", err
	}
	var list strings.Builder
	for _, name := range names {
		id, err := g.in(ctx, bytes.NewReader(files[name]), "hash-object", "-w", "--stdin", "--path="+name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&list, "%s %s\t%s\x00", was[name], strings.TrimSpace(id), name)
	}
	if _, err := g.in(ctx, strings.NewReader(list.String()), "update-index", "--replace", "-z", "--index-info"); err != nil {
		return "", err
	}
	made, err := g.line(ctx, "write-tree")
	if err != nil {
		return "", err
	}
	return made, w.writeFiles(names, files, was)
}

// modes returns the modes that files have in a tree, and that of a plain file
// for those that are not in it.
func (w *Worktree) modes(ctx context.Context, tree string, names []string) (map[string]string, error) {
	out, err := w.shared.out(ctx, append([]string{"ls-tree", "-z", "--full-tree", tree, "--"}, names...)...)
	if err != nil {
		return nil, err
	}
	modes := map[string]string{}
	for _, name := range names {
		modes[name] = "100644"
	}
	for _, f := range gitFields(out) {
		if meta, name, ok := strings.Cut(f, "\t"); ok && strings.HasPrefix(meta, "100755 ") {
			modes[name] = "100755"
		}
	}
	return modes, nil
}

// writeFiles writes files into the worktree.
func (w *Worktree) writeFiles(names []string, files map[string][]byte, modes map[string]string) error {
	root, err := w.root()
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range names {
		local := filepath.FromSlash(name)
		if err := root.MkdirAll(filepath.Dir(local), 0o755); err != nil {
			return err
		}
		// What is in the place, a link too, gives way to the file.
		if err := root.Remove(local); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		perm := fs.FileMode(0o644)
		if modes[name] == "100755" {
			perm = 0o755
		}
		if err := root.WriteFile(local, files[name], perm); err != nil {
			return err
		}
	}
	return nil
}
