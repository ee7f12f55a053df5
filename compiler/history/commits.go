package history

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"strconv"
)

// ChangeSet is one commit with the files that it changed, by their paths below
// the repository's top.
type ChangeSet struct {
	Commit
	Merge bool
	Files []FileChange
}

// FileChange is the change of one file in a commit.
type FileChange struct {
	Status byte   // A added, M modified, D deleted, R renamed
	Path   string // after the commit; of a deleted file, before it
	From   string // of a renamed file
}

// Commits returns the last limit commits (0 for all) of the repository of dir with their
// changes, oldest first. A merge lists the files in which it differs from all its
// parents.
func Commits(ctx context.Context, dir string, limit int) ([]ChangeSet, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	at, err := locate(ctx, dir)
	if err != nil || at.head == "" {
		return nil, err
	}
	var out []ChangeSet
	collect := func(c Commit, merge bool, changes []change) {
		set := ChangeSet{Commit: c, Merge: merge}
		for _, ch := range changes {
			set.Files = append(set.Files, FileChange{Status: ch.kind, Path: ch.path, From: ch.from})
		}
		out = append(out, set)
	}
	var more []string
	if limit > 0 {
		more = append(more, "--max-count="+strconv.Itoa(limit))
	}
	if err := run(ctx, dir, func(r io.Reader) error { return parseLog(r, collect) }, logArgs("-M50%", true, more...)...); err != nil {
		return nil, err
	}
	slices.Reverse(out)
	return out, nil
}
