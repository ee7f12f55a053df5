package main

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// home is the folder of wiki.yaml, or where it would lie.
func home(ws *compiler.Workspace) string {
	if ws.ConfigPath != "" {
		return filepath.Dir(ws.ConfigPath)
	}
	return ws.Dir
}

// acknowledged reads the acknowledged contradictions of a wiki; nil when there is
// no such file.
func (p *program) acknowledged(ws *compiler.Workspace) (*linter.Acknowledgements, error) {
	name := filepath.FromSlash(schema.AcknowledgedFile)
	full := filepath.Join(home(ws), name)
	src, err := ws.ReadFile(home(ws), name, files.Acknowledged)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	a, err := linter.ReadAcknowledged(p.shorten(full), src)
	if err != nil {
		return nil, err
	}
	if rel, err := filepath.Rel(ws.Root, full); err == nil {
		a.Path = filepath.ToSlash(rel)
	}
	return a, nil
}

// forReaders finds what readers of a wiki are told: what its pages contradict each other
// in, as far as that was acknowledged or judged, and which of them name others without a
// link.
func (p *program) forReaders(ctx context.Context, w *compiler.Wiki, cfg linter.Config) (*linter.Result, error) {
	all, err := linter.RulesOf(w.Workspace())
	if err != nil {
		return nil, err
	}
	if cfg.Acknowledged, err = p.acknowledged(w.Workspace()); err != nil {
		return nil, err
	}
	verdicts, err := p.openJudge(w.Workspace(), judgeOptions{mode: judgeCached})
	if err != nil {
		return nil, err
	}
	wanted := map[linter.Group]bool{linter.Contradiction: cfg.Acknowledged != nil, linter.Judged: verdicts.source != nil}
	if wanted[linter.Judged] {
		cfg.Judge = verdicts.judge(w)
	}
	for _, r := range all {
		if !wanted[r.Group] && !r.Mentions {
			cfg.Except = append(slices.Clip(cfg.Except), r.ID)
		}
	}
	res, err := linter.Run(ctx, w, cfg)
	if res == nil {
		return nil, inConfig(w.Workspace(), err)
	}
	return res, nil // a rule that failed is left out; wiki lint says so
}
