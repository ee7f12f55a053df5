package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "schema-invalid",
	Group:    linter.Front,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A block of conventions on the wiki's schema page is invalid.",
	Doc: `The schema page, 00_SCHEMA.md or SCHEMA.md at the top of the wiki, may contain YAML blocks with the wiki.yaml
keys ` + "`frontmatter`, `tags`, `naming` and `terms`" + `, fenced as ` + "`yaml wiki`" + `. Errors in such a block are reported
in place, and the valid parts apply. If wiki.yaml sets the same key, wiki.yaml wins.

Correct the block; ` + "`wiki doctor`" + ` prints the conventions read from the page. Fence an example that is not meant
for this program as ` + "`yaml`" + ` alone.`,
	Check: func(p *linter.Pass) {
		for _, u := range linter.ConventionsOf(p).Unread {
			p.Report(u.Page.Path, u.Span, "%s", u.Message)
		}
	},
})
