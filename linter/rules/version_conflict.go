package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "version-conflict",
	Group:    linter.Contradiction,
	Severity: schema.Error,
	Since:    since,
	Summary:  "Two pages give different versions of one product.",
	Doc: `One page says that the till runs on Windows 11, another that it runs on Windows 10.

Compared are versions in fields, in columns of tables and in sentences: a product and its version, with the entity that
runs on it, requires it or stores something in it. 16 may be 16.2, and 3.9 and later may be 3.12. Two versions that one page names are
not compared, since such a page knows why there are two.

What is compared, and what is not, is as for ` + "`numeric-conflict`" + `. Correct the side that is wrong, or say under which
condition each holds.`,
	CheckPage: readClaims,
	Check:     reportConflicts,
})
