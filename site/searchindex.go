package site

import (
	"cmp"
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/search"
)

// document is a page as the search index sees it. What links from pages that are
// not listed call it is no part of it.
func (s *Site) document(p *schema.Page, text []compiler.Section) search.Document {
	listed := func(from schema.PageID) bool { return s.place[from] != "" && !s.unlisted[from] }
	d := search.DocumentOf(s.wiki, p, text, search.Labels(s.wiki, p, listed))
	d.Href, d.Title, d.Folder = escapePath(s.place[p.ID]), s.titles[p.ID], folderOf(p)
	return d
}

// ranked returns the numbers of the pages in the order of the index: the most
// linked first, so that they win ties, and sources after all others.
func (s *Site) ranked() []int {
	order := make([]int, len(s.pages))
	links := make([]int, len(s.pages))
	for i, p := range s.pages {
		order[i] = i
		for _, from := range s.wiki.Graph().In(p.ID) {
			if s.place[from] != "" {
				links[i]++
			}
		}
		if p.Layer == schema.LayerSource {
			links[i] -= len(s.pages)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(links[b], links[a]) })
	return order
}

// buildIndex makes the search index from the wiki itself, for those who ask
// for it without building the site.
func (s *Site) buildIndex() ([]byte, error) {
	docs, x := make([]*search.Analyzed, len(s.pages)), search.NewCollector()
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, p := range s.pages {
		g.Go(func() error {
			docs[i] = x.Analyze(s.document(p, s.wiki.Text(p)))
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return s.indexOf(x, docs)
}

// indexOf writes the index of pages that x analyzed in the order of s.pages.
func (s *Site) indexOf(x *search.Collector, docs []*search.Analyzed) ([]byte, error) {
	ordered := make([]*search.Analyzed, 0, len(docs))
	for _, i := range s.ranked() {
		ordered = append(ordered, docs[i])
	}
	return x.Build(ordered)
}
