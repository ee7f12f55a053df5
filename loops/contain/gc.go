package contain

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Owned is a run that may have left a worktree.
type Owned struct {
	Run    string
	Folder string // the run's own
	// Over says that the run is at its end and will not be resumed.
	Over bool
}

// Leftover is a worktree, and what GC did about it.
type Leftover struct {
	Run    string `json:"run,omitempty"` // "" if it is not a run's
	Path   string `json:"path"`
	Branch string `json:"branch"`
	// Removed says that it was removed, or would be in a dry run.
	Removed bool   `json:"removed"`
	Why     string `json:"why"`
	// Size is of its files, in bytes.
	Size int64 `json:"size"`
	// Saved is the branch with what was not committed.
	Saved string `json:"saved,omitempty"`
	// Ignored are files that git ignores and that went with it, outside
	// folders for output.
	Ignored []string `json:"ignored,omitempty"`
}

// GC removes the worktrees and branches of runs that are over, if their commits
// are merged into the default branch or there are none. What was not committed
// is put on a branch loop/<plan>-wip-<n> first. Everything else is kept and
// reported. In a dry run nothing changes.
func GC(ctx context.Context, repo Repo, owned []Owned, dryRun bool) ([]Leftover, error) {
	at, err := locateCheckout(ctx, repo)
	if err != nil {
		return nil, err
	}
	var out []Leftover
	seen := map[string]bool{}
	for _, o := range owned {
		r, err := readOwnership(o.Folder)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return out, err
		}
		w := &Worktree{spec: Spec{Run: o.Run, Plan: r.Plan, Folder: o.Folder}, repo: at, path: r.Path, record: r}
		l, err := w.collect(ctx, o, dryRun)
		if err != nil {
			return out, fmt.Errorf("collect %s: %w", r.Path, err)
		}
		if l != nil {
			out, seen[l.Path] = append(out, *l), true
		}
	}
	entries, err := os.ReadDir(filepath.Join(at.common, "worktrees"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return out, err
	}
	for _, e := range entries {
		path := folderOf(filepath.Join(at.common, "worktrees", e.Name()))
		if path != "" && !seen[path] && path != at.top {
			out = append(out, Leftover{Path: path, Why: "no known run created it", Size: sizeOf(path)})
		}
	}
	slices.SortFunc(out, func(a, b Leftover) int { return strings.Compare(a.Path+a.Run, b.Path+b.Run) })
	return out, nil
}

// collect looks at what one run left; nil if that is nothing.
func (w *Worktree) collect(ctx context.Context, o Owned, dryRun bool) (*Leftover, error) {
	admin, err := adminOf(w.repo.common, w.path)
	if err != nil {
		return nil, err
	}
	there, err := occupied(w.path)
	if err != nil {
		return nil, err
	}
	there = there && w.isFolder() == nil
	tip, err := w.tip(ctx, w.record.Branch)
	if err != nil {
		return nil, err
	}
	known := tip == w.record.Head || tip == w.record.Next
	if admin == "" && (tip == "" || !known) || admin != "" && markOf(admin) != w.record.Run {
		return nil, nil // it is gone, or somebody else's by now
	}
	l := &Leftover{Run: o.Run, Path: w.path, Branch: w.record.Branch, Size: sizeOf(w.path)}
	if l.Why, err = w.needed(ctx, o, admin, tip, known, there); err != nil || l.Why != "" {
		return l, err
	}
	l.Removed, l.Why = true, "the run is over and its commits are merged"
	if tip == "" || tip == w.record.Base {
		l.Why = "the run is over and has no commits"
	}
	if there {
		w.bind(admin)
		if err := w.salvage(ctx, l, dryRun); err != nil {
			return nil, err
		}
	}
	if dryRun {
		return l, nil
	}
	return l, w.repo.discard(ctx, w.path, admin, w.record.Branch, tip)
}

// SetAside frees the worktree and the branch of a run that nobody goes on with.
// What is not merged, committed or not, is put on a branch loop/<plan>-wip-<n>,
// whose name is returned; "" if there is nothing of that kind.
func SetAside(ctx context.Context, repo Repo, o Owned) (saved string, err error) {
	at, err := locateCheckout(ctx, repo)
	if err != nil {
		return "", err
	}
	return at.setAside(ctx, o)
}

