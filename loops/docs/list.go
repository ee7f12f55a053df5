package docs

import (
	"context"
	"fmt"
	"math"
	"path"
	"slices"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
)

// founded is the score from which on a page is listed whatever the number: it says
// something that the change concerns.
const founded = 1

// gains are what an effect makes of the score of its page. That a page states what is not so
// is certain; the others are listed up to the limit.
var gains = map[string]float64{
	source.ByLiterals: founded + 0.9, source.ByName: founded + 0.8, source.BySignature: founded + 0.7, source.ByTokens: founded,
	source.ByQuote: 0.8, source.ByLines: 0.7, source.ByMember: 0.6,
}

// List returns the work list for what changed since a revision: the pages that name or state
// what is not so any more, all of them, and up to limit together the pages that show or cite
// code which is gone, list members, or declare as their source what changed outwardly. A path
// alone, or a name, puts no page on it, nor do lines that only moved. only says which pages
// count at all; it may be nil.
func List(ctx context.Context, w *compiler.Wiki, b *Bindings, changes *schema.Changes, limit int, only func(page string) bool) ([]Item, error) {
	code := source.NewCode(w)
	changes, altered, err := source.Substance(ctx, w, code, changes)
	if err != nil {
		return nil, fmt.Errorf("compare changes: %w", err)
	}
	if len(altered) == 0 {
		return []Item{}, nil
	}
	l := &list{items: map[string]*Item{}, keep: func(page string) bool { return !Kept(page) && (only == nil || only(page)) }}
	b.declared(l, altered)
	if err := l.affected(ctx, w, b, code, changes); err != nil {
		return nil, err
	}
	items := l.sorted(0, math.SmallestNonzeroFloat64)
	certain := slices.IndexFunc(items, func(it Item) bool { return it.Score < founded })
	if certain < 0 {
		return items, nil
	}
	return items[:min(len(items), max(limit, certain))], nil
}

// affected adds the pages that say something which the changes concern.
func (l *list) affected(ctx context.Context, w *compiler.Wiki, b *Bindings, code *source.Code, changes *schema.Changes) error {
	effects, err := source.Affected(ctx, w, code, changes)
	if err != nil {
		return fmt.Errorf("compare pages with the changes: %w", err)
	}
	for i := range effects {
		e := &effects[i]
		l.concern(path.Join(b.root, e.Page.Path), e.Facet, e.Target, e.Reason)
	}
	return nil
}

// concern adds an effect. The strongest of a page counts: many of one kind say no more.
func (l *list) concern(page, facet, target, reason string) {
	if !l.keep(page) {
		return
	}
	score := gains[facet]
	if it := l.items[page]; it != nil {
		score = max(0, score-it.Score)
	}
	l.add(page, score, Reason{Kind: BySymbol, Text: reason, Source: target})
	if facet == source.ByLiterals || facet == source.ByName {
		l.items[page].Wrong = true
	}
}

// declared adds the pages that declare as a source what changed outwardly, or name a file
// that is gone.
func (b *Bindings) declared(l *list, altered []source.Altered) {
	for i := range b.Pages {
		p := &b.Pages[i]
		if !l.keep(p.Path) {
			continue
		}
		scale := 1 / (1 + math.Sqrt(float64(p.size()))) // one change says less of a page about many files
		for _, a := range altered {
			t, ok := p.to(a.Path)
			if !ok || b.OfWiki(a.Path) || t.symbol && a.Read {
				continue
			}
			if t.kind == BySource && a.Outward || a.Gone && t.kind != ByName && t.target == a.Path {
				l.add(p.Path, strength[t.kind]*scale, Reason{Kind: t.kind, Text: because(t, a.Path), Source: a.Path})
			}
		}
	}
}
