package main

import (
	"context"
	"path"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/site/pack"
	"github.com/loopwiki/wiki/site/search"
)

// bytesPerToken is how many bytes a token of a prompt has at most, about.
const bytesPerToken = 4

// passages returns sections of a wiki's pages about a query as a context pack has them,
// best first, of at most size bytes together.
func (p *program) passages(ctx context.Context, w *compiler.Wiki, query string, size int) ([]loops.Passage, error) {
	ix, err := search.Build(ctx, w)
	if err != nil {
		return nil, err
	}
	found, err := ix.Search(ctx, query, pack.Pages)
	if err != nil {
		return nil, err
	}
	cfg := linter.Config{Only: []string{string(linter.Contradiction)}}
	if cfg.Acknowledged, err = p.acknowledged(w.Workspace()); err != nil {
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
		passage := loops.Passage{Path: path.Join(w.Workspace().RootPath, s.Path), Heading: s.Heading, Text: b.String()}
		if size -= len(passage.Path) + len(passage.Heading) + len(passage.Text); size < 0 {
			break
		}
		out = append(out, passage)
	}
	return out, nil
}
