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
	Summary:  "Two pages give different versions for the same row and column, or for the same field.",
	Doc: `A reader who follows one page installs what the other page says doesn't work.

Versions, and names with a number such as PowerShell 3.0, are compared by their numbers.

For what is compared and what is not, see ` + "`numeric-conflict`" + `. Correct the wrong side.`,
	CheckPage: readClaims,
	Check:     reportConflicts,
})
