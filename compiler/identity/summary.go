package identity

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// Edition is a folder whose pages are translations or versions of others.
type Edition struct {
	Kind   string `json:"kind" jsonschema:"translation or version"`
	Folder string `json:"folder" jsonschema:"path below the wiki's root"`
	Name   string `json:"name" jsonschema:"the language or the version"`
	Pages  int    `json:"pages" jsonschema:"number of its pages, without indexes and logs"`
	Shared int    `json:"shared" jsonschema:"how many of the pages have a counterpart in another edition"`
}

// Group is a series: pages whose paths differ in numbers alone.
type Group struct {
	Kind  string `json:"kind" jsonschema:"series"`
	Name  string `json:"name" jsonschema:"common pattern of their paths, with # for a number"`
	Pages int    `json:"pages" jsonschema:"number of pages"`
	First string `json:"first" jsonschema:"path of the first page"`
}

// Folders returns the folders that are translations or versions, in order of
// path.
func (s *Set) Folders() []Edition { return s.editions }

// AllSeries returns the series, those with most pages first.
func (s *Set) AllSeries() []Group { return s.series }

var kinds = [...]string{byLanguage: "translation", byVersion: "version"}

func (s *Set) summarise(pages []*schema.Page, d *detection) {
	for file, f := range d.folders {
		if f.given || f.shared > 0 && leastShared*f.shared >= f.pages {
			s.editions = append(s.editions, Edition{kinds[f.axis], file, strings.ToLower(path.Base(file)), f.pages, f.shared})
		}
	}
	slices.SortFunc(s.editions, func(a, b Edition) int { return strings.Compare(a.Folder, b.Folder) })
	at := map[string]int{}
	var all []Group
	works := map[string]bool{} // one page in three versions is no series
	for _, p := range pages {
		m := s.members[p.Path]
		if m == nil || works[m.work] {
			continue
		}
		works[m.work] = true
		i, ok := at[m.series]
		if !ok {
			i = len(all)
			at[m.series] = i
			all = append(all, Group{"series", strings.TrimPrefix(m.series, "\x00"), 0, p.Path})
		}
		all[i].Pages++
	}
	s.series = slices.DeleteFunc(all, func(g Group) bool { return g.Pages < 2 })
	slices.SortStableFunc(s.series, func(a, b Group) int { return cmp.Compare(b.Pages, a.Pages) })
}
