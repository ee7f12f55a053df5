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
	Summary:  "An index line gives a different value than the page it links to.",
	Doc: `An index is often read instead of the page, so an outdated value there misleads the most readers.

A line or table row of an index page that begins with a link is compared with the fields of the linked page,
where the line has the name of a field followed by a value.

For what is compared and what is not, see ` + "`numeric-conflict`" + `. Correct the wrong side.`,
	CheckPage: readClaims,
	Check:     reportConflicts,
})
