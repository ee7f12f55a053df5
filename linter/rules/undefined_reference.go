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
		"Add the definition, or take the brackets off.\n\n" +
		"Switch it off for pages that show text in double brackets and do not mean links.",
	CheckPage: reportFaults(schema.FaultUndefinedReference, ""),
})
