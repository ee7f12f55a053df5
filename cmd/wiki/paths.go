package main

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/loopwiki/wiki/compiler"
)

func contains(words []string, w string) bool { return slices.Contains(words, w) }

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// count writes a number of things.
func count(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return strconv.Itoa(n) + " " + noun
}

// pagePaths lists the pages for a shell that completes; what goes wrong goes
// unsaid there.
func (p *program) pagePaths(ctx context.Context) []string {
	w, err := p.compile(ctx, compiler.Options{})
	if err != nil {
		return nil
	}
	var out []string
	for _, page := range w.Pages() {
		out = append(out, page.Path)
	}
	return out
}

// below turns paths that somebody typed into paths below the wiki's root. They
// are taken from the current folder, and if nothing is there, from the root.
func (p *program) below(ws *compiler.Workspace, paths []string) ([]string, error) {
	root, err := filepath.EvalSymlinks(ws.Root)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, typed := range paths {
		full, err := filepath.Abs(p.path(typed))
		if err != nil {
			return nil, err
		}
		if _, err := os.Stat(full); err != nil {
			inRoot := filepath.Join(ws.Root, filepath.FromSlash(typed))
			if _, err := os.Stat(inRoot); err != nil || filepath.IsAbs(typed) {
				return nil, misuse("PATH is a page or a folder of the wiki", "no such file or folder: %s", typed)
			}
			full = inRoot
		}
		if full, err = filepath.EvalSymlinks(full); err != nil {
			return nil, err
		}
		rel, err := filepath.Rel(root, full)
		if err != nil || !filepath.IsLocal(rel) {
			return nil, misuse("the root is "+ws.RootPath+"; 'wiki doctor' says why", "%s lies outside of the wiki", typed)
		}
		out = append(out, filepath.ToSlash(rel))
	}
	return out, nil
}

// here returns the wiki's root as seen from the folder the person stands in,
// slash-separated; the root itself where there is no way.
func here(ws *compiler.Workspace) string { return from(ws.Root) }

// from is the way from the current folder to another one.
func from(dir string) string {
	at, err := filepath.Abs(".")
	if err == nil {
		var rel string
		if rel, err = filepath.Rel(at, dir); err == nil {
			return filepath.ToSlash(rel)
		}
	}
	return filepath.ToSlash(dir)
}
