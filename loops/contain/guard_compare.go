package contain

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// compareGuard finds what changed outside the worktree and puts it back,
// what git is steered by first. What is overwritten lies in the folder keep
// afterwards, for the case that it was a person's work.
func (w *Worktree) compareGuard(ctx context.Context, was guard, keep string) ([]loops.Breach, error) {
	var all []loops.Breach
	steps := []func(context.Context, guard, string) ([]loops.Breach, error){
		func(_ context.Context, was guard, keep string) ([]loops.Breach, error) {
			return w.compareFiles(was, keep, func(name string) bool { return name != stashLog })
		},
		w.compareConfig,
		w.compareRefs,
		func(_ context.Context, was guard, keep string) ([]loops.Breach, error) {
			return w.compareFiles(was, keep, func(name string) bool { return name == stashLog })
		},
		w.compareIndex,
		w.compareDirty,
		func(_ context.Context, was guard, keep string) ([]loops.Breach, error) {
			return w.compareRecords(was, keep)
		},
	}
	for _, step := range steps {
		found, err := step(ctx, was, keep)
		all = append(all, found...)
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

// foreign tells of a change that a role in a sandbox can't have made.
func (w *Worktree) foreign(b loops.Breach) {
	w.note("%s changed from %s to %s while an agent worked in its sandbox: another process did that, and it is kept", b.What, b.Was, b.Is)
}

// compareFiles puts the files back that git is steered by.
func (w *Worktree) compareFiles(was guard, keep string, want func(string) bool) ([]loops.Breach, error) {
	now, err := w.readFiles()
	if err != nil {
		return nil, err
	}
	names := maps.Clone(now)
	maps.Copy(names, was.Files)
	var breaches []loops.Breach
	gone := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		before, there := was.Files[name]
		after, is := now[name]
		if !want(name) || before == after && there == is {
			continue
		}
		if !there {
			before.Gone = true
		}
		b := loops.Breach{What: strings.TrimPrefix(name, ofCheckout), Was: short(before), Is: short(after)}
		if name == stashLog {
			b.What = "stash"
		}
		if w.spec.Contained {
			w.foreign(b)
			continue
		}
		if admin := newWorktree(was, name); admin != "" {
			if gone[admin] {
				continue
			}
			gone[admin] = true
			full := filepath.Join(w.repo.common, filepath.FromSlash(admin))
			b = loops.Breach{What: admin, Was: "missing", Is: "a worktree at " + folderOf(full) + ", which is kept"}
			b.Restored = setAside(full, filepath.Join(keep, filepath.FromSlash(admin))) == nil
		} else {
			b.Restored = w.put(w.guarded(name), before, keep, "git/"+strings.ReplaceAll(name, ":", "/")) == nil
		}
		breaches = append(breaches, b)
	}
	return breaches, nil
}

// newWorktree returns the administrative folder that a file lies in, if there
// was none of that name.
func newWorktree(was guard, name string) string {
	rest, ok := strings.CutPrefix(name, "worktrees/")
	if !ok {
		return ""
	}
	first, _, _ := strings.Cut(rest, "/")
	for old := range was.Files {
		if strings.HasPrefix(old, "worktrees/"+first+"/") {
			return ""
		}
	}
	return "worktrees/" + first
}

// compareConfig looks at configuration from outside the repository. It is
// not ours to restore; git is called without it from here on.
func (w *Worktree) compareConfig(ctx context.Context, was guard, _ string) ([]loops.Breach, error) {
	now, err := w.readConfig(ctx)
	if err != nil {
		return nil, err
	}
	keys := maps.Clone(now)
	maps.Copy(keys, was.Config)
	var breaches []loops.Breach
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if now[key] == was.Config[key] {
			continue
		}
		b := loops.Breach{What: "git configuration outside the repository: " + key, Was: digestOf(was.Config[key]), Is: digestOf(now[key])}
		if w.spec.Contained {
			w.foreign(b)
			continue
		}
		breaches = append(breaches, b)
	}
	if len(breaches) > 0 {
		for _, g := range []*git{&w.git, &w.shared, &w.repo.git} {
			*g = g.with("GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		}
	}
	return breaches, nil
}

func digestOf(value string) string {
	if value == "" {
		return "not set"
	}
	return "a value with digest " + value
}

// compareRefs puts refs back. The commits that they led to are saved in a
// bundle, out of which git fetch gets them again.
func (w *Worktree) compareRefs(ctx context.Context, was guard, keep string) ([]loops.Breach, error) {
	now, _, err := w.readRefs(ctx)
	if err != nil {
		return nil, err
	}
	names := maps.Clone(now)
	maps.Copy(names, was.Refs)
	var breaches []loops.Breach
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if now[name] == was.Refs[name] {
			continue
		}
		b := loops.Breach{What: name, Was: orNothing(was.Refs[name]), Is: orNothing(now[name])}
		if name == "refs/stash" {
			b.What = "stash"
		}
		if w.spec.Contained || strings.HasPrefix(name, "refs/remotes/") && w.fetched(name) {
			w.foreign(b)
			continue
		}
		breaches, changed = append(breaches, b), append(changed, name)
	}
	if len(changed) == 0 {
		return nil, nil
	}
	if err := w.bundle(ctx, changed, now, was.Refs, keep); err != nil {
		return breaches, err
	}
	pushed := map[string]bool{}
	for _, name := range changed {
		pushed[name] = strings.HasPrefix(name, "refs/remotes/") && strings.Contains(w.lastLog(name), "update by push")
	}
	if err := w.resetRefs(ctx, changed, was.Refs, now); err != nil {
		return breaches, err
	}
	after, _, err := w.readRefs(ctx)
	for i, name := range changed {
		breaches[i].Restored = err == nil && after[name] == was.Refs[name]
		if pushed[name] {
			breaches[i].Is += ", pushed: the remote can't be restored from here"
			breaches[i].Restored = false
		}
	}
	return breaches, err
}

// resetRefs deletes what is new, and then sets what was: a new ref may stand in
// the way of an old one.
func (w *Worktree) resetRefs(ctx context.Context, names []string, was, now map[string]string) error {
	for _, name := range names {
		_, links := strings.CutPrefix(now[name], "ref: ")
		if now[name] != "" && (was[name] == "" || links) {
			if _, err := w.shared.out(ctx, "update-ref", "--no-deref", "-d", name); err != nil && !gitFailed(err) {
				return err
			}
		}
	}
	for _, name := range names {
		if was[name] == "" {
			continue
		}
		args := []string{"update-ref", "--no-deref", "-m", "loop: put back", name, was[name]}
		if to, ok := strings.CutPrefix(was[name], "ref: "); ok {
			args = []string{"symbolic-ref", name, to}
		}
		if _, err := w.shared.out(ctx, args...); err != nil && !gitFailed(err) {
			return err
		}
	}
	return nil
}

// fetched reports whether a ref of a remote was moved by a fetch, which changes
// nothing that anybody works on: editors fetch in the background.
func (w *Worktree) fetched(ref string) bool {
	said := w.lastLog(ref)
	return strings.HasPrefix(said, "fetch") || strings.HasPrefix(said, "pull")
}

// lastLog returns what the log of a ref says of its last move.
func (w *Worktree) lastLog(ref string) string {
	text, err := os.ReadFile(filepath.Join(w.repo.common, "logs", filepath.FromSlash(ref)))
	if err != nil {
		return ""
	}
	text = []byte(strings.TrimRight(string(text), "\n"))
	_, said, _ := strings.Cut(string(text[strings.LastIndexByte(string(text), '\n')+1:]), "\t")
	return said
}

// bundle saves the commits of refs that are about to be restored.
func (w *Worktree) bundle(ctx context.Context, names []string, now, was map[string]string, keep string) error {
	args := []string{"bundle", "create", "--quiet"}
	if err := os.MkdirAll(keep, 0o700); err != nil {
		return err
	}
	to := filepath.Join(keep, "refs.bundle")
	for n := 1; fileThere(to); n++ {
		to = filepath.Join(keep, fmt.Sprintf("refs-%d.bundle", n))
	}
	args = append(args, to)
	for _, name := range names {
		if id := now[name]; id != "" && !strings.HasPrefix(id, "ref: ") {
			args = append(args, name)
		}
	}
	if len(args) == 4 {
		return nil
	}
	args = append(args, "--not", w.record.Base)
	for _, name := range names {
		if id := was[name]; id != "" && !strings.HasPrefix(id, "ref: ") {
			args = append(args, id)
		}
	}
	// Git refuses to bundle what has no new commit, and then nothing is lost.
	if _, err := w.shared.out(ctx, args...); err != nil && !gitFailed(err) {
		return err
	}
	return nil
}

// guardOwn restores what ties the worktree to its branch, and the branch: the
// runner makes every commit. Files stay as they are.
func (w *Worktree) guardOwn(ctx context.Context, keep string) ([]loops.Breach, error) {
	var breaches []loops.Breach
	to, err := unlink(w.path)
	if err != nil {
		return nil, err
	}
	if to != "" {
		breaches = append(breaches, loops.Breach{What: "folder of the worktree", Was: "a folder", Is: "a link to " + to, Restored: true})
	}
	tie := func(what, name, want string) error {
		text, err := os.ReadFile(name)
		if err == nil && strings.TrimSpace(string(text)) == want {
			if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() {
				return nil
			}
		}
		b := loops.Breach{What: what, Was: want, Is: strings.TrimSpace(firstLine(text)), Restored: true}
		if err := os.RemoveAll(name); err != nil {
			return err
		}
		breaches = append(breaches, b)
		return errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, []byte(want+"\n"), 0o644))
	}
	err = errors.Join(
		tie("HEAD of the worktree", filepath.Join(w.admin, "HEAD"), "ref: refs/heads/"+w.record.Branch),
		tie("commondir of the worktree", filepath.Join(w.admin, "commondir"), "../.."),
		tie("gitdir of the worktree", filepath.Join(w.admin, "gitdir"), filepath.ToSlash(filepath.Join(w.path, ".git"))),
		tie("mark of the worktree", filepath.Join(w.admin, ownershipMark), w.record.Run),
		tie(".git of the worktree", filepath.Join(w.path, ".git"), "gitdir: "+filepath.ToSlash(w.admin)),
	)
	if err != nil {
		return breaches, err
	}
	for _, name := range append([]string{"rebase-merge", "rebase-apply"}, inProgress...) {
		if err := os.RemoveAll(filepath.Join(w.admin, filepath.FromSlash(name))); err != nil {
			return breaches, err
		}
	}
	if err := w.unlock(); err != nil {
		return breaches, err
	}
	b, err := w.guardTip(ctx, keep)
	if err != nil || b == nil {
		return breaches, err
	}
	return append(breaches, *b), w.align(ctx)
}

// guardTip puts the run's branch back to where the runner left it.
func (w *Worktree) guardTip(ctx context.Context, keep string) (*loops.Breach, error) {
	if err := w.settleHead(ctx); err != nil {
		return nil, err
	}
	ref := "refs/heads/" + w.record.Branch
	is, err := w.shared.line(ctx, "for-each-ref", "--format=%(objectname)%(symref)", ref)
	if err != nil || is == w.record.Head {
		return nil, err
	}
	b := &loops.Breach{What: "commit by an agent on " + w.record.Branch, Was: w.record.Head, Is: orNothing(is)}
	if is != "" {
		if err := w.bundle(ctx, []string{ref}, map[string]string{ref: is}, map[string]string{ref: w.record.Head}, keep); err != nil {
			return b, err
		}
	}
	_, err = w.shared.out(ctx, "update-ref", "--no-deref", "-m", "loop: put back", ref, w.record.Head)
	b.Restored = err == nil
	return b, err
}

func firstLine(text []byte) string {
	line, _, _ := strings.Cut(string(text), "\n")
	return line
}
