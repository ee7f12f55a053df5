package gate

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// seal makes an export a repository of one commit, of the same author and at the
// same time for every tree, so that equal trees are equal commits.
func (j *judge) seal(ctx context.Context, t *tree) error {
	git, err := lookPath("git", j.Path)
	if err != nil { // tools that ask git will say so
		return nil
	}
	hooks := filepath.Join(t.dir, ".git", "no-hooks")
	for _, args := range [][]string{
		{"init", "-q", "--template="},
		{"add", "-A", "-f", "."},
		{"commit", "-q", "--allow-empty", "--no-verify", "-m", "Tree under test"},
		{"rev-parse", "HEAD"},
	} {
		ctx, cancel := context.WithTimeout(ctx, 5*time.Minute)
		cmd := exec.CommandContext(ctx, git, append([]string{
			"--no-optional-locks", "-c", "core.quotepath=off", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + hooks,
			"-c", "commit.gpgsign=false", "-c", "gc.auto=0", "-c", "maintenance.auto=false", "-c", "core.autocrlf=false", "-c", "init.defaultBranch=main", "-c", "advice.addEmbeddedRepo=false",
		}, args...)...)
		cmd.Dir = t.dir
		cmd.Env = []string{
			"PATH=" + j.Path, "HOME=" + t.dir, "LC_ALL=C", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_TERMINAL_PROMPT=0",
			"GIT_AUTHOR_NAME=wiki", "GIT_AUTHOR_EMAIL=wiki@localhost", "GIT_COMMITTER_NAME=wiki", "GIT_COMMITTER_EMAIL=wiki@localhost",
			"GIT_AUTHOR_DATE=1700000000 +0000", "GIT_COMMITTER_DATE=1700000000 +0000", "GIT_CEILING_DIRECTORIES=" + filepath.Dir(t.dir),
		}
		out, err := cmd.CombinedOutput()
		cancel()
		if err != nil {
			return fmt.Errorf("make a repository of the export: git %s: %w: %s", args[0], err, strings.TrimSpace(string(out)))
		}
		t.id = strings.TrimSpace(string(out))
		if args[0] == "init" {
			if err := j.borrow(t); err != nil {
				return err
			}
		}
	}
	return nil
}

// borrow lets the export's repository find the objects of the one that the tree
// is from, as writing thousands of them again costs more than the export.
func (j *judge) borrow(t *tree) error {
	if j.Objects == "" || strings.ContainsAny(j.Objects, "\n\"") {
		return nil
	}
	info := filepath.Join(t.dir, ".git", "objects", "info")
	if err := os.MkdirAll(info, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(info, "alternates"), []byte(j.Objects+"\n"), 0o644)
}

// lookPath finds a program in the folders of a PATH.
func lookPath(name, path string) (string, error) {
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) { // never from the tree
			continue
		}
		file := filepath.Join(dir, name)
		if info, err := os.Stat(file); err == nil && !info.IsDir() && info.Mode()&0o111 != 0 {
			return file, nil
		}
	}
	return "", fmt.Errorf("%s is not on the PATH", name)
}
