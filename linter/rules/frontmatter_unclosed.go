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
	Summary:  "A page's frontmatter has no closing line.",
	Doc: "The block that begins with `---` on the first line must end with a line `---`. Without it the whole\n" +
		"block is text: the reader sees the raw fields, and no tool knows the page's title or type.\n\n" +
		"Add the closing line after the last field. A rule at the top of a page (`---` followed by prose) is\n" +
		"not taken for frontmatter.",
	CheckPage: reportFaults(schema.FaultFrontmatterUnclosed, "opened here"),
})
