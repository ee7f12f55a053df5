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
	Doc: `Who clicks it stays where they are. Such links come from writing the name of every page as a link,
the page's own included. A link to a heading or a block of the same page is useful and is not reported.

The safe fix leaves the label as plain text. Switch it off for wikis whose pages share one
navigation bar.`,
	Check: func(p *linter.Pass) {
		for s := range sites(p) {
			l := s.Link
			if _, block := l.BlockReference(); block {
				continue
			}
			if s.Res.Kind != schema.TargetPage || s.Res.Page != s.Page.ID || l.Hash || l.Embed || l.Field != "" || s.Page.Layer == schema.LayerSource {
				continue
			}
			d := p.Report(s.Page.Path, l.Span, "the page links to itself; leave the text, or link to the page that is meant")
			if text, ok := plainLabel(s); ok {
				d.Fixes = []schema.Fix{{Title: "leave only the text", Safe: true,
					Edits: []schema.Edit{{Path: s.Page.Path, Span: l.Span, Text: text}}}}
			}
		}
	},
})

// plainLabel returns what a reader sees of a link, as it is written.
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
