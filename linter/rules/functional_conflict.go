package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "functional-conflict",
	Group:    linter.Contradiction,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "Two pages put different names where there can be one only.",
	Doc: `The data mart runs on one database here and on another there.

Compared are names behind verbs that one name alone can follow: runs on, is powered by, is written in, is owned by, is
made of. Of two names that are known to be of different kinds, a database and an operating system, both can be right.
It is a warning, since a thing can have two of what it mostly has one of.

What is compared, and what is not, is as for ` + "`numeric-conflict`" + `. Correct the side that is wrong, or say under which
condition each holds.`,
	CheckPage: readClaims,
	Check:     reportConflicts,
})
