// Package public says what of a wiki others may read: which pages, and of their
// sources what is neither in a comment nor a link to a page that is held back.
// The text of such a link stays, as a reader of the page would see it.
package public

import (
	"bytes"
	"context"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// Pages are the pages of a wiki that others may read.
type Pages struct {
	wiki   *compiler.Wiki
	hidden map[schema.PageID]bool
	paths  map[string]bool // of the hidden pages, from the repository
}

// New returns the pages of w that admit accepts.
func New(w *compiler.Wiki, admit func(*schema.Page) bool) *Pages {
	s := &Pages{wiki: w, hidden: map[schema.PageID]bool{}, paths: map[string]bool{}}
	for _, p := range w.Pages() {
		if !admit(p) {
			s.hidden[p.ID] = true
			s.paths[path.Join(w.Workspace().RootPath, p.Path)] = true
		}
	}
	return s
}

// Wiki returns w as others may read it: without the pages that admit refuses, and of the
// others as Source has them.
func Wiki(ctx context.Context, w *compiler.Wiki, admit func(*schema.Page) bool) (*compiler.Wiki, error) {
	s := New(w, admit)
	over := compiler.Overlay{}
	for _, p := range w.Pages() {
		if s.hidden[p.ID] {
			over[p.Path] = nil
		} else if src := s.Source(p); !bytes.Equal(src, p.Source) {
			over[p.Path] = src
		}
	}
	return w.WithOverlay(ctx, over)
}

// Hidden reports whether a page is held back.
func (s *Pages) Hidden(id schema.PageID) bool { return s.hidden[id] }

// HiddenFile reports whether a path, from the repository, is that of a page that is
// held back.
func (s *Pages) HiddenFile(name string) bool { return s.paths[path.Clean(name)] }

// Leads reports whether a link leads to a page that is held back.
func (s *Pages) Leads(res *schema.Resolution) bool {
	return res.Kind == schema.TargetPage && s.hidden[res.Page]
}

// Cites reports whether a source of a page is a page that is held back, by its path
// from the repository, the wiki's root or the page's folder.
func (s *Pages) Cites(p *schema.Page, a schema.Anchor) bool {
	if a.Path == "" || len(s.paths) == 0 {
		return false
	}
	root := s.wiki.Workspace().RootPath
	return s.paths[path.Clean(a.Path)] || s.paths[path.Join(root, a.Path)] || s.paths[path.Join(root, path.Dir(p.Path), a.Path)]
}

// Source returns the markdown of a page without its comments, and with the text of
// links to pages that are held back instead of the links.
func (s *Pages) Source(p *schema.Page) []byte {
	edits := s.Links(p)
	if len(edits) == 0 {
		return WithoutComments(p, schema.Span{End: len(p.Source)})
	}
	return Apply(p.Source, schema.Span{End: len(p.Source)}, append(edits, Comments(p)...))
}

// Links are the edits that leave out the links and sources of a page that lead to pages
// that are held back.
func (s *Pages) Links(p *schema.Page) (out []schema.Edit) {
	if len(s.hidden) == 0 {
		return nil
	}
	add := func(at schema.Span, text string) {
		out = append(out, schema.Edit{Path: p.Path, Span: at, Text: text})
	}
	for l, res := range s.wiki.Links(p) {
		switch l = l.As(res); {
		case !s.Leads(res):
		case l.Field != "":
			add(l.Span, "")
		case l.Syntax == schema.SyntaxHTML:
			add(l.Dest, "")
		default:
			if l.Syntax == schema.SyntaxReference && !l.Span.Contains(l.Dest.Start) {
				add(l.Dest, "#") // of the definition
			}
			label := l.Label
			if label == "" {
				label = l.Target
			}
			add(l.Span, text.Collapse(label))
		}
	}
	for _, ref := range p.Meta.Sources {
		if s.Cites(p, ref.Anchor) {
			add(ref.Span, "")
		}
	}
	return out
}

// Comments are the edits that leave out the comments of a page.
func Comments(p *schema.Page) []schema.Edit {
	out := make([]schema.Edit, len(p.Comments))
	for i, c := range p.Comments {
		out[i] = schema.Edit{Path: p.Path, Span: c}
	}
	return out
}

// Apply returns a part of src with the edits that are in it made. Of edits that overlap
// the first is made, and what it covers of others is gone with it.
func Apply(src []byte, part schema.Span, edits []schema.Edit) []byte {
	edits = slices.Clone(edits)
	slices.SortStableFunc(edits, func(a, b schema.Edit) int { return a.Span.Start - b.Span.Start })
	out, at := make([]byte, 0, part.Len()), part.Start
	for _, e := range edits {
		switch {
		case e.Span.Start >= part.End || e.Span.End < part.Start:
		case e.Span.Start < at: // in a comment or link that is gone
			at = max(at, e.Span.End)
		default:
			out = append(append(out, src[at:e.Span.Start]...), e.Text...)
			at = e.Span.End
		}
	}
	if at < part.End {
		out = append(out, src[at:part.End]...)
	}
	return out
}

// WithoutComments returns a part of a page's source without what of it is in comments.
func WithoutComments(p *schema.Page, part schema.Span) []byte {
	whole := part.In(p.Source)
	i, _ := slices.BinarySearchFunc(p.Comments, part.Start, func(c schema.Span, at int) int {
		if c.End <= at {
			return -1
		}
		return 1
	})
	if i == len(p.Comments) || p.Comments[i].Start >= part.End {
		return whole
	}
	out, at := make([]byte, 0, len(whole)), part.Start
	for ; i < len(p.Comments) && p.Comments[i].Start < part.End; i++ {
		c := p.Comments[i]
		if c.Start > at {
			out = append(out, p.Source[at:c.Start]...)
		}
		at = max(at, c.End)
	}
	if at < part.End {
		out = append(out, p.Source[at:part.End]...)
	}
	return out
}

// Names reports whether a text about a page names a page that its front matter refers to
// and that is held back.
func (s *Pages) Names(p *schema.Page, text string) bool {
	for l, res := range s.wiki.Links(p) {
		if l.Field != "" && s.Leads(res) && strings.Contains(text, l.Target) {
			return true
		}
	}
	return false
}
