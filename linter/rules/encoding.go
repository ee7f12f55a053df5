package rules

import (
	"bytes"
	"fmt"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "encoding",
	Group:    linter.Hygiene,
	Severity: schema.Info,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A page has a byte order mark, or bytes that are not UTF-8 text.",
	Doc: "A byte order mark hides the frontmatter from many programs; it says nothing in UTF-8, and the safe\n" +
		"fix takes it away. Bytes that are not UTF-8, and NUL, are shown as `�` and can be neither\n" +
		"searched nor quoted: save the file as UTF-8.\n\n" +
		"Switch it off where an editor that insists on the mark is in use.",
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages begin with a byte order mark, which hides their frontmatter from many programs; remove it", n)
	},
	Check: func(p *linter.Pass) {
		for _, page := range p.Wiki.Pages() {
			if bytes.HasPrefix(page.Source, byteOrderMark) {
				at := schema.Span{Start: 0, End: len(byteOrderMark)}
				d := p.ReportCause("mark", page.Path, at, "the page begins with a byte order mark, which hides its frontmatter from many programs; remove it")
				d.Fixes = []schema.Fix{{Title: "remove the byte order mark", Safe: true, Edits: []schema.Edit{{Path: page.Path, Span: at}}}}
			}
			for _, f := range page.Faults {
				if f.Kind == schema.FaultEncoding {
					p.Report(page.Path, f.Span, "%s", f.Message)
				}
			}
		}
	},
})

// byteOrderMark is U+FEFF in UTF-8.
var byteOrderMark = []byte("\xef\xbb\xbf")
