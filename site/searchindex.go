package site

import (
	"io/fs"
	"runtime"
	"slices"
	"strings"

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

// buildIndex makes the search index from the wiki itself, for those who ask
// for it without building the site.
func (s *Site) buildIndex() (map[string][]byte, error) {
	if s.opt.Live {
		return nil, nil
	}
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
	return s.indexOf(x, docs), nil
}

// indexOf writes the index of pages that x analyzed in the order of s.pages.
func (s *Site) indexOf(x *search.Collector, docs []*search.Analyzed) map[string][]byte {
	ordered := make([]*search.Analyzed, 0, len(docs))
	for _, i := range search.Order(s.wiki, s.pages, func(from schema.PageID) bool { return s.place[from] != "" }) {
		ordered = append(ordered, docs[i])
	}
	return x.Parts(ordered)
}

// allFiles returns the path of every file.
func (s *Site) allFiles() []string {
	parts, err := s.search()
	if err != nil {
		return s.files // rendering one of the others tells why
	}
	return union(s.files, indexPaths(parts))
}

// indexPaths are the paths of the files of an index.
func indexPaths(parts map[string][]byte) []string {
	names := make([]string, 0, len(parts))
	for name := range parts {
		names = append(names, indexDir+name)
	}
	slices.Sort(names)
	return names
}

// indexOutput is a file of the search index.
type indexOutput struct{}

func (indexOutput) render(s *Site, name string) ([]byte, error) {
	parts, err := s.search()
	if err != nil {
		return nil, err
	}
	content, ok := parts[strings.TrimPrefix(name, indexDir)]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return content, nil
}
