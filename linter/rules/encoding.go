package rules

import (
	"bytes"

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
		"searched nor quoted: save the file as UTF-8.",
	Check: func(p *linter.Pass) {
		bom := []byte("\xef\xbb\xbf")
		for _, page := range p.Wiki.Pages() {
			for _, f := range page.Faults {
				if f.Kind != schema.FaultEncoding {
					continue
				}
				d := p.Report(page.Path, f.Span, "%s", f.Message)
				if f.Span == (schema.Span{Start: 0, End: 3}) && bytes.HasPrefix(page.Source, bom) {
					d.Fixes = []schema.Fix{{Title: "remove the byte order mark", Safe: true,
						Edits: []schema.Edit{{Path: page.Path, Span: f.Span}}}}
				}
			}
		}
	},
})
