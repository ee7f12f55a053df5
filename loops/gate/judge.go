package gate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
)

// judge is one judgement: a candidate, the tree before it, and what differs.
type judge struct {
	*gates
	c     loops.Candidate
	chunk loops.Chunk
	ref   string // the tree or commit before the chunk
	// was is the export of ref, now that of the candidate. Commands run in
	// neither before all gates of the change are asked.
	was, now    *tree
	changes     []change // sorted by path
	commands    loops.GateCommands
	unlocked    []string        // globs that a person unlocked
	gateScripts map[string]bool // files that gates run
	deciders    map[string]bool // scripts whose exit status is a verdict; true: the plan names it
	// protection says what every changed path may be.
	protection protection
	ran        []testRun // what the test commands of the candidate came to
	green      bool      // all of them were
	// before and after are the wikis of the two trees, linted what is found there.
	before, after *wikiAt
	linted        map[*wikiAt][]finding
	homes         map[string]*home  // by export
	seeds         map[string]string // caches that setup left for dependencies which are not the base's
	setups        map[string]string // and what else it left
	dirs          []string          // to be removed
	trees         []*tree           // to be closed
	serial        atomic.Int64
}

// prepare exports the trees and finds what differs.
func (g *gates) prepare(ctx context.Context, c loops.Candidate) (*judge, error) {
	j := &judge{gates: g, c: c, chunk: c.Start.Plan.Work(c.Chunk), ref: c.Last, commands: c.Start.Gates, deciders: map[string]bool{}}
	if j.ref == "" {
		j.ref = c.Base
	}
	for _, s := range c.Start.Plan.SpecChanges {
		j.unlocked = append(j.unlocked, s.Paths...)
	}
	if err := j.exports(ctx); err != nil {
		j.close()
		return nil, err
	}
	return j, nil
}

// noCommands reports that nobody said which commands there are: they are those
// of the tree before the chunk.
func (j *judge) noCommands() bool {
	return !j.commands.Given && len(j.commands.Setup)+len(j.commands.Build)+len(j.commands.Test)+len(j.commands.Lint) == 0
}

func (j *judge) exports(ctx context.Context) error {
	var err error
	if j.was, err = j.export(ctx, j.ref); err != nil {
		return err
	}
	if j.noCommands() {
		j.commands, _ = Detect(files.DirFS(j.was.dir, files.Text))
	}
	if err := j.seal(ctx, j.was); err != nil { // what looks for a repository's top finds the export's
		return err
	}
	j.now = j.was
	if j.c.Stage == loops.StageBaseline {
		return nil
	}
	same := j.c.Tree == j.ref // except for files that git ignores
	if !same {
		if j.now, err = j.export(ctx, j.c.Tree); err != nil {
			return err
		}
	}
	if err := j.diff(ctx); err != nil {
		return err
	}
	j.gateScripts = j.scripts()
	j.addSetupFiles()
	if err := j.findDeciders(ctx); err != nil {
		return err
	}
	j.protection = j.protect()
	if same {
		return nil
	}
	if err := j.overlay(j.now); err != nil {
		return err
	}
	return j.seal(ctx, j.now)
}

// export writes a tree to a new folder.
func (j *judge) export(ctx context.Context, rev string) (*tree, error) {
	dir, err := j.folder("tree")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(dir); err != nil { // an export makes its own
		return nil, err
	}
	if err := j.c.Worktree.Export(ctx, rev, dir); err != nil {
		return nil, fmt.Errorf("export tree %s: %w", rev, err)
	}
	t, err := readTree(dir, rev)
	if t != nil {
		j.trees = append(j.trees, t)
	}
	return t, err
}

// folder makes a folder that is removed in the end.
func (j *judge) folder(what string) (string, error) {
	parent := j.Exports
	if parent == "" {
		parent = j.c.Dir
	}
	if err := os.MkdirAll(parent, 0o755); err != nil {
		return "", err
	}
	dir, err := os.MkdirTemp(parent, what+"-")
	if err == nil {
		dir, err = filepath.EvalSymlinks(dir)
	}
	j.dirs = append(j.dirs, dir)
	return dir, err
}

// close removes exports; outputs stay.
func (j *judge) close() {
	for _, t := range j.trees {
		t.root.Close()
	}
	for _, dir := range j.dirs {
		_ = removeAll(dir) // what is left is the run's, and goes with it
	}
}

// removeAll removes a folder, with folders in it that a tool made read-only.
func removeAll(dir string) error {
	if os.RemoveAll(dir) == nil {
		return nil
	}
	filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			os.Chmod(p, 0o700)
		}
		return nil
	})
	return os.RemoveAll(dir)
}

// diff finds what differs between ref and candidate: by git, with renames taken
// apart, and what the role did to ignored files.
func (j *judge) diff(ctx context.Context) error {
	var list []loops.Change
	if j.c.Tree != j.ref {
		var err error
		if list, err = j.c.Worktree.Diff(ctx, j.ref, j.c.Tree); err != nil {
			return fmt.Errorf("compare tree %s with %s: %w", j.c.Tree, j.ref, err)
		}
	}
	for _, c := range j.c.Changes {
		if c.Ignored || c.Size > 0 {
			list = append(list, c)
		}
	}
	seen := map[string]bool{}
	add := func(c change) {
		if seen[c.path] {
			return
		}
		seen[c.path] = true
		if !c.ignored {
			c.old, c.now = j.was.read(c.path), j.now.read(c.path)
		}
		j.changes = append(j.changes, c)
	}
	for _, c := range list {
		n := change{path: c.Path, oldMode: c.OldMode, newMode: c.NewMode, ignored: c.Ignored, size: c.Size, added: c.Status == "A", gone: c.Status == "D"}
		if strings.HasPrefix(c.Status, "R") {
			add(change{path: c.From, oldMode: c.OldMode, gone: true})
			n.from, n.added, n.oldMode = c.From, true, ""
		}
		add(n)
	}
	slices.SortFunc(j.changes, func(a, b change) int { return strings.Compare(a.path, b.path) })
	return nil
}

// changed returns the change of a path, nil if there is none.
func (j *judge) changed(p string) *change {
	i, ok := slices.BinarySearchFunc(j.changes, p, func(c change, p string) int { return strings.Compare(c.path, p) })
	if !ok {
		return nil
	}
	return &j.changes[i]
}

// overlay makes everything protected in an export as it is in ref. What the gate
// protected found makes this needless; it holds where that gate has a hole.
func (j *judge) overlay(t *tree) error {
	for i := range j.changes {
		c := &j.changes[i]
		if c.ignored || j.protection.allowed[c.path] || j.protection.kind[c.path] == ordinary {
			continue
		}
		if err := j.was.put(c.path, t.dir); err != nil {
			return fmt.Errorf("restore %s: %w", c.path, err)
		}
		if mode, ok := j.was.files[c.path]; ok {
			t.files[c.path] = mode
		} else {
			delete(t.files, c.path)
		}
	}
	return nil
}

// tools returns the folder for what compilers keep.
func (j *judge) tools() string {
	if j.Tools != "" {
		return j.Tools
	}
	return j.store("tools")
}

// store returns the folder for what outlives a candidate.
func (j *judge) store(parts ...string) string {
	dir := j.Cache
	if dir == "" {
		dir = filepath.Join(j.c.Dir, "cache")
	}
	return filepath.Join(append([]string{dir}, parts...)...)
}
