package compiler

import (
	"iter"
	"slices"
	"time"

	"github.com/loopwiki/wiki/compiler/history"
	"github.com/loopwiki/wiki/compiler/identity"
	"github.com/loopwiki/wiki/compiler/resolve"
	"github.com/loopwiki/wiki/schema"
)

// Wiki is the immutable result of a compilation: the pages, what every link
// resolves to, and the graph. It may be used by any number of goroutines.
type Wiki struct {
	space    *Workspace
	pages    []*schema.Page // in order of path
	index    map[schema.PageID]int
	files    []string // every file below the root that is not a page, sorted
	links    [][]schema.Resolution
	targets  [][]int32 // the other page that each link leads to, -1 when to none
	reached  [][]int32 // targets without -1, sorted, each once
	graph    *Graph
	names    *resolve.Index
	naming   *Naming
	history  *history.History
	whole    *whole
	today    time.Time
	overlay  Overlay
	editions func() *identity.Set
	included func() map[schema.PageID]bool
	listed   func() map[schema.PageID]bool
	skipped  []schema.Skipped
	unread   []schema.Unread
	vendored []string
	hidden   []string // folders whose names begin with a dot and that configure generators
	// historySkipped says why git could not tell all, empty when it could.
	historySkipped string
}

// Workspace returns where the wiki lies, how it was detected, and its configuration.
func (w *Wiki) Workspace() *Workspace { return w.space }

// Config returns the wiki's configuration, never nil.
func (w *Wiki) Config() *schema.Config { return w.space.Config }

// Pages returns every page in order of path. The slice must not be changed.
func (w *Wiki) Pages() []*schema.Page { return w.pages }

// Page returns a page by its id, or nil.
func (w *Wiki) Page(id schema.PageID) *schema.Page {
	if i, ok := w.index[id]; ok {
		return w.pages[i]
	}
	return nil
}

// Files returns the paths below the root of all files that are not pages,
// sorted. The slice must not be changed.
func (w *Wiki) Files() []string { return w.files }

// Vendored returns the folders below the root that hold vendored packages, sorted.
// Their markdown can be linked to and is not a page.
func (w *Wiki) Vendored() []string { return w.vendored }

// Links yields the links of a page, as written and resolved, in the order of
// the file.
func (w *Wiki) Links(p *schema.Page) iter.Seq2[*schema.Link, *schema.Resolution] {
	return func(yield func(*schema.Link, *schema.Resolution) bool) {
		i, ok := w.index[p.ID]
		if !ok {
			return
		}
		for j := range w.links[i] {
			if !yield(&w.pages[i].Links[j], &w.links[i][j]) {
				return
			}
		}
	}
}

// Resolution returns what the n-th link of p resolves to.
func (w *Wiki) Resolution(p *schema.Page, n int) *schema.Resolution {
	return &w.links[w.index[p.ID]][n]
}

// Resolve returns what a link would lead to if it stood on p: for names that
// front matter gives without brackets, and for links that are yet to be written.
func (w *Wiki) Resolve(p *schema.Page, l *schema.Link) schema.Resolution {
	return w.names.Resolve(p, l)
}

// Naming identifies what pages and files are called. Two compilations have the same one
// only if no path, title, alias, id or front matter of any page changed between them, so
// that what depends on these alone need not be computed again.
type Naming struct{ _ byte } // of a size, since pointers to nothing may be equal

// Naming returns the present naming.
func (w *Wiki) Naming() *Naming { return w.naming }

// Included reports whether another page includes p, so that readers see it there.
func (w *Wiki) Included(p *schema.Page) bool { return w.included()[p.ID] }

// Backlinks returns the links that lead to a page from other pages, in order
// of the linking page and then of the link.
func (w *Wiki) Backlinks(id schema.PageID) []schema.Backlink { return w.graph.backlinks(id) }

// Graph returns the graph of pages.
func (w *Wiki) Graph() *Graph { return w.graph }

// Identity returns which pages are translations, versions or a series of one
// another. It is worked out when it is first asked for.
func (w *Wiki) Identity() *identity.Set { return w.editions() }

// History returns what git knows about the files, nil when there is no git
// history or it was not asked for.
func (w *Wiki) History() *history.History { return w.history }

// Unread returns the files beyond a limit, in order of path.
func (w *Wiki) Unread() []schema.Unread { return w.unread }

// Skipped returns the checks that could not run, and why.
func (w *Wiki) Skipped() []schema.Skipped {
	if w.historySkipped == "" {
		return w.skipped
	}
	return append(slices.Clone(w.skipped), schema.Skipped{Check: "history", Reason: w.historySkipped})
}
