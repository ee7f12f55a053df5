package site

import (
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

// findingsBlock shows the diagnostics of a page, each with its place.
var findingsBlock = block{name: "findings", above: true, data: func(s *Site, p *schema.Page, _ string) any {
	if list := s.findingsOf(p); len(list) > 0 {
		return list
	}
	return nil
}}

func (s *Site) findingsOf(p *schema.Page) []theme.Finding {
	var out []theme.Finding
	for _, d := range s.findings[p.Path] {
		pos := p.Lines.Position(d.Span.Start)
		f := theme.Finding{
			Severity: d.Severity.String(), Rule: d.Rule, Message: d.Message, Line: pos.Line, Column: pos.Column,
			Excerpt: clip(strings.TrimSpace(string(p.Lines.Line(pos.Line).In(p.Source))), 200),
		}
		for _, h := range p.Headings {
			if h.Span.Start > d.Span.Start {
				break
			}
			f.Anchor, f.Under = h.ID, clip(h.Text, 80)
		}
		out = append(out, f)
	}
	return out
}
