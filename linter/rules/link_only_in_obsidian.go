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
	Summary:  "A markdown link works in Obsidian only.",
	Doc: `Obsidian looks the destination of a markdown link up in the whole vault, so ` + "`[a](note.md)`" + ` leads to a note in
another folder. On GitHub, on a site, and to an agent that opens files the same link is broken.

Nothing is wrong as long as the vault is read in Obsidian alone. To have it read elsewhere, write the path
relative to the page. It is looked for in Obsidian vaults only; in other wikis such a link is
broken-link.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d markdown links work in Obsidian only, because they are not relative to their page: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		for s := range sites(p) {
			if s.Link.Markdown() && s.Link.Field == "" && s.Res.By == schema.ByVault {
				p.ReportCause("vault", s.Page.Path, s.at(), "the link %q works in Obsidian only; write %q to make it work everywhere", s.Link.Raw, relative(s.Page.Path, s.Res.Path))
			}
		}
	},
})
