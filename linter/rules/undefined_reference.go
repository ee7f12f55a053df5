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
	Doc: "`[text][label]`" + ` needs a line ` + "`[label]: address`" + `, and ` + "`[^1]`" + ` a line ` + "`[^1]: text`" + `. Without it readers see the
brackets, and a footnote supports nothing.

Add the definition, or remove the brackets. If there is a mkdocs.yml, dotted names such as ` + "`[text][pkg.Type]`" + ` are left to
its plugins and not reported.

Switch it off for pages that use brackets in text without meaning links.`,
	Check: func(p *linter.Pass) {
		plugins := p.Wiki.Generator().References
		for _, page := range p.Wiki.Pages() {
			for _, f := range page.Faults {
				if f.Kind == schema.FaultUndefinedReference && !(plugins && dotted().Match(f.Span.In(page.Source))) {
					lowerSeverity(p.Report(page.Path, f.Span, "%s", f.Message), page)
				}
			}
		}
	},
})

// dotted matches a reference by a dotted name.
var dotted = schema.Expression(`\]\[[\w-]+(?:\.[\w-]+)+\]$`)
