package history

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Replay is a temporary repository in which the commits of another one are checked out
// in order. The other one is only read.
type Replay struct {
	dir     string
	quiet   []string // options that keep filters from running
	Commits []string // ids, oldest first: those of the first parents
}

// NewReplay makes a repository in dir, an empty folder, with the last commits of
// that which from is in; limit bounds how many, 0 is all of them.
func NewReplay(ctx context.Context, from, dir string, limit int) (*Replay, error) {
	if _, err := locate(ctx, from); err != nil {
		return nil, err
	}
	out, err := output(ctx, from, "rev-parse", "--path-format=absolute", "--git-path", "objects")
	if err != nil {
		return nil, err
	}
	objects := strings.TrimSpace(string(out))
	args := []string{"rev-list", "--first-parent", "HEAD"}
	if limit > 0 {
		args = append(args, fmt.Sprintf("--max-count=%d", limit))
	}
	if out, err = output(ctx, from, args...); err != nil {
		return nil, err
	}
	r := &Replay{dir: dir, Commits: strings.Fields(string(out))}
	slices.Reverse(r.Commits)
	if _, err := output(ctx, dir, "init", "-q"); err != nil {
		return nil, err
	}
	info := filepath.Join(dir, ".git", "objects", "info")
	if err := os.MkdirAll(info, 0o777); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(info, "alternates"), []byte(filepath.ToSlash(objects)+"\n"), 0o666); err != nil {
		return nil, err
	}
	r.quiet, err = withoutFilters(ctx, dir)
	return r, err
}

// Checkout makes the files those of a commit. Files that git does not know stay.
func (r *Replay) Checkout(ctx context.Context, commit string) error {
	_, err := output(ctx, r.dir, append(slices.Clone(r.quiet), "checkout", "-q", "-f", "--detach", commit)...)
	return err
}

// Changed returns the files that differ between two commits: by the path in the
// first, the path in the second, which is empty for those that are gone.
func (r *Replay) Changed(ctx context.Context, before, after string) (map[string]string, error) {
	out, err := output(ctx, r.dir, "diff", "--name-status", "-z", "-M", before, after)
	if err != nil {
		return nil, err
	}
	changed := map[string]string{}
	parts := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i := 0; i+1 < len(parts); i += 2 {
		switch parts[i][0] {
		case 'R', 'C':
			if parts[i][0] == 'R' && i+2 < len(parts) {
				changed[parts[i+1]] = parts[i+2]
			}
			i++
		case 'D':
			changed[parts[i+1]] = ""
		case 'M', 'T':
			changed[parts[i+1]] = parts[i+1]
		}
	}
	return changed, nil
}
