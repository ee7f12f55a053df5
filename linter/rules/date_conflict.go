package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "date-conflict",
	Group:    linter.Contradiction,
	Severity: schema.Error,
	Since:    since,
	Summary:  "Two pages give different dates for one event.",
	Doc: `Since when, until when, released on which day: two pages say two things.

A date counts as that of the event that its sentence, field or column names; ended and until say the same. The 3rd of May
lies in May, and in the year. Dates without a year are not compared, nor is a date beside another value, which only says when that
holds.

What is compared, and what is not, is as for ` + "`numeric-conflict`" + `. Correct the side that is wrong, or say under which
condition each holds.`,
	CheckPage: readClaims,
	Check:     reportConflicts,
})
