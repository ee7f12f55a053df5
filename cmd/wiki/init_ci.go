package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/compiler/scaffold"
	"github.com/loopwiki/wiki/loops/contain"
)

// addWorkflows adds the workflows of a host, which reads them in the top folder of a
// repository alone.
func (l *layout) addWorkflows(ctx context.Context, dir, host string) error {
	if !contains(scaffold.Hosts, host) {
		return misuse(oneOf(host, scaffold.Hosts), "--ci: unknown host %q", host)
	}
	exists := dir // or the nearest folder above it that does
	for !isFolder(exists) && exists != filepath.Dir(exists) {
		exists = filepath.Dir(exists)
	}
	branch := ""
	if top, err := history.Toplevel(ctx, exists); err == nil { // otherwise it will be a repository
		if !sameFolder(top, dir) {
			return misuse("run it in "+top, "--ci: workflows must be at the top of a repository, and %s is not", dir)
		}
		if branch, err = contain.DefaultBranch(ctx, contain.Repo{Dir: top, Env: os.Environ()}); err != nil {
			return err
		}
	}
	if branch == "" {
		branch = "main"
	}
	l.files = append(l.files, scaffold.Workflows(host, scaffold.Repository{Branch: branch, Root: l.root, Action: actionRef(buildVersion())})...)
	return nil
}

func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

func sameFolder(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// actionRef is the version of this project's action in workflows: the release or commit
// that this program was built from.
func actionRef(b build) string {
	switch {
	case strings.HasPrefix(b.Wiki, "v") && !strings.ContainsAny(b.Wiki, "-+"):
		return b.Wiki
	case b.Revision != "" && !b.Modified:
		return b.Revision
	}
	return "main"
}
