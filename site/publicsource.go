package site

import (
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// rewrite is a part of a page's source and what is published instead.
type rewrite struct {
	span schema.Span
	text string
}

// publicSource returns the markdown of a page without its comments, and with the text of
// links to pages that are not published instead of the links.
func (s *Site) publicSource(p *schema.Page) []byte {
	edits := s.linkRewrites(p)
	if len(edits) == 0 {
		return withoutComments(p, schema.Span{End: len(p.Source)})
	}
	for _, c := range p.Comments {
		edits = append(edits, rewrite{span: c})
	}
	slices.SortStableFunc(edits, func(a, b rewrite) int { return a.span.Start - b.span.Start })
	out, at := make([]byte, 0, len(p.Source)), 0
	for _, e := range edits {
		if e.span.Start < at { // in a comment or link that is gone
			at = max(at, e.span.End)
			continue
		}
		out = append(append(out, p.Source[at:e.span.Start]...), e.text...)
		at = e.span.End
	}
	return append(out, p.Source[at:]...)
}

// linkRewrites are those of the links of a page to pages that are not published.
func (s *Site) linkRewrites(p *schema.Page) (out []rewrite) {
	if len(s.hidden) == 0 {
		return nil
	}
	for l, res := range s.wiki.Links(p) {
		switch l = l.As(res); {
		case !s.leadsToHidden(res):
		case l.Field != "":
			out = append(out, rewrite{span: l.Span})
		case l.Syntax == schema.SyntaxHTML:
			out = append(out, rewrite{span: l.Dest})
		default:
			if l.Syntax == schema.SyntaxReference && !l.Span.Contains(l.Dest.Start) {
				out = append(out, rewrite{l.Dest, "#"}) // of the definition
			}
			text := l.Label
			if text == "" {
				text = l.Target
			}
			out = append(out, rewrite{l.Span, oneLine(text)})
		}
	}
	for _, ref := range p.Meta.Sources {
		if s.citesHidden(p, ref.Anchor) {
			out = append(out, rewrite{span: ref.Span})
		}
	}
	return out
}

// leadsToHidden reports whether a link leads to a page that is not published.
func (s *Site) leadsToHidden(res *schema.Resolution) bool {
	return res.Kind == schema.TargetPage && s.place[res.Page] == ""
}

// citesHidden reports whether a source of a page is a page that is not published, by its
// path from the repository, the wiki's root or the page's folder.
func (s *Site) citesHidden(p *schema.Page, a schema.Anchor) bool {
	if a.Path == "" || len(s.withheld) == 0 {
		return false
	}
	root := s.wiki.Workspace().RootPath
	return s.withheld[path.Clean(a.Path)] || s.withheld[path.Join(root, a.Path)] || s.withheld[path.Join(root, path.Dir(p.Path), a.Path)]
}

// namesHidden reports whether a text about a page names a page that its front matter
// refers to and that is not published.
func (s *Site) namesHidden(p *schema.Page, text string) bool {
	for l, res := range s.wiki.Links(p) {
		if l.Field != "" && s.leadsToHidden(res) && strings.Contains(text, l.Target) {
			return true
		}
	}
	return false
}
