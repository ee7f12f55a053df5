package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "page-too-complex",
	Group:    linter.Layout,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A page is beyond a limit and was compiled as plain text.",
	Doc: "Markdown can be written so that reading it takes minutes. A page beyond one of the limits (its size,\n" +
		"the depth of its quotes and lists, the columns of a table) is taken as plain text: it is\n" +
		"published and searched, but its links and headings are not seen.\n\n" +
		"Split the page, or raise the limit under `limits:` in wiki.yaml.",
	CheckPage: reportFaults(schema.FaultTooComplex, ""),
})
