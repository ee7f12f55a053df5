package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "undefined-reference",
	Group:    linter.Links,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A reference link or footnote has no definition.",
	Doc: "`[text][label]` needs a line `[label]: address`, and `[^1]` a line `[^1]: text`. Without it the reader\n" +
		"sees the brackets, and a claim shows a footnote that proves nothing.\n\n" +
		"Add the definition, or take the brackets off. Where mkdocs.yml is there, dotted names such as\n" +
		"`[text][pkg.Type]` are left to its plugins, and not reported.\n\n" +
		"Switch it off for pages that show text in double brackets and do not mean links.",
	Check: func(p *linter.Pass) {
		plugins := p.Wiki.Generator().References
		for _, page := range p.Wiki.Pages() {
			for _, f := range page.Faults {
				if f.Kind == schema.FaultUndefinedReference && !(plugins && dotted().Match(f.Span.In(page.Source))) {
					p.Report(page.Path, f.Span, "%s", f.Message)
				}
			}
		}
	},
})

// dotted matches a reference by a dotted name.
var dotted = schema.Expression(`\]\[[\w-]+(?:\.[\w-]+)+\]$`)
