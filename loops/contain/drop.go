package contain

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// Drop removes the worktree and the branch that a run made, with all that is in
// them. What is somebody else's by now stays; a branch that was moved is an error.
func Drop(ctx context.Context, repo Repo, o Owned) error {
	at, err := locateCheckout(ctx, repo)
	if err != nil {
		return err
	}
	r, err := readOwnership(o.Folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	admin, err := adminOf(at.common, r.Path)
	if err != nil {
		return err
	}
	if admin != "" && markOf(admin) != r.Run {
		return nil
	}
	tip, err := at.tip(ctx, "refs/heads/"+r.Branch)
	if err != nil {
		return err
	}
	if tip != "" && tip != r.Head && tip != r.Next {
		return fmt.Errorf("another process moved the branch %s to %.12s", r.Branch, tip)
	}
	return at.discard(ctx, r.Path, admin, r.Branch, tip)
}
