package main

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler"
)

// endsOf turns the two paths of a move, as somebody typed them, into paths
// below the wiki's root.
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

// baseOf returns the folder that the paths of a move are taken from: the
// current one, unless from is not there and is below the root, or was.
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

// destination is what a move's second path means: into a folder that is there
// or that ends in a slash goes the first; a page stays one.
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

// at is a path that somebody typed, taken from a folder.
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
