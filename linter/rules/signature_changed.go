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
	Summary:     "The declaration of a symbol changed since the page about it was verified.",
	Doc: `A parameter came or went, a field got another type: what the page says about how to use it is likely wrong.

The page says what it is about (` + "`sources: [src/server.go#Listen]`" + ` and the like) and was verified with ` + "`wiki verify`" + `.
Comments, formatting and the body of a function are no part of its declaration.

Read both sides, correct the page, and verify it again: ` + "`wiki verify PAGE`" + ` shows what changed, and
` + "`--still-accurate`" + ` says that the page is right as it is. A section that was edited after the code and names the
symbol counts as reviewed.`,
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
