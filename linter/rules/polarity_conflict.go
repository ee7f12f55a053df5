package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "polarity-conflict",
	Group:    linter.Contradiction,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "One page says what another denies.",
	Doc: `The controller works without a connection on one page and does not on another; a setting is on here and off there.

Both statements must be about one thing and have the same words but for the denial. Words that deny each other, such as required and
optional, count as a denial. What holds under a condition, or of some things only, is not compared.

What is compared, and what is not, is as for ` + "`numeric-conflict`" + `. Correct the side that is wrong, or say under which
condition each holds.`,
	CheckPage: readClaims,
	Check:     reportConflicts,
})
