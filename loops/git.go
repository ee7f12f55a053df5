package loops

import "context"

// Snapshot is the state of a repository that a role must not touch, and of the
// worktree that it may.
type Snapshot struct {
	// Tree is the worktree's content as an object of the repository: what git
	// add -A would commit.
	Tree string `json:"tree"`
	// Head is the commit that the worktree is on.
	Head string `json:"head"`
	// Ignored are the paths in the worktree that git ignores, by hash of their
	// names and sizes; new ones count as changes.
	Ignored []string `json:"ignored,omitempty"`
	// Guarded is a digest of everything outside the worktree that has to stay:
	// refs other than the run's branch, HEAD, index, status and stash of the main
	// checkout, configuration, hooks, info.
	Guarded string `json:"guarded"`
	// Saved is the folder with what is needed to restore it.
	Saved string `json:"saved"`
}

// Change is one path that differs between two trees.
type Change struct {
	Path string `json:"path"`
	// Status is the letter of git: A M D T (type) R (renamed from From).
	Status string `json:"status"`
	From   string `json:"from,omitempty"`
	// OldMode and NewMode are as git has them: 100644 100755 120000 160000.
	OldMode string `json:"old_mode,omitempty"`
	NewMode string `json:"new_mode,omitempty"`
	// Ignored is a path that git ignores: it would not be committed.
	Ignored bool `json:"ignored,omitempty"`
	// Size in bytes is set for a file that was removed as it is larger than may be judged.
	Size int64 `json:"size,omitempty"`
}

// Breach is something outside the worktree that a role changed. It is
// restored when it is found.
type Breach struct {
	What string `json:"what"` // "refs/heads/main", "config", "hooks/pre-commit", "stash", "main checkout: a.go"
	Was  string `json:"was,omitempty"`
	Is   string `json:"is,omitempty"`
	// Restored is false if it could not be restored.
	Restored bool `json:"restored"`
}

// Worktree is the place where a run works. Its methods are safe to repeat: what
// is done already is not done again.
type Worktree interface {
	// Path is the folder, absolute.
	Path() string
	// Snapshot records the state before a role. Name makes it unique in the run.
	Snapshot(ctx context.Context, name string) (Snapshot, error)
	// Compare returns what changed since: in the worktree, and outside it,
	// where it restores what it can.
	Compare(ctx context.Context, before Snapshot) (tree string, changes []Change, breaches []Breach, err error)
	// Diff returns what differs between two trees or commits.
	Diff(ctx context.Context, from, to string) ([]Change, error)
	// Patch returns the difference of two trees or commits as a unified diff of
	// at most max bytes.
	Patch(ctx context.Context, from, to string, max int) (string, error)
	// Add returns a tree with files put into it, by their path, and writes them
	// into the worktree.
	Add(ctx context.Context, tree string, files map[string][]byte) (string, error)
	// Restore makes the worktree equal to a tree. What it removes is saved as a
	// patch first, whose path is returned; "" if nothing was.
	Restore(ctx context.Context, tree, patch string) (string, error)
	// Export writes a tree to a new folder that is not a worktree.
	Export(ctx context.Context, tree, dir string) error
	// Commit records a tree on the run's branch and returns the commit. If the
	// branch's head carries the key already, that one is returned.
	Commit(ctx context.Context, c CommitSpec) (string, error)
}

// PagesTrailer names in a commit of a runner what it made of the pages that it
// changed, in as many lines as are needed: the first PageID digits of the ids of
// their blobs. A commit's message is copied when commits are squashed, rebased,
// amended or quoted; the bytes of a page say whether it is still the runner's.
const (
	PagesTrailer = "Loop-Pages"
	BaseTrailer  = "Loop-Base"
	PageID       = 16
)

// CommitSpec is a commit that the runner makes. No hook runs, nothing is signed. The
// markdown that it adds or changes is in trailers Loop-Pages, see PagesTrailer.
type CommitSpec struct {
	Tree    string
	Subject string
	Body    string
	// Key is the command's. It is in the trailer Loop-Key, so that a commit
	// whose result was lost is found again.
	Key  string
	Run  string // trailer Loop-Run
	Plan string // trailer Loop-Plan
	// Base is the commit that a run which documents was made of, in the trailer
	// Loop-Base, and a blank and the loop's name behind it where that is not
	// documentation; "" in commits of other runs.
	Base string
}
