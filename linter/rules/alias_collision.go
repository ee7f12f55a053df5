package rules

import (
	"slices"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "alias-collision",
	Group:    linter.Links,
	Severity: schema.Error,
	Since:    since,
	Summary:  "Two pages share an alias, or an alias is the name of another page.",
	Doc: `An alias promises that the name leads to this page. If another page has the same alias or the same name, a
link with that name goes to only one of them.

Remove the alias from one of the two pages, or make it more specific. If both pages are about the same thing,
merge them.

It is an error where a link in the wiki uses the alias, and info where none does, because aliases also serve
search. An alias that equals only the title of another page is at most a warning, and so is every collision in
an Obsidian vault, where links don't resolve by alias. Translations and versions of a page may share aliases;
` + "`wiki doctor`" + ` lists them.`,
	Check: aliasCollision,
})

func aliasCollision(p *linter.Pass) {
	pages, linked := kept(p), linkedNames(p)
	byName, byTitle, byAlias := editionIndex{p, map[string][]*schema.Page{}}, editionIndex{p, map[string][]*schema.Page{}}, editionIndex{p, map[string][]*schema.Page{}}
	for _, page := range pages {
		byName.add(stem(page.Path), page)
		if !page.Reserved() {
			byTitle.add(page.Title, page)
		}
	}
	for _, page := range pages {
		for _, a := range page.Meta.Aliases {
			key := fold(a.Name)
			if key == "" || key == fold(stem(page.Path)) {
				continue
			}
			var d *schema.Diagnostic
			if owner := byName.other(key, page); owner != nil {
				d = p.Report(page.Path, a.Span, "the alias %q is the name of another page, %q, and links go there; choose another alias", a.Name, owner.Path)
				d.Related = []schema.Related{{Path: owner.Path, Message: "has that name"}}
			} else if prior := byAlias.other(key, page); prior != nil {
				d = p.Report(page.Path, a.Span, "the alias %q is also an alias of %q; keep it on one of the two pages", a.Name, prior.Path)
				d.Related = []schema.Related{{Path: prior.Path, Span: aliasSpan(prior, key), Message: "has the same alias"}}
			} else if titled := byTitle.other(key, page); titled != nil {
				d = p.Report(page.Path, a.Span, "the alias %q is also the title of %q, so links with that name are ambiguous; choose another alias", a.Name, titled.Path)
				d.Severity = schema.Warning
				d.Related = []schema.Related{{Path: titled.Path, Span: titled.H1, Message: "has that title"}}
			}
			switch {
			case d == nil:
			case !linked[key]:
				d.Severity = schema.Info
			case !p.Wiki.Workspace().Dialect.Profile.TitlesAlive:
				d.Severity = schema.Warning
			}
			byAlias.add(key, page)
		}
	}
}

// linkedNames are the names, folded, that wikilinks go by.
func linkedNames(p *linter.Pass) map[string]bool {
	out := map[string]bool{}
	for s := range allSites(p) {
		if s.Link.Syntax == schema.SyntaxWikilink {
			out[fold(s.Link.Target)] = true
		}
	}
	return out
}

// aliasSpan is where a page claims an alias.
func aliasSpan(page *schema.Page, key string) schema.Span {
	for _, a := range page.Meta.Aliases {
		if fold(a.Name) == key {
			return a.Span
		}
	}
	return schema.Span{}
}

// editionIndex knows, for each name, the first page of each edition that has it.
type editionIndex struct {
	*linter.Pass
	pages map[string][]*schema.Page
}

func (x editionIndex) add(name string, page *schema.Page) {
	if name = fold(name); x.other(name, page) == nil && !slices.Contains(x.pages[name], page) {
		x.pages[name] = append(x.pages[name], page)
	}
}

// other returns the first page with the folded name, other than page and its editions,
// or nil.
func (x editionIndex) other(name string, page *schema.Page) *schema.Page {
	for _, other := range x.pages[name] {
		if other != page && !x.Wiki.Identity().Editions(page.Path, other.Path) {
			return other
		}
	}
	return nil
}
