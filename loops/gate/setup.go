package gate

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

var _ = register(Gate{
	ID:     "setup",
	Stages: []loops.Stage{loops.StageBaseline, loops.StageChunk, loops.StageEvaluate, loops.StageGoal},
	Doc:    "The setup commands succeed; they run again only if a lock file changes.",
	phase:  phaseSetup,
	judge:  judgeSetup,
})

func judgeSetup(ctx context.Context, j *judge) ([]loops.GateResult, error) {
	if len(j.commands.Setup) == 0 {
		return nil, nil
	}
	o, err := j.setup(ctx, j.now)
	if err != nil || o == nil {
		return passed(), err
	}
	r := j.result(o)
	if lockHash(j.now, nil) == lockHash(j.was, nil) { // nothing that the candidate did
		r.Effect = loops.Environment
	}
	return []loops.GateResult{r}, nil
}

// locks are the files that say which dependencies there are.
var locks = []string{
	"package-lock.json", "npm-shrinkwrap.json", "pnpm-lock.yaml", "yarn.lock", "bun.lock", "bun.lockb", "go.sum", "go.mod", "cargo.lock", "uv.lock", "poetry.lock", "pdm.lock",
	"pipfile.lock", "requirements.txt", "requirements-dev.txt", "dev-requirements.txt", "pyproject.toml", "package.json", "pom.xml", "gradle.lockfile", "composer.lock", "gemfile.lock",
}

// lockHash is equal for trees with equal dependencies and equal commands.
func lockHash(t *tree, commands []string) string {
	h := sha256.New()
	for _, p := range t.paths() {
		if slices.Contains(locks, strings.ToLower(path.Base(p))) && kindOf(path.Dir(p)+"/x") != testData {
			src := t.read(p)
			fmt.Fprintf(h, "%s\x00%d\x00", p, len(src))
			h.Write(src)
		}
	}
	for _, c := range commands {
		fmt.Fprintf(h, "%s\x00", c)
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// setup makes what a tree's commands need and links it into the tree. It returns
// the command that failed, or nil.
func (j *judge) setup(ctx context.Context, t *tree) (*outcome, error) {
	if len(j.commands.Setup) == 0 {
		return nil, nil
	}
	dependencies := lockHash(t, j.commands.Setup)
	dir := j.store("setup", dependencies)
	done := dir + ".done"
	if _, err := os.Stat(done); err == nil && isDir(j.own("caches", dependencies)) {
		return nil, linkOutputs(dir, t)
	}
	if j.c.Stage != loops.StageBaseline {
		return j.setUpAside(ctx, t, dependencies)
	}
	if err := removeAll(dir); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(filepath.Dir(dir), 0o755); err != nil {
		return nil, err
	}
	h, o, err := j.setUp(ctx, t, dir)
	if err != nil || o != nil {
		return o, err
	}
	if err := j.keep(h, dependencies); err != nil {
		return nil, err
	}
	if err := os.WriteFile(done, []byte("1\n"), 0o644); err != nil {
		return nil, err
	}
	return nil, linkOutputs(dir, t)
}

// setUpAside makes what a tree needs whose dependencies are not those of the base: for
// this judgement alone, as scripts of an agent may have run. If the tree before the chunk
// has the same dependencies, the scripts are its.
func (j *judge) setUpAside(ctx context.Context, t *tree, dependencies string) (*outcome, error) {
	if dir := j.setups[dependencies]; dir != "" {
		return nil, linkOutputs(dir, t)
	}
	from := t
	if lockHash(j.was, j.commands.Setup) == dependencies {
		from = j.was
	}
	dir, err := j.folder("setup")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(dir); err != nil { // an export makes its own
		return nil, err
	}
	h, o, err := j.setUp(ctx, from, dir)
	if err != nil || o != nil {
		return o, err
	}
	if j.setups == nil {
		j.setups, j.seeds = map[string]string{}, map[string]string{}
	}
	j.setups[dependencies], j.seeds[dependencies] = dir, h.caches()
	return nil, linkOutputs(dir, t)
}

// setUp runs the setup commands in a new folder, and returns its home, or the command that
// failed.
func (j *judge) setUp(ctx context.Context, t *tree, dir string) (*home, *outcome, error) {
	if err := j.c.Worktree.Export(ctx, t.rev, dir); err != nil {
		return nil, nil, err
	}
	if err := j.download(ctx, t, dir); err != nil {
		return nil, nil, err
	}
	// Those that fill the caches of Go come first: they can't once another has run.
	first := slices.DeleteFunc(slices.Clone(j.commands.Setup), func(c string) bool { return !fills(c) })
	then := slices.DeleteFunc(slices.Clone(j.commands.Setup), fills)
	for _, command := range append(first, then...) {
		o, err := j.run(ctx, "setup", command, dir)
		if err != nil || !o.green() {
			_ = removeAll(dir)
			return nil, o, err
		}
	}
	h, err := j.homeOf(dir)
	return h, nil, err
}

// outputs are the folders that setup leaves and commands only read. A folder
// that commands write to, such as target, is made anew in every export; what is
// downloaded for it is in a tool's cache.
var outputs = map[string]bool{"node_modules": true, "vendor": true, ".venv": true, "venv": true}

// linkOutputs links what setup made into an export. The folder itself is none
// that commands may write to.
func linkOutputs(from string, t *tree) error {
	var names []string
	err := filepath.WalkDir(from, func(p string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() || p == from {
			return err
		}
		rel, _ := filepath.Rel(from, p)
		rel = filepath.ToSlash(rel)
		if !outputs[d.Name()] {
			if d.Name() == ".git" || strings.Count(rel, "/") >= 3 {
				return fs.SkipDir
			}
			return nil
		}
		target := filepath.Join(t.dir, filepath.FromSlash(rel))
		if _, err := os.Lstat(target); err == nil { // it is part of the tree
			return fs.SkipDir
		}
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			return err
		}
		names = append(names, "/"+rel)
		if err := os.Symlink(p, target); err != nil {
			return err
		}
		return fs.SkipDir
	})
	if err != nil || len(names) == 0 {
		return err
	}
	info := filepath.Join(t.dir, ".git", "info")
	if _, err := os.Stat(filepath.Dir(info)); err != nil {
		return nil
	}
	if err := os.MkdirAll(info, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(info, "exclude"), []byte(strings.Join(names, "\n")+"\n"), 0o644)
}

// another makes one more export, ready for commands. change is called before it
// becomes a repository.
func (j *judge) another(ctx context.Context, rev string, change func(*tree) error) (*tree, error) {
	t, err := j.export(ctx, rev)
	if err != nil {
		return nil, err
	}
	if err := change(t); err != nil {
		return nil, err
	}
	if err := j.seal(ctx, t); err != nil {
		return nil, err
	}
	_, err = j.setup(ctx, t) // one that fails shows in the commands
	return t, err
}
