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
	Doc: `The field ` + "`id`, `slug` or `permalink`" + ` names a page for links, feeds and other programs. When two
pages have the same one, which of them is meant hangs on the order they are read in.

It happens when a page is copied to begin another. Give the copy an id of its own. Translations and
versions of a page share its id; ` + "`wiki doctor`" + ` lists what is taken for them.`,
	Check: func(p *linter.Pass) {
		owners := editionIndex{p, map[string][]*schema.Page{}}
		for _, page := range kept(p) {
			if page.Meta.ID == "" {
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

// idSpan is where the frontmatter gives a page its id.
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
