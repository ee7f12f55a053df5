// Package statebranch keeps what loops remember on a branch of its own, so that runs in
// fresh clones go on where earlier ones ended: incidents, journals of runs with their
// counts, spend and scores, states of loops, and proposals. Prompts and transcripts stay
// where they were written.
//
// The branch wiki-state has a history of its own and goes forward only. A second branch,
// wiki-state-seen, is pushed with it: when the first is gone, or is older than the second,
// records are lost and the line stops. Nothing here speaks to a remote: what was fetched
// is read, and what is committed is for git to push.
package statebranch

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/control/proposal"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/run"
)

// The branch that holds the state, and the one that says how far it got.
const (
	Name = "wiki-state"
	Seen = "wiki-state-seen"
)

// Branch is the state branch of a repository.
type Branch struct{ *repo.Repo }

// New returns the state branch of a repository.
func New(r *repo.Repo) *Branch { return &Branch{r} }

// Synced is what came of a synchronization.
type Synced struct {
	Remote string // that the branch was fetched from
	Taken  int    // files that changed in this clone
	Ahead  bool   // the local branch has what the remote one has not
	Notes  []string
}

// LostError is a state branch that was in use and is gone, or went back.
type LostError struct{ Why string }

func (e *LostError) Error() string { return "the line is stopped: " + e.Why }

// Hint returns what to do about it.
func (e *LostError) Hint() string {
	return fmt.Sprintf("restore it: git push --force REMOTE REMOTE/%s:refs/heads/%s; to start without its records, delete both branches", Seen, Name)
}

// DivergedError is a run that went on in two clones.
type DivergedError struct{ Run string }

func (e *DivergedError) Error() string {
	return fmt.Sprintf("run %s was continued in this clone and in another one", e.Run)
}

// Hint returns what to do about it.
func (e *DivergedError) Hint() string {
	return "keep one of them: to take the other clone's, move .loopwiki/runs/" + e.Run + " away"
}

// Sync takes over what the fetched branch has, and commits what this clone has beside it
// to the local branch. Without changes nothing is committed.
func (b *Branch) Sync(ctx context.Context) (Synced, error) {
	var none Synced
	if err := b.Store.Make(); err != nil {
		return none, err
	}
	held, _, err := contain.Lock(b.Store.Lock("."+Name), "wiki, the state branch")
	if err != nil {
		return none, err
	}
	defer func() { _ = held.Release() }()
	remote, err := b.Remote(ctx)
	if err != nil {
		return none, err
	}
	at, err := b.tips(ctx, remote)
	if err != nil {
		return none, err
	}
	out := Synced{Remote: remote}
	if at.theirs != "" {
		if out.Taken, err = b.take(ctx, at); err != nil {
			return none, err
		}
		if out.Notes, err = b.restoreProposals(ctx); err != nil {
			return none, err
		}
	}
	tip, err := b.commit(ctx, at)
	out.Ahead = tip != at.theirs
	return out, err
}

// tips are the commits of the branch, "" where there is none.
type tips struct {
	theirs string // as it was fetched
	last   string // of the local branch: what this clone wrote or took last
}

// tips finds the commits, and refuses a branch that lost records.
func (b *Branch) tips(ctx context.Context, remote string) (at tips, err error) {
	var seen string
	fetched := "refs/remotes/" + remote + "/"
	for ref, into := range map[string]*string{fetched + Name: &at.theirs, fetched + Seen: &seen, "refs/heads/" + Name: &at.last} {
		// It fails where there is no such commit.
		*into, _ = b.Git(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", ref+"^{commit}")
	}
	switch {
	case at.theirs == "" && seen != "":
		return at, &LostError{fmt.Sprintf("the branch %s, which holds incidents and counts, does not exist anymore", Name)}
	case at.theirs == "":
		return at, b.whole(ctx, remote)
	case seen == "":
		return at, nil
	}
	if _, err := b.Git(ctx, "merge-base", "--is-ancestor", seen, at.theirs); err != nil {
		return at, &LostError{fmt.Sprintf("the branch %s went back: it lacks commit %.12s", Name, seen)}
	}
	return at, nil
}

// whole refuses a clone that can't know whether the branch exists.
func (b *Branch) whole(ctx context.Context, remote string) error {
	if remote == "" {
		return nil
	}
	shallow, err := b.Git(ctx, "rev-parse", "--is-shallow-repository")
	if err != nil {
		return err
	}
	specs, err := b.Git(ctx, "config", "--get-all", "remote."+remote+".fetch")
	if err != nil {
		return err
	}
	if shallow == "true" || !strings.Contains(specs, "refs/heads/*:refs/remotes/"+remote+"/*") {
		return &run.MissingError{
			What: fmt.Sprintf("this clone does not have all branches of %s, so it can't tell whether %s exists", remote, Name),
			Hint: fmt.Sprintf("fetch the whole history (fetch-depth: 0 in actions/checkout), or run: git fetch %s %s:refs/remotes/%[1]s/%[2]s", remote, Name),
		}
	}
	return nil
}

// restoreProposals writes the plans that wait for a person's decision. One that somebody
// changed meanwhile is left, and noted.
func (b *Branch) restoreProposals(ctx context.Context) (notes []string, err error) {
	all, err := b.Summaries()
	if err != nil {
		return nil, err
	}
	for _, sum := range all {
		s, _, err := b.Store.Read(sum.ID)
		if err != nil || s.Status.Over() || len(s.Proposed) == 0 || !s.Planning() {
			continue
		}
		if _, err := proposal.New(b.Repo).Write(ctx, &s, filepath.Join(b.Store.Folder(sum.ID), filepath.FromSlash(s.Answer))); err != nil {
			notes = append(notes, fmt.Sprintf("run %s: %v", sum.ID, err))
		}
	}
	return notes, nil
}

// travels reports whether a file, by its path below .loopwiki, belongs on the branch.
// Of a run that is what its state, report and proposals are made of.
func travels(name string) bool {
	parts := strings.Split(name, "/")
	if strings.HasSuffix(name, ".new") {
		return false
	}
	switch {
	case parts[0] == "incidents":
		return len(parts) > 1
	case parts[0] != "runs" || len(parts) < 3:
		return false
	case parts[1] == ".loops":
		return true
	case strings.HasPrefix(parts[1], "."):
		return false
	case len(parts) == 3:
		return parts[2] != contain.OwnershipFile && parts[2] != run.ElsewhereFile
	}
	base := path.Base(name)
	return parts[2] == run.ProposalFolder || base == run.AnswerFile || base == proposal.AcceptedFile
}

// folder is where the files of the branch lie in a checkout.
const folder = ".loopwiki"

// local lists the files of this clone that belong on the branch, by path below .loopwiki.
func (b *Branch) local() ([]string, error) {
	root, err := files.OpenBelow(b.Root, filepath.Join(b.Root, folder))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var out []string
	var walk func(dir string) error
	walk = func(dir string) error {
		entries, err := root.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			switch {
			case e.IsDir():
				err = errors.Join(err, walk(name))
			case e.Type().IsRegular() && travels(name):
				out = append(out, name)
			}
		}
		return err
	}
	for _, dir := range []string{"incidents", "runs"} {
		if root.IsDir(dir) {
			if err := walk(dir); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
