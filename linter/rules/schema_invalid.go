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
	Summary:  "The wiki's schema page has a block of conventions that can not be read.",
	Doc: `A wiki's own schema page, 00_SCHEMA.md or SCHEMA.md at its top, may hold a block of YAML that says how pages
are written: the keys ` + "`frontmatter`, `tags`, `naming` and `terms`" + ` of wiki.yaml, in a fence marked
` + "`yaml wiki`" + `. What is wrong in such a block is reported at its place, and what is right in it holds. In all
they share, wiki.yaml decides.

Correct the block; ` + "`wiki doctor`" + ` prints what was understood of the whole page. An example that is not meant
for this program is fenced as ` + "`yaml`" + ` alone.`,
	Check: func(p *linter.Pass) {
		for _, u := range linter.ConventionsOf(p).Unread {
			p.Report(u.Page.Path, u.Span, "%s", u.Message)
		}
	},
})
