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
	Summary:  "A front matter field occurs twice.",
	Doc: `Tools disagree: some use the first value, some the last, and many reject the whole block. It usually happens
when a tool or an agent adds a field that already exists.

Keep the right one. This program uses the first.`,
	CheckPage: reportFaults(schema.FaultDuplicateKey, "given here first"),
})
