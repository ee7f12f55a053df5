package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "duplicate-key",
	Group:    linter.Front,
	Severity: schema.Error,
	Since:    since,
	Summary:  "A frontmatter field is given twice.",
	Doc: "Programs disagree about it: some take the first value, some the last, and many refuse the whole\n" +
		"block. It happens when a tool or an agent adds a field that is there already.\n\n" +
		"Keep the right one; this program uses the first.",
	CheckPage: reportFaults(schema.FaultDuplicateKey, "given here first"),
})
