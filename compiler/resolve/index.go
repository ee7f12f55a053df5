// Package resolve finds what a link means: it turns a link as written into a
// [schema.Resolution], by a ladder of rules whose rung is kept as the reason.
//
// Wikilinks climb Obsidian's rungs first (own folder, whole path, end of a
// path, letter case ignored), then those of wikis written by agents (from the
// repository, by id, by similar name, alias, title). Markdown links climb
// GitHub's (relative, exact), then what the detected profile adds.
package resolve

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/loopwiki/wiki/schema"
)

// Outside reports whether the repository has, next to the files that the index
// lists, a file or folder at a slash-separated path below its root: one around
// the wiki, one whose name or folder begins with a dot, or one in a submodule
// that is not checked out.
type Outside func(path string) bool

// Place says where the wiki is in its repository.
type Place struct {
	Name     string // of the folder that is the wiki's root; empty when not known
	RootPath string // the wiki's root below the repository, "." when equal
	Outside  Outside
	// Published maps prefixes of addresses on the site to folders; see [schema.Config].
	Published map[string]string
	Generator schema.Generator
	Sites     []Site
	// Beside returns the files of the folders of raw sources next to the wiki's
	// root, below the repository, sorted. It may be nil.
	Beside func() []string
}

// Index knows every name that a link can mean. It is immutable, and may be
// used by any number of goroutines.
type Index struct {
	place   Place
	profile schema.LinkProfile
	targets []target

	exact  map[string]int32   // NFC path, with extension; folders end in "/"
	folded map[string]int32   // the same, letter case ignored: the first of those that fold alike
	bases  map[string]*bucket // folded file name, for pages without .md too
	ids    map[string]int32   // front matter ids that are not the path
	slugs  map[string][]int32
	alias  map[string][]int32
	titles map[string][]int32
	dirs   map[string]string // folded folder to folder
	urls   map[string]int32  // addresses on sites, without slashes at their ends
	listed map[string]int32  // what pages of sites are called in a navigation
	hash   bool              // some name holds a #

	named  sync.Once
	blocks map[string]int32 // ids of blocks, in Logseq

	nextTo sync.Once
	raw    map[string][]string // folded names of the raw sources next to the wiki

	anchors sync.Map // page index to *anchors, for pages with many headings
}

type target struct {
	path string // NFC
	disk string // as on disk: two files may differ in Unicode form only
	page *schema.Page
}

// order sorts targets by path.
func (x *Index) order(i, j int32) int {
	a, b := &x.targets[i], &x.targets[j]
	return cmp.Or(strings.Compare(a.path, b.path), strings.Compare(a.disk, b.disk))
}

// bucket holds the targets of one file name in Obsidian's order of
// preference: shortest path, then smallest.
type bucket struct {
	ids   []int32
	paths []string
}

var folder = sync.Pool{New: func() any { c := cases.Fold(); return &c }}

// Fold returns s in the form in which names are compared: NFC, letter case
// folded.
func Fold(s string) string {
	ascii := true
	upper := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c >= utf8.RuneSelf {
			ascii = false
			break
		}
		upper = upper || 'A' <= c && c <= 'Z'
	}
	switch {
	case ascii && !upper:
		return s
	case ascii:
		return strings.ToLower(s)
	}
	c := folder.Get().(*cases.Caser)
	defer folder.Put(c)
	return norm.NFC.String(c.String(s))
}

// Slug returns s in the form in which names count as similar: folded, with
// every run of spaces, hyphens, underscores and punctuation as one hyphen.
func Slug(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	for _, r := range Fold(s) {
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '/' || r == '+' || r == '#' || unicode.IsSymbol(r):
			if gap && b.Len() > 0 && r != '/' {
				b.WriteByte('-')
			}
			gap = false
			b.WriteRune(r)
		default:
			gap = b.Len() > 0 && !strings.HasSuffix(b.String(), "/")
		}
	}
	return b.String()
}

// PageExtension returns the extension of a page's file, "" for other files.
func PageExtension(p string) string {
	switch ext := strings.ToLower(path.Ext(p)); ext {
	case ".md", ".markdown":
		return p[len(p)-len(ext):]
	}
	return ""
}

// NewIndex indexes the names of pages and of the other files, both sorted by
// path.
func NewIndex(pages []*schema.Page, files []string, profile schema.LinkProfile, place Place) *Index {
	n := len(pages) + len(files)
	x := &Index{
		place: place, profile: profile,
		targets: make([]target, 0, n),
		exact:   make(map[string]int32, n), folded: make(map[string]int32, n),
		bases: make(map[string]*bucket, n), slugs: make(map[string][]int32, len(pages)), dirs: map[string]string{},
	}
	for _, p := range pages {
		x.add(target{path: norm.NFC.String(p.Path), disk: p.Path, page: p})
	}
	for _, f := range files {
		x.add(target{path: norm.NFC.String(f), disk: f})
	}
	for _, b := range x.bases {
		slices.SortFunc(b.ids, func(i, j int32) int {
			return cmp.Or(cmp.Compare(len(x.targets[i].path), len(x.targets[j].path)), x.order(i, j))
		})
		if len(b.ids) > 1 {
			for _, i := range b.ids {
				b.paths = append(b.paths, x.targets[i].disk)
			}
		}
	}
	x.sortNames(x.slugs)
	x.addNames()
	return x
}

