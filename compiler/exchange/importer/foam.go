package importer

import (
	"bytes"
	"context"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// fromFoam takes out the link definitions that Foam writes below pages for readers that
// don't know wikilinks: each repeats where a wikilink of the page leads.
func fromFoam(_ context.Context, c *conversion) error {
	for p := range c.each {
		count := 0
		for i := range p.Definitions {
			if d := &p.Definitions[i]; c.repeats(p, d) || strings.HasPrefix(d.Label, "//begin") || strings.HasPrefix(d.Label, "//end") {
				c.edit(p, wholeLines(p, d.Span), "")
				count++
			}
		}
		if count > 0 {
			c.note(p, -1, "link definitions taken out, since wikilinks need none: %d", count)
		}
	}
	return nil
}

// repeats reports whether a definition leads where the wikilink of its name does, and
// nothing else uses it.
func (c *conversion) repeats(p *schema.Page, d *schema.Definition) bool {
	to := c.wiki.Resolve(p, &schema.Link{Syntax: schema.SyntaxInline, Raw: d.Target, Target: d.Target})
	found := false
	for l, res := range c.wiki.Links(p) {
		switch {
		case l.Syntax == schema.SyntaxReference && d.Span.Contains(l.Dest.Start):
			return false
		case l.Syntax == schema.SyntaxWikilink && strings.EqualFold(strings.TrimSpace(l.Raw), d.Label):
			if found = true; !res.OK() || res.Path != to.Path {
				return false
			}
		}
	}
	return found
}

// wholeLines are the lines of a span, with the end of the last one.
func wholeLines(p *schema.Page, at schema.Span) schema.Span {
	start := bytes.LastIndexByte(p.Source[:at.Start], '\n') + 1
	end := len(p.Source)
	if i := bytes.IndexByte(p.Source[max(at.Start, at.End-1):], '\n'); i >= 0 {
		end = max(at.Start, at.End-1) + i + 1
	}
	return schema.Span{Start: start, End: end}
}
