package compiler

import (
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/compiler/resolve"
	"github.com/loopwiki/wiki/schema"
)

// mostBeside bounds how many raw sources beside a wiki are listed.
const mostBeside = 100_000

// around looks up files of the repository that are not listed, never beyond it.
func (w *Wiki) around() resolve.Place {
	ws := w.space
	return resolve.Place{
		Name: filepath.Base(ws.Root), RootPath: ws.RootPath, Published: ws.Config.Links, Generator: w.Generator(), Sites: w.sites(),
		Outside: func(p string) bool {
			if !filepath.IsLocal(filepath.FromSlash(p)) || inHidden(p, ".git") {
				return false
			}
			if ws.Submodule(p) != "" {
				return true
			}
			below, inside := strings.CutPrefix(p, strings.TrimPrefix(ws.RootPath+"/", "./"))
			if inside && !inHidden(below, "") {
				return false // what is there is listed
			}
			_, err := os.Lstat(filepath.Join(ws.Dir, filepath.FromSlash(p)))
			return err == nil && exactCase(ws.Dir, p)
		},
		Beside: sync.OnceValue(func() []string { return besideRoot(ws) }),
	}
}

// Generator returns what the programs that make a site of the wiki add to its
// links: those that a file of the wiki configures, or one in a folder around it.
func (w *Wiki) Generator() schema.Generator {
	var g schema.Generator
	for _, f := range w.configs() {
		g.Add(path.Base(f))
	}
	return g
}

// configs returns the files and folders that configure generators, by their paths
// below the repository, sorted: those of the wiki, and those in the folders around it
// and in website/ there.
func (w *Wiki) configs() []string {
	names := schema.GeneratorNames()
	var out []string
	for _, f := range slices.Concat(w.files, w.hidden) {
		if slices.Contains(names, path.Base(f)) {
			out = append(out, path.Join(w.space.RootPath, f))
		}
	}
	at, err := w.space.Open(w.space.Dir)
	if err != nil {
		return out
	}
	defer at.Close()
	for dir := w.space.RootPath; dir != "."; {
		dir = path.Dir(dir)
		for _, name := range names {
			for _, p := range []string{path.Join(dir, name), path.Join(dir, "website", name)} {
				if _, err := at.Stat(p); err == nil {
					out = append(out, p)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

// inHidden reports whether a part of a path begins with a dot; when name is
// given, whether one is that.
func inHidden(p, name string) bool {
	for part := range strings.SplitSeq(p, "/") {
		if name == part || name == "" && strings.HasPrefix(part, ".") && strings.Trim(part, ".") != "" {
			return true
		}
	}
	return false
}

// besideRoot lists the files of raw/ and sources/ next to the wiki's root, below
// the repository, sorted.
func besideRoot(ws *Workspace) []string {
	if ws.RootPath == "." {
		return nil
	}
	at, err := ws.Open(ws.Dir)
	if err != nil {
		return nil
	}
	defer at.Close()
	var out []string
	var walk func(dir string)
	walk = func(dir string) {
		entries, _ := at.ReadDir(dir)
		for _, e := range entries {
			p := path.Join(dir, e.Name())
			switch {
			case len(out) >= mostBeside || skippedFolder(p):
			case e.IsDir():
				walk(p)
			case e.Type().IsRegular():
				out = append(out, p)
			}
		}
	}
	for _, name := range []string{"raw", "sources"} {
		walk(path.Join(path.Dir(ws.RootPath), name))
	}
	slices.Sort(out)
	return out
}

// Beside returns the raw sources in raw/ and sources/ next to the wiki's root, by
// their paths relative to it, sorted.
func (w *Wiki) Beside() []string {
	out := besideRoot(w.space)
	for i, p := range out {
		out[i] = (&Tree{root: w.space.RootPath}).Above(p)
	}
	return out
}

// Submodule returns the submodule that contains a path and is not checked out, as a path
// below the repository; "" if there is none.
func (ws *Workspace) Submodule(p string) string {
	for _, s := range ws.absent {
		if p == s || strings.HasPrefix(p, s+"/") {
			return s
		}
	}
	return ""
}

// absentSubmodules are the submodules of .gitmodules whose folders hold nothing.
func (ws *Workspace) absentSubmodules() []string {
	at, err := ws.Open(ws.Dir)
	if err != nil || !at.IsFile(".gitmodules") {
		return nil
	}
	defer at.Close()
	src, err := at.ReadFile(".gitmodules", files.Config)
	if err != nil {
		return nil
	}
	var out []string
	for line := range strings.Lines(string(src)) {
		key, value, _ := strings.Cut(line, "=")
		p := path.Clean(strings.Trim(strings.TrimSpace(value), `"`))
		if strings.TrimSpace(key) != "path" || !filepath.IsLocal(filepath.FromSlash(p)) {
			continue
		}
		if entries, _ := at.ReadDir(p); len(entries) == 0 {
			out = append(out, p)
		}
	}
	return out
}

// exactCase reports whether every part of a path is spelled as on disk, which
// file systems that ignore letter case do not say.
func exactCase(dir, p string) bool {
	if runtime.GOOS == "linux" {
		return true
	}
	for part := range strings.SplitSeq(strings.TrimSuffix(p, "/"), "/") {
		entries, err := os.ReadDir(dir)
		if err != nil || !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() == part }) {
			return false
		}
		dir = filepath.Join(dir, part)
	}
	return true
}
