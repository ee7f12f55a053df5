package contain

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Open returns the worktree of a run, and makes it if it does not exist. It can
// be repeated, and goes on where a call that was killed stopped. What belongs
// to somebody else is refused, with the reason and what can be done.
func Open(ctx context.Context, repo Repo, spec Spec) (*Worktree, error) {
	at, err := locateCheckout(ctx, repo)
	if err != nil {
		return nil, err
	}
	if !filepath.IsAbs(spec.Folder) {
		return nil, fmt.Errorf("the directory of run %s is not absolute: %q", spec.Run, spec.Folder)
	}
	if spec.Plan == "" || spec.Plan != filepath.Base(spec.Plan) || strings.ContainsAny(spec.Plan, `/\`) {
		return nil, fmt.Errorf("the plan's name %q is not a valid directory name; rename the plan", spec.Plan)
	}
	if _, err := at.git.out(ctx, "check-ref-format", "refs/heads/"+spec.Branch()); err != nil {
		return nil, fmt.Errorf("the plan's name %q is not a valid branch name; rename the plan", spec.Plan)
	}
	w := &Worktree{spec: spec, repo: at}
	top := at.top
	if spec.Parent == "" {
		if top, err = aboveSubmodules(ctx, git{dir: at.top, env: gitEnvironment(repo.Env), program: repo.program}); err != nil {
			return nil, err
		}
	}
	if w.path, err = target(top, spec); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(w.kept(), 0o755); err != nil {
		return nil, err
	}
	w.bind("")
	w.record, err = readOwnership(spec.Folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		err = w.claim(ctx)
	case err == nil && (w.record.Run != spec.Run || w.record.Path != w.path || w.record.Branch != spec.Branch()):
		err = fmt.Errorf("run %s works on %s in %s, not on %s in %s; start a new run", w.record.Run, w.record.Branch, w.record.Path, spec.Branch(), w.path)
	}
	if err != nil {
		return nil, err
	}
	if err := w.ensure(ctx); err != nil {
		return nil, err
	}
	return w, nil
}

// findHooks finds out where hooks lie if not in the repository, before any
// role could say something else.
func (w *Worktree) findHooks(ctx context.Context) error {
	// The options of the call itself set the key, so that the files are asked.
	for _, scope := range []string{"--worktree", "--local", "--global", "--system"} {
		name, err := w.repo.git.line(ctx, "config", scope, "--type=path", "--get", "core.hooksPath")
		if gitFailed(err) {
			continue
		}
		if err != nil {
			return err
		}
		if w.record.Hooks = filepath.FromSlash(name); !filepath.IsAbs(w.record.Hooks) {
			w.record.Hooks = filepath.Join(w.repo.top, w.record.Hooks)
		}
		return nil
	}
	return nil
}

// aboveSubmodules returns the repository's top, or for a submodule the folder of both names
// that would lie beside the repository that holds it. A worktree beside the submodule
// would be an untracked repository there, and "git add -A" would commit a link to it.
func aboveSubmodules(ctx context.Context, g git) (string, error) {
	name := filepath.Base(g.dir)
	for {
		above, err := g.line(ctx, "rev-parse", "--show-superproject-working-tree")
		if err != nil || above == "" {
			return filepath.Join(filepath.Dir(g.dir), name), err
		}
		g.dir = filepath.FromSlash(above)
		name = filepath.Base(g.dir) + "-" + name
	}
}

// target returns the worktree's folder, with links above it resolved, as git
// writes it. The repository's name is in it: its neighbour may run a plan of the
// same name.
func target(top string, spec Spec) (string, error) {
	parent := filepath.FromSlash(spec.Parent)
	if parent == "" {
		parent = ".."
	}
	if !filepath.IsAbs(parent) {
		parent = filepath.Join(top, parent)
	}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", fmt.Errorf("worktree directory: %w", err)
	}
	parent, err := filepath.EvalSymlinks(parent)
	return filepath.Join(parent, filepath.Base(top)+"-loop-"+spec.Plan), err
}

// claim records that the branch and the folder are going to be the run's. It
// refuses if they are not free.
func (w *Worktree) claim(ctx context.Context) error {
	base := w.spec.Base
	if base == "" {
		base = "HEAD"
	}
	id, err := w.repo.git.line(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", base+"^{commit}")
	if gitFailed(err) {
		return fmt.Errorf("%s has no commit %s to start from; commit something first", w.repo.top, base)
	}
	if err != nil {
		return err
	}
	w.record = ownership{Version: ownershipVersion, Run: w.spec.Run, Plan: w.spec.Plan, Path: w.path, Branch: w.spec.Branch(), Base: id, Head: id}
	if err := errors.Join(w.identify(ctx), w.findHooks(ctx)); err != nil {
		return err
	}
	if err := w.free(ctx); err != nil {
		return err
	}
	return w.save()
}

// free makes sure that folder and branch are nobody's, or takes over what an
// earlier run of the plan left behind and nobody needs.
func (w *Worktree) free(ctx context.Context) error {
	there, err := occupied(w.path)
	if err != nil {
		return err
	}
	admin, err := adminOf(w.repo.common, w.path)
	if err != nil {
		return err
	}
	tip, err := w.tip(ctx, w.record.Branch)
	if err != nil || !there && admin == "" && tip == "" {
		return err
	}
	old, owned := w.earlier(admin, tip)
	switch {
	case there && !owned:
		return fmt.Errorf("%s exists and was not created by a loop; move it away, or set loops.worktrees in wiki.yaml to another directory", w.path)
	case !owned && tip != "":
		return fmt.Errorf("the branch %s exists and was not created by a loop; rename it (git branch -m %s NAME)", w.record.Branch, w.record.Branch)
	case !owned:
		return fmt.Errorf("git lists a missing worktree at %s that no loop created; run git worktree prune", w.path)
	case w.spec.Over == nil || !w.spec.Over(old.Run):
		return fmt.Errorf("%s belongs to run %s, which is not over; resume it (wiki loop resume %s) or stop it (wiki loop stop %s)", w.path, old.Run, old.Run, old.Run)
	}
	return w.takeOver(ctx, old, admin, tip, there)
}

// takeOver removes what an earlier run left, if nothing is lost by it.
func (w *Worktree) takeOver(ctx context.Context, old ownership, admin, tip string, there bool) error {
	hint := "merge the branch, or delete it and its worktree, and run again"
	if tip != "" {
		free, err := w.reached(ctx, old, tip)
		if err != nil {
			return err
		}
		if !free && w.spec.Failed != nil && w.spec.Failed(old.Run) && (tip == old.Head || tip == old.Next) {
			return w.setAside(ctx, old)
		}
		if !free {
			return fmt.Errorf("the branch %s has commits of run %s that are not merged; %s", w.record.Branch, old.Run, hint)
		}
	}
	if admin != "" {
		if _, err := os.Stat(filepath.Join(admin, "locked")); err == nil {
			return fmt.Errorf("the worktree %s of run %s is locked; run git worktree unlock, then wiki loop gc", w.path, old.Run)
		}
	}
	if there {
		prior := &Worktree{spec: Spec{Run: old.Run, Plan: old.Plan, Folder: filepath.Join(filepath.Dir(w.spec.Folder), old.Run)}, repo: w.repo, path: w.path, record: old}
		prior.bind(admin)
		dirty, err := prior.dirty(ctx)
		if err != nil {
			return err
		}
		switch {
		case dirty && w.spec.Continue:
			var l Leftover
			if err := prior.salvage(ctx, &l, false); err != nil {
				return err
			}
			w.note("uncommitted changes of run %s are on %s", old.Run, l.Saved)
		case dirty:
			return fmt.Errorf("the worktree %s of run %s has uncommitted changes; inspect them, or run wiki loop gc, which saves them", w.path, old.Run)
		}
	}
	return w.repo.discard(ctx, w.path, admin, w.record.Branch, tip)
}

// setAside frees what an earlier run left that did not reach its goal.
func (w *Worktree) setAside(ctx context.Context, old ownership) error {
	folder := filepath.Join(filepath.Dir(w.spec.Folder), old.Run)
	saved, err := w.repo.setAside(ctx, Owned{Run: old.Run, Folder: folder, Over: true})
	if saved != "" {
		w.note("the work of run %s is on %s", old.Run, saved)
	}
	return err
}

// reached reports whether nothing is lost if the branch of an earlier run goes: it
// is merged, it has no commits that are nowhere else, or this run starts from them.
func (w *Worktree) reached(ctx context.Context, old ownership, tip string) (bool, error) {
	if w.spec.Continue {
		_, err := w.repo.git.out(ctx, "merge-base", "--is-ancestor", tip, w.record.Base)
		if err == nil || !gitFailed(err) {
			return err == nil, err
		}
	}
	if tip == old.Base {
		return w.repo.elsewhere(ctx, tip, w.record.Branch)
	}
	return w.repo.merged(ctx, tip)
}

// occupied reports whether there is something in a folder, or in its place.
func occupied(path string) (bool, error) {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil || !info.IsDir() {
		return true, err
	}
	entries, err := os.ReadDir(path)
	return len(entries) > 0, err
}

// earlier returns the record of the run that the worktree or the branch belongs
// to: the run that the worktree's mark names, or the one beside this that
// recorded the branch. Both the run's own record and what is there must agree.
func (w *Worktree) earlier(admin, tip string) (ownership, bool) {
	runs := filepath.Dir(w.spec.Folder)
	if admin != "" {
		run := markOf(admin)
		if run == "" || run != filepath.Base(run) {
			return ownership{}, false
		}
		r, err := readOwnership(filepath.Join(runs, run))
		return r, err == nil && r.Run == run && r.Path == w.path && r.Branch == w.record.Branch
	}
	entries, err := os.ReadDir(runs)
	if err != nil {
		return ownership{}, false
	}
	for _, e := range entries {
		r, err := readOwnership(filepath.Join(runs, e.Name()))
		if err == nil && r.Run != w.spec.Run && r.Branch == w.record.Branch && (tip == r.Head || tip == r.Next) {
			return r, true
		}
	}
	return ownership{}, false
}

// ensure makes what is missing. Each of its steps finds out what the one before
// left, so that it does not matter where a call before it was killed.
func (w *Worktree) ensure(ctx context.Context) error {
	admin, err := adminOf(w.repo.common, w.path)
	if err != nil {
		return err
	}
	if admin != "" && markOf(admin) == w.record.Run {
		if _, err := unlink(w.path); err != nil {
			return err
		}
	}
	there, err := occupied(w.path)
	if err != nil {
		return err
	}
	if admin != "" && w.record.Made && markOf(admin) != w.record.Run {
		return fmt.Errorf("%s is no longer the worktree of run %s; move it away so that it can be recreated", w.path, w.record.Run)
	}
	if admin == "" && there {
		return fmt.Errorf("%s exists but is not a git worktree; move it away so that it can be recreated", w.path)
	}
	if !there || !w.record.Made {
		if err := w.register(ctx, admin); err != nil {
			return err
		}
		if admin, err = adminOf(w.repo.common, w.path); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(admin, ownershipMark), []byte(w.record.Run+"\n"), 0o644); err != nil {
			return err
		}
		w.record.Made, w.record.Filled = true, false
		if err := w.save(); err != nil {
			return err
		}
	}
	w.bind(admin)
	if err := w.unlock(); err != nil {
		return err
	}
	if err := w.settleHead(ctx); err != nil {
		return err
	}
	return w.fill(ctx)
}

// unlink removes a link that took the place of a worktree's folder, and returns what it led
// to: what is done to a worktree would be done there.
func unlink(path string) (to string, err error) {
	info, err := os.Lstat(path)
	if err != nil || info.Mode()&fs.ModeSymlink == 0 {
		return "", nil
	}
	if to, err = os.Readlink(path); err != nil {
		return "", err
	}
	return to, os.Remove(path)
}

// isFolder refuses a link in the place of the worktree's folder.
func (w *Worktree) isFolder() error {
	if info, err := os.Lstat(w.path); err == nil && !info.IsDir() {
		return fmt.Errorf("%s is not a directory any more; move it away so that it can be recreated", w.path)
	}
	return nil
}

// root opens the worktree's folder.
func (w *Worktree) root() (*os.Root, error) {
	if err := w.isFolder(); err != nil {
		return nil, err
	}
	return os.OpenRoot(w.path)
}

// register makes the worktree known to git, without its files: those follow,
// by a step that can be repeated. Nobody has worked in what a killed call of
// this kind left: it has no files.
func (w *Worktree) register(ctx context.Context, admin string) error {
	if admin != "" {
		if there, err := occupied(w.path); err != nil {
			return err
		} else if there {
			if err := onlyGit(w.path); err != nil {
				return err
			}
		}
		if err := w.repo.discard(ctx, w.path, admin, "", ""); err != nil {
			return err
		}
	}
	args := []string{"-c", "worktree.guessRemote=false", "-c", "worktree.useRelativePaths=false", "worktree", "add", "--quiet", "--no-checkout"}
	tip, err := w.tip(ctx, w.record.Branch)
	if err != nil {
		return err
	}
	if tip == "" {
		args = append(args, "--no-track", "-b", w.record.Branch, w.path, w.record.Head)
	} else {
		args = append(args, w.path, w.record.Branch)
	}
	if _, err := w.repo.git.out(ctx, args...); err != nil {
		return fmt.Errorf("create the worktree %s: %w", w.path, err)
	}
	return nil
}

// onlyGit refuses a folder that has more in it than a worktree without files.
func onlyGit(path string) error {
	entries, err := os.ReadDir(path)
	if err != nil {
		return err
	}
	for _, e := range entries {
		if e.Name() != ".git" {
			return fmt.Errorf("%s was being created when its runner died, and now has other files (%s); move it away", path, e.Name())
		}
	}
	return nil
}

// fill puts the files of the run's last commit into a worktree that has none yet.
func (w *Worktree) fill(ctx context.Context) error {
	if w.record.Filled {
		return nil
	}
	if err := w.forget(); err != nil {
		return err
	}
	if _, err := w.git.out(ctx, "read-tree", "--reset", "-u", w.record.Head); err != nil {
		return fmt.Errorf("fill the worktree: %w; in a partial clone, run git fetch --refetch first", err)
	}
	if err := w.align(ctx); err != nil {
		return err
	}
	missing, err := w.repo.populate(ctx, w.record.Head, w.path)
	if err != nil {
		return err
	}
	for _, name := range missing {
		w.note("the submodule %s is empty in the worktree: its commit is not in this checkout; run git submodule update --init --recursive", name)
	}
	w.record.Filled = true
	return w.save()
}

// settleHead finds out what the branch's tip is by the record: a commit whose
// runner died between making it and writing that down is the run's.
func (w *Worktree) settleHead(ctx context.Context) error {
	if w.record.Next == "" {
		return nil
	}
	tip, err := w.tip(ctx, w.record.Branch)
	if err != nil {
		return err
	}
	if tip == w.record.Next {
		w.record.Head = tip
	}
	w.record.Next = ""
	return w.save()
}

// lockPatience is how long another git that still runs has to end: one whose
// runner was killed outlives it for as long as its work takes.
const lockPatience = 2 * time.Second

// unlock removes the locks that a killed git left in what is the run's alone.
func (w *Worktree) unlock() error {
	for _, name := range []string{w.index() + ".lock", filepath.Join(w.admin, "index.lock"), filepath.Join(w.admin, "HEAD.lock"),
		filepath.Join(w.repo.common, "refs", "heads", filepath.FromSlash(w.record.Branch)+".lock")} {
		info, err := os.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		for age := time.Since(info.ModTime()); age >= 0 && age < lockPatience; age = time.Since(info.ModTime()) {
			if there, err := lexists(name); err != nil || !there {
				break
			}
			time.Sleep(20 * time.Millisecond)
		}
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// adminOf returns the administrative folder of the worktree at a path, "" if
// git knows none there.
func adminOf(common, path string) (string, error) {
	entries, err := os.ReadDir(filepath.Join(common, "worktrees"))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	for _, e := range entries {
		admin := filepath.Join(common, "worktrees", e.Name())
		if folderOf(admin) == path {
			return admin, nil
		}
	}
	return "", err
}

// folderOf returns where the worktree of an administrative folder lies.
func folderOf(admin string) string {
	text, err := os.ReadFile(filepath.Join(admin, "gitdir"))
	if err != nil {
		return ""
	}
	name := filepath.FromSlash(strings.TrimSpace(string(text)))
	if !filepath.IsAbs(name) {
		name = filepath.Join(admin, name)
	}
	return filepath.Dir(name)
}

// markOf returns the run that a worktree is marked as being of.
func markOf(admin string) string {
	text, err := os.ReadFile(filepath.Join(admin, ownershipMark))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// tip returns the commit of a branch, "" if there is no such branch.
func (w *Worktree) tip(ctx context.Context, branch string) (string, error) {
	return w.repo.tip(ctx, "refs/heads/"+branch)
}

func (c checkout) tip(ctx context.Context, ref string) (string, error) {
	id, err := c.git.line(ctx, "rev-parse", "--verify", "--quiet", ref+"^{commit}")
	if gitFailed(err) {
		return "", nil
	}
	return id, err
}
