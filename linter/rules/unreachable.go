package rules

import (
	"fmt"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "unreachable",
	Group:    linter.GraphRules,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A group of pages can't be reached by links from the index.",
	Doc: `A reader who starts at the index never gets to these pages, although none of them is an orphan. Link to one of
them from a reachable page, and all of them are reachable.

The start is the index, home, overview, README or MOC at the top of the wiki, or right below it (but not in
examples) if none at the top links to a page; without one the check is skipped. Each group is one finding with the
number of its pages; if half of the wiki or more is unreachable, that is one finding, because the index isn't kept.
Pages behind an orphan are not reported: linking to
the orphan solves both.

Switch it off for wikis that are used by search only.`,
	Check: unreachable,
})

func unreachable(p *linter.Pass) {
	w := p.Wiki
	from := homes(w)
	if len(from) == 0 {
		p.Skip("no index, home, overview or README at the top of the wiki links to a page; link from it, or create index.md")
		return
	}
	g := w.Graph()
	known := g.Reachable(from...)
	var also []schema.PageID
	for _, o := range orphanFact.Of(p) {
		also = append(also, o.ID)
	}
	for _, page := range w.Pages() {
		if needsNoLink(w, page) {
			also = append(also, page.ID)
		}
	}
	if len(also) > 0 {
		for id := range g.Reachable(also...) {
			known[id] = true
		}
	}
	all := islands(w, known)
	if n := lying(all); len(all) > 1 && 2*n >= countLinkable(w) {
		home := w.Page(from[0])
		d := p.Report(home.Path, titleAt(home), "%d of %d pages can't be reached from %q; link to them, or list them in an index", n, countLinkable(w), home.Path)
		d.Count = n
		for _, island := range all[:min(len(all), 10)] {
			d.Related = append(d.Related, schema.Related{Path: island[0].Path, Span: titleAt(island[0]), Message: "no way leads here" + alsoPages(len(island)-1)})
		}
		return
	}
	for _, island := range all {
		first := island[0]
		d := p.Report(first.Path, titleAt(first), "not reachable by links from %q: this page%s; link to it from a reachable page",
			w.Page(from[0]).Path, alsoPages(len(island)-1))
		d.Count = len(island)
		d.Related = alsoHere(island[1:], "on the same island")
	}
}

// lying counts the pages on islands.
func lying(all [][]*schema.Page) (n int) {
	for _, island := range all {
		n += len(island)
	}
	return n
}

func alsoPages(n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" and %s linked with it", text.Count(n, "page"))
}

// islands returns the weakly connected groups of linkable pages that are not
// known, each in order of path.
func islands(w *compiler.Wiki, known map[schema.PageID]bool) [][]*schema.Page {
	group := map[schema.PageID]int{}
	var out [][]*schema.Page
	for _, page := range w.Pages() {
		if known[page.ID] || !linkable(page) {
			continue
		}
		n, ok := group[page.ID]
		if !ok {
			n = len(out)
			out = append(out, nil)
			spread(w.Graph(), page.ID, known, group, n)
		}
		out[n] = append(out[n], page)
	}
	return out
}

// spread gives every page that is linked with id, in either direction and
// through pages that are not known, the group n.
func spread(g *compiler.Graph, id schema.PageID, known map[schema.PageID]bool, group map[schema.PageID]int, n int) {
	group[id] = n
	for work := []schema.PageID{id}; len(work) > 0; {
		at := work[len(work)-1]
		work = work[:len(work)-1]
		for _, next := range [][]schema.PageID{g.Out(at), g.In(at)} {
			for _, to := range next {
				if _, done := group[to]; !done && !known[to] {
					group[to] = n
					work = append(work, to)
				}
			}
		}
	}
}
