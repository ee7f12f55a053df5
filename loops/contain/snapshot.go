package contain

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// snapshotFile is the name of what a snapshot records, in its folder.
const snapshotFile = "guard.json"

// saved is what the folder of a snapshot holds.
type saved struct {
	Version int      `json:"version"`
	Ignored []string `json:"ignored"`
	Guard   guard    `json:"guard"`
}

// Snapshot records the state before a role. A snapshot of the same name is
// taken anew.
func (w *Worktree) Snapshot(ctx context.Context, name string) (loops.Snapshot, error) {
	tip, err := w.tip(ctx, w.record.Branch)
	if err != nil {
		return loops.Snapshot{}, err
	}
	if tip != w.record.Head {
		return loops.Snapshot{}, fmt.Errorf("%s is at %s, not where the runner left it; keep that work on another branch, then run git update-ref refs/heads/%s %s",
			w.record.Branch, orNothing(tip), w.record.Branch, w.record.Head)
	}
	found, err := w.removeStrays(ctx)
	if err != nil {
		return loops.Snapshot{}, err
	}
	for _, n := range found.nested {
		w.note("%s was a nested repository in the worktree, and no longer is", n)
	}
	for _, c := range found.large {
		w.note("%s had %d bytes, more than %d, and was removed from the worktree", c.Path, c.Size, int64(MaxFile))
	}
	s := loops.Snapshot{Head: w.record.Head, Saved: w.kept("snapshots", folderName(name))}
	if s.Tree, err = w.writeTree(ctx); err != nil {
		return loops.Snapshot{}, err
	}
	if s.Ignored, err = w.ignored(ctx); err != nil {
		return loops.Snapshot{}, err
	}
	g, err := w.readGuard(ctx)
	if err != nil {
		return loops.Snapshot{}, err
	}
	if err := w.pin(ctx, folderName(name), s.Tree, g); err != nil {
		return loops.Snapshot{}, err
	}
	s.Guarded = g.digest()
	if err := os.MkdirAll(s.Saved, 0o755); err != nil {
		return loops.Snapshot{}, err
	}
	if err := writeJSON(filepath.Join(s.Saved, snapshotFile), saved{Version: 1, Ignored: append([]string{}, s.Ignored...), Guard: g}); err != nil {
		return loops.Snapshot{}, err
	}
	w.record.Latest = s.Saved
	return s, w.save()
}

// Compare returns what changed since a snapshot. What lies outside the
// worktree is looked at first, and restored, since git does what it says: the
// tree is read with the configuration that the role found.
func (w *Worktree) Compare(ctx context.Context, before loops.Snapshot) (string, []loops.Change, []loops.Breach, error) {
	old, err := readSaved(before.Saved)
	if err != nil {
		return "", nil, nil, err
	}
	if old.Guard.digest() != before.Guarded {
		return "", nil, nil, fmt.Errorf("%s differs from the snapshot, so changes of the repository can't be detected; compare by hand and start a new run", filepath.Join(before.Saved, snapshotFile))
	}
	keep := filepath.Join(before.Saved, "overwritten")
	breaches, err := w.compareGuard(ctx, old.Guard, keep)
	if err != nil {
		return "", nil, breaches, err
	}
	own, err := w.guardOwn(ctx, keep)
	breaches = append(breaches, own...)
	if err != nil {
		return "", nil, breaches, err
	}
	found, err := w.removeStrays(ctx)
	for _, n := range found.nested {
		breaches = append(breaches, loops.Breach{What: "nested repository: " + n, Is: "created in the worktree", Restored: true})
	}
	if err != nil {
		return "", nil, breaches, err
	}
	tree, err := w.writeTree(ctx)
	if err != nil {
		return "", nil, breaches, err
	}
	changes, err := w.Diff(ctx, before.Tree, tree)
	if err != nil {
		return "", nil, breaches, err
	}
	ignored, err := w.ignored(ctx)
	if err != nil {
		return "", nil, breaches, err
	}
	changes = append(append(changes, found.large...), ignoredChanges(before.Ignored, ignored)...)
	return tree, changes, breaches, w.pin(ctx, "candidate", tree, guard{})
}

func readSaved(folder string) (saved, error) {
	name := filepath.Join(folder, snapshotFile)
	text, err := os.ReadFile(name)
	if err != nil {
		return saved{}, fmt.Errorf("read the snapshot: %w", err)
	}
	var s saved
	if err := json.Unmarshal(text, &s); err != nil {
		return saved{}, fmt.Errorf("read %s: %w", name, err)
	}
	if s.Version != 1 {
		return saved{}, fmt.Errorf("read %s: version %d is newer than this program supports (1); upgrade wiki", name, s.Version)
	}
	return s, nil
}

// latestIgnored returns what git ignored when the last snapshot was taken, nil
// if there was none.
func (w *Worktree) latestIgnored() ([]string, error) {
	if w.record.Latest == "" {
		return nil, nil
	}
	s, err := readSaved(w.record.Latest)
	return s.Ignored, err
}

// pin keeps objects from being pruned for as long as the worktree is there:
// the tree, and all that the refs of the repository reached. It uses refs of the
// worktree, which nobody sees elsewhere.
func (w *Worktree) pin(ctx context.Context, name, tree string, g guard) error {
	commands := fmt.Sprintf("update refs/worktree/loop/%s %s\n", name, tree)
	if !w.spec.Contained && len(g.Refs) > 0 {
		id, err := w.pinAll(ctx, g)
		if err != nil {
			return err
		}
		commands += "update refs/worktree/loop-refs " + id + "\n"
	}
	_, err := w.git.in(ctx, strings.NewReader(commands), "update-ref", "--stdin")
	return err
}

// pinAll makes a commit that has all refs and stashes for parents, and what is
// staged in the main checkout for a tree.
func (w *Worktree) pinAll(ctx context.Context, g guard) (string, error) {
	if key := g.digest(); w.pinned[0] == key {
		return w.pinned[1], nil
	}
	tree, err := w.stagedTree(ctx, g)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("tree " + tree + "\n")
	for _, id := range g.commits {
		b.WriteString("parent " + id + "\n")
	}
	b.WriteString("author wiki loop <> 0 +0000\ncommitter wiki loop <> 0 +0000\n\nsnapshot before a call of an agent\n")
	id, err := w.shared.in(ctx, strings.NewReader(b.String()), "hash-object", "-t", "commit", "-w", "--stdin")
	id = strings.TrimSpace(id)
	w.pinned = [2]string{g.digest(), id}
	return id, err
}

// stagedTree writes what is staged in the main checkout as a tree, by way of a
// copy of its index: during a merge that fails, and the head's tree is used instead.
func (w *Worktree) stagedTree(ctx context.Context, g guard) (string, error) {
	if text, err := w.load(g.Index.Sum); err == nil {
		name := w.kept("staged")
		if err := os.WriteFile(name, text, 0o600); err != nil {
			return "", err
		}
		tree, err := w.shared.with("GIT_INDEX_FILE="+name).line(ctx, "write-tree")
		if !gitFailed(err) {
			return tree, err
		}
	}
	return w.shared.line(ctx, "rev-parse", "--verify", w.record.Base+"^{tree}")
}

// folderName makes a name that is safe for a folder and a ref of any name.
func folderName(name string) string {
	sum := sha256.Sum256([]byte(name))
	safe := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
			return r
		}
		return '-'
	}, strings.ToLower(name))
	if len(safe) > 60 {
		safe = safe[len(safe)-60:]
	}
	return safe + "-" + hex.EncodeToString(sum[:4])
}
