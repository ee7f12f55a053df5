package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "frontmatter-unclosed",
	Group:    linter.Front,
	Severity: schema.Error,
	Since:    since,
	Summary:  "A page's front matter has no closing line.",
	Doc: `A block that begins with ` + "`---`" + ` on the first line must end with a line ` + "`---`" + `. Without it the whole block is
rendered as text, and tools don't see the page's title or type.

Add the closing line after the last field. A horizontal rule at the top of a page (` + "`---`" + ` followed by prose) is
not taken as front matter.`,
	CheckPage: reportFaults(schema.FaultFrontmatterUnclosed, "opened here"),
})
