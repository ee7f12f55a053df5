package rules

import (
	"fmt"
	"path"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "orphan",
	Group:    linter.GraphRules,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "No other page links to a page.",
	Doc: `Readers and agents find pages through links. An orphan is found only by search, so it is the first page to be
forgotten and to become stale. Link to it from a related page, or list it in an index.

Indexes, logs, other special pages and raw sources are exempt. If the wiki has no links, or most of its pages
are orphans, that is one finding: such a wiki needs an index, not five hundred links.

Switch it off for folders that are read as a list, such as a journal.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages have no links from other pages; add an index that lists them. First: %q", n, first.Path)
	},
	Check: func(p *linter.Pass) {
		pages := orphanFact.Of(p)
		cause := func(page *schema.Page) string { return "folder:" + path.Dir(page.Path) }
		if n := countLinkable(p.Wiki); p.Wiki.Graph().Edges() == 0 || 2*len(pages) > n {
			cause = func(*schema.Page) string { return "wiki" }
		}
		for _, page := range pages {
			d := p.ReportCause(cause(page), page.Path, titleAt(page), "no other page links to %q; link to it, or list it in an index", page.Path)
			if siteFact.Of(p) { // links of which nobody has said where they lead may lead here
				d.Severity = schema.Info
			}
		}
	},
})
