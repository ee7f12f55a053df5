package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "malformed-wikilink",
	Group:    linter.Links,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "Text looks like a wikilink but is not a valid one.",
	Doc: "`[[Page]`, `[[]]`, `[[|label]]`" + ` and a link broken across two lines are rendered as text: readers see brackets,
and the link is missing from graphs and indexes. In a table, a ` + "`|`" + ` ends the cell, including the one before a
label, unless it is escaped as ` + "`\\|`" + `.

Close the link on the same line and give it a target, or put it in backticks if it is meant as text.

Switch it off for pages that use double brackets for something else.`,
	CheckPage: reportFaults(schema.FaultMalformedWikilink, ""),
})
