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
	Summary:  "Two pages give different numbers for one row and column, or for one field.",
	Doc: `One of them is wrong, and whoever reads only that page does not know.

Two tables, lists of fields or lists of items of two pages are about the same thing when they agree: of the cells with the same
row and the same column at least three agree, and no more differ. What differs then contradicts; one finding names all cells of
the two pages. If none agree, they are two measurements, and nothing is reported. This needs no language: rows and columns are
compared whole, letter case, accents and plurals folded, and a row that links to a page is the same as one that has its name. A
table is compared with one table of another page, the one that agrees with it most. A cell that three pages have with three
values is a form that each page fills in, and never counts; neither do 0, 1, 100 % and words.

A section or a row that is the title of a page, or a link to it, gives a warning when it has another value than the field of that
name on the page itself.

Numbers are compared by what they measure: 15 min is 900 s, 2 GB may be 2 GiB, about 5 may be 5.3, 0.399 is 0.3986 rounded.
Sentences are never compared by this rule: two that are alike but for a number are a doubt, for ` + "`wiki lint --doubts`" + ` and for a
judge. Logs, plans, changelogs, superseded pages and raw sources are not compared, nor are editions of one page.

The finding stands at the side that fewer pages share or that is older. ` + "`wiki claims PAGE --pairs`" + ` prints what was compared and why.
Correct the side that is wrong, or say in the row or the column what tells the two apart. Units and synonyms of a wiki's own are
added in wiki.yaml:

    claims:
      same:
        weight: [mass]
      units:
        14 days: [sprint, sprints]`,
	CheckPage: readClaims,
	Check:     reportConflicts,
})
