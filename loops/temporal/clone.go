package temporal

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// clone is a repository on a host. Objects of one that many runs work on are kept once, in
// cache; each run has a checkout of its own at the commit that it starts from, so that runs
// are in nobody's way, and configuration is as it was there.
type clone struct {
	url, cache, dir, base, want, branch string
	env                                 []string
}

// ensure makes the clone of a run, with the commit that it goes on from.
func (h *Host) ensure(ctx context.Context, c *clone) error {
	if c.has(ctx, c.dir) {
		return nil
	}
	if err := errors.Join(os.MkdirAll(filepath.Dir(c.cache), 0o755), os.MkdirAll(filepath.Dir(c.dir), 0o755)); err != nil {
		return err
	}
	if err := c.fill(ctx); err != nil {
		return err
	}
	if _, err := os.Stat(c.dir); err == nil { // an earlier command made it, and the run moved on elsewhere
		_, err := c.git(ctx, c.dir, "fetch", "--quiet", "origin", c.want)
		return err
	}
	// It is there whole or not at all.
	tmp, err := os.MkdirTemp(filepath.Dir(c.dir), ".clone-*")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	for _, args := range [][]string{
		{"clone", "--quiet", "--shared", "--no-checkout", c.cache, tmp},
		{"-C", tmp, "remote", "set-url", "origin", c.url},
	} {
		if _, err := c.git(ctx, h.Root, args...); err != nil {
			return err
		}
	}
	name, err := c.git(ctx, tmp, "symbolic-ref", "--short", "HEAD")
	if err == nil {
		_, err = c.git(ctx, tmp, "checkout", "--quiet", "-B", name, c.base)
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp, c.dir)
}

// has reports whether a repository has what the run goes on from.
func (c *clone) has(ctx context.Context, dir string) bool {
	if _, err := os.Stat(dir); err != nil {
		return false
	}
	for _, id := range []string{c.base, c.want} {
		if _, err := c.git(ctx, dir, "cat-file", "-e", id+"^{commit}"); err != nil {
			return false
		}
	}
	return true
}

// fill brings what is missing into the cache. One process at a time does.
func (c *clone) fill(ctx context.Context) error {
	unlock, err := lock(ctx, c.cache+".lock")
	if err != nil {
		return err
	}
	defer unlock()
	if _, err := os.Stat(c.cache); err != nil {
		tmp := c.cache + ".new"
		if err := os.RemoveAll(tmp); err != nil {
			return err
		}
		if _, err := c.git(ctx, filepath.Dir(c.cache), "clone", "--quiet", "--bare", "-c", "gc.auto=0", c.url, tmp); err != nil {
			return err
		}
		if err := os.Rename(tmp, c.cache); err != nil {
			return err
		}
	}
	if c.has(ctx, c.cache) {
		return nil
	}
	if _, err := c.git(ctx, c.cache, "fetch", "--quiet", "--no-tags", "origin", "+refs/heads/*:refs/heads/*"); err != nil {
		return err
	}
	if !c.has(ctx, c.cache) {
		return fmt.Errorf("%s has no commit %.12s; push the branch that the run starts from", c.url, c.want)
	}
	return nil
}

// push brings a commit to the branch of the run, forward and nothing else: one that another
// host made first is not overwritten.
func (c *clone) push(ctx context.Context, commit string, w *Work) error {
	if !strings.HasPrefix(c.branch, "loop/") {
		return fmt.Errorf("the branch %s is not a loop's", c.branch)
	}
	_, err := c.git(ctx, c.dir, "-c", "push.followTags=false", "-c", "push.recurseSubmodules=no", "push", "--quiet", "--no-verify", c.url, commit+":refs/heads/"+c.branch)
	return err
}

// git runs git, which asks nobody for a password.
func (c *clone) git(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", append([]string{"--no-optional-locks", "-c", "core.fsmonitor=false"}, args...)...)
	cmd.Dir = dir
	for _, e := range c.env {
		if !strings.HasPrefix(e, "GIT_") || strings.HasPrefix(e, "GIT_SSH") || strings.HasPrefix(e, "GIT_CONFIG_") {
			cmd.Env = append(cmd.Env, e)
		}
	}
	cmd.Env = append(cmd.Env, "GIT_TERMINAL_PROMPT=0")
	cmd.WaitDelay = time.Second
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s: %w: %s", args[0], err, strings.TrimSpace(said.String()))
	}
	return strings.TrimSpace(string(out)), nil
}

// lock takes a lock that ends with this process.
func lock(ctx context.Context, path string) (unlock func(), err error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	for {
		err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return func() { f.Close() }, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) {
			return nil, errors.Join(err, f.Close())
		}
		select {
		case <-ctx.Done():
			return nil, errors.Join(ctx.Err(), f.Close())
		case <-time.After(50 * time.Millisecond):
		}
	}
}
