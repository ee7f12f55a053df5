package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "field-conflict",
	Group:    linter.Contradiction,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A section about a page gives a different name, or a different yes or no, than a field of that page.",
	Doc: `A thing has one owner and one licence, whichever page says so.

Compared are fields: a list item such as ` + "`- Maintainer: Bo Ek`" + ` in a section whose heading is the title of a
page, or a cell in a table row that links to the page, with the front matter and fields of that page. Names
that share a word may be the same name shortened and are not reported; titles, states, tags and other page
metadata are not compared.

For what is compared and what is not, see ` + "`numeric-conflict`" + `. Correct the wrong side.`,
	CheckPage: readClaims,
	Check:     reportConflicts,
})
