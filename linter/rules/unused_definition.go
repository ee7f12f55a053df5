package rules

import (
	"bytes"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "unused-definition",
	Group:    linter.Links,
	Severity: schema.Info,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A link definition is not used on its page.",
	Doc: `A line ` + "`[label]: address`" + ` shows nothing by itself. An unused one is left over from an edit, or its label has a
typo. The safe fix removes the line.

Definitions that Foam maintains for wikilinks count as used, and so does the idiom ` + "`[//]: # (comment)`" + `.`,
	CheckPage: func(p *linter.Pass, page *schema.Page) {
		if page.Layer == schema.LayerSource || len(page.Definitions) == 0 {
			return
		}
		wikilinks := map[string]bool{}
		for i := range page.Links {
			if page.Links[i].Syntax == schema.SyntaxWikilink {
				wikilinks[fold(page.Links[i].Target)] = true
			}
		}
		for _, def := range page.Definitions {
			if def.Used || commentLabel(def) || wikilinks[fold(def.Label)] {
				continue
			}
			d := p.Report(page.Path, def.Span, "unused link definition [%s]; remove it, or link to it", def.Label)
			if cut, ok := wholeLines(page, def.Span); ok {
				d.Fixes = []schema.Fix{{Title: "remove the definition", Safe: true, Edits: []schema.Edit{{Path: page.Path, Span: cut}}}}
			}
		}
	},
})

// commentLabel reports whether a definition is the usual way to hide a comment
// in markdown.
func commentLabel(def schema.Definition) bool {
	return strings.HasPrefix(def.Label, "//") || strings.EqualFold(def.Label, "comment") || def.Target == "#" || def.Target == ""
}

// wholeLines returns the lines that span covers, line endings included; ok is
// false when other text shares them.
func wholeLines(page *schema.Page, span schema.Span) (schema.Span, bool) {
	first := lineOf(page, span.Start)
	last := lineOf(page, max(span.Start, span.End-1))
	before := page.Source[first.Start:span.Start]
	after := page.Source[min(span.End, last.End):last.End]
	if len(bytes.TrimSpace(before)) > 0 || len(bytes.TrimSpace(after)) > 0 {
		return schema.Span{}, false
	}
	return schema.Span{Start: first.Start, End: last.End}, true
}
