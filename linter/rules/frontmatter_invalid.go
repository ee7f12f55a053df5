package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "frontmatter-invalid",
	Group:    linter.Front,
	Severity: schema.Error,
	Since:    since,
	Summary:  "A page's frontmatter is not valid YAML.",
	Doc: "What can not be read says nothing: the page loses its title, type, tags and dates in every tool that\n" +
		"reads them, most often for a colon followed by a space in a value that is not in quotes\n" +
		"(`title: Git: the basics`). The finding stands at the place where reading stopped, and what comes\n" +
		"before it is still used.\n\nPut the value in quotes. There is no good reason to switch this off, but for folders of\n" +
		"templates whose placeholders are filled in later.",
	CheckPage: reportFaults(schema.FaultFrontmatterInvalid, "begins here"),
})
