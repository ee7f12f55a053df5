package rules

import (
	"fmt"
	"path"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "dead-end",
	Group:    linter.GraphRules,
	Severity: schema.Info,
	Since:    since,
	Summary:  "A page links to no other page.",
	Doc: `The reader can only go back, and the page has no context: most pages are related to others.

It is info because some pages are complete in themselves. Short pages, indexes, logs and raw sources are
exempt. If most pages, or many in one folder, are dead ends, that is one finding.

Link to a related page. Switch it off for glossaries and collections of facts.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages have no links to other pages (first: %q); link them to related pages", n, first.Path)
	},
	Check: func(p *linter.Pass) {
		var found []*schema.Page
		n := 0
		for _, page := range p.Wiki.Pages() {
			if !linkable(page) || page.Words < fewWords {
				continue
			}
			n++
			if len(p.Wiki.Graph().Out(page.ID)) == 0 {
				found = append(found, page)
			}
		}
		cause := func(page *schema.Page) string { return "folder:" + path.Dir(page.Path) }
		if 2*len(found) > n {
			cause = func(*schema.Page) string { return "wiki" }
		}
		for _, page := range found {
			p.ReportCause(cause(page), page.Path, titleAt(page), "the page has no links to other pages; link to a related page")
		}
	},
})

// fewWords is the length below which a page is too short to need links.
const fewWords = 40
