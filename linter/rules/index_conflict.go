package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "index-conflict",
	Group:    linter.Contradiction,
	Severity: schema.Error,
	Since:    since,
	Summary:  "The line of an index states another value than the page it leads to.",
	Doc: `An index is read in place of the page; a value in it that the page no longer has misleads more readers than any other.

Compared is what the items of an index say about the page that they begin with a link to. The page is right, and the index
is likely out of date, unless most pages agree with the index.

What is compared, and what is not, is as for ` + "`numeric-conflict`" + `. Correct the side that is wrong, or say under which
condition each holds.`,
	CheckPage: readClaims,
	Check:     reportConflicts,
})
