package lsp

import (
	"context"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	schematext "github.com/loopwiki/wiki/schema/text"
)

// linkAt returns the innermost link around an offset, nil if there is none.
func (v *view) linkAt(p *schema.Page, offset int) (link *schema.Link, res *schema.Resolution) {
	for l, r := range v.wiki.Links(p) {
		l = l.As(r)
		if l.Span.Start <= offset && offset <= l.Span.End && (link == nil || l.Span.Len() < link.Span.Len()) {
			link, res = l, r
		}
	}
	return link, res
}

// headingAt returns the index of the heading around an offset, -1 if there is none.
func headingAt(p *schema.Page, offset int) int {
	return slices.IndexFunc(p.Headings, func(h schema.Heading) bool { return h.Span.Start <= offset && offset <= h.Span.End })
}

// titleAt reports whether an offset is in the title of a page: in its front matter, or in
// the first heading if that gives the title.
func titleAt(p *schema.Page, offset int) bool {
	if pair := titlePair(p); pair != nil {
		return pair.Value.Span.Start <= offset && offset <= pair.Value.Span.End
	}
	return p.H1.Len() > 0 && p.H1.Start <= offset && offset <= p.H1.End
}

// titlePair is the front matter that gives a page's title, nil if none does.
func titlePair(p *schema.Page) *schema.Pair {
	if p.Front == nil {
		return nil
	}
	pair := p.Front.Lookup(schema.FieldTitle)
	if pair == nil || pair.Value.Kind == schema.KindNull {
		return nil
	}
	return pair
}

// anchorSpan is the place on a page that an anchor names; "" is its beginning.
func anchorSpan(p *schema.Page, anchor string) schema.Span {
	for _, h := range p.Headings {
		if h.ID == anchor {
			return h.Span
		}
	}
	for _, b := range p.Blocks {
		if b.Anchor() == anchor {
			return b.Block
		}
	}
	return schema.Span{}
}

// destination is a place that something leads to.
type destination struct {
	origin schema.Span // what leads there
	location
}

// destinationOf returns where a link leads; ok is false if there is no file.
func (v *view) destinationOf(l *schema.Link, res *schema.Resolution) (destination, bool) {
	switch res.Kind {
	case schema.TargetPage:
		if target := v.wiki.Page(res.Page); target != nil {
			return destination{l.Span, v.location(target, anchorSpan(target, res.Anchor))}, true
		}
	case schema.TargetFile, schema.TargetOutside:
		return destination{l.Span, location{URI: v.uriOf(res.Path)}}, true
	}
	return destination{}, false
}

// destinationAt returns where the text at an offset leads.
func (v *view) destinationAt(p *schema.Page, offset int) (destination, bool) {
	if l, res := v.linkAt(p, offset); l != nil {
		return v.destinationOf(l, res)
	}
	around := func(s schema.Span) bool { return s.Start <= offset && offset <= s.End }
	for _, f := range p.Footnotes {
		if !f.Definition && around(f.Span) {
			for _, def := range p.Footnotes {
				if def.Definition && def.ID == f.ID {
					return destination{f.Span, v.location(p, def.Span)}, true
				}
			}
		}
	}
	for _, c := range p.Citations {
		if around(c.Span) {
			return v.source(c.Span, c.Ref)
		}
	}
	for _, s := range p.Meta.Sources {
		if around(s.Span) {
			return v.source(s.Span, s.Anchor)
		}
	}
	return destination{}, false
}

// source returns the file of the repository that a page cites, at its line.
func (v *view) source(from schema.Span, ref schema.Anchor) (destination, bool) {
	name := filepath.FromSlash(ref.Path)
	if ref.Path == "" || !filepath.IsLocal(name) {
		return destination{}, false
	}
	ws := v.wiki.Workspace()
	root, err := ws.Open(ws.Dir)
	if err != nil {
		return destination{}, false
	}
	defer root.Close()
	if !root.IsFile(name) {
		return destination{}, false
	}
	at := position{Line: max(0, ref.FromLine-1)}
	end := position{Line: max(at.Line, ref.ToLine-1)}
	return destination{from, location{uriOf(filepath.Join(ws.Dir, name)), textRange{at, end}}}, true
}

