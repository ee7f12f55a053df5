package rules

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// layout is the folders and files below the root.
type layout struct {
	folders map[string]bool           // every folder below the root that holds a file, "." included
	pages   map[string][]*schema.Page // folder to the pages right in it, in order of path
	dirs    []string                  // the keys of pages, sorted
	// reserved are those of pages that have their place by their name.
	reserved map[string][]*schema.Page
}

var layoutFact = linter.NewFact(newLayout)

func newLayout(w *compiler.Wiki) *layout {
	l := &layout{folders: map[string]bool{".": true}, pages: map[string][]*schema.Page{}, reserved: map[string][]*schema.Page{}}
	above := func(dir string) {
		for ; !l.folders[dir]; dir = path.Dir(dir) {
			l.folders[dir] = true
		}
	}
	for _, page := range w.Pages() {
		dir := path.Dir(page.Path)
		if l.pages[dir] == nil {
			l.dirs = append(l.dirs, dir)
		}
		l.pages[dir] = append(l.pages[dir], page)
		if page.Reserved() {
			l.reserved[dir] = append(l.reserved[dir], page)
		}
		above(dir)
	}
	for _, f := range w.Files() {
		above(path.Dir(f))
	}
	slices.Sort(l.dirs)
	return l
}

// named returns the page of a folder whose name without .md is one of names, the
// first of them that is there, or nil. They are reserved names in lower case.
func (l *layout) named(dir string, names ...string) *schema.Page {
	for _, name := range names {
		for _, page := range l.reserved[dir] {
			if strings.EqualFold(stem(page.Path), name) {
				return page
			}
		}
	}
	return nil
}

// indexNames are the pages that may list their folder, the likeliest first.
var indexNames = []string{"_index", "index", "readme", "home", "moc"}

// index returns the page that may list a folder, or nil.
func (l *layout) index(dir string) *schema.Page { return l.named(dir, indexNames...) }

// folderPlace is the place of a finding about a missing folder: the index of the nearest
// folder above it, or the wiki's first page.
func (l *layout) folderPlace(w *compiler.Wiki, dir string) (string, schema.Span) {
	for dir != "." {
		dir = path.Dir(dir)
		if page := l.index(dir); page != nil {
			return page.Path, titleAt(page)
		}
	}
	if pages := w.Pages(); len(pages) > 0 {
		return pages[0].Path, titleAt(pages[0])
	}
	return "index.md", schema.Span{}
}

// listed reports whether an index should list a page: it has no role by its name, and is
// not a draft, unlisted or out of force.
func listed(w *compiler.Wiki, page *schema.Page) bool {
	if level, _ := page.Visibility.Level(true); level != schema.Public {
		return false
	}
	return !page.Reserved() && !template(page) && !needsNoLink(w, page) && !page.Meta.Draft && inactive(page) == ""
}

// sortedKeys returns the keys of m in order.
func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
