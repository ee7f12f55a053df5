package site

import (
	"net/url"
	"slices"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

// How much of its surroundings a page draws.
const (
	nearPages = 24 // the most connected ones
	nearArcs  = 40 // links between them
)

// nearby draws the pages that are joined with one; nil if there are none.
func (s *Site) nearby(p *schema.Page, from string) *theme.Near {
	n := s.net()
	at, ok := n.at[p.ID]
	if !ok || len(n.near[at]) == 0 {
		return nil
	}
	all := n.near[at]
	shown := slices.Clone(all)
	slices.SortFunc(shown, n.byLinks)
	shown = shown[:min(len(shown), nearPages)]
	out := &theme.Near{T: s.words, More: len(all) - len(shown), Whole: relative(from, s.graphFile) + "?at=" + url.QueryEscape(s.place[p.ID])}
	for i, k := range shown {
		q := s.pages[k]
		_, to := slices.BinarySearch(n.out[at], k)
		out.Pages = append(out.Pages, theme.NearPage{Link: theme.Link{Title: clip(s.titles[q.ID], 80), Href: relative(from, s.place[q.ID])}, In: !to})
		for j := range i {
			if len(out.Arcs) < nearArcs && n.linked(shown[j], k) {
				out.Arcs = append(out.Arcs, [2]int{j, i})
			}
		}
	}
	return out
}
