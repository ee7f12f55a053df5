package pack

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// mostSides is how many sides of a contradiction are quoted.
const mostSides = 4

// notes says why a section must not be relied on as it is.
func (in *Input) notes(p *schema.Page, at schema.Span, fresh schema.Freshness) []string {
	out := []string{}
	switch fresh.State {
	case schema.FreshVerified, schema.FreshUnverified:
	default:
		out = append(out, clip(string(fresh.State)+": "+fresh.Reason))
	}
	if in.unpublished(p) {
		out = append(out, "private: this page is not published")
	}
	for i := range in.Contradictions {
		c := &in.Contradictions[i]
		if in.has(c, p, at) {
			out = append(out, in.sides(c))
		}
	}
	return out
}

// disputed reports whether a side of an open contradiction is in a section.
func (in *Input) disputed(p *schema.Page, at schema.Span) bool {
	for i := range in.Contradictions {
		if c := &in.Contradictions[i]; c.Acknowledged == nil && in.has(c, p, at) {
			return true
		}
	}
	return false
}

// has reports whether a side of a contradiction is in a section. What a page says of
// itself in its front matter is about all of it.
func (in *Input) has(c *schema.Contradiction, p *schema.Page, at schema.Span) bool {
	for _, s := range c.Sides {
		if s.Path == p.Path && (at.Overlaps(s.Span) || s.Span.Start < p.Body) {
			return true
		}
	}
	return false
}

// sides quotes the sides of a contradiction, each with its place.
func (in *Input) sides(c *schema.Contradiction) string {
	kind := "open contradiction"
	if c.Acknowledged != nil {
		kind = "acknowledged contradiction"
	}
	if c.About != "" {
		kind += " about " + clip(c.About)
	}
	var list []string
	for i, s := range c.Sides {
		page := in.page(s.Path)
		if page == nil || in.withheld(page) {
			continue
		}
		if len(list) == mostSides {
			list = append(list, fmt.Sprintf("and %d more", len(c.Sides)-i))
			break
		}
		list = append(list, fmt.Sprintf("%s:%d says %q", text.Line(s.Path), page.Lines.LineOf(s.Span.Start), clip(s.Text)))
	}
	return kind + ": " + strings.Join(list, "; ")
}

func (in *Input) page(path string) *schema.Page {
	if p := in.Wiki.Page(schema.PageID(strings.TrimSuffix(path, ".md"))); p != nil && p.Path == path {
		return p
	}
	for _, p := range in.Wiki.Pages() {
		if p.Path == path {
			return p
		}
	}
	return nil
}
