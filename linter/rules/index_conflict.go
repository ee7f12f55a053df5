package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "index-conflict",
	Group:    linter.Contradiction,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A line of an index gives another value than the page it links to.",
	Doc: `An index is read in place of the page; a value in it that the page no longer has misleads more readers than any other.

Compared is a line, or a row of a table, of an index page that begins with a link, with the fields of the page that it links to: where
the line has the name of a field and a value behind it. No other page is looked at.

What is compared, and what is not, is as for ` + "`numeric-conflict`" + `. Correct the side that is wrong.`,
	CheckPage: readClaims,
	Check:     reportConflicts,
})
