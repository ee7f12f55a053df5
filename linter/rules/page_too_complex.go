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
	Summary:  "A page exceeds a parser limit and was compiled as plain text.",
	Doc: `Some markdown takes minutes to parse. A page beyond a limit (its size, the nesting depth of quotes and lists,
the columns of a table) is treated as plain text: it is published and searchable, but its links and headings
are ignored.

Split the page, or raise the limit under ` + "`limits:`" + ` in wiki.yaml.`,
	CheckPage: reportFaults(schema.FaultTooComplex, ""),
})
