package worklist

import (
	"context"
	"path"
	"slices"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/loops/gate"
	"github.com/loopwiki/wiki/schema"
)

// Mend returns the pages of a run's worktree in which citations of code that moved are
// corrected, by their path in the repository: those that the run's request names.
func (l *Lister) Mend(ctx context.Context, s *loops.State, w loops.Worktree) (map[string][]byte, error) {
	moved := s.Start.Documentation.Moved
	if len(moved) == 0 {
		return nil, nil
	}
	wiki, err := repo.Wiki(ctx, w.Path())
	if wiki == nil || err != nil {
		return nil, err
	}
	root := wiki.Workspace().RootPath
	cfg := linter.Config{Rules: slices.DeleteFunc(slices.Clone(l.Rules), func(r *linter.Rule) bool { return r.ID != gate.MovedRule }), Today: l.Now()}
	if cfg.Baseline, cfg.Acknowledged, err = gate.Debt(wiki.Workspace()); err != nil {
		return nil, err
	}
	fixed, err := linter.Fix(ctx, wiki, linter.Fixing{Lint: func(ctx context.Context, at *compiler.Wiki) (*linter.Result, error) {
		res, err := linter.Run(ctx, at, cfg)
		if err == nil {
			res.Findings = slices.DeleteFunc(res.Findings, func(f schema.Diagnostic) bool {
				return !gate.Mended(&f) || !slices.Contains(moved, path.Join(root, f.Path))
			})
		}
		return res, err
	}})
	if err != nil {
		return nil, err
	}
	out := make(map[string][]byte)
	for _, c := range fixed.Changes.List() {
		if text, ok := fixed.Changes.Content(c.To); ok {
			out[path.Join(root, c.To)] = text
		}
	}
	return out, nil
}
