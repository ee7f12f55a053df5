package compiler

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/resolve"
	"github.com/loopwiki/wiki/schema"
)

// Recompile returns the wiki after the files at the given paths below the root were
// changed, created or removed. Only they are read again; all other pages are shared with
// w, which stays valid. The path of a folder stands for all its content, before or now.
func (w *Wiki) Recompile(ctx context.Context, paths []string) (*Wiki, error) {
	next := *w
	ld, closer, err := next.loader(ctx)
	if err != nil {
		return nil, err
	}
	defer closer()
	if slices.ContainsFunc(paths, func(p string) bool { return !next.onePage(ld, p) }) {
		return next.relist(ctx, ld, paths)
	}
	next.pages = slices.Clone(w.pages)
	next.links, next.targets, next.reached = slices.Clone(w.links), slices.Clone(w.targets), slices.Clone(w.reached)
	changed := map[int]bool{}
	renamed, reheaded, moved := false, false, map[schema.PageID]bool{}
	for _, p := range paths {
		i := next.index[pageID(p)]
		old := w.pages[i]
		page := (&reader{loader: ld}).read(entry{path: p})
		page.ID = old.ID
		next.pages[i] = page
		changed[i] = true
		renamed = renamed || !sameNames(old, page)
		reheaded = reheaded || !bytes.Equal(old.Source[:old.Body], page.Source[:page.Body])
		if !sameAnchors(old, page) {
			moved[page.ID] = true
		}
	}
	for id := range moved {
		for _, b := range w.Backlinks(id) {
			changed[w.index[b.From]] = true
		}
	}
	stale := func(i int) bool { return changed[i] }
	names := w.names.Replace
	if renamed {
		names = w.names.Rename
		stale = func(i int) bool { return changed[i] || w.dependsOnNames(i) }
	}
	next.link(names(next.pages), stale)
	if !renamed && !reheaded {
		next.naming, next.editions = w.naming, w.editions
	}
	next.settleLayers()
	return &next, nil
}

// dependsOnNames reports whether page i has a link that another title, alias
// or id of some page can make mean something else.
func (w *Wiki) dependsOnNames(i int) bool {
	for j := range w.links[i] {
		if resolve.DependsOnNames(&w.pages[i].Links[j], &w.links[i][j]) {
			return true
		}
	}
	return false
}

// onePage reports whether the path is a page that was there before and still
// is, so that nothing else has to be looked at.
func (w *Wiki) onePage(ld *loader, p string) bool {
	i, known := w.index[pageID(p)]
	if !known || w.pages[i].Path != p || resolve.PageExtension(p) == "" {
		return false
	}
	if src, ok := ld.overlay[p]; ok { // what git ignores has not changed by an edit in memory
		return src != nil
	}
	if ld.ignored().Has(p, false) {
		return false
	}
	info, err := ld.at.Lstat(p)
	return err == nil && info.Mode().IsRegular()
}

// relist lists the tree again and reads new, removed and named files.
func (w *Wiki) relist(ctx context.Context, ld *loader, paths []string) (*Wiki, error) {
	entries, files, err := ld.tree(ctx)
	if err != nil {
		return nil, err
	}
	known := make(map[string]*schema.Page, len(w.pages))
	for _, p := range w.pages {
		known[p.Path] = p
	}
	pages := make([]*schema.Page, len(entries))
	var fresh []entry
	var at []int
	held := int64(0)
	for i, e := range entries {
		if p := known[e.path]; p != nil && !named(paths, e.path) {
			pages[i] = p
			held += int64(len(p.Source))
			continue
		}
		fresh, at = append(fresh, e), append(at, i)
	}
	read, err := ld.readAll(ctx, fresh, held, nil)
	if err != nil {
		return nil, err
	}
	for i, p := range read {
		pages[at[i]] = p
	}
	w.pages, w.files, w.links, w.unread, w.vendored, w.hidden = pages, nil, nil, ld.unread, ld.packages, ld.hidden
	for _, f := range files {
		w.files = append(w.files, f.path)
	}
	w.number()
	w.link(resolve.NewIndex(w.pages, w.files, w.space.Dialect.Profile, w.around()), nil)
	w.settleLayers()
	return w, nil
}

// named reports whether p is one of the paths or is below one.
func named(paths []string, p string) bool {
	for _, n := range paths {
		n = path.Clean(n)
		if n == p || n == "." || strings.HasPrefix(p, n+"/") {
			return true
		}
	}
	return false
}

// sameNames reports whether links to the page are looked up by the same names.
func sameNames(a, b *schema.Page) bool {
	id, slug := resolve.Addresses(a)
	otherID, otherSlug := resolve.Addresses(b)
	return a.Title == b.Title && a.Meta.ID == b.Meta.ID && id == otherID && slug == otherSlug && slices.Equal(resolve.BlockIDs(a), resolve.BlockIDs(b)) &&
		slices.EqualFunc(a.Meta.Aliases, b.Meta.Aliases, func(x, y schema.Alias) bool { return x.Name == y.Name })
}

// sameAnchors reports whether links into the page are looked up by the same
// headings and blocks.
func sameAnchors(a, b *schema.Page) bool {
	return slices.EqualFunc(a.Headings, b.Headings, func(x, y schema.Heading) bool {
		return x.ID == y.ID && x.Text == y.Text && x.Level == y.Level
	}) && slices.EqualFunc(a.Blocks, b.Blocks, func(x, y schema.BlockID) bool { return x.Name == y.Name }) &&
		slices.Equal(a.Anchors, b.Anchors)
}
