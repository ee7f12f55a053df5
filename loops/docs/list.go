package docs

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
)

// floor is the score below which a tie is not a reason to look at a page: what its
// author did not declare, about a file whose changed symbols it does not speak of.
const floor = 0.1

// founded is added to the score of a page that speaks of a symbol that changed:
// these are listed whatever their number.
const founded = 1

// List returns the work list for what changed since a revision: the pages that
// speak of a symbol that changed, all of them, and the pages that are bound to
// what changed in another way, up to limit together. Files of which only comments
// and formatting changed put no page on it, nor does a name alone: it orders pages
// of a replay, and is not a reason to pay a writer. only says which pages count at all;
// it and past may be nil.
func List(ctx context.Context, w *compiler.Wiki, b *Bindings, past *Past, changes *schema.Changes, limit int, only func(page string) bool) ([]Item, error) {
	code := source.NewCode(w)
	changes, altered, err := source.Substance(ctx, w, code, changes)
	if err != nil {
		return nil, fmt.Errorf("compare changes: %w", err)
	}
	var files []File
	read := map[string]bool{}
	for _, a := range altered {
		if !b.OfWiki(a.Path) {
			files = append(files, File{Path: a.Path, Weight: 1, Judged: a.Read})
			read[a.Path] = a.Read
		}
	}
	if len(altered) == 0 {
		return []Item{}, nil
	}
	l := &list{items: map[string]*Item{}}
	b.rank(l, past, files, Features{ByName: true}, func(_, file string) bool { return read[file] })
	work, err := source.Stale(ctx, w, code, nil, changes)
	if err != nil {
		return nil, fmt.Errorf("find pages about the changes: %w", err)
	}
	for _, item := range work {
		page := path.Join(b.root, item.Path)
		if Kept(page) {
			continue
		}
		l.add(page, founded+float64(item.Weight)/100, Reason{Kind: BySymbol, Text: item.Reason, Source: item.Targets[0]})
		for _, t := range item.Targets[1:] {
			l.add(page, 0, Reason{Kind: BySymbol, Text: "it mentions " + t, Source: t})
		}
		if item.Facet == source.ByLiterals || item.Facet == source.ByName {
			l.items[page].Wrong = true
		}
	}
	items := l.sorted(0, floor)
	if only != nil {
		items = slices.DeleteFunc(items, func(it Item) bool { return !only(it.Page) })
	}
	certain := slices.IndexFunc(items, func(it Item) bool { return it.Score < founded })
	if certain < 0 {
		return items, nil
	}
	return items[:min(len(items), max(limit, certain))], nil
}