func (at checkout) setAside(ctx context.Context, o Owned) (saved string, err error) {
	r, err := readOwnership(o.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	w := &Worktree{spec: Spec{Run: o.Run, Plan: r.Plan, Folder: o.Folder}, repo: at, path: r.Path, record: r}
	admin, err := adminOf(at.common, w.path)
	if err != nil {
		return "", err
	}
	tip, err := w.tip(ctx, r.Branch)
	if err != nil {
		return "", err
	}
	if known := tip == r.Head || tip == r.Next; admin == "" && (tip == "" || !known) || admin != "" && markOf(admin) != r.Run {
		return "", nil // it is gone, or somebody else's by now
	}
	var l Leftover
	w.bind(admin)
	if admin != "" && fileThere(w.path) && w.isFolder() == nil {
		if err := w.salvage(ctx, &l, false); err != nil {
			return "", err
		}
	}
	if l.Saved == "" && tip != "" {
		kept, err := at.elsewhere(ctx, tip, r.Branch)
		if err != nil {
			return "", err
		}
		if !kept {
			if l.Saved, err = w.unused(ctx); err != nil {
				return "", err
			}
			if _, err := w.shared.out(ctx, "update-ref", "-m", "loop: set aside", "refs/heads/"+l.Saved, tip, ""); err != nil {
				return "", err
			}
		}
	}
	return l.Saved, at.discard(ctx, w.path, admin, r.Branch, tip)
}

// unused returns a name for a branch with what is saved.
func (w *Worktree) unused(ctx context.Context) (string, error) {
	for n := 1; ; n++ {
		name := w.record.Branch + "-wip-" + strconv.Itoa(n)
		if tip, err := w.tip(ctx, name); err != nil || tip == "" {
			return name, err
		}
	}
}

// needed reports why what a run left is kept, "" if it need not be.
func (w *Worktree) needed(ctx context.Context, o Owned, admin, tip string, known, there bool) (string, error) {
	switch {
	case !o.Over:
		return "the run is not finished", nil
	case there && admin == "":
		return "not a git worktree; inspect it and delete it by hand", nil
	case admin != "" && fileThere(filepath.Join(admin, "locked")):
		return "it is locked; run git worktree unlock", nil
	case tip != "" && !known:
		return "another process moved the branch", nil
	case tip == "":
		return "", nil
	}
	if tip == w.record.Base {
		if kept, err := w.repo.elsewhere(ctx, tip, w.record.Branch); err != nil || kept {
			return "", err
		}
	}
	merged, err := w.repo.merged(ctx, tip)
	if err != nil || merged {
		return "", err
	}
	return "its commits are not merged into the default branch", nil
}

// salvage puts what was not committed on a branch.
func (w *Worktree) salvage(ctx context.Context, l *Leftover, dryRun bool) error {
	ignored, err := w.ignored(ctx)
	if err != nil {
		return err
	}
	for _, i := range ignored {
		_, name, _ := strings.Cut(i, " ")
		l.Ignored = append(l.Ignored, name)
	}
	dirty, err := w.dirty(ctx)
	if err != nil || !dirty {
		return err
	}
	if l.Saved, err = w.unused(ctx); err != nil {
		return err
	}
	if dryRun {
		return nil
	}
	tree, err := w.writeTree(ctx)
	if err != nil {
		return err
	}
	id, err := w.commitTree(ctx, tree, w.record.Head, "wip: what run "+w.record.Run+" did not commit\n")
	if err != nil {
		return err
	}
	_, err = w.shared.out(ctx, "update-ref", "-m", "loop: saved by gc", "refs/heads/"+l.Saved, id, "")
	return err
}

// dirty reports whether a worktree holds what its head does not.
func (w *Worktree) dirty(ctx context.Context) (bool, error) {
	tree, err := w.writeTree(ctx)
	if err != nil {
		return false, err
	}
	head, err := w.shared.line(ctx, "rev-parse", "--verify", w.record.Head+"^{tree}")
	return tree != head, err
}

// discard removes a worktree and, if one is named, its branch, as long as that
// has not moved.
func (c checkout) discard(ctx context.Context, path, admin, branch, tip string) error {
	if admin != "" {
		if _, err := unlink(path); err != nil {
			return err
		}
		there, err := lexists(filepath.Join(path, ".git"))
		if err != nil {
			return err
		}
		if there {
			if err := mendGit(path, admin); err != nil {
				return err
			}
			if _, err := c.git.out(ctx, "worktree", "remove", "--force", "--force", path); err != nil {
				return err
			}
		} else if err := os.RemoveAll(admin); err != nil {
			return err
		}
	}
	if branch == "" || tip == "" {
		return nil
	}
	_, err := c.git.out(ctx, "update-ref", "-d", "refs/heads/"+branch, tip)
	return err
}

// mendGit makes the .git of a worktree a file again, as git removes no worktree that has another.
func mendGit(path, admin string) error {
	name := filepath.Join(path, ".git")
	if info, err := os.Lstat(name); err != nil || info.Mode().IsRegular() {
		return err
	}
	return errors.Join(os.RemoveAll(name), os.WriteFile(name, []byte("gitdir: "+filepath.ToSlash(admin)+"\n"), 0o644))
}

// fileThere reports whether there is a file of that name.
func fileThere(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

// sizeOf adds up the files below a folder. What can't be read counts nothing.
func sizeOf(path string) int64 {
	var sum int64
	_ = filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			sum += info.Size()
		}
		return nil
	})
	return sum
}

