package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "date-conflict",
	Group:    linter.Contradiction,
	Severity: schema.Error,
	Since:    since,
	Summary:  "Two pages give different days for one row and column.",
	Doc: `An event has one date; a page that gives another misleads.

Days, months and years are compared as far as both are given: June 2026 holds 30 June 2026. Dates of the front matter are those of
their page, and are not compared.

What is compared, and what is not, is as for ` + "`numeric-conflict`" + `. Correct the side that is wrong.`,
	CheckPage: readClaims,
	Check:     reportConflicts,
})
