package site

import (
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

// folder is a folder of published pages.
type folder struct {
	path   string // "." is the top
	parent *folder
	index  *schema.Page   // the page that stands for it, or nil
	pages  []*schema.Page // the others, in order of path
	subs   []*folder
	file   string // of its page: index's, or a list of what is in it
	list   string // of the list of everything in it, which may be the same
	count  int    // pages in it and below
}

func (f *folder) name() string { return path.Base(f.path) }

// position is the place of a page in some of a folder, -1 when it is not among them.
func position(pages []*schema.Page, p *schema.Page) int {
	if p == nil {
		return -1
	}
	i, ok := slices.BinarySearchFunc(pages, p.Path, func(p *schema.Page, path string) int { return strings.Compare(p.Path, path) })
	if !ok {
		return -1
	}
	return i
}

// makeFolders sorts the published pages into folders and gives each folder an index
// page, or a list.
func (s *Site) makeFolders(n *names) {
	s.folders = map[string]*folder{".": {path: "."}}
	for _, p := range s.pages {
		f := s.folder(path.Dir(p.Path))
		if base := path.Base(s.place[p.ID]); base == homeName && f.index == nil && s.isIndex(p) {
			f.index = p
		} else {
			f.pages = append(f.pages, p)
		}
		for up := f; up != nil; up = up.parent {
			up.count++
		}
	}
	for _, dir := range sortedKeys(s.folders) {
		f := s.folders[dir]
		slices.SortFunc(f.subs, func(a, b *folder) int { return strings.Compare(a.path, b.path) })
		switch {
		case dir == ".":
			f.file = homeName // its list is that of all pages, but for a top with many folders
			if len(f.subs) > 0 && len(f.subs)+len(f.pages) > topEntries {
				f.list = s.putParts(n, "folders.html", len(f.subs)+len(f.pages), func(part int) output { return folderOutput{f, part} })
			}
		case f.index != nil:
			f.file = s.place[f.index.ID]
			f.list = f.file
			if len(f.pages) > sidePages || len(f.subs) > sideFolders {
				f.list = s.putParts(n, safePath(dir)+"/pages.html", len(f.subs)+len(f.pages), func(part int) output { return folderOutput{f, part} })
			}
		default:
			f.file = s.putParts(n, s.notOwn(safePath(dir)+"/"+homeName), len(f.subs)+len(f.pages), func(part int) output { return folderOutput{f, part} })
			f.list = f.file
		}
	}
}

// isIndex reports whether the page has its name from standing for its folder.
func (s *Site) isIndex(p *schema.Page) bool {
	base := path.Base(p.Path)
	return slices.Contains(indexNames, strings.ToLower(strings.TrimSuffix(base, path.Ext(base))))
}

// folder returns the folder of a path, making it and those above it.
func (s *Site) folder(dir string) *folder {
	if f := s.folders[dir]; f != nil {
		return f
	}
	f := &folder{path: dir, parent: s.folder(path.Dir(dir))}
	f.parent.subs = append(f.parent.subs, f)
	s.folders[dir] = f
	return f
}

// crumbs are the folders above a file, the top first. Of many, those in between
// are left out.
func (s *Site) crumbs(from string, f *folder) []theme.Link {
	var out []theme.Link
	for ; f != nil; f = f.parent {
		if len(out) == levels {
			f = s.folders["."]
		}
		l := theme.Link{Title: f.name(), Href: relative(from, f.file)}
		if f.parent == nil {
			l.Title = s.words.Home
		}
		out = append(out, l)
	}
	slices.Reverse(out)
	return out
}

// neighbours are the pages before and after a page in its folder.
func (s *Site) neighbours(from string, f *folder, p *schema.Page) (before, after *theme.Link) {
	i := position(f.pages, p)
	link := func(p *schema.Page) *theme.Link {
		return &theme.Link{Title: s.titles[p.ID], Href: relative(from, s.place[p.ID])}
	}
	if i > 0 {
		before = link(f.pages[i-1])
	}
	if i >= 0 && i+1 < len(f.pages) {
		after = link(f.pages[i+1])
	}
	return before, after
}
