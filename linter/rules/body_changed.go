package rules

import (
	src "github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "body-changed",
	Group:    linter.Sources,
	Severity: schema.Info,
	Since:    since,
	Summary:  "The code that a page describes changed since the page was verified.",
	Doc: `Its declaration is the same and no value that the page states is gone, so that the page is probably right still. But
nobody has looked: this is the work list of whoever keeps the wiki true, ` + "`wiki stale`" + ` in another form.

The page says what it is about (` + "`sources: [src/server.go#Listen]`" + ` and the like) and was verified with ` + "`wiki verify`" + `.
Comments and formatting do not count, nor does what changed elsewhere in the file.

Read what changed, and verify the page again with ` + "`wiki verify PAGE`" + `. Switch it off where pages describe what code is for and
never how it works.`,
	Check: func(p *linter.Pass) {
		for _, v := range inState(p, src.StateBodyChanged) {
			p.Report(v.Page.Path, v.At, "%s is not what it was on %s, when the page was verified: it changed%s; read it, and verify the page again",
				v.Called(), verified(v), sinceCommit(v.Since))
		}
	},
})
