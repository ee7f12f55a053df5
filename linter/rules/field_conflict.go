package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "field-conflict",
	Group:    linter.Contradiction,
	Severity: schema.Error,
	Since:    since,
	Summary:  "Two pages give different names for one attribute of one thing.",
	Doc: `Who owns it, which licence it has, whether it is on: two pages say two things, and whoever reads one of them may be
misled.

Compared are words of the frontmatter and of fields (` + "`owner:: Ana`" + `) with each other, and with the columns of tables that
hold one value each, such as owner, maintainer, licence or default. What a row is about, and what is not compared, is as for
` + "`numeric-conflict`" + `. Names that share a word may be the same person, shortened, and do not contradict each other.

Two pages with one ` + "`id`" + ` are taken for pages about one thing. A team is the owner, in a table that names no other.

Correct the side that is wrong, or say under which condition each holds.`,
	CheckPage: readClaims,
	Check:     reportConflicts,
})
