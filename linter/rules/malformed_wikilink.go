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
	Summary:  "Text begins as a wikilink and is not one.",
	Doc: "`[[Page]`, `[[]]`, `[[|label]]` and a link broken over two lines are shown as they are written: the\n" +
		"reader sees brackets, and the link is missing from every graph and index. In a table a `|` ends the\n" +
		"cell, the one before a label too, unless it is written `\\|`.\n\n" +
		"Close it on the same line and give it a target, or put it in backticks if it is meant as text.\n\n" +
		"Switch it off for pages that quote another notation with double brackets.",
	CheckPage: reportFaults(schema.FaultMalformedWikilink, ""),
})
