package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "numeric-conflict",
	Group:    linter.Contradiction,
	Severity: schema.Error,
	Since:    since,
	Summary:  "Two pages give different numbers for the same row and column, or for the same field.",
	Doc: `One of them is wrong, and a reader of only that page can't know.

Two tables, lists of fields or lists of items on two pages are about the same thing if at least three cells
with the same row and column agree, and no more than that differ. The differing cells are then a
contradiction; one finding lists all cells of the two pages. If none agree, they are two measurements, and
nothing is reported. This works in any language: rows and columns are compared whole, ignoring letter case,
accents and plurals, and a row that links to a page equals one with its name. A table is compared with the one
table of the other page that agrees with it most. A cell with three values on three pages is a form that each
page fills in, and doesn't count; neither do 0, 1, 100 % and words.

If a section or row is the title of a page, or a link to it, and gives another value than the field of that
name on that page, the finding is a warning.

Numbers are compared as quantities: 15 min is 900 s, 2 GB may be 2 GiB, about 5 may be 5.3, 0.399 is 0.3986
rounded. Sentences are never compared by this rule: for sentences that differ in a number, use
` + "`wiki lint --doubts`" + ` or a judge. Logs, plans, changelogs, superseded pages and raw sources are not compared,
nor are translations and versions of one page.

The finding is at the side that fewer pages share, or the older one. ` + "`wiki claims PAGE --pairs`" + ` prints what
was compared and why. Correct the wrong side, or name the difference in the row or column. Add your own
synonyms and units in wiki.yaml:

    claims:
      same:
        weight: [mass]
      units:
        14 days: [sprint, sprints]`,
	CheckPage: readClaims,
	Check:     reportConflicts,
})
