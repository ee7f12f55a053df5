package site

import (
	"cmp"
	"runtime"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/index"
)

// document is a page as the search index sees it.
func (s *Site) document(p *schema.Page, text []compiler.Section) index.Document {
	d := index.Document{Href: escapePath(s.place[p.ID]), Title: s.titles[p.ID], Folder: folderOf(p), Summary: p.Meta.Summary, Sections: text, Past: s.past(p)}
	for _, a := range p.Meta.Aliases {
		d.Names = append(d.Names, a.Name)
	}
	seen := map[string]bool{}
	for _, t := range p.Tags {
		if !seen[t.Name] {
			seen[t.Name] = true
			d.Tags = append(d.Tags, t.Name)
		}
	}
	return d
}

// past names why a page is no longer to be relied on, if it is not.
func (s *Site) past(p *schema.Page) string {
	switch {
	case s.fresh[p.ID].State != schema.FreshSuperseded:
		return ""
	case strings.EqualFold(p.Meta.Status.Word, "deprecated"):
		return "deprecated"
	}
	return "superseded"
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
	docs, x := make([]*index.Analyzed, len(s.pages)), index.New()
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
func (s *Site) indexOf(x *index.Index, docs []*index.Analyzed) ([]byte, error) {
	ordered := make([]*index.Analyzed, 0, len(docs))
	for _, i := range s.ranked() {
		ordered = append(ordered, docs[i])
	}
	return x.Build(ordered)
}
