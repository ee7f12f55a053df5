package main

import (
	"context"
	"path"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/repo"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/site/pack"
	"github.com/loopwiki/wiki/site/search"
)

// packs asks the wiki of a worktree for context packs. It caches nothing: pages change
// during a run.
type packs struct {
	*program
	worktree string
}

// bytesPerToken is how many bytes a token of a prompt has at most, about.
const bytesPerToken = 4

// Retrieve implements [loops.Retriever].
func (r packs) Retrieve(ctx context.Context, query string, size int) ([]loops.Passage, error) {
	w, err := repo.Wiki(ctx, r.worktree)
	if w == nil || err != nil {
		return nil, err
	}
	ix, err := search.Build(ctx, w)
	if err != nil {
		return nil, err
	}
	found, err := ix.Search(ctx, query, pack.Pages)
	if err != nil {
		return nil, err
	}
	cfg := linter.Config{Only: []string{string(linter.Contradiction)}}
	if cfg.Acknowledged, err = r.acknowledged(w.Workspace()); err != nil {
		return nil, err
	}
	in := pack.Input{Wiki: w, Found: found, Budget: size / bytesPerToken, Current: true}
	if in.Contradictions, err = linter.Contradictions(ctx, w, cfg); err != nil && in.Contradictions == nil {
		return nil, err
	}
	var out []loops.Passage
	for _, s := range pack.Make(in).Sections {
		var b strings.Builder
		b.WriteString(text.Sprintf("lines %d to %d\n", s.From, s.To))
		for _, n := range s.Notes {
			b.WriteString("! " + n + "\n")
		}
		b.WriteString("\n" + s.Text)
		p := loops.Passage{Path: path.Join(w.Workspace().RootPath, s.Path), Heading: s.Section, Text: b.String()}
		if size -= len(p.Path) + len(p.Heading) + len(p.Text); size < 0 {
			break
		}
		out = append(out, p)
	}
	return out, nil
}
