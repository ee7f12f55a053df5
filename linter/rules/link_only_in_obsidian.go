package rules

import (
	"fmt"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "link-only-in-obsidian",
	Group:    linter.Layout,
	Severity: schema.Info,
	Since:    since,
	Summary:  "A markdown link works only in Obsidian.",
	Doc: `Obsidian looks up markdown links in the whole vault, so ` + "`[a](note.md)`" + ` finds a note in another folder. On
GitHub, on a site, and for an agent that opens files, the same link is broken.

Ignore this if the vault is only read in Obsidian. Otherwise write the path relative to the page. The rule
applies to Obsidian vaults only; in other wikis such a link is a broken-link.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d markdown links work in Obsidian only, because they are not relative to their page: %s", n, first.Message)
	},
	Local: true,
	Check: func(p *linter.Pass) {
		for s := range sites(p) {
			if s.Link.Markdown() && s.Link.Field == "" && s.Res.By == schema.ByVault {
				p.ReportCause("vault", s.Page.Path, s.at(), "the link %q works in Obsidian only; write %q to make it work everywhere", s.Link.Raw, schema.RelativePath(s.Page.Path, s.Res.Path))
			}
		}
	},
})
