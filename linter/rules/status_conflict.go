package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "status-conflict",
	Group:    linter.Contradiction,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "Two pages give different states of one thing.",
	Doc: `A decision is accepted on its own page and a draft in the overview.

A status is compared by what it means, so that active is stable; words that are not known say nothing. It is a warning, since a page's status
may be its own and not that of its subject.

What is compared, and what is not, is as for ` + "`numeric-conflict`" + `. Correct the side that is wrong, or say under which
condition each holds.`,
	CheckPage: readClaims,
	Check:     reportConflicts,
})
