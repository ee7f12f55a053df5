// Package history turns one call of git log, after a short question about where
// a folder lies, into the facts a wiki needs of its history: when each file was
// created, last changed and renamed. It also asks git what it ignores and what
// is not committed yet.
//
// The history is read with the rename detection of git itself, which compares
// contents: a file that was moved and rewritten beyond half in one commit is a
// new file. Files are followed through their names along the order of the
// commits, newest first; see the comments of follow for what that means
// where branches ran side by side.
package history

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"
	"time"
)

// ShallowRemedy is the command that makes a shallow history complete.
const ShallowRemedy = "git fetch --unshallow"

// History is the git history of the files below one folder.
type History struct {
	Head string // commit id, empty when there is no commit yet
	// Shallow is set if the clone has only part of the history: older files are dated to
	// its first commit. The remedy is [ShallowRemedy].
	Shallow bool
	// ExactRenames is set when contents are missing here (a partial clone), so
	// that only renames without an edit in the same commit were recognised;
	// nothing is fetched to find out more.
	ExactRenames bool
	Files        map[string]*File
	// Gone are the paths that files had and none has now, with the newest
	// commit that touched them: most often the one that deleted or renamed them.
	Gone map[string]Commit

	commits []Commit // in order of id
	dir     string   // absolute: what paths are below
	asked   revisions
}

// Commit returns the commit whose id begins with prefix, of at least four digits; ok is
// false if there is none or several.
func (h *History) Commit(prefix string) (c Commit, ok bool) {
	i := sort.Search(len(h.commits), func(i int) bool { return h.commits[i].ID >= prefix })
	if len(prefix) < 4 || i == len(h.commits) || !strings.HasPrefix(h.commits[i].ID, prefix) {
		return Commit{}, false
	}
	return h.commits[i], i+1 == len(h.commits) || !strings.HasPrefix(h.commits[i+1].ID, prefix)
}

// File is the history of one file that exists now. Paths are slash-separated
// below the folder the history was asked for; those above it, which only
// [LoadRepository] gives, begin with ../.
type File struct {
	Created Commit
	Changed Commit
	// Edited is the newest commit that changed the file's content, zero if none did
	// since it was added; moves don't count.
	Edited  Commit
	Commits int
	// Renamed lists the paths the file had before, newest first.
	Renamed []string
	// Versions are the commits that changed it, newest first; for markdown only, whose
	// lines are dated by them.
	Versions []Version
}

// Version is a file as a commit left it.
type Version struct {
	Commit string // its id
	Path   string // that the file had then
}

// Commit is one commit as far as a wiki needs it.
type Commit struct {
	ID     string
	Time   time.Time // committer date, UTC
	Author string
}

// Load reads the history of the files below dir, which is any folder of a git
// work tree. A file that was moved into dir from outside it begins there,
// since git then reports it as added; [LoadRepository] sees where it was.
// Merges that dropped one side's work unseen are passed over as git log does
// (the simplest history that explains the files as they are).
//
// Without git or a repository the error is [ErrNoGit], [ErrNoRepository],
// [ErrNotTrusted] or [ErrMissingObject]. A repository without commits has an
// empty history.
func Load(ctx context.Context, dir string) (*History, error) { return load(ctx, dir, false) }

// LoadRepository is [Load] for the whole repository that dir is in, with
// paths relative to dir. It costs what git log costs on all of it.
func LoadRepository(ctx context.Context, dir string) (*History, error) { return load(ctx, dir, true) }

func load(ctx context.Context, dir string, whole bool) (*History, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	at, err := locate(ctx, dir)
	if err != nil {
		return nil, err
	}
	h := &History{Head: at.head, Shallow: at.shallow, Files: map[string]*File{}, Gone: map[string]Commit{}, dir: dir}
	if at.head == "" {
		return h, nil
	}
	onDisk := func(path string) bool {
		_, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(relative(at.prefix, path))))
		return err == nil
	}
	f := newFollower(onDisk)
	err = readLog(ctx, dir, whole, "-M50%", f)
	if err != nil && isFailure(err) && partial(ctx, dir) {
		h.ExactRenames = true
		f = newFollower(onDisk)
		err = readLog(ctx, dir, whole, "-M100%", f)
		if err != nil && isFailure(err) {
			return nil, errors.Join(ErrMissingObject, err)
		}
	}
	if err != nil {
		return nil, err
	}
	f.existing(func(path string, file *File) {
		for i, old := range file.Renamed {
			file.Renamed[i] = relative(at.prefix, old)
		}
		for i := range file.Versions {
			file.Versions[i].Path = relative(at.prefix, file.Versions[i].Path)
		}
		h.Files[relative(at.prefix, path)] = file
	})
	for path, c := range f.seen {
		if path = relative(at.prefix, path); h.Files[path] == nil {
			h.Gone[path] = c
		}
	}
	h.commits = f.commits
	slices.SortFunc(h.commits, func(a, b Commit) int { return strings.Compare(a.ID, b.ID) })
	return h, nil
}

// readLog asks for the log and follows the files through it. Merges show what
// they changed against all of their parents, so that putting two edits together
// counts as the change that it is. No commit comes before all of its
// children.
func readLog(ctx context.Context, dir string, whole bool, renames string, f *follower) error {
	return run(ctx, dir, func(r io.Reader) error { return parseLog(r, f.commit) }, logArgs(renames, whole)...)
}

// logArgs are the arguments of a git log that [parseLog] reads.
func logArgs(renames string, whole bool, more ...string) []string {
	args := []string{"log", "-z", "--name-status", renames, "--no-rename-empty", "-l1000",
		"-c", "--combined-all-paths", "--date-order", "--root",
		"--no-ext-diff", "--no-textconv", "--no-show-signature", "--no-color", "--no-notes", "--no-mailmap",
		"--no-relative", "--ignore-submodules=all", "--no-decorate", "--format=" + logFormat}
	args = append(append(args, more...), "HEAD", "--")
	if !whole {
		args = append(args, ".")
	}
	return args
}

func isFailure(err error) bool {
	var f *failure
	return errors.As(err, &f)
}

// relative turns a path of the repository into one below the folder that has
// this prefix in it.
func relative(prefix, path string) string {
	if rest, ok := strings.CutPrefix(path, prefix); ok {
		return rest
	}
	up := ""
	for prefix != "" && !strings.HasPrefix(path, prefix) {
		prefix = prefix[:strings.LastIndexByte(prefix[:len(prefix)-1], '/')+1]
		up += "../"
	}
	return up + strings.TrimPrefix(path, prefix)
}
