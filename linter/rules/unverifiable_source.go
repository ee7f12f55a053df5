package rules

import (
	"fmt"

	src "github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "unverifiable-source",
	Group:    linter.Sources,
	Severity: schema.Info,
	Since:    since,
	Summary:  "Whether a page is right about its source can not be known: the source can not be read.",
	Doc: `The file is there, and it has a mistake in its syntax, is larger than 2 MB, took too long, or is of a language whose
symbols are not known. That says nothing against the page, which is why nothing is called stale; but
nothing watches over it either.

Mend the file. Where its language is not known, name lines, ` + "`src/a.rb:10-20`" + `, or the whole file instead of a symbol.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d references share one cause: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		for _, v := range inState(p, src.StateUnverifiable) {
			p.ReportCause(v.Unverifiable.Path, v.Page.Path, v.At, "%v; fix the file, or cite lines instead of a symbol", v.Unverifiable)
		}
	},
})
