package gate

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// home is what the commands in one export write to beside it: their HOME, temporary
// files, caches of package managers. What the code of one tree leaves there reaches no
// other tree.
type home struct {
	dir string
	// used reports that code of the tree may have run.
	used bool
}

func (h *home) caches() string { return filepath.Join(h.dir, "caches") }

// copied are the caches that each home has a copy of. Those of Go are shared.
var copied = []string{"npm", "yarn", "bun", "pip", "uv", "cargo", "gradle", "maven"}

// homeOf returns the home of the commands that run in a folder: that of the export which
// the folder is in.
func (j *judge) homeOf(dir string) (*home, error) {
	top, dependencies := dir, ""
	for _, t := range j.trees {
		if rel, err := filepath.Rel(t.dir, dir); err == nil && filepath.IsLocal(rel) {
			top, dependencies = t.dir, lockHash(t, j.commands.Setup)
		}
	}
	if h := j.homes[top]; h != nil {
		return h, nil
	}
	own, err := j.folder("home")
	if err != nil {
		return nil, err
	}
	h := &home{dir: own}
	if err := j.copyTo(h, dependencies); err != nil {
		return nil, fmt.Errorf("copy the caches of package managers: %w", err)
	}
	dirs := []string{filepath.Join(own, "home"), filepath.Join(own, "tmp"), j.shared(), j.modules()} // a sandbox allows only what is there
	for _, name := range copied {
		dirs = append(dirs, filepath.Join(h.caches(), name))
	}
	for _, dir := range dirs {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	now := time.Now()
	if err := os.Chtimes(j.own(), now, now); err != nil { // see prune
		return nil, err
	}
	if j.homes == nil {
		j.homes = map[string]*home{}
	}
	j.homes[top] = h
	return h, nil
}

// forSetup are the caches that only setup reads, where there is one: what it installs is
// linked into exports.
var forSetup = []string{"npm", "bun", "pip"}

// copyTo copies the caches that a home begins with. Without dependencies it is that of setup.
func (j *judge) copyTo(h *home, dependencies string) error {
	from := j.caches(dependencies)
	if from == "" {
		return nil
	}
	for _, name := range copied {
		if dependencies != "" && len(j.commands.Setup) > 0 && slices.Contains(forSetup, name) || !isDir(filepath.Join(from, name)) {
			continue
		}
		if err := os.CopyFS(filepath.Join(h.caches(), name), os.DirFS(filepath.Join(from, name))); err != nil {
			return err
		}
	}
	return nil
}

// caches returns the caches that a home begins with: those of equal dependencies, else the
// newest of the repository.
func (j *judge) caches(dependencies string) string {
	if dir := j.seeds[dependencies]; dir != "" {
		return dir
	}
	if dir := j.own("caches", dependencies); dependencies != "" && isDir(dir) {
		return dir
	}
	newest, at := "", time.Time{}
	for _, s := range j.kept() {
		if s.ModTime().After(at) {
			newest, at = j.own("caches", s.Name()), s.ModTime()
		}
	}
	return newest
}

// own returns the folder of a repository's caches, outside of it: no link of a tree leads
// there.
func (j *judge) own(parts ...string) string {
	sum := sha256.Sum256([]byte(j.store()))
	return filepath.Join(append([]string{j.tools(), "repositories", hex.EncodeToString(sum[:12])}, parts...)...)
}

// kept returns the folders of caches that outlive a judgement.
func (j *judge) kept() []fs.FileInfo { return foldersIn(j.own("caches")) }

// foldersIn returns the folders in one, none if it is not there.
func foldersIn(dir string) []fs.FileInfo {
	entries, _ := os.ReadDir(dir)
	var out []fs.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil && info.IsDir() {
			out = append(out, info)
		}
	}
	return out
}

// unusedFor is how long caches of other dependencies, or of a repository without runs, are
// kept.
const unusedFor = 30 * 24 * time.Hour

