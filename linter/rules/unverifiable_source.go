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
	Summary:  "A page can't be checked against its source, because the source can't be parsed.",
	Doc: `The file exists, but has a syntax error, is larger than 2 MB, timed out, or is in an unsupported language. The
page may be right, so nothing is reported as stale, but changes of the source go unnoticed.

Fix the file. For an unsupported language, cite lines, such as ` + "`src/a.rb:10-20`" + `, or the whole file instead of
a symbol.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d references share one cause: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		for _, v := range inState(p, src.StateUnverifiable) {
			p.ReportCause(v.Unverifiable.Path, v.Page.Path, v.At, "%v; fix the file, or cite lines instead of a symbol", v.Unverifiable)
		}
	},
})
