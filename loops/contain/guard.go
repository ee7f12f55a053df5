package contain

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// guard is the state outside the worktree that a role must not change.
type guard struct {
	// Files are those of the repository that git is steered by, by their names.
	Files map[string]entry `json:"files"`
	// Refs are commits, or "ref: " and another ref, by name.
	Refs map[string]string `json:"refs"`
	// Config is a digest of each value that git's configuration has from outside
	// of the repository, by key.
	Config map[string]string `json:"config"`
	// Index is the main checkout's, Staged a digest of what is in it.
	Index  entry  `json:"index"`
	Staged string `json:"staged"`
	// Dirty are the files of the main checkout that are not as its index says.
	Dirty map[string]entry `json:"dirty"`
	// Records are those of the runner itself; nil where roles work in a sandbox.
	Records map[string]entry `json:"records,omitempty"`

	commits []string // that the refs reach
}

// entry is a file as it was.
type entry struct {
	// Code is git's, of a file in the main checkout: "??" is untracked.
	Code string      `json:"code,omitempty"`
	Mode fs.FileMode `json:"mode,omitempty"`
	Link string      `json:"link,omitempty"`
	// Sum is of the content, under which it is kept; Size and Time stand for the
	// content of a file that was too large to be kept.
	Sum  string `json:"sum,omitempty"`
	Size int64  `json:"size,omitempty"`
	Time string `json:"time,omitempty"`
	Gone bool   `json:"gone,omitempty"`
}

// digest is of all that a guard holds. Maps are written in the order of their keys.
func (g guard) digest() string {
	text, err := json.Marshal(g)
	if err != nil {
		panic("contain: " + err.Error()) // it holds nothing that has no JSON
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

// readGuard reads the guarded state and keeps what is needed to restore it.
func (w *Worktree) readGuard(ctx context.Context) (guard, error) {
	var g guard
	var err error
	if g.Files, err = w.readFiles(); err != nil {
		return g, err
	}
	if g.Config, err = w.readConfig(ctx); err != nil {
		return g, err
	}
	if g.Refs, g.commits, err = w.readRefs(ctx); err != nil {
		return g, err
	}
	if g.Index, g.Staged, err = w.readIndex(ctx); err != nil {
		return g, err
	}
	if g.Dirty, err = w.readDirty(ctx); err != nil {
		return g, err
	}
	g.Records, err = w.readRecords()
	return g, err
}

// store keeps a content under its sum.
func (w *Worktree) store(text []byte) (string, error) {
	sum := sha256.Sum256(text)
	id := hex.EncodeToString(sum[:])
	name := w.kept("contents", id)
	if fileThere(name) {
		return id, nil
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return "", err
	}
	return id, writeWhole(name, text, 0o600, unsynced)
}

// load returns a content that was kept, if it is still what it was.
func (w *Worktree) load(id string) ([]byte, error) {
	if id == "" {
		return nil, fs.ErrNotExist
	}
	text, err := os.ReadFile(w.kept("contents", id))
	if err != nil {
		return nil, err
	}
	if sum := sha256.Sum256(text); hex.EncodeToString(sum[:]) != id {
		return nil, fmt.Errorf("%s was changed", w.kept("contents", id))
	}
	return text, nil
}

// take reads one file, and keeps its content unless it is larger than room.
func (w *Worktree) take(name string, room int64) (entry, error) {
	info, err := os.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) || notInFolder(err) {
		return entry{Gone: true}, nil
	}
	if err != nil {
		return entry{}, err
	}
	e := entry{Mode: info.Mode()}
	switch {
	case info.Mode()&fs.ModeSymlink != 0:
		e.Link, err = os.Readlink(name)
	case !info.Mode().IsRegular():
	case info.Size() > room:
		e.Size, e.Time = info.Size(), info.ModTime().UTC().String()
	default:
		var text []byte
		if text, err = os.ReadFile(name); err == nil {
			e.Size = int64(len(text))
			e.Sum, err = w.store(text)
		}
	}
	return e, err
}

// notInFolder reports whether a path could not be, since what should be a
// folder on the way is a file.
func notInFolder(err error) bool {
	var p *fs.PathError
	return errors.As(err, &p) && strings.Contains(p.Err.Error(), "not a directory")
}

// largeFile is up to which size, in bytes, files that steer git are kept.
const largeFile = 16 << 20

// readFiles reads the files that git is steered by. Names are relative to the
// repository's shared folder.
func (w *Worktree) readFiles() (map[string]entry, error) {
	files := map[string]entry{}
	for _, name := range w.guardedFiles() {
		e, err := w.take(w.guarded(name), largeFile)
		if err != nil {
			return nil, err
		}
		if !e.Gone {
			files[name] = e
		}
	}
	return files, nil
}

// Names of guarded files that do not lie in the shared folder begin with one of these.
const (
	ofCheckout = "checkout:"
	ofHooks    = "core.hooksPath:"
)

// guarded returns where a guarded file lies.
func (w *Worktree) guarded(name string) string {
	if rest, ok := strings.CutPrefix(name, ofCheckout); ok {
		return filepath.Join(w.repo.gitDir, filepath.FromSlash(rest))
	}
	if rest, ok := strings.CutPrefix(name, ofHooks); ok {
		return filepath.FromSlash(rest)
	}
	return filepath.Join(w.repo.common, filepath.FromSlash(name))
}

// inProgress are files that say what a checkout is in the middle of.
var inProgress = []string{"MERGE_HEAD", "MERGE_MSG", "MERGE_MODE", "CHERRY_PICK_HEAD", "REVERT_HEAD", "AUTO_MERGE", "SQUASH_MSG", "BISECT_LOG",
	"rebase-merge/head-name", "rebase-apply/head-name"}

// guardedFiles lists the files that are there and steer git, sorted.
func (w *Worktree) guardedFiles() []string {
	names := map[string]bool{}
	for _, n := range []string{"config", "config.worktree", "shallow", "objects/info/alternates", "objects/info/http-alternates", stashLog} {
		names[n] = true
	}
	for _, n := range append([]string{"HEAD", "config.worktree", "commondir", "gitdir"}, inProgress...) {
		if w.repo.gitDir == w.repo.common && n != "config.worktree" {
			names[n] = true
		} else if w.repo.gitDir != w.repo.common {
			names[ofCheckout+n] = true
		}
	}
	for _, folder := range []string{"hooks", "info"} {
		w.below(names, folder, nil)
	}
	w.below(names, "modules", func(name string) bool {
		last := path.Base(name)
		return last == "config" || last == "config.worktree" || strings.Contains(name, "/hooks/") || strings.Contains(name, "/info/")
	})
	entries, _ := os.ReadDir(filepath.Join(w.repo.common, "worktrees"))
	for _, e := range entries {
		admin := filepath.Join(w.repo.common, "worktrees", e.Name())
		if admin == w.admin {
			names["worktrees/"+e.Name()+"/config.worktree"] = true
			continue
		}
		head, _ := os.ReadFile(filepath.Join(admin, "HEAD"))
		if markOf(admin) != "" || strings.HasPrefix(string(head), "ref: refs/heads/loop/") || admin == w.repo.gitDir {
			continue // another run's: it guards its own
		}
		for _, n := range []string{"HEAD", "commondir", "gitdir", "locked", "config.worktree"} {
			names["worktrees/"+e.Name()+"/"+n] = true
		}
	}
	if w.record.Hooks != "" {
		_ = filepath.WalkDir(w.record.Hooks, func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				names[ofHooks+filepath.ToSlash(name)] = true
			}
			return nil
		})
	}
	delete(names, "info/refs") // a list for dumb transports, which every gc writes
	return slices.Sorted(maps.Keys(names))
}