// keep makes the caches of a home those that later runs begin with. It is for the base
// alone, of which an agent has written nothing.
func (j *judge) keep(h *home, dependencies string) error {
	made, err := os.MkdirTemp(j.own(), "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(made)
	if err := os.CopyFS(filepath.Join(made, "caches"), os.DirFS(h.caches())); err != nil {
		return nil // a cache with a pipe or the like is none to keep: the next run begins without
	}
	if err := os.MkdirAll(j.own("caches"), 0o700); err != nil {
		return err
	}
	if err := removeAll(j.own("caches", dependencies)); err != nil {
		return err
	}
	if err := os.Rename(filepath.Join(made, "caches"), j.own("caches", dependencies)); err != nil && !isDir(j.own("caches", dependencies)) {
		return err // else another run was faster
	}
	return j.prune()
}

// prune removes what was not used for long.
func (j *judge) prune() error {
	for _, dir := range []string{j.own("caches"), filepath.Dir(j.own())} {
		for _, f := range foldersIn(dir) {
			if time.Since(f.ModTime()) > unusedFor {
				if err := removeAll(filepath.Join(dir, f.Name())); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// keepGreen keeps the caches of a green base, once: what its commands downloaded beside
// setup. Later runs of the base add nothing that is needed.
func (j *judge) keepGreen() error {
	dependencies := lockHash(j.now, j.commands.Setup)
	const mark = "complete"
	if _, err := os.Stat(j.own("caches", dependencies, mark)); err == nil {
		return nil
	}
	h, err := j.homeOf(j.now.dir)
	if err != nil {
		return err
	}
	for _, name := range forSetup { // what the export was not given
		if from := j.own("caches", dependencies, name); len(j.commands.Setup) > 0 && isDir(from) {
			if err := os.CopyFS(filepath.Join(h.caches(), name), os.DirFS(from)); err != nil {
				return err
			}
		}
	}
	if err := os.WriteFile(filepath.Join(h.caches(), mark), nil, 0o644); err != nil {
		return err
	}
	return j.keep(h, dependencies)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// use says what a command is for.
type use int

const (
	running use = iota // code of the tree
	filling            // the caches of Go, by nothing but the go command
)

// writable returns what a command may write to in an export.
func (j *judge) writable(dir string, h *home, u use) []string {
	out := []string{dir, h.dir}
	if u == filling {
		out = append(out, j.shared(), j.modules())
	}
	return out
}

// environment returns all that a command is given.
func (j *judge) environment(dir string, h *home, u use) []string {
	cache := func(name string) string { return filepath.Join(h.caches(), name) }
	compiled := h.compiled()
	if u == filling {
		compiled = j.shared()
	}
	env := []string{
		"PATH=" + j.Path, "HOME=" + filepath.Join(h.dir, "home"), "TMPDIR=" + filepath.Join(h.dir, "tmp"), "PWD=" + dir,
		"LANG=C.UTF-8", "TERM=dumb", "NO_COLOR=1", "CI=true",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(dir),
		"GOCACHE=" + compiled, "GOMODCACHE=" + j.modules(), "GOFLAGS=-modcacherw -count=1", "GOTOOLCHAIN=local", "GOWORK=",
		"npm_config_cache=" + cache("npm"), "npm_config_update_notifier=false", "YARN_CACHE_FOLDER=" + cache("yarn"), "BUN_INSTALL_CACHE_DIR=" + cache("bun"),
		"PIP_CACHE_DIR=" + cache("pip"), "UV_CACHE_DIR=" + cache("uv"), "POETRY_VIRTUALENVS_IN_PROJECT=true", "PYTHONDONTWRITEBYTECODE=1", "PYTHONPYCACHEPREFIX=" + filepath.Join(h.dir, "pycache"),
		"CARGO_HOME=" + cache("cargo"), "GRADLE_USER_HOME=" + cache("gradle"), "MAVEN_ARGS=-Dmaven.repo.local=" + cache("maven"),
	}
	for _, kv := range j.Env {
		name, _, ok := strings.Cut(kv, "=")
		if !ok || name == "HOME" || name == "PATH" {
			continue
		}
		env = slices.DeleteFunc(env, func(e string) bool { return strings.HasPrefix(e, name+"=") })
		env = append(env, kv)
	}
	return env
}
