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

Add the definition, or remove the brackets.

Switch it off for pages that use brackets in text without meaning links.`,
	CheckPage: reportFaults(schema.FaultUndefinedReference, ""),
})