// below adds the files below a folder of the shared one. Objects, logs and refs
// of submodules are passed over.
func (w *Worktree) below(names map[string]bool, folder string, want func(string) bool) {
	_ = filepath.WalkDir(filepath.Join(w.repo.common, folder), func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		rel, err := filepath.Rel(w.repo.common, name)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if d.IsDir() {
			if want != nil && (d.Name() == "objects" || d.Name() == "logs" || d.Name() == "refs") {
				return fs.SkipDir
			}
			return nil
		}
		if want == nil || want(rel) {
			names[rel] = true
		}
		return nil
	})
}

// readConfig reads what of git's configuration comes from outside the
// repository. Values may be secrets; their digests are kept.
func (w *Worktree) readConfig(ctx context.Context) (map[string]string, error) {
	out, err := w.shared.out(ctx, "config", "--list", "-z", "--show-scope")
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	f := gitFields(out)
	for i := 0; i+1 < len(f); i += 2 {
		if f[i] != "global" && f[i] != "system" {
			continue
		}
		key, value, _ := strings.Cut(f[i+1], "\n")
		sum := sha256.Sum256([]byte(values[key] + "\x00" + value))
		values[key] = hex.EncodeToString(sum[:8])
	}
	return values, nil
}

// stashLog lists all stashes but the newest, which is a ref.
const stashLog = "logs/refs/stash"

// readRefs reads all refs but those of runs, each of which guards its own, and
// the commits that they and the stash reach.
func (w *Worktree) readRefs(ctx context.Context) (map[string]string, []string, error) {
	out, err := w.shared.out(ctx, "for-each-ref", "--format=%(refname) %(objectname) %(objecttype) %(*objectname) %(*objecttype) %(symref)")
	if err != nil {
		return nil, nil, err
	}
	refs, commits := map[string]string{}, map[string]bool{w.record.Head: true}
	for line := range strings.Lines(out) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), " ")
		if len(f) != 6 {
			return nil, nil, fmt.Errorf("output of git for-each-ref: %q", line)
		}
		if f[2] == "commit" {
			commits[f[1]] = true
		} else if f[4] == "commit" {
			commits[f[3]] = true
		}
		if strings.HasPrefix(f[0], "refs/heads/loop/") {
			continue
		}
		refs[f[0]] = f[1]
		if f[5] != "" {
			refs[f[0]] = "ref: " + f[5]
		}
	}
	if text, err := os.ReadFile(filepath.Join(w.repo.common, filepath.FromSlash(stashLog))); err == nil {
		for line := range strings.Lines(string(text)) {
			if f := strings.Fields(line); len(f) > 1 {
				commits[f[1]] = true
			}
		}
	}
	return refs, slices.Sorted(maps.Keys(commits)), nil
}
