package compiler

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/resolve"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/yaml"
)

// ConfigName is the name of the configuration file.
const ConfigName = "wiki.yaml"

// rootNames are the folders a wiki is in, in the order they are looked for.
var rootNames = []string{"wiki", "docs/wiki", ".wiki", "openwiki", ".okf", "knowledge"}

// Workspace is a wiki's location on disk, and how to read it.
type Workspace struct {
	Dir        string // absolute: the repository, or the folder the wiki is in
	Root       string // absolute: the folder of the pages
	RootPath   string // Root below Dir, slash-separated, "." when equal
	ConfigPath string // absolute path of wiki.yaml, empty when there is none
	Config     *schema.Config
	Dialect    schema.Dialect
	Git        bool // Dir is the top of a git work tree
	Guessed    bool // nothing but its pages says that Root is a wiki
	// Reasons explain what was detected, one line each.
	Reasons []string

	absent []string // submodules that are not checked out, below Dir
}

// ConfigError lists all faults of wiki.yaml.
type ConfigError struct {
	Path   string // as it was opened
	Source []byte
	Faults []schema.Fault
}

// Error gives one line per fault, path:line:column: message.
func (e *ConfigError) Error() string { return strings.Join(e.Lines(), "\n") }

// Lines are the lines of the message.
func (e *ConfigError) Lines() []string {
	index := schema.NewLineIndex(e.Source)
	var lines []string
	for _, f := range e.Faults {
		at := index.Position(f.Span.Start)
		lines = append(lines, fmt.Sprintf("%s:%d:%d: %s", e.Path, at.Line, at.Column, f.Message))
	}
	return lines
}

// RootError is a root that was asked for and can't be one.
type RootError struct {
	Root   string
	Reason string
}

func (e *RootError) Error() string { return fmt.Sprintf("root %s: %s", e.Root, e.Reason) }

func (ws *Workspace) because(format string, args ...any) {
	ws.Reasons = append(ws.Reasons, fmt.Sprintf(format, args...))
}

// Detect finds the wiki that belongs to dir: its root, its configuration and
// its dialect. root, when not empty, overrides the detection; it is relative
// to dir. The error is a [*ConfigError], a [*RootError] or one of the file
// system.
func Detect(dir, root string) (*Workspace, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if err := mustBeFolder(dir, dir); err != nil {
		return nil, err
	}
	ws := &Workspace{Config: &schema.Config{}}
	dir = chosen(dir)
	top := gitTop(dir)
	if root != "" {
		err = ws.atRoot(dir, root)
	} else {
		err = ws.search(dir, top)
	}
	if err != nil {
		return nil, err
	}
	if err := ws.place(top); err != nil {
		return nil, err
	}
	ws.detectDialect()
	ws.absent = ws.absentSubmodules()
	return ws, nil
}

func mustBeFolder(path, shown string) error {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &RootError{shown, "no such folder"}
	case err != nil:
		return &RootError{shown, err.Error()}
	case !info.IsDir():
		return &RootError{shown, "is a file, not a folder"}
	}
	return nil
}

// chosen resolves a folder that a person named. If a link leads out of its path's
// repository, the real location is used: people may name any folder, and its own
// repository is then the limit.
func chosen(dir string) string {
	top := gitTop(dir)
	real, err := filepath.EvalSymlinks(dir)
	if top == "" || err != nil {
		return dir
	}
	if realTop, err := filepath.EvalSymlinks(top); err == nil && within(realTop, real) {
		return dir
	}
	return real
}

// open opens a folder for reading; its repository, or the folder itself without one,
// can't be left.
func open(dir string) (*files.Root, error) {
	if top := gitTop(dir); top != "" {
		return files.OpenBelow(top, dir)
	}
	return files.Open(dir)
}

// Open opens a folder of the wiki: Root, Dir, that of wiki.yaml, or one below
// them. No name and no link leads out of the repository.
func (ws *Workspace) Open(dir string) (*files.Root, error) {
	top := ws.Dir
	if ws.ConfigPath != "" && !within(top, dir) { // the root was asked for, and wiki.yaml lies elsewhere
		home := filepath.Dir(ws.ConfigPath)
		top = cmp.Or(gitTop(home), home)
	}
	return files.OpenBelow(top, dir)
}

