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

// Restamp is wiki.lock with the pages that a run corrected, nil where nothing of it
// changes: the runner's own act, as no agent may verify what it wrote. Nobody is
// taken at their word: a section that was not written anew although what it is
// about is declared otherwise now stays unverified, for a person to say that it is
// right; and a page that nobody ever verified is not verified here.
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
	changes, err := w.Diff(ctx, s.Start.Base, s.Tree)
	if err != nil {
		return "", nil, err
	}
	corrected := func(page string) bool {
		at := path.Join(ws.RootPath, page)
		return slices.ContainsFunc(changes, func(c loops.Change) bool { return c.Path == at }) &&
			slices.ContainsFunc(lock.Bindings, func(b source.Binding) bool { return b.Page == page })
	}
	verdicts, err := source.JudgeWith(ctx, wiki, source.NewCode(wiki), lock, corrected)
	if err != nil {
		return "", nil, err
	}
	next, _ := source.Verify(lock, verdicts, corrected, false, s.Last)
	if bytes.Equal(lock.Format(), next.Format()) {
		return "", nil, nil
	}
	folder, err := filepath.Rel(w.Path(), source.LockFolder(ws))
	if err != nil || strings.HasPrefix(folder, "..") {
		return "", nil, err
	}
	return filepath.ToSlash(filepath.Join(folder, source.LockName)), next.Format(), nil
}
