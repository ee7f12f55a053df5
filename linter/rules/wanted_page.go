package rules

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "wanted-page",
	Group:    linter.Gaps,
	Severity: schema.Warning,
	Since:    since,
	Fix:      linter.UnsafeFix,
	Summary:  "Several pages link to a page that does not exist.",
	Doc: `A wikilink with the same name on three or more pages is not a typo: the wiki needs that page. Create it, or
remove the links if it won't be written.

All links to the page are one finding, at the first of them; broken-wikilink reports each of the others. Nothing
is reported if the links probably mean an existing page that was renamed or has a similar name. A markdown
link to a missing file is always a broken-link. Links in raw sources and templates don't count.

The unsafe fix creates the page with only its title, in the folder that most of the links come from. In a
Logseq graph, links to pages that don't exist yet are normal and not reported; nor is anything in a wiki where
no wikilink resolves.`,
	Check: func(p *linter.Pass) {
		if p.Wiki.Workspace().Dialect.Profile.WantedPages || len(wantedFact.Of(p)) == 0 || onlyBrackets(p) {
			return
		}
		wanted := wantedFact.Of(p)
		for _, key := range sortedKeys(wanted) {
			if w := wanted[key]; !w.meant(p) {
				wantedPage(p, w)
			}
		}
	},
})

const (
	fewestWanting = 3 // pages that link to a missing page that is wanted
	manyAsked     = 4 // folders of such pages in which a page of a like name is looked for
)

// wanted is a page that does not exist and the wikilinks that name it, in order
// of page and place.
type wanted struct {
	links []site
	pages []*schema.Page // that hold them, each once
	once  sync.Once
	known bool // a page that is there was probably meant
}

// wantedFact holds what so many pages link to that it is wanted, by its name.
var wantedFact = linter.NewFact(func(w *compiler.Wiki) map[string]*wanted {
	all := map[string]*wanted{}
	for _, page := range w.Pages() {
		if page.Layer == schema.LayerSource || template(page) {
			continue
		}
		for l, res := range w.Links(page) {
			s := site{page, l.As(res), res}
			if s.Link.Syntax != schema.SyntaxWikilink || s.Link.Embed || !s.missing() || blank(page, s.Link) {
				continue
			}
			key := fold(strings.TrimSuffix(s.Link.Target, ".md"))
			x := all[key]
			if x == nil {
				x = &wanted{}
				all[key] = x
			}
			x.links = append(x.links, s)
			if n := len(x.pages); n == 0 || x.pages[n-1] != page {
				x.pages = append(x.pages, page)
			}
		}
	}
	for key, x := range all {
		if len(x.pages) < fewestWanting || !nameable(x.links[0].Link.Target) {
			delete(all, key)
		}
	}
	return all
})

// nameable reports whether a page of that name can be made on every system.
func nameable(target string) bool {
	ext := strings.ToLower(path.Ext(target))
	if imageExtensions[ext] || ext == ".pdf" || ext == ".canvas" || ext == ".base" {
		return false
	}
	return target != "" && !strings.ContainsAny(target, "\\:*?\"<>|#^[]\n") && filepath.IsLocal(filepath.FromSlash(target)) &&
		!strings.HasPrefix(path.Base(target), ".") && !strings.HasSuffix(target, "/") && len(target) <= longestTitle
}

// meant reports whether one of the links probably means a page that is there.
func (x *wanted) meant(p *linter.Pass) bool {
	n := nameFact.Of(p)
	x.once.Do(func() {
		asked := map[string]bool{} // what is meant depends on the folder alone
		for _, page := range x.pages {
			if dir := path.Dir(page.Path); !asked[dir] && len(asked) < manyAsked {
				asked[dir] = true
				x.known = x.known || n.meant(page, x.links[0].Link.Target, false).Path != ""
			}
		}
	})
	return x.known
}

func wantedPage(p *linter.Pass, x *wanted) {
	first := x.links[0]
	name := first.Link.Target
	d := p.Report(first.Page.Path, first.at(), "the page %q does not exist (linked from %d pages); create it, or remove the links", name, len(x.pages))
	d.Count = len(x.links)
	for _, s := range x.links[1:min(len(x.links), 11)] {
		d.Related = append(d.Related, schema.Related{Path: s.Page.Path, Span: s.at(), Message: "links there too"})
	}
	file := x.file()
	d.Fixes = []schema.Fix{{Title: "create " + file, Edits: []schema.Edit{{Path: file, Text: stub(p, name)}}}}
}

// file returns the path of the page to be made: the one that the links give,
// else one in the folder that most of them come from.
func (x *wanted) file() string {
	name := strings.TrimSuffix(path.Clean(x.links[0].Link.Target), ".md") + ".md"
	if strings.Contains(name, "/") {
		return name
	}
	from := map[string]int{}
	for _, page := range x.pages {
		from[path.Dir(page.Path)]++
	}
	best := ""
	for _, dir := range sortedKeys(from) {
		if best == "" || from[dir] > from[best] {
			best = dir
		}
	}
	return path.Join(best, name)
}

// stub returns a page that has a title alone, and the fields that the dialect
// requires of every page left to be filled in.
func stub(p *linter.Pass, name string) string {
	title := path.Base(strings.TrimSuffix(name, ".md"))
	if !strings.Contains(title, " ") {
		title = strings.NewReplacer("-", " ", "_", " ").Replace(title)
		r := []rune(title)
		title = strings.ToUpper(string(r[:1])) + string(r[1:])
	}
	front := ""
	for _, field := range p.Wiki.Workspace().Dialect.Required {
		front += field + ":\n"
	}
	if front != "" {
		front = "---\n" + front + "---\n"
	}
	return fmt.Sprintf("%s# %s\n", front, title)
}
