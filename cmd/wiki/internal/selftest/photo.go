package selftest

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// photo is everything of a lab that no run may change, by name.
type photo map[string]string

// take takes a photo.
func (l *lab) take(ctx context.Context) (photo, error) {
	p := photo{}
	for name, args := range map[string][]string{
		"HEAD": {"rev-parse", "HEAD"}, "branch": {"symbolic-ref", "HEAD"}, "index": {"ls-files", "-s"}, "tree": {"rev-parse", "HEAD^{tree}"},
		"stash": {"stash", "list"},
	} {
		out, err := l.git(ctx, args...)
		if err != nil {
			return nil, err
		}
		p[name] = out
	}
	status, err := l.git(ctx, "status", "--porcelain", "--untracked-files=all")
	if err != nil {
		return nil, err
	}
	for _, line := range strings.Split(status, "\n") {
		if line != "" && !strings.HasPrefix(line[3:], ".loopwiki/") {
			p["status of "+line[3:]] = line[:2]
		}
	}
	if err := l.refs(ctx, p, "", "for-each-ref"); err != nil {
		return nil, err
	}
	if err := l.refs(ctx, p, "origin: ", "--git-dir="+l.at("origin.git"), "for-each-ref"); err != nil {
		return nil, err
	}
	for _, dir := range []string{"repo", "elsewhere", "home"} {
		if err := l.folder(p, dir); err != nil {
			return nil, err
		}
	}
	return p, nil
}

// refs adds the refs that are not a run's own.
func (l *lab) refs(ctx context.Context, p photo, prefix string, args ...string) error {
	out, err := l.git(ctx, append(args, "--format=%(refname) %(objectname)")...)
	for _, line := range strings.Split(out, "\n") {
		name, is, _ := strings.Cut(line, " ")
		if name != "" && !strings.HasPrefix(name, "refs/heads/loop/") {
			p[prefix+name] = is
		}
	}
	return err
}

// steering are the files of .git that decide what git does.
var steering = []string{"HEAD", "config", "config.worktree", "packed-refs", "hooks", "info", "logs/refs/stash", "objects/info"}

// folder adds the files of a folder: their kind, mode and content.
func (l *lab) folder(p photo, dir string) error {
	root := l.at(dir)
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		if inner, ok := strings.CutPrefix(rel, ".git/"); ok && !slices.ContainsFunc(steering, func(s string) bool {
			return inner == s || strings.HasPrefix(inner, s+"/") || strings.HasPrefix(s, inner+"/")
		}) {
			return skip(d)
		}
		if rel == ".loopwiki" {
			return fs.SkipDir
		}
		if d.IsDir() {
			return nil
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		is := info.Mode().String()
		switch {
		case info.Mode().IsRegular():
			src, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			is += fmt.Sprintf(" %x", sha256.Sum256(src))
		case info.Mode()&fs.ModeSymlink != 0:
			to, err := os.Readlink(path)
			if err != nil {
				return err
			}
			is += " " + to
		}
		p["file "+dir+"/"+rel] = is
		return nil
	})
}

func skip(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// differs returns what is not as it was, sorted.
func (p photo) differs(now photo) []string {
	var out []string
	for name, was := range p {
		if is, ok := now[name]; !ok {
			out = append(out, name+" is gone")
		} else if is != was {
			out = append(out, fmt.Sprintf("%s is %q, was %q", name, is, was))
		}
	}
	for name, is := range now {
		if _, ok := p[name]; !ok {
			out = append(out, fmt.Sprintf("%s is new: %q", name, is))
		}
	}
	slices.Sort(out)
	return out
}
