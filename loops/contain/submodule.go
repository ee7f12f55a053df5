package contain

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// maxSubmoduleDepth bounds submodules of submodules.
const maxSubmoduleDepth = 8

// populate writes the files of a tree's submodules below dir, as a recursive clone
// has them, and returns the paths of those whose commit is not in this checkout.
// They are plain files there: a worktree with a .git of its own in a submodule
// would share that repository's configuration and refs with the checkout.
func (c checkout) populate(ctx context.Context, tree, dir string) (missing []string, err error) {
	return c.populateBelow(ctx, tree, dir, "", 0)
}

func (c checkout) populateBelow(ctx context.Context, tree, dir, at string, depth int) (missing []string, err error) {
	out, err := c.git.out(ctx, "ls-tree", "-r", "-z", "--full-tree", tree)
	if err != nil {
		return nil, err
	}
	for _, f := range gitFields(out) {
		meta, name, ok := strings.Cut(f, "\t")
		fields := strings.Fields(meta)
		if !ok || len(fields) != 3 || fields[0] != "160000" {
			continue
		}
		more, err := c.submodule(ctx, fields[2], name, dir, path.Join(at, name), depth)
		if err != nil {
			return nil, err
		}
		missing = append(missing, more...)
	}
	return missing, nil
}

// submodule writes the files of one submodule, whose path from the outermost
// repository is full, and of those in it.
func (c checkout) submodule(ctx context.Context, commit, name, dir, full string, depth int) (missing []string, err error) {
	inner, ok := c.inner(name)
	if !ok || depth == maxSubmoduleDepth {
		return []string{full}, nil
	}
	if _, err := inner.git.out(ctx, "cat-file", "-e", commit+"^{commit}"); gitFailed(err) {
		return []string{full}, nil
	} else if err != nil {
		return nil, err
	}
	target := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(target, 0o755); err != nil {
		return nil, err
	}
	temp, err := os.MkdirTemp("", "wiki-submodule-*")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	g := inner.git.with("GIT_WORK_TREE="+target, "GIT_INDEX_FILE="+filepath.Join(temp, "index"))
	g.dir = target
	if _, err := g.out(ctx, "read-tree", "--reset", "-u", commit); err != nil {
		return nil, err
	}
	return inner.populateBelow(ctx, commit, target, full, depth+1)
}

// inner returns the checkout of a submodule of c, false if it is not there. Its
// repository must lie in that of c or in the submodule's own folder.
func (c checkout) inner(name string) (checkout, bool) {
	top := filepath.Join(c.top, filepath.FromSlash(name))
	gitDir := filepath.Join(top, ".git")
	info, err := os.Lstat(gitDir)
	if err != nil || info.Mode()&fs.ModeSymlink != 0 {
		return checkout{}, false
	}
	if !info.IsDir() {
		text, err := os.ReadFile(gitDir)
		to, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
		if err != nil || !ok {
			return checkout{}, false
		}
		if gitDir = filepath.FromSlash(to); !filepath.IsAbs(gitDir) {
			gitDir = filepath.Join(top, gitDir)
		}
		rel, err := filepath.Rel(filepath.Join(c.common, "modules"), gitDir)
		if err != nil || !filepath.IsLocal(rel) {
			return checkout{}, false
		}
	}
	s := checkout{top: top, gitDir: gitDir, common: gitDir, git: c.git}
	s.git.dir = top
	s.git = s.git.with("GIT_DIR="+gitDir, "GIT_COMMON_DIR="+gitDir, "GIT_WORK_TREE="+top)
	return s, true
}
