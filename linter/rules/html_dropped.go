package rules

import (
	"fmt"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "html-dropped",
	Group:    linter.Layout,
	Severity: schema.Info,
	Since:    since,
	Summary:  "Raw HTML on a page is left out of the site.",
	Doc: `Pages are untrusted: scripts, frames, forms, event handlers and styles that reach beyond the page are removed
when the site is built. Other HTML is kept.

Write it in markdown, or ignore this if the page is complete without it.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pieces of raw HTML share one cause: %s", n, first.Message)
	},
	CheckPage: func(p *linter.Pass, page *schema.Page) {
		for _, f := range page.Faults {
			if f.Kind == schema.FaultHTMLDropped {
				p.ReportCause("message:"+f.Message, page.Path, f.Span, "%s", f.Message)
			}
		}
	},
})