// ReadFile reads one file of a folder that [Workspace.Open] opens.
func (ws *Workspace) ReadFile(dir, name string, limit files.Limit) ([]byte, error) {
	root, err := ws.Open(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return root.ReadFile(name, limit)
}

// Replace writes one file of a folder that [Workspace.Open] opens.
func (ws *Workspace) Replace(dir, name string, data []byte) error {
	root, err := ws.Open(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return root.Replace(name, data, 0o666)
}

// OpenPages opens the folder of the pages, which no link leads out of.
func (ws *Workspace) OpenPages() (*files.Root, error) {
	top, err := ws.Open(ws.Dir)
	if err != nil || ws.RootPath == "." {
		return top, err
	}
	defer top.Close()
	return top.Sub(ws.RootPath)
}

// gitTop returns the folder at or above dir that holds .git, or "".
func gitTop(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Lstat(filepath.Join(d, ".git")); err == nil {
			return d
		}
		if filepath.Dir(d) == d {
			return ""
		}
	}
}

// atRoot uses the root set on the command line.
func (ws *Workspace) atRoot(dir, root string) error {
	full := root
	if !filepath.IsAbs(root) {
		full = filepath.Join(dir, root)
	}
	if err := mustBeFolder(full, root); err != nil {
		return err
	}
	full = chosen(full)
	ws.Root = full
	ws.because("root is %s: set on the command line", root)
	for _, d := range []string{full, dir} {
		found, err := ws.loadConfig(d)
		if found || err != nil {
			return err
		}
	}
	return nil
}

// search looks for a wiki in dir and then in the folders above, up to the top of the
// repository. Without a repository there is no upper limit, so only a wiki that contains
// dir counts.
func (ws *Workspace) search(dir, top string) error {
	for d := dir; ; d = filepath.Dir(d) {
		at := &Workspace{Config: ws.Config}
		found, err := at.take(d)
		if err != nil {
			return err
		}
		if found && (d == dir || top != "" || within(at.Root, dir)) {
			*ws = *at
			return nil
		}
		if d == top || filepath.Dir(d) == d {
			break
		}
	}
	ws.Root, ws.Guessed = dir, true
	at, err := open(dir)
	if err != nil {
		return err
	}
	defer at.Close()
	if !hasPages(at, ".", 3) {
		ws.because("root is the current folder: no wiki found here or above, and no markdown near its top")
		return nil
	}
	ws.because("root is the current folder: it contains markdown pages")
	return nil
}

// take takes the wiki that wiki.yaml in d names, or that is in or at d.
func (ws *Workspace) take(d string) (found bool, err error) {
	configured, err := ws.loadConfig(d)
	if err != nil {
		return false, err
	}
	at, err := open(d)
	if err != nil {
		return false, err
	}
	defer at.Close()
	if configured && ws.Config.Root != "" {
		return true, ws.configured(at, d)
	}
	found, err = ws.rootIn(at, d)
	if found || err != nil {
		if err == nil && !configured {
			_, err = ws.loadConfig(ws.Root)
		}
		return found, err
	}
	if configured {
		ws.Root = d
		ws.because("root is the folder of %s: no wiki folder next to it", ConfigName)
	}
	return configured, nil
}

// configured takes the root that wiki.yaml in d names. A file that came with the
// pages does not choose a folder outside their repository.
func (ws *Workspace) configured(at *files.Root, d string) error {
	name := filepath.FromSlash(ws.Config.Root)
	if !filepath.IsLocal(name) {
		return &files.OutsideError{Path: ws.ConfigPath + ": root: " + ws.Config.Root, Root: "the folder of wiki.yaml", Remedy: "if you trust the file, set that folder with --root"}
	}
	ws.Root = filepath.Join(d, name)
	ws.because("root is %s: set in %s", ws.Config.Root, ConfigName)
	shown := fmt.Sprintf("%s (from %s)", ws.Config.Root, ws.ConfigPath)
	info, err := at.Stat(name)
	switch {
	case outside(err):
		return choose(err)
	case errors.Is(err, fs.ErrNotExist):
		return &RootError{shown, "no such folder"}
	case err != nil:
		return &RootError{shown, err.Error()}
	case !info.IsDir():
		return &RootError{shown, "is a file, not a folder"}
	}
	return nil
}

func outside(err error) bool {
	var e *files.OutsideError
	return errors.As(err, &e)
}

// choose gives the remedy for a root that is outside.
func choose(err error) error {
	var e *files.OutsideError
	if errors.As(err, &e) {
		e.Remedy = "if you mean that folder, set it with --root"
	}
	return err
}

// within reports whether dir is root or is below it.
func within(root, dir string) bool {
	rel, err := filepath.Rel(root, dir)
	return err == nil && filepath.IsLocal(rel)
}

// rootIn takes a wiki in or at d, which is open, if there is one.
func (ws *Workspace) rootIn(at *files.Root, d string) (bool, error) {
	for _, index := range []string{"_index.md", "index.md"} {
		if at.IsFile(index) && at.IsDir("wiki") && at.IsDir("raw") {
			ws.Root = d
			ws.because("root is the folder with %s, wiki/ and raw/", index)
			return true, nil
		}
	}
	if at.IsDir(".obsidian") {
		ws.Root = d
		ws.because("root is the folder with .obsidian/")
		return true, nil
	}
	var others []string
	for _, name := range rootNames {
		info, err := at.Stat(name)
		if outside(err) && ws.Root == "" {
			return false, choose(err)
		}
		if err != nil || !info.IsDir() || !hasPages(at, name, 4) {
			continue
		}
		if ws.Root == "" {
			ws.Root = filepath.Join(d, filepath.FromSlash(name))
			ws.because("root is %s/: the first of %s with pages", name, strings.Join(rootNames, ", "))
		} else {
			others = append(others, name)
		}
	}
	if len(others) > 0 {
		ws.because("also a wiki: %s (choose with --root or root: in %s)", strings.Join(others, ", "), ConfigName)
	}
	return ws.Root != "", nil
}

// hasPages reports whether a folder holds a markdown page, down to depth.
func hasPages(at *files.Root, dir string, depth int) bool {
	entries, _ := at.ReadDir(dir)
	if builtSite(entries) {
		return false
	}
	for _, e := range entries {
		if !e.IsDir() && resolve.PageExtension(e.Name()) != "" {
			return true
		}
	}
	for _, e := range entries {
		p := path.Join(dir, e.Name())
		if depth > 1 && e.IsDir() && !skippedFolder(p) && !templateFolder(e.Name()) && !vendored(at, p) && hasPages(at, p, depth-1) {
			return true
		}
	}
	return false
}

// loadConfig reads wiki.yaml in d, if it is there.
func (ws *Workspace) loadConfig(d string) (found bool, err error) {
	at, err := open(d)
	if err != nil {
		return false, err
	}
	defer at.Close()
	src, err := at.ReadFile(ConfigName, files.Config)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	name := filepath.Join(d, ConfigName)
	cfg, faults := yaml.LoadConfig(src)
	if len(faults) > 0 {
		return false, &ConfigError{Path: name, Source: src, Faults: faults}
	}
	ws.Config, ws.ConfigPath = cfg, name
	ws.because("configuration is %s", name)
	return true, nil
}

// place settles where the root is in its repository.
func (ws *Workspace) place(top string) error {
	ws.Dir, ws.Git = ws.Root, false
	rootTop := top
	if rel, err := filepath.Rel(top, ws.Root); top == "" || err != nil || strings.HasPrefix(rel, "..") {
		rootTop = gitTop(ws.Root)
	}
	switch {
	case rootTop != "":
		ws.Dir, ws.Git = rootTop, true
	case ws.ConfigPath != "" && filepath.Dir(ws.ConfigPath) != ws.Root && strings.HasPrefix(ws.Root, filepath.Dir(ws.ConfigPath)):
		ws.Dir = filepath.Dir(ws.ConfigPath)
	default:
		longest := ""
		for _, name := range rootNames {
			if len(name) > len(longest) && strings.HasSuffix(filepath.ToSlash(ws.Root), "/"+name) {
				longest = name
			}
		}
		if longest != "" {
			ws.Dir = ws.Root[:len(ws.Root)-len(longest)-1]
		}
	}
	if !ws.Git {
		ws.because("no git repository: dates come from front matter only")
	}
	rel, err := filepath.Rel(ws.Dir, ws.Root)
	if err != nil {
		return err
	}
	ws.RootPath = filepath.ToSlash(rel)
	return nil
}

// detectDialect takes the dialect of the configuration, else the first whose
// marker is in the root or the repository, else the first of all.
func (ws *Workspace) detectDialect() {
	if name := ws.Config.Dialect; name != "" {
		if d, ok := schema.DialectByName(name); ok {
			ws.Dialect = d
			ws.because("dialect is %s: set in %s", name, ConfigName)
			return
		}
	}
	for _, d := range schema.Dialects() {
		for _, dir := range slices.Compact([]string{ws.Root, ws.Dir}) {
			if found := ws.marked(dir, &d); found != "" {
				ws.Dialect = d
				ws.because("dialect is %s: found %s", d.Name, found)
				return
			}
		}
	}
	ws.Dialect, _ = schema.DialectByName("karpathy")
	ws.because("dialect is karpathy: no markers of another dialect found")
}

// marked returns the markers of d that are in dir, or "" when they are not
// enough to give the dialect away.
func (ws *Workspace) marked(dir string, d *schema.Dialect) string {
	at, err := ws.Open(dir)
	if err != nil {
		return ""
	}
	defer at.Close()
	var found []string
	for _, m := range d.Markers {
		if strings.HasSuffix(m, "/") && at.IsDir(m) || at.IsFile(m) {
			found = append(found, m)
		}
	}
	if len(found) == 0 || d.Together && len(found) < len(d.Markers) {
		return ""
	}
	return strings.Join(found, ", ")
}
