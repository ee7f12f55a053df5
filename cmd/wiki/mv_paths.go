package main

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler"
)

// endsOf turns the two typed paths of a move into paths below the wiki's root.
func (p *program) endsOf(ws *compiler.Workspace, from, to string) (old, next string, err error) {
	root, err := filepath.EvalSymlinks(ws.Root)
	if err != nil {
		return "", "", err
	}
	base, err := p.baseOf(root, from, to)
	if err != nil {
		return "", "", err
	}
	from, to = filepath.ToSlash(from), filepath.ToSlash(to)
	if page := from + ".md"; !exists(base, from) && (exists(base, page) || !exists(base, to) && exists(base, to+".md")) {
		from = page
	}
	to = destination(base, from, to)
	for _, end := range []struct {
		typed string
		below *string
	}{{from, &old}, {to, &next}} {
		full := at(base, end.typed)
		rel, err := filepath.Rel(root, full)
		if err != nil || !filepath.IsLocal(rel) {
			return "", "", misuse("the root is "+ws.RootPath+"; 'wiki doctor' explains why", "%s is outside the wiki", end.typed)
		}
		*end.below = filepath.ToSlash(rel)
	}
	return old, next, nil
}

// baseOf returns the folder to which the paths of a move are relative: the current one,
// unless from is not there but is, or was, below the root.
func (p *program) baseOf(root, from, to string) (string, error) {
	base, err := filepath.Abs(p.path("."))
	if err != nil {
		return "", err
	}
	if real, err := filepath.EvalSymlinks(base); err == nil {
		base = real
	}
	rel, err := filepath.Rel(root, at(base, from))
	outside := err != nil || !filepath.IsLocal(rel)
	switch {
	case exists(base, from) || exists(base, from+".md"):
		return base, nil
	case exists(root, from) || exists(root, from+".md") || exists(root, to) || outside:
		return root, nil
	}
	return base, nil
}

// destination resolves a move's second path: a folder, or a path that ends in a slash,
// takes the file in; a page keeps its extension.
func destination(base, from, to string) string {
	source, serr := os.Stat(at(base, from))
	info, err := os.Stat(at(base, to))
	intoFolder := err == nil && info.IsDir() && (serr != nil || !os.SameFile(info, source))
	slash := strings.HasSuffix(to, "/") && (serr != nil || !source.IsDir())
	switch {
	case intoFolder || slash:
		return path.Join(to, path.Base(path.Clean(from)))
	case strings.EqualFold(path.Ext(from), ".md") && path.Ext(to) == "":
		return to + path.Ext(from)
	}
	return to
}

// at resolves a typed path relative to a folder.
func at(dir, name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, filepath.FromSlash(name))
}

func exists(dir, name string) bool {
	_, err := os.Lstat(at(dir, name))
	return err == nil
}
