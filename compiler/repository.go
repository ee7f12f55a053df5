package compiler

import (
	"context"
	"errors"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/schema"
)

// Repository is the git history of all files in a wiki's repository. Paths are relative
// to the wiki's root; those outside it begin with ../.
type Repository struct {
	history *history.History
	folders map[string]history.Commit // folder to the newest commit in it
	moved   map[string][]string       // former path to the present ones, sorted
}

// whole holds the repository's history after the first request, shared by a wiki and its
// recompilations.
type whole struct {
	sync.Mutex
	repository *Repository
	err        error
	asked      bool // where the copies lie
	remotes    []string
	branch     string
}

// errNoHistory is the reason if the history was not requested.
var errNoHistory = errors.New("the git history was not read")

// Repository returns the history of the whole repository. Git is called on the first
// request, and not at all if the wiki is the whole repository. It is an error, with a
// remedy, if there is no git history, or it is shallow, or the wiki was compiled without
// [Options.History].
func (w *Wiki) Repository(ctx context.Context) (*Repository, error) {
	switch {
	case w.historySkipped != "":
		return nil, errors.New(w.historySkipped)
	case w.history == nil && !w.space.Git:
		return nil, history.ErrNoRepository
	case w.history == nil:
		return nil, errNoHistory
	}
	w.whole.Lock()
	defer w.whole.Unlock()
	if w.whole.repository != nil || w.whole.err != nil {
		return w.whole.repository, w.whole.err
	}
	h := w.history
	if w.space.RootPath != "." {
		var err error
		if h, err = history.LoadRepository(ctx, w.space.Root); err != nil {
			if ctx.Err() == nil {
				w.whole.err = err
			}
			return nil, err
		}
	}
	w.whole.repository = newRepository(h)
	return w.whole.repository, nil
}

func newRepository(h *history.History) *Repository {
	r := &Repository{history: h, folders: map[string]history.Commit{}, moved: map[string][]string{}}
	for file, f := range h.Files {
		for dir := path.Dir(file); dir != "." && dir != ".." && !strings.HasSuffix(dir, "/.."); dir = path.Dir(dir) {
			if c, ok := r.folders[dir]; ok && !c.Time.Before(f.Changed.Time) {
				break // and so are those above it
			}
			r.folders[dir] = f.Changed
		}
		for _, old := range f.Renamed {
			r.moved[old] = append(r.moved[old], file)
		}
	}
	for _, to := range r.moved {
		slices.Sort(to)
	}
	return r
}

// Changed returns the newest commit of a file, or of a folder and all in it;
// zero when git knows neither.
func (r *Repository) Changed(file string) schema.Moment {
	if f := r.history.Files[file]; f != nil {
		return gitMoment(f.Changed)
	}
	return gitMoment(r.folders[strings.TrimSuffix(file, "/")])
}

// Moved returns the paths that the files have now which had this one before,
// sorted. The slice must not be changed.
func (r *Repository) Moved(file string) []string { return r.moved[file] }

// Former returns the paths that a file had before, newest first. The slice must
// not be changed.
func (r *Repository) Former(file string) []string {
	if f := r.history.Files[file]; f != nil {
		return f.Renamed
	}
	return nil
}

// Gone returns the newest commit of a path at which a file was and none is,
// mostly the one that deleted or moved it; zero when no file was ever there.
func (r *Repository) Gone(file string) schema.Moment { return gitMoment(r.history.Gone[file]) }

// Time returns when the commit was made whose id begins with these digits.
func (r *Repository) Time(commit string) (t time.Time, ok bool) {
	c, ok := r.history.Commit(commit)
	return c.Time, ok && !c.Time.IsZero()
}

// Files yields the paths of all files that git knows, in no order.
func (r *Repository) Files() iter.Seq[string] { return maps.Keys(r.history.Files) }

// Lost yields the paths at which files were and none is, in no order.
func (r *Repository) Lost() iter.Seq[string] { return maps.Keys(r.history.Gone) }

// Versions calls f with the content of a file at each commit that changed it, newest
// first, at most limit times, until f returns false. The file may be deleted.
func (w *Wiki) Versions(ctx context.Context, file string, limit int, f func(at schema.Moment, content []byte) bool) error {
	return history.Versions(ctx, w.space.Root, file, limit, func(c history.Commit, content []byte) bool { return f(gitMoment(c), content) })
}

// Was returns what a file was at a revision; ok is false when git has no such
// file there.
func (w *Wiki) Was(ctx context.Context, rev, file string) (content []byte, ok bool) {
	return history.Blob(ctx, w.space.Root, rev, file)
}

// Base returns the commit where the present branch left that of a revision.
func (w *Wiki) Base(ctx context.Context, rev string) (string, error) {
	return history.MergeBase(ctx, w.space.Root, rev)
}

// Origin is the commit that last changed a line, and who made it.
type Origin = history.Origin

// Blame returns where some lines of a file come from, nil for all, by the number of the
// line; those that are in no commit are left out. The error says what would help.
func (w *Wiki) Blame(ctx context.Context, file string, lines []int) (map[int]Origin, error) {
	if w.historySkipped != "" {
		return nil, errors.New(w.historySkipped)
	}
	return history.Blame(ctx, w.space.Root, file, w.overlay[file], lines)
}

// Object is a file as a revision has it.
type Object = history.Object

// Version is a file as a commit left it.
type Version = history.Version

// ObjectIDs returns the ids of files' contents at revisions, empty if a revision lacks
// the file.
func (w *Wiki) ObjectIDs(ctx context.Context, objects []Object) ([]string, error) {
	return history.ObjectIDs(ctx, w.space.Root, objects)
}

// Contents calls f with the contents of objects by their ids, except those larger than
// limit bytes.
func (w *Wiki) Contents(ctx context.Context, ids []string, limit int, f func(id string, content []byte)) error {
	return history.Contents(ctx, w.space.Root, ids, limit, f)
}

// Tracked returns the files of the repository that git tracks, relative to the wiki's
// root; none where there is no git.
func (w *Wiki) Tracked(ctx context.Context) []string {
	if !w.space.Git {
		return nil
	}
	files, _ := history.Tracked(ctx, w.space.Root) // what can't be listed is not found by its name
	return files
}

// WouldIgnore returns those of some files, relative to the wiki's root, that git ignores, be
// they there or not; none where git can't tell.
func (w *Wiki) WouldIgnore(ctx context.Context, files []string) map[string]bool {
	if !w.space.Git || len(files) == 0 {
		return nil
	}
	ignored, err := history.WouldIgnore(ctx, w.space.Root, files)
	if err != nil {
		return nil
	}
	return ignored
}

// Remotes returns where the copies of the repository lie, as git is configured, and
// the branch that is checked out.
func (w *Wiki) Remotes(ctx context.Context) (urls []string, branch string) {
	if !w.space.Git {
		return nil, ""
	}
	w.whole.Lock()
	defer w.whole.Unlock()
	if !w.whole.asked {
		w.whole.remotes, w.whole.branch = history.Remotes(ctx, w.space.Root)
		w.whole.asked = ctx.Err() == nil
	}
	return w.whole.remotes, w.whole.branch
}
