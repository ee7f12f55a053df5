package history

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Scratch is a temporary repository with the objects of another one, in which its
// revisions are checked out. The other one is only read.
type Scratch struct {
	dir   string
	quiet []string // options that keep filters from running
}

// NewScratch makes a repository in dir, an empty folder, that has all that the one does
// which from is in.
func NewScratch(ctx context.Context, from, dir string) (*Scratch, error) {
	at, err := locate(ctx, from)
	if err != nil {
		return nil, err
	}
	out, err := output(ctx, from, "rev-parse", "--path-format=absolute", "--git-path", "objects", "--git-path", "shallow")
	if err != nil {
		return nil, err
	}
	paths := strings.Split(strings.TrimSpace(string(out)), "\n")
	if _, err := output(ctx, dir, "init", "-q"); err != nil {
		return nil, err
	}
	info := filepath.Join(dir, ".git", "objects", "info")
	if err := os.MkdirAll(info, 0o777); err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(info, "alternates"), []byte(filepath.ToSlash(paths[0])+"\n"), 0o666); err != nil {
		return nil, err
	}
	if at.shallow {
		list, err := os.ReadFile(paths[1])
		if err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(dir, ".git", "shallow"), list, 0o666); err != nil {
			return nil, err
		}
	}
	s := &Scratch{dir: dir}
	s.quiet, err = withoutFilters(ctx, dir)
	return s, err
}

// Replay is a scratch repository in which the commits of another one are checked out in
// order.
type Replay struct {
	*Scratch
	Commits []string // ids, oldest first: those of the first parents
}

// NewReplay makes a repository in dir, an empty folder, with the last commits of
// that which from is in; limit bounds how many, 0 is all of them.
func NewReplay(ctx context.Context, from, dir string, limit int) (*Replay, error) {
	s, err := NewScratch(ctx, from, dir)
	if err != nil {
		return nil, err
	}
	args := []string{"rev-list", "--first-parent", "HEAD"}
	if limit > 0 {
		args = append(args, fmt.Sprintf("--max-count=%d", limit))
	}
	out, err := output(ctx, from, args...)
	if err != nil {
		return nil, err
	}
	r := &Replay{Scratch: s, Commits: strings.Fields(string(out))}
	slices.Reverse(r.Commits)
	return r, nil
}

// Checkout makes the files those of a commit. Files that git does not know stay.
func (s *Scratch) Checkout(ctx context.Context, commit string) error {
	_, err := output(ctx, s.dir, append(slices.Clone(s.quiet), "checkout", "-q", "-f", "--detach", commit)...)
	return err
}

// Changed returns the files that differ between two commits: by the path in the
// first, the path in the second, which is empty for those that are gone.
func (s *Scratch) Changed(ctx context.Context, before, after string) (map[string]string, error) {
	return changed(ctx, s.dir, s.quiet, before, after)
}

// Changed returns the files of the repository that dir is in which differ between two
// commits, or between one and the working tree where after is empty: by the path in the
// first, the path in the second, which is empty for those that are gone. Paths are those
// below the repository's top.
func Changed(ctx context.Context, dir, before, after string) (map[string]string, error) {
	quiet, err := withoutFilters(ctx, dir)
	if err != nil {
		return nil, err
	}
	return changed(ctx, dir, quiet, before, after)
}

func changed(ctx context.Context, dir string, quiet []string, before, after string) (map[string]string, error) {
	args := append(slices.Clone(quiet), "diff", "--name-status", "-z", "-M", "-l1000", "--no-relative", "--no-ext-diff", "--end-of-options", before)
	if after != "" {
		args = append(args, after)
	}
	out, err := output(ctx, dir, append(args, "--")...)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	parts := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i := 0; i+1 < len(parts); i += 2 {
		switch parts[i][0] {
		case 'R', 'C':
			if parts[i][0] == 'R' && i+2 < len(parts) {
				files[parts[i+1]] = parts[i+2]
			}
			i++
		case 'D':
			files[parts[i+1]] = ""
		case 'M', 'T':
			files[parts[i+1]] = parts[i+1]
		}
	}
	return files, nil
}

// Resolve returns the commit that a revision names. The errors are those of [Load],
// [ErrUnknownRevision] and [ErrShallow].
func Resolve(ctx context.Context, dir, rev string) (Commit, error) {
	at, err := locate(ctx, dir)
	if err != nil {
		return Commit{}, err
	}
	out, err := output(ctx, dir, "log", "-1", "--no-show-signature", "--format=%H %ct %an", "--end-of-options", rev+"^{commit}", "--")
	if err != nil || rev == "" {
		reason := ErrUnknownRevision
		if at.shallow {
			reason = ErrShallow
		}
		return Commit{}, fmt.Errorf("revision %q: %w", rev, reason)
	}
	id, rest, _ := strings.Cut(strings.TrimSpace(string(out)), " ")
	when, author, _ := strings.Cut(rest, " ")
	return Commit{ID: id, Time: commitTime(when), Author: author}, nil
}

// CommonBase returns the commit that the histories of two revisions share last.
func CommonBase(ctx context.Context, dir, a, b string) (string, error) {
	out, err := output(ctx, dir, "merge-base", "--end-of-options", a, b)
	if err != nil {
		return "", fmt.Errorf("revisions %q and %q: %w", a, b, ErrNoMergeBase)
	}
	return strings.TrimSpace(string(out)), nil
}
