package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "alias-collision",
	Group:    linter.Links,
	Severity: schema.Error,
	Since:    since,
	Summary:  "Two pages claim one alias, or an alias is another page's name.",
	Doc: `An alias is a promise that the name leads to this page. When another page has the same alias, or
has that very name, the promise is broken for one of them: a link by that name goes to the other.

Take the alias from one of the two pages, or make it say what tells them apart. If both pages are
about one thing, merge them.

An alias that is only the title of another page is a warning, and so is every collision in an
Obsidian vault, where no link goes by an alias.

Switch it off where aliases serve searching and are never linked.`,
	Check: aliasCollision,
})

func aliasCollision(p *linter.Pass) {
	type claim struct {
		page *schema.Page
		at   schema.Span
	}
	pages := kept(p)
	byName, byTitle := map[string]*schema.Page{}, map[string]*schema.Page{}
	for _, page := range pages {
		name, title := fold(stem(page.Path)), fold(page.Title)
		if byName[name] == nil {
			byName[name] = page
		}
		if byTitle[title] == nil && !page.Reserved() {
			byTitle[title] = page
		}
	}
	first := map[string]claim{}
	for _, page := range pages {
		for _, a := range page.Meta.Aliases {
			key := fold(a.Name)
			if key == "" || key == fold(stem(page.Path)) {
				continue
			}
			var d *schema.Diagnostic
			prior, taken := first[key]
			switch owner := byName[key]; {
			case taken && prior.page == page: // said twice in one page, which harms nobody
			case owner != nil && owner != page:
				d = p.Report(page.Path, a.Span, "the alias %q is the name of %q; links by that name go there, so choose another", a.Name, owner.Path)
				d.Related = []schema.Related{{Path: owner.Path, Message: "has that name"}}
			case taken:
				d = p.Report(page.Path, a.Span, "the alias %q is claimed by %q too; keep it in one of the two", a.Name, prior.page.Path)
				d.Related = []schema.Related{{Path: prior.page.Path, Span: prior.at, Message: "claims it too"}}
			case byTitle[key] != nil && byTitle[key] != page:
				d = p.Report(page.Path, a.Span, "the alias %q is the title of %q; a link by that name may mean either", a.Name, byTitle[key].Path)
				d.Severity = schema.Warning
				d.Related = []schema.Related{{Path: byTitle[key].Path, Span: byTitle[key].H1, Message: "has that title"}}
			}
			if d != nil && !p.Wiki.Workspace().Dialect.Profile.TitlesAlive {
				d.Severity = schema.Warning
			}
			if !taken {
				first[key] = claim{page, a.Span}
			}
		}
	}
}
