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
	Doc: `The declaration is unchanged and every value on the page is still there, so the page is probably still right.
But nobody has checked: this is a work list, like ` + "`wiki stale`" + `.

It covers pages that name their sources (for example ` + "`sources: [src/server.go#Listen]`" + `) and were verified with
` + "`wiki verify`" + `. Comments, formatting and changes elsewhere in the file are ignored.

Read the change, then run ` + "`wiki verify PAGE`" + `. Switch it off if pages describe only the purpose of code, never
how it works.`,
	Check: func(p *linter.Pass) {
		for _, v := range inState(p, src.StateBodyChanged) {
			p.Report(v.Page.Path, v.At, "%s is not what it was on %s, when the page was verified: it changed%s; read it, and verify the page again",
				v.Called(), verified(v), sinceCommit(v.Since))
		}
	},
})
