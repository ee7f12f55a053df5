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
	Summary:  "A section about a page gives another name, or another yes or no, than the field of the page.",
	Doc: `A thing has one owner and one licence, whichever page says so.

Compared are fields: an item ` + "`- Maintainer: Bo Ek`" + ` in a section whose heading is the title of a page, or a cell in a row that links
to it, with the front matter and the fields of that page. Names that share a word may be one name, shortened, and are not reported;
neither are titles, states, tags and other metadata of pages.

What is compared, and what is not, is as for ` + "`numeric-conflict`" + `. Correct the side that is wrong.`,
	CheckPage: readClaims,
	Check:     reportConflicts,
})