// addNames indexes the names that pages give themselves: ids, aliases, titles.
func (x *Index) addNames() {
	x.ids, x.alias = map[string]int32{}, map[string][]int32{}
	x.titles = make(map[string][]int32, len(x.targets))
	for i := range x.targets {
		t := &x.targets[i]
		if t.page == nil {
			continue
		}
		push(x.titles, Fold(strings.TrimSpace(t.page.Title)), int32(i))
		for _, a := range t.page.Meta.Aliases {
			push(x.alias, Fold(strings.TrimSpace(a.Name)), int32(i))
		}
		if id := Fold(t.page.Meta.ID); id != "" {
			x.smallest(x.ids, id, int32(i))
		}
	}
	x.sortNames(x.alias)
	x.sortNames(x.titles)
	x.addSites()
}

func (x *Index) sortNames(m map[string][]int32) {
	for _, ids := range m {
		if len(ids) > 1 {
			slices.SortFunc(ids, x.order)
		}
	}
}

// push adds target i under a name, once.
func push(m map[string][]int32, name string, i int32) {
	if name == "" {
		return
	}
	if have := m[name]; len(have) == 0 || have[len(have)-1] != i {
		m[name] = append(have, i)
	}
}

func (x *Index) add(t target) {
	i := int32(len(x.targets))
	x.targets = append(x.targets, t)
	x.smallest(x.exact, t.path, i)
	fold := Fold(t.path)
	x.smallest(x.folded, fold, i)
	x.hash = x.hash || strings.Contains(t.path, "#")
	x.addDirs(path.Dir(t.path))
	base := path.Base(fold)
	x.bucket(base, i)
	stem := strings.TrimSuffix(base, PageExtension(base))
	if t.page == nil {
		// A template doesn't compete with a page for a name.
		if stem != base && x.bases[stem] == nil {
			x.bucket(stem, i)
		}
		return
	}
	x.bucket(stem, i)
	if x.profile.Underscores && strings.Contains(stem, "___") {
		x.bucket(path.Base(strings.ReplaceAll(stem, "___", "/")), i)
	}
	push(x.slugs, Slug(stem), i)
}

// smallest sets m[key] to i, unless it holds a target with a smaller path.
func (x *Index) smallest(m map[string]int32, key string, i int32) {
	if have, ok := m[key]; !ok || x.order(i, have) < 0 {
		m[key] = i
	}
}

func (x *Index) bucket(name string, i int32) {
	b := x.bases[name]
	if b == nil {
		b = &bucket{}
		x.bases[name] = b
	}
	if len(b.ids) == 0 || b.ids[len(b.ids)-1] != i {
		b.ids = append(b.ids, i)
	}
}

func (x *Index) addDirs(dir string) {
	for dir != "." && dir != "/" {
		fold := Fold(dir)
		if _, ok := x.dirs[fold]; ok {
			return
		}
		x.dirs[fold] = dir
		dir = path.Dir(dir)
	}
}

// Replace returns the index for pages of which some were read again, whose
// titles, aliases and ids did not change. pages must be those the index was
// made of, in the same order and under the same paths.
func (x *Index) Replace(pages []*schema.Page) *Index {
	next := &Index{
		place: x.place, profile: x.profile, targets: slices.Clone(x.targets),
		exact: x.exact, folded: x.folded, bases: x.bases, ids: x.ids, slugs: x.slugs,
		alias: x.alias, titles: x.titles, dirs: x.dirs, urls: x.urls, listed: x.listed, hash: x.hash,
	}
	for i, p := range pages {
		next.targets[i].page = p
	}
	return next
}

// Rename is Replace for pages of which some have other titles, aliases or ids
// than before. Only links that [DependsOnNames] can resolve otherwise.
func (x *Index) Rename(pages []*schema.Page) *Index {
	next := x.Replace(pages)
	next.addNames()
	return next
}

// DependsOnNames reports whether what a link resolved to can change when a
// page changes its title, its aliases, its id or its address. What was found by a
// path can't: paths come first.
func DependsOnNames(l *schema.Link, r *schema.Resolution) bool {
	if _, block := l.BlockReference(); l.Markdown() && l.Wiki == nil && !block {
		return !r.OK() || r.By == schema.BySite
	}
	return !r.OK() || r.By == schema.ByID || r.By == schema.BySlug || r.By == schema.ByAlias || r.By == schema.ByTitle
}
