package worklist

import (
	"bytes"
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/repo"
)

// Restamp is wiki.lock with the pages that a run corrected, and those of its work list
// that its writer compared with the code and left as they are; nil where nothing of it
// changes: the runner's own act, as no agent may verify what it wrote. Nobody is
// taken at their word: a section that was not written anew although what it is
// about is declared otherwise now stays unverified, for a person to say that it is
// right; and a page that nobody ever verified is not verified here, nor one of which
// the writer's version is only proposed.
func (l *Lister) Restamp(ctx context.Context, s *loops.State, w loops.Worktree) (name string, text []byte, err error) {
	wiki, err := repo.Wiki(ctx, w.Path())
	if wiki == nil || err != nil {
		return "", nil, err
	}
	ws := wiki.Workspace()
	lock, err := source.ReadLock(ws)
	if lock == nil || err != nil {
		return "", nil, err
	}
	before := lock.Format()
	changes, err := w.Diff(ctx, s.Start.Base, s.Tree)
	if err != nil {
		return "", nil, err
	}
	checked := func(page string) bool {
		at := path.Join(ws.RootPath, page)
		return (changed(changes, at) || left(s, at)) &&
			slices.ContainsFunc(lock.Bindings, func(b source.Binding) bool { return b.Page == page })
	}
	verdicts, err := source.JudgeWith(ctx, wiki, source.NewCode(wiki), lock, checked)
	if err != nil {
		return "", nil, err
	}
	if followed, moved := lock.Follow(verdicts); moved { // citations that the run mended
		lock = followed
		if verdicts, err = source.JudgeWith(ctx, wiki, source.NewCode(wiki), lock, checked); err != nil {
			return "", nil, err
		}
	}
	next, _ := source.Verify(lock, verdicts, checked, false, s.Last)
	if bytes.Equal(before, next.Format()) {
		return "", nil, nil
	}
	folder, err := filepath.Rel(w.Path(), source.LockFolder(ws))
	if err != nil || strings.HasPrefix(folder, "..") {
		return "", nil, err
	}
	return filepath.ToSlash(filepath.Join(folder, source.LockName)), next.Format(), nil
}

func changed(changes []loops.Change, file string) bool {
	return slices.ContainsFunc(changes, func(c loops.Change) bool { return c.Path == file })
}

// left reports whether the writer was asked for a page and found nothing to correct.
func left(s *loops.State, file string) bool {
	d := s.Start.Documentation
	return d != nil && !slices.Contains(s.Proposed, file) &&
		slices.ContainsFunc(d.Pages, func(p loops.DocumentationPage) bool { return p.Path == file })
}
