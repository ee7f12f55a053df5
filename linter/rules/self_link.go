package rules

import (
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "self-link",
	Group:    linter.Links,
	Severity: schema.Info,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A page links to itself.",
	Doc: `Clicking the link does nothing. Usually a tool turned every page name into a link, including the page's own. A
link to a heading or a block on the same page is fine.

The safe fix keeps the label as plain text. Switch it off if pages share one navigation bar.`,
	Local: true,
	Check: func(p *linter.Pass) {
		for s := range sites(p) {
			l := s.Link
			if _, block := l.BlockReference(); block {
				continue
			}
			if s.Res.Kind != schema.TargetPage || s.Res.Page != s.Page.ID || l.Hash || l.Embed || l.Field != "" || s.Page.Layer == schema.LayerSource {
				continue
			}
			d := p.Report(s.Page.Path, l.Span, "the page links to itself; remove the link, or link to the intended page")
			if text, ok := plainLabel(s); ok {
				d.Fixes = []schema.Fix{{Title: "keep only the text", Safe: true,
					Edits: []schema.Edit{{Path: s.Page.Path, Span: l.Span, Text: text}}}}
			}
		}
	},
})

// plainLabel returns the visible label of a link, as written.
func plainLabel(s site) (string, bool) {
	l := s.Link
	switch {
	case l.Syntax == schema.SyntaxHTML || l.Syntax == schema.SyntaxAutolink || l.Syntax == schema.SyntaxReference:
		return "", false
	case l.LabelAt.Len() > 0:
		return string(l.LabelAt.In(s.Page.Source)), true
	case l.Syntax == schema.SyntaxWikilink && l.Dest.Len() > 0:
		return string(l.Dest.In(s.Page.Source)), true
	}
	return "", false
}
