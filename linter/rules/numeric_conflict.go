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
	Summary:  "Two pages give different numbers for one attribute of one thing.",
	Doc: `One of them is wrong, and whoever reads only that page does not know.

Compared are numbers of the frontmatter, of fields (` + "`port:: 8080` and `**Port:** 8080`" + `), of tables and of sentences. A table's row is
about the page that its first cell names or links to, or about a key such as ` + "`pool.max_size`" + `; its column says what is stated. A page
about something that has a page of its own says so by ` + "`component:`, `service:` or `device:`" + `. A sentence is about the page
that its subject names, by title, alias or link, or else about its own page; another sentence says the same when it is about the
same page and the rarer words of the shorter one are among its own. Up to, at least, about, number words, half a day and twice a week are understood.

A sentence that sets a condition is compared with one that sets the same, and never with one that sets none: in winter, for
students, when it is cold, at a radius of 20 m. A default is not compared with a maximum, nor what was with what is.
Pages in other languages than English are compared by their fields, tables and frontmatter.

Numbers are compared by what they measure: 15 min is 900 s, 24 months are two years, 2 GB may be 2 GiB, about 5 may be 5.3, and a
range holds what lies in it. Rows, headings and folders that name a version, a day, an environment or the like are compared
with those of the same only; logs, plans, superseded pages and sections about history or alternatives are not compared, nor is
what a page itself says in two ways.

The finding stands at the side that fewer pages share or that is older; the others are listed with it. Correct the
one that is wrong, or say under which condition each holds. Where it is not certain that two sentences speak of one thing, the
finding is a warning.

Words of a trade that say the same can be added in wiki.yaml:

    claims:
      same:
        keep: [hoard]
      slots:
        captain: [command by]`,
	CheckPage: readClaims,
	Check:     reportConflicts,
})
