package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "version-conflict",
	Group:    linter.Contradiction,
	Severity: schema.Error,
	Since:    since,
	Summary:  "Two pages give different versions for one row and column, or for one field.",
	Doc: `A reader who follows one page installs what the other says does not work.

Versions, and names with a number such as PowerShell 3.0, are compared by their numbers.

What is compared, and what is not, is as for ` + "`numeric-conflict`" + `. Correct the side that is wrong.`,
	CheckPage: readClaims,
	Check:     reportConflicts,
})
