package publish

import (
	"context"
	"fmt"
	"strings"
)

// PushBase makes a branch of a remote begin at a commit, for workers that go on from there.
// What a failed run left on it is kept on the branch <branch>-wip-<commit>. Without a
// remote, the branch must not be in the repository, unless the commit has all of it.
func (p *Publisher) PushBase(ctx context.Context, remote, commit, branch string, failed bool) error {
	at := remote
	if remote == "" {
		at = p.Root
	} else if _, err := p.mayPush(ctx, remote, branch); err != nil {
		return err
	}
	out, err := p.remoteGit(ctx, "ls-remote", at, "refs/heads/"+branch)
	if err != nil {
		return failedOutside("ask %s for %s: %v", at, branch, err)
	}
	tip, _, _ := strings.Cut(out, "\t")
	if tip != "" {
		if _, err := p.Git(ctx, "merge-base", "--is-ancestor", tip, commit); err == nil {
			tip = ""
		}
	}
	switch {
	case tip != "" && !failed:
		return &occupiedError{branch, at}
	case tip != "":
		aside := branch + "-wip-" + tip[:12]
		// Neither is done if one can't be: nothing is lost.
		if _, err := p.remoteGit(ctx, "fetch", "--quiet", "--no-tags", at, tip); err != nil {
			return failedOutside("fetch %s from %s: %v", branch, at, err)
		}
		if _, err := p.remoteGit(ctx, "push", "--quiet", "--atomic", "--force-with-lease="+branch+":"+tip, at, tip+":refs/heads/"+aside, ":refs/heads/"+branch); err != nil {
			return failedOutside("move %s to %s on %s: %v", branch, aside, at, err)
		}
	}
	if remote == "" {
		return nil // workers clone the commit itself
	}
	return p.push(ctx, remote, commit, branch)
}

// occupiedError is a branch that another run left, and that nobody merged.
type occupiedError struct{ branch, remote string }

func (e *occupiedError) Error() string {
	return fmt.Sprintf("the branch %s has commits on %s that are not merged", e.branch, e.remote)
}

// Hint returns what to do.
func (e *occupiedError) Hint() string { return "merge the branch there, or delete it" }