// DefaultBranch returns the name of the branch that work is merged into: what
// the remote origin says, what git's configuration says if there is such a
// branch, main, or master. It is "" if there is none of them.
func DefaultBranch(ctx context.Context, repo Repo) (string, error) {
	at, err := locateCheckout(ctx, repo)
	if err != nil {
		return "", err
	}
	return at.defaultBranch(ctx)
}

func (c checkout) defaultBranch(ctx context.Context) (string, error) {
	const remote = "refs/remotes/origin/"
	if ref, err := c.git.line(ctx, "symbolic-ref", "--quiet", remote+"HEAD"); err == nil {
		return strings.TrimPrefix(ref, remote), nil
	} else if !gitFailed(err) {
		return "", err
	}
	names := []string{"main", "master"}
	if name, err := c.git.line(ctx, "config", "--get", "init.defaultBranch"); err == nil {
		names = append([]string{name}, names...)
	}
	for _, name := range names {
		if tip, err := c.tip(ctx, "refs/heads/"+name); err != nil || tip != "" {
			return name, err
		}
	}
	return "", nil
}

// elsewhere reports whether a commit is reached without a branch: by another ref,
// or by what the checkout is on. A run may have begun with the commits of an
// earlier one, which nothing else holds.
func (c checkout) elsewhere(ctx context.Context, id, branch string) (bool, error) {
	out, err := c.git.out(ctx, "for-each-ref", "--contains="+id, "--format=%(refname)")
	if err != nil {
		return false, err
	}
	for ref := range strings.Lines(out) {
		if strings.TrimSpace(ref) != "refs/heads/"+branch {
			return true, nil
		}
	}
	_, err = c.git.out(ctx, "merge-base", "--is-ancestor", id, "HEAD")
	if gitFailed(err) {
		return false, nil
	}
	return err == nil, err
}

// IsMerged reports whether a branch or a commit can be reached from the default
// branch, as it is here or as the remote origin was seen last. In a shallow
// clone a commit may be merged and not be found to be.
func IsMerged(ctx context.Context, repo Repo, what string) (bool, error) {
	at, err := locateCheckout(ctx, repo)
	if err != nil {
		return false, err
	}
	id, err := at.tip(ctx, what)
	if err != nil {
		return false, err
	}
	if id == "" {
		return false, fmt.Errorf("%s is not a commit of %s", what, at.top)
	}
	return at.merged(ctx, id)
}

func (c checkout) merged(ctx context.Context, id string) (bool, error) {
	name, err := c.defaultBranch(ctx)
	if err != nil || name == "" {
		return false, err
	}
	for _, ref := range []string{"refs/heads/" + name, "refs/remotes/origin/" + name} {
		tip, err := c.tip(ctx, ref)
		if err != nil {
			return false, err
		}
		if tip == "" {
			continue
		}
		_, err = c.git.out(ctx, "merge-base", "--is-ancestor", id, tip)
		var f *gitFailure
		switch {
		case err == nil:
			return true, nil
		case errors.As(err, &f) && f.status == 1:
		default:
			return false, err
		}
	}
	return false, nil
}
