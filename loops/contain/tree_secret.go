package contain

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// dropSecrets removes from the repository the objects of what was removed, if
// a secret stood in it: git keeps what nothing reaches for weeks. An object that
// anything else reaches stays, of any worktree, index or reflog. The tree is
// what the worktree was given back.
func (w *Worktree) dropSecrets(ctx context.Context, tree string) error {
	if len(w.secret) == 0 {
		return nil
	}
	// The candidate was kept by a ref of its own, and by the indexes.
	if err := w.pin(ctx, "candidate", tree, guard{}); err != nil {
		return err
	}
	if err := w.align(ctx); err != nil {
		return err
	}
	var ids []string
	for _, d := range w.secret {
		out, err := w.shared.out(ctx, "diff-tree", "-r", "-t", "-z", "--raw", "--no-abbrev", "--no-renames", d[0], d[1])
		if err != nil {
			return err
		}
		changes := gitFields(out)
		for i := 0; i+1 < len(changes); i += 2 {
			if meta := strings.Fields(changes[i]); len(meta) == 5 && meta[1] != "000000" && meta[1] != "160000" {
				ids = append(ids, meta[3])
			}
		}
		ids = append(ids, d[1])
	}
	out, err := w.shared.out(ctx, "rev-list", "--objects", "--no-object-names", "--all", "--reflog", "--indexed-objects")
	if err != nil {
		return err
	}
	reached := map[string]bool{}
	for id := range strings.FieldsSeq(out) {
		reached[id] = true
	}
	for _, id := range ids {
		if reached[id] || len(id) < 4 {
			continue
		}
		name := filepath.Join(w.repo.common, "objects", id[:2], id[2:])
		if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	w.secret = nil
	return nil
}
