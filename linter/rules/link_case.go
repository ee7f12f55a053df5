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
	Summary:  "A link differs from the name of its target in letter case only.",
	Doc: `The link works on macOS and Windows and in Obsidian, and is dead on Linux, on GitHub and on most
web servers. The safe fix writes the name as the file has it; the label stays as it is.

Many such links share one cause and are said once; ` + "`--fix`" + ` mends all of them.

Switch it off for a vault that only Obsidian ever reads.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d links differ from their targets in letter case only. First: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		for s := range sites(p) {
			if !s.Res.OK() || !s.Res.CaseOnly || s.Res.By >= schema.ByAlias {
				continue
			}
			n := nameFact.Of(p)
			d := p.ReportCause("case", s.Page.Path, s.at(), "the link %q differs from %q in letter case; write %q",
				s.Link.Target, s.Res.Path, n.shown(s, s.Res.Path))
			d.Fixes = n.rewriting(s, s.Res.Path, true)
			mild(d, s.Page)
		}
	},
})
