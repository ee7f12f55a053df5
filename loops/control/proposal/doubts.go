package proposal

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/linter/judge"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
)

// doubtKeeper is a judge that asks nobody: it judges by the verdicts that are kept,
// and keeps the doubts that are left, the likeliest first.
type doubtKeeper struct {
	court judge.Judge
	left  []schema.Doubt
}

// newDoubtKeeper reads the verdicts of a wiki.
func newDoubtKeeper(w *compiler.Wiki) (*doubtKeeper, error) {
	ws, k := w.Workspace(), &doubtKeeper{}
	home := ws.Dir
	if ws.ConfigPath != "" {
		home = filepath.Dir(ws.ConfigPath)
	}
	src, err := ws.ReadFile(home, filepath.FromSlash(schema.VerdictsFile), files.State)
	if err == nil {
		k.court.Known, err = judge.ReadVerdicts(schema.VerdictsFile, src)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	k.court.Of(w)
	return k, nil
}

// Judge implements [linter.Judge].
func (k *doubtKeeper) Judge(ctx context.Context, doubts []schema.Doubt) linter.Judgement {
	j := k.court.Judge(ctx, doubts)
	for i, v := range j.Verdicts {
		if v.Ruling == linter.Unjudged || v.Ruling == linter.Unclear {
			k.left = append(k.left, doubts[i])
		}
	}
	return j
}

// pairs returns the places and the words of the doubts that are left.
func (k *doubtKeeper) pairs(w *compiler.Wiki) (out [][2]loops.Reason) {
	at := func(c *schema.Claim) loops.Reason {
		r := loops.Reason{Path: path.Join(w.Workspace().RootPath, c.Path), Message: c.Text}
		if page := w.Page(c.Page); page != nil {
			r.Line = page.Lines.Position(c.Span.Start).Line
		}
		return r
	}
	for i := range k.left {
		out = append(out, [2]loops.Reason{at(&k.left[i].A), at(&k.left[i].B)})
	}
	return out
}
