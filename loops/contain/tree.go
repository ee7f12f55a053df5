package contain

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/text"
)

// writeTree returns the worktree's content as an object: what git add -A would
// commit. An index that was damaged, or that names objects which somebody
// pruned, is made again from the files.
func (w *Worktree) writeTree(ctx context.Context) (string, error) {
	if err := errors.Join(w.isFolder(), os.MkdirAll(w.kept(), 0o755)); err != nil {
		return "", err
	}
	tree, err := w.addAll(ctx)
	if !gitFailed(err) {
		return tree, err
	}
	if err := makeReadable(w.path); err != nil {
		return "", err
	}
	if err := w.forget(); err != nil {
		return "", err
	}
	return w.addAll(ctx)
}

func (w *Worktree) addAll(ctx context.Context) (string, error) {
	// The index is the run's alone: a lock of it is that of a git that was killed.
	if err := os.Remove(w.index() + ".lock"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	if !fileThere(w.index()) {
		if _, err := w.git.out(ctx, "read-tree", w.record.Head); err != nil {
			return "", err
		}
	}
	if _, err := w.git.out(ctx, "-c", "advice.addEmbeddedRepo=false", "add", "--all"); err != nil {
		return "", err
	}
	return w.git.line(ctx, "write-tree")
}

// forget drops the run's index.
func (w *Worktree) forget() error {
	for _, name := range []string{w.index(), w.index() + ".lock"} {
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// makeReadable gives the owner back the rights that a role may have taken.
func makeReadable(root string) error {
	return filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil && !errors.Is(err, fs.ErrPermission) || d == nil || d.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := os.Lstat(name)
		if err != nil {
			return err
		}
		need := fs.FileMode(0o600)
		if d.IsDir() {
			need = 0o700
		}
		if info.Mode().Perm()&need == need {
			return nil
		}
		if err := os.Chmod(name, info.Mode().Perm()|need); err != nil || !d.IsDir() {
			return err
		}
		if err := makeReadable(name); err != nil {
			return err
		}
		return fs.SkipDir
	})
}

// align makes the worktree's own index agree with its head, so that git status
// says of the worktree what is true.
func (w *Worktree) align(ctx context.Context) error {
	own := filepath.Join(w.admin, "index")
	head, err := w.shared.line(ctx, "rev-parse", "--verify", w.record.Head+"^{tree}")
	if err != nil {
		return err
	}
	if err := os.Remove(own + ".lock"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if tree, err := w.git.line(ctx, "write-tree"); err == nil && tree == head {
		text, err := os.ReadFile(w.index())
		if err != nil {
			return err
		}
		return writeWhole(own, text, 0o644, unsynced)
	}
	_, err = w.git.with("GIT_INDEX_FILE="+own).out(ctx, "read-tree", "--reset", w.record.Head)
	return err
}

// Diff returns what differs between two trees or commits.
func (w *Worktree) Diff(ctx context.Context, from, to string) ([]loops.Change, error) {
	if from == to {
		return nil, nil
	}
	out, err := w.shared.out(ctx, "diff-tree", "-r", "-z", "--raw", "--no-abbrev", "-M", "-l1000", "--no-ext-diff", "--no-textconv",
		"-O/dev/null", "--no-relative", "--ignore-submodules=none", from, to)
	if err != nil {
		return nil, err
	}
	return parseRaw(out)
}

// parseRaw reads the raw format of git diff-tree -z: colon, modes, ids, a
// letter, then one path, or two of a rename.
func parseRaw(out string) ([]loops.Change, error) {
	var changes []loops.Change
	for f := gitFields(out); len(f) > 0; {
		meta := strings.Fields(strings.TrimPrefix(f[0], ":"))
		if len(meta) != 5 || len(f) < 2 || !strings.HasPrefix(f[0], ":") {
			return nil, fmt.Errorf("output of git diff-tree: %q", f[0])
		}
		c := loops.Change{Path: f[1], Status: meta[4][:1], OldMode: mode(meta[0]), NewMode: mode(meta[1])}
		f = f[2:]
		if c.Status == "R" {
			if len(f) == 0 {
				return nil, fmt.Errorf("output of git diff-tree: %s is renamed without a target", c.Path)
			}
			c.From, c.Path, f = c.Path, f[0], f[1:]
		}
		changes = append(changes, c)
	}
	return changes, nil
}

// mode is "" for what does not exist.
func mode(s string) string {
	if s == "000000" {
		return ""
	}
	return s
}

// Export writes a tree to a folder that does not exist yet, or is empty. The
// folder gets its name when it is whole.
func (w *Worktree) Export(ctx context.Context, tree, dir string) (err error) {
	if there, err := occupied(dir); err != nil {
		return err
	} else if there {
		return fmt.Errorf("export to %s: %w; use a new directory", dir, fs.ErrExist)
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return err
	}
	part, err := os.MkdirTemp(filepath.Dir(dir), ".export-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(part)) }()
	files := filepath.Join(part, "files")
	if err := os.Mkdir(files, 0o755); err != nil {
		return err
	}
	// Attributes are the tree's own: with a folder that is empty, git has no
	// other place to look for them.
	g := w.git.with("GIT_WORK_TREE="+files, "GIT_INDEX_FILE="+filepath.Join(part, "index"))
	g.dir = files
	if _, err := g.out(ctx, "read-tree", "--reset", "-u", tree); err != nil {
		return fmt.Errorf("export %s: %w", tree, err)
	}
	if _, err := w.repo.populate(ctx, tree, files); err != nil {
		return err
	}
	if err := os.Remove(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.Rename(files, dir)
}

// Commit records a tree on the run's branch. If the branch's head carries the
// key already, that commit is returned.
func (w *Worktree) Commit(ctx context.Context, c loops.CommitSpec) (string, error) {
	if err := w.settleHead(ctx); err != nil {
		return "", err
	}
	tip, err := w.tip(ctx, w.record.Branch)
	if err != nil {
		return "", err
	}
	if tip != w.record.Head {
		return "", fmt.Errorf("another process moved %s from %s to %s; keep that work on another branch, then restore it (git update-ref refs/heads/%s %s)",
			w.record.Branch, w.record.Head, orNothing(tip), w.record.Branch, w.record.Head)
	}
	raw, err := w.shared.out(ctx, "cat-file", "commit", tip)
	if err != nil {
		return "", err
	}
	if tip != w.record.Base && c.Key != "" && trailer(raw, "Loop-Key") == oneLine(c.Key) {
		return tip, w.align(ctx)
	}
	pages, err := w.pages(ctx, tip, c.Tree)
	if err != nil {
		return "", err
	}
	id, err := w.commitTree(ctx, c.Tree, tip, message(c, pages))
	if err != nil {
		return "", err
	}
	w.record.Next = id
	if err := w.save(); err != nil {
		return "", err
	}
	if _, err := w.shared.out(ctx, "update-ref", "--no-deref", "-m", "loop: "+oneLine(c.Subject), "refs/heads/"+w.record.Branch, id, tip); err != nil {
		return "", err
	}
	w.record.Head, w.record.Next = id, ""
	if err := w.save(); err != nil {
		return "", err
	}
	return id, w.align(ctx)
}

func orNothing(id string) string {
	if id == "" {
		return "nothing"
	}
	return id
}

// commitTree makes a commit that is on no branch yet.
func (w *Worktree) commitTree(ctx context.Context, tree, parent, text string) (string, error) {
	env := []string{"GIT_AUTHOR_NAME=" + w.record.Name, "GIT_AUTHOR_EMAIL=" + w.record.Email,
		"GIT_COMMITTER_NAME=" + w.record.Name, "GIT_COMMITTER_EMAIL=" + w.record.Email}
	if w.spec.Now != nil {
		at := w.spec.Now().Format("2006-01-02T15:04:05-07:00")
		env = append(env, "GIT_AUTHOR_DATE="+at, "GIT_COMMITTER_DATE="+at)
	}
	id, err := w.shared.with(env...).in(ctx, strings.NewReader(text), "commit-tree", "--no-gpg-sign", "-p", parent, "-F", "-", tree)
	return strings.TrimSpace(id), err
}

// message returns a commit's text. Its trailers stand alone at its end, so that no
// line of the body is taken for one.
func message(c loops.CommitSpec, pages []string) string {
	var b strings.Builder
	b.WriteString(oneLine(c.Subject) + "\n\n")
	if body := strings.TrimSpace(strings.ReplaceAll(c.Body, "\x00", "")); body != "" {
		b.WriteString(body + "\n\n")
	}
	trailers := [][2]string{{"Loop-Run", c.Run}, {"Loop-Plan", c.Plan}, {loops.BaseTrailer, c.Base}, {"Loop-Key", c.Key}}
	for line := range slices.Chunk(pages, pagesPerLine) {
		trailers = append(trailers, [2]string{loops.PagesTrailer, strings.Join(line, " ")})
	}
	for _, t := range trailers {
		if t[1] != "" {
			b.WriteString(t[0] + ": " + oneLine(t[1]) + "\n")
		}
	}
	return b.String()
}

// pagesPerLine keeps a trailer to the width of a terminal.
const pagesPerLine = 4

// pages returns the short ids of the markdown that differs in a tree from a commit and
// is there.
func (w *Worktree) pages(ctx context.Context, from, to string) ([]string, error) {
	out, err := w.shared.out(ctx, "diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", "--diff-filter=AM", "--no-ext-diff",
		"-O/dev/null", "--no-relative", from, to)
	if err != nil {
		return nil, err
	}
	var ids []string
	for f := gitFields(out); len(f) > 1; f = f[2:] {
		meta := strings.Fields(f[0])
		if len(meta) != 5 || len(meta[3]) < loops.PageID {
			return nil, fmt.Errorf("output of git diff-tree: %q", f[0])
		}
		if strings.EqualFold(path.Ext(f[1]), ".md") {
			ids = append(ids, meta[3][:loops.PageID])
		}
	}
	slices.Sort(ids)
	return slices.Compact(ids), nil
}

// trailer returns a trailer of a commit: of the last paragraph alone.
func trailer(raw, name string) string {
	raw = strings.TrimRight(raw, "\n")
	last := raw[strings.LastIndex(raw, "\n\n")+1:]
	for line := range strings.Lines(last) {
		if v, ok := strings.CutPrefix(line, name+": "); ok {
			return strings.TrimSpace(v)
		}
	}
	return ""
}

func oneLine(s string) string {
	return text.Collapse(strings.ReplaceAll(s, "\x00", ""))
}
