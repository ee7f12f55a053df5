package history

import (
	"context"
	"fmt"
	"path"
	"strings"
)

// Versions calls f with the content of a file at each commit that changed it, newest
// first, until f returns false, at most limit times. The file is a path below dir, or
// begins with ../, and need not exist now.
func Versions(ctx context.Context, dir, file string, limit int, f func(c Commit, content []byte) bool) error {
	out, err := output(ctx, dir, "log", fmt.Sprintf("--max-count=%d", limit), "--format=%H %ct %an", "--", ":(literal)"+file)
	if err != nil {
		return err
	}
	at, err := locate(ctx, dir)
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(out)) {
		id, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		when, author, _ := strings.Cut(rest, " ")
		content, err := output(ctx, dir, "cat-file", "blob", id+":"+path.Join(at.prefix, file))
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			continue // the commit that removed it
		}
		if !f(Commit{ID: id, Time: commitTime(when), Author: author}, content) {
			return nil
		}
	}
	return nil
}

// Blob returns what a file was at a revision; ok is false when git has no such
// file there. The file is a path below dir, or beginning with ../.
func Blob(ctx context.Context, dir, rev, file string) (content []byte, ok bool) {
	at, err := locate(ctx, dir)
	if err != nil || strings.HasPrefix(rev, "-") {
		return nil, false
	}
	content, err = output(ctx, dir, "cat-file", "blob", rev+":"+path.Join(at.prefix, file))
	return content, err == nil
}

// MergeBase returns the commit where the present branch left that of a revision.
// The errors are those of [Since].
func MergeBase(ctx context.Context, dir, rev string) (string, error) {
	out, err := output(ctx, dir, "merge-base", "--end-of-options", rev, "HEAD")
	if err != nil {
		return "", fmt.Errorf("revision %q: %w", rev, ErrNoMergeBase)
	}
	return strings.TrimSpace(string(out)), nil
}
