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
	Summary:  "Two pages give different dates for the same row and column.",
	Doc: `An event has one date; a page with another one misleads its readers.

Days, months and years are compared at the coarser precision: June 2026 includes 30 June 2026. Dates in front
matter belong to the page itself and are not compared.

For what is compared and what is not, see ` + "`numeric-conflict`" + `. Correct the wrong side.`,
	CheckPage: readClaims,
	Check:     reportConflicts,
})
