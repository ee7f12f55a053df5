package rules

import (
	"fmt"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "link-case",
	Group:    linter.Links,
	Severity: schema.Warning,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A link differs from its target's name only in letter case.",
	Doc: `The link works on macOS, Windows and in Obsidian, but is broken on Linux, on GitHub and on most web servers.
The safe fix writes the file's actual name; the label doesn't change.

Many such links are grouped into one finding; ` + "`--fix`" + ` corrects all of them.

Switch it off for a vault that is only opened in Obsidian.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d links differ from their targets in letter case only. First: %s", n, first.Message)
	},
	Local: true,
	Check: func(p *linter.Pass) {
		for s := range sites(p) {
			if !s.Res.OK() || !s.Res.CaseOnly || s.Res.By >= schema.ByAlias {
				continue
			}
			n := nameFact.Of(p)
			d := p.ReportCause("case", s.Page.Path, s.at(), "the link %q differs from %q in letter case; write %q",
				s.Link.Target, s.Res.Path, n.shown(s, s.Res.Path))
			d.Fixes = n.rewriting(s, s.Res.Path, true)
			lowerSeverity(d, s.Page)
		}
	},
})