func (v *view) definition(_ context.Context, p positionParams) (any, error) {
	page, offset := v.at(p)
	if page == nil {
		return nil, nil
	}
	d, ok := v.destinationAt(page, offset)
	if !ok {
		return nil, nil
	}
	if !v.caps.Document.Definition.Links {
		return []location{d.location}, nil
	}
	origin := v.text(page).span(d.origin)
	return []locationLink{{&origin, d.URI, d.Range, d.Range}}, nil
}

// references returns the links to what is at a place: a heading, the target of a link, or
// else the page; or the other places of a tag.
func (v *view) references(_ context.Context, p referenceParams) ([]location, error) {
	page, offset := v.at(p.positionParams)
	if page == nil {
		return nil, nil
	}
	if tag := tagAt(page, offset); tag != "" {
		return v.tagged(tag), nil
	}
	target, anchor := page, ""
	if l, res := v.linkAt(page, offset); l != nil {
		if target = v.wiki.Page(res.Page); res.Kind != schema.TargetPage || target == nil {
			return nil, nil
		}
		anchor = res.Anchor
	} else if h := headingAt(page, offset); h >= 0 && !titleAt(page, offset) {
		anchor = page.Headings[h].ID
	}
	var out []location
	if p.Context.Declaration {
		out = append(out, v.location(target, anchorSpan(target, anchor)))
	}
	return append(out, v.linksTo(target, anchor)...), nil
}

// linksTo returns the links to a page, or to an anchor of it, those on itself first.
func (v *view) linksTo(target *schema.Page, anchor string) (out []location) {
	add := func(from *schema.Page, l *schema.Link, res *schema.Resolution) {
		if anchor == "" || res.Anchor == anchor {
			out = append(out, v.location(from, l.Span))
		}
	}
	for l, res := range v.wiki.Links(target) {
		if res.Kind == schema.TargetPage && res.Page == target.ID && (anchor != "" || res.Anchor == "") {
			add(target, l.As(res), res)
		}
	}
	for _, b := range v.wiki.Backlinks(target.ID) {
		from := v.wiki.Page(b.From)
		res := v.wiki.Resolution(from, b.Link)
		add(from, from.Links[b.Link].As(res), res)
	}
	return out
}

func tagAt(p *schema.Page, offset int) string {
	for _, t := range p.Tags {
		if t.Span.Start <= offset && offset <= t.Span.End {
			return t.Name
		}
	}
	return ""
}

func (v *view) tagged(name string) (out []location) {
	for _, p := range v.wiki.Pages() {
		for _, t := range p.Tags {
			if strings.EqualFold(t.Name, name) {
				out = append(out, v.location(p, t.Span))
			}
		}
	}
	return out
}

// documentLink returns the links of a page that lead somewhere.
func (v *view) documentLink(_ context.Context, p documentParams) ([]documentLink, error) {
	page := v.page(p.Document.URI)
	if page == nil {
		return nil, nil
	}
	out := []documentLink{}
	for l, res := range v.wiki.Links(page) {
		l = l.As(res)
		at := l.Dest
		if at.Len() == 0 || l.Syntax == schema.SyntaxReference { // whose destination stands elsewhere
			at = l.Span
		}
		link := documentLink{Range: v.text(page).span(at), Target: v.target(l, res)}
		if link.Target == "" {
			continue
		}
		if t := v.wiki.Page(res.Page); res.Kind == schema.TargetPage && t != nil {
			link.Tooltip = schematext.Line(t.Title)
		}
		out = append(out, link)
	}
	return out, nil
}

// target returns the URI that a link leads to, "" for none that an editor may open.
func (v *view) target(l *schema.Link, res *schema.Resolution) string {
	if res.Kind == schema.TargetExternal {
		u, err := url.Parse(l.Raw)
		if err != nil || !slices.Contains([]string{"http", "https", "mailto"}, u.Scheme) {
			return ""
		}
		return u.String()
	}
	d, ok := v.destinationOf(l, res)
	if !ok {
		return ""
	}
	if d.Range.Start.Line > 0 {
		return schematext.Sprintf("%s#L%d", d.URI, d.Range.Start.Line+1)
	}
	return d.URI
}
