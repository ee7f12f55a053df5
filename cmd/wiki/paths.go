package main

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/loopwiki/wiki/compiler"
	"github.com/spf13/cobra"
)

func contains(words []string, w string) bool { return slices.Contains(words, w) }

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K { return slices.Sorted(maps.Keys(m)) }

// pagePaths completes the paths of pages; errors give no completions.
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

// onePage completes the argument of a command that takes one page.
func (p *program) onePage(cmd *cobra.Command, args []string, _ string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return p.pagePaths(cmd.Context()), cobra.ShellCompDirectiveNoFileComp
}

// detectAt finds the wiki of some paths: from the first that exists, since paths need
// not be below the current folder. A folder without markers of a wiki belongs to the
// wiki of the current folder.
func (p *program) detectAt(paths []string) (*compiler.Workspace, error) {
	here, err := filepath.Abs(p.path("."))
	if err != nil || len(paths) == 0 || p.root != "" {
		return p.detect()
	}
	full, err := filepath.Abs(p.path(paths[0]))
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(full)
	if err != nil {
		return p.detect()
	}
	if !info.IsDir() {
		full = filepath.Dir(full)
	}
	ws, err := compiler.Detect(full, "")
	if err != nil {
		return nil, err
	}
	rel, err := filepath.Rel(here, full)
	inside := err == nil && filepath.IsLocal(rel) && filepath.Dir(here) != here
	if ws.Guessed && inside && !filepath.IsAbs(paths[0]) {
		return p.detect()
	}
	p.at = full
	return p.detect()
}

// below turns typed paths into paths below the wiki's root. They are relative to the
// current folder or, if nothing is there, to the root. A folder above the root means all
// of it, "."; other paths are returned as outside.
func (p *program) below(ws *compiler.Workspace, paths []string) (below, outside []string, err error) {
	root, err := filepath.EvalSymlinks(ws.Root)
	if err != nil {
		return nil, nil, err
	}
	for _, typed := range paths {
		full, err := filepath.Abs(p.path(typed))
		if err != nil {
			return nil, nil, err
		}
		if _, err := os.Stat(full); err != nil {
			inRoot := filepath.Join(ws.Root, filepath.FromSlash(typed))
			if _, err := os.Stat(inRoot); err != nil || filepath.IsAbs(typed) {
				return nil, nil, misuse("PATH is a page or a folder of the wiki", "no such file or folder: %s", typed)
			}
			full = inRoot
		}
		if full, err = filepath.EvalSymlinks(full); err != nil {
			return nil, nil, err
		}
		if rel, err := filepath.Rel(full, root); err == nil && filepath.IsLocal(rel) {
			below = append(below, ".")
			continue
		}
		rel, err := filepath.Rel(root, full)
		if err != nil || !filepath.IsLocal(rel) {
			outside = append(outside, typed)
			continue
		}
		below = append(below, filepath.ToSlash(rel))
	}
	return below, outside, nil
}

// skipOutside reports the typed paths that are skipped.
func (p *program) skipOutside(ws *compiler.Workspace, outside []string) {
	for _, typed := range outside {
		p.say("skipped %s: not in the wiki, whose root is %s", typed, ws.RootPath)
	}
}

// relativeRoot returns the wiki's root relative to the current folder, slash-separated;
// the absolute root if there is no such path.
func relativeRoot(ws *compiler.Workspace) string { return from(ws.Root) }

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
