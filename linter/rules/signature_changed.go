package rules

import (
	"fmt"

	src "github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:          "signature-changed",
	Group:       linter.Sources,
	Severity:    schema.Warning,
	Since:       since,
	NeedsReason: true,
	Summary:     "The declaration of a symbol changed since its page was verified.",
	Doc: `A parameter was added or removed, or a field got another type: what the page says about using it is probably
wrong.

It covers pages that name their sources (for example ` + "`sources: [src/server.go#Listen]`" + `) and were verified with
` + "`wiki verify`" + `. Comments, formatting and function bodies are not part of the declaration.

Compare both, correct the page, and verify it again: ` + "`wiki verify PAGE`" + ` shows the change, and
` + "`--still-accurate`" + ` confirms that the page is right as it is. A section that names the symbol and was edited
after the code changed counts as reviewed.`,
	Check: func(p *linter.Pass) {
		for _, v := range inState(p, src.StateSignatureChanged) {
			was := ""
			if v.Old != nil && v.Old.Signature != v.Symbol.Signature {
				was = fmt.Sprintf(" was %q and", v.Old.Signature)
			}
			d := p.Report(v.Page.Path, v.At, "%s (%s)%s is %q%s; compare the page with it, and verify it again", v.Name(), v.Place(), was, v.Symbol.Signature, sinceCommit(v.Since))
			if v.Old != nil && v.Old.Signature == v.Symbol.Signature { // what is shown of a long one may be the same
				d.Message = fmt.Sprintf("the declaration of %s (%s) changed%s; compare the page with it, and verify it again", v.Name(), v.Place(), sinceCommit(v.Since))
			}
			d.Related = []schema.Related{{Path: v.Page.Path, Span: v.At, Message: "verified against it on " + verified(v)}}
		}
	},
})
