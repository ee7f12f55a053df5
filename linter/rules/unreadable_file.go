package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "unreadable-file",
	Group:    linter.Layout,
	Severity: schema.Error,
	Since:    since,
	Summary:  "A page could not be read.",
	Doc: "The file is there, and the system did not let it be read: its permissions forbid it, it is a symbolic\n" +
		"link that leads out of the wiki or nowhere, or its name can not be used. It is missing from\n" +
		"everything that is made of the wiki.\n\n" +
		"Mend the permissions or the link, or leave the file out with `ignore:` in wiki.yaml.",
	CheckPage: reportFaults(schema.FaultUnreadable, ""),
})
