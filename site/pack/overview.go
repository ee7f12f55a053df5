package pack

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/search"
)

// Overview returns what a newcomer reads first, as a search without words would find it: all
// of the wiki's start page, then the beginnings of the pages that most pages link to.
func Overview(w *compiler.Wiki) search.Results {
	var out search.Results
	starts := w.Indexes(common(w.Pages()))
	if len(starts) > 0 {
		r := search.Result{Page: starts[0].ID, Score: 1, Sections: map[string]float64{}}
		parts := compiler.Parts(starts[0])
		for i, part := range parts { // in their order
			r.Sections[part.ID] = 1 - float64(i)/float64(2*len(parts))
		}
		out.Results = append(out.Results, r)
	}
	g := w.Graph()
	linked := slices.DeleteFunc(slices.Clone(w.Pages()), func(p *schema.Page) bool {
		return slices.Contains(starts, p) || len(g.In(p.ID)) == 0
	})
	slices.SortStableFunc(linked, func(a, b *schema.Page) int { return cmp.Compare(len(g.In(b.ID)), len(g.In(a.ID))) })
	for i, p := range linked[:min(Pages, len(linked))] {
		out.Results = append(out.Results, search.Result{Page: p.ID, Score: 0.5 - float64(i)/(2*Pages)})
	}
	out.Total = len(out.Results)
	return out
}

// common is the folder that all pages lie below.
func common(pages []*schema.Page) string {
	dir := "."
	if len(pages) > 0 {
		dir = path.Dir(pages[0].Path)
	}
	for _, p := range pages {
		for dir != "." && !strings.HasPrefix(p.Path, dir+"/") {
			dir = path.Dir(dir)
		}
	}
	return dir
}
