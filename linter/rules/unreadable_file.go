package rules

import (
	"fmt"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "unreadable-file",
	Group:    linter.Layout,
	Severity: schema.Error,
	Since:    since,
	Summary:  "A page could not be read.",
	Doc: `The file exists, but its permissions forbid reading, it is a symbolic link that leads out of the wiki or
nowhere, or its name is invalid. Files and folders beyond a limit (` + "`limits.depth`, `limits.wiki_bytes`" + `,
` + "`limits.wiki_links`" + `) are not read either. What was not read is missing from the site, the search and every
other output.

Correct the permissions or the link, raise the limit, or exclude the file with ` + "`ignore:`" + ` in wiki.yaml.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d files and folders share one cause: %s", n, first.Message)
	},
	CheckPage: func(p *linter.Pass, page *schema.Page) {
		for _, f := range page.Faults {
			if f.Kind == schema.FaultUnreadable {
				p.ReportCause(f.Message, page.Path, f.Span, "%s", f.Message)
			}
		}
	},
	Check: func(p *linter.Pass) {
		for _, u := range p.Wiki.Unread() {
			p.ReportCause(u.Limit, u.Path, schema.Span{}, "%s", u.Why)
		}
	},
})
