package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "set-conflict",
	Group:    linter.Contradiction,
	Severity: schema.Error,
	Since:    since,
	Summary:  "Two pages list different members of one set.",
	Doc: `One page knows five modes, another four.

Compared are lists that claim to be complete: one of these states, the modes are, a list below a line that ends with a
colon, or what a word such as only closes. A list that does not claim so contradicts one that does when it names
something else. Lists that share little enumerate different things.

What is compared, and what is not, is as for ` + "`numeric-conflict`" + `. Correct the side that is wrong, or say under which
condition each holds.`,
	CheckPage: readClaims,
	Check:     reportConflicts,
})
