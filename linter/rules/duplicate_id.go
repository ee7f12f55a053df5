package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "duplicate-id",
	Group:    linter.Front,
	Severity: schema.Error,
	Since:    since,
	Summary:  "Two pages have the same id.",
	Doc: `The field ` + "`id`, `slug` or `permalink`" + ` identifies a page in links, feeds and other tools. With a duplicate, the
order of the files decides which page is meant.

It usually happens when a page is copied. Give the copy its own id. Translations and versions of a page may
share its id; ` + "`wiki doctor`" + ` lists them.`,
	Check: func(p *linter.Pass) {
		owners := editionIndex{p, map[string][]*schema.Page{}}
		for _, page := range kept(p) {
			if page.Meta.ID == "" || p.Wiki.Published(page) { // there an id is the end of an address, and counts in its folder
				continue
			}
			prior := owners.other(fold(page.Meta.ID), page)
			if prior == nil {
				owners.add(page.Meta.ID, page)
				continue
			}
			d := p.Report(page.Path, idSpan(page), "the id %q is already used by %q; give this page its own id", page.Meta.ID, prior.Path)
			d.Related = []schema.Related{{Path: prior.Path, Span: idSpan(prior), Message: "has the same id"}}
		}
	},
})

// idSpan is where the front matter gives a page its id.
func idSpan(page *schema.Page) schema.Span {
	if page.Front != nil && page.Front.Root != nil {
		for _, pair := range page.Front.Root.Pairs {
			if pair.Value.IsScalar() && pair.Value.Text == page.Meta.ID {
				return pair.Value.Span
			}
		}
	}
	return titleAt(page)
}
