package compiler

import (
	"github.com/loopwiki/wiki/compiler/markdown"
	"github.com/loopwiki/wiki/schema"
)

// RenderOptions say how the parts of a page that depend on where it is
// published become HTML. Every function may be nil.
type RenderOptions struct {
	// Href returns the URL for a link to res, relative to the page being
	// rendered. An empty string renders the link as broken.
	Href func(l *schema.Link, res *schema.Resolution) string
	// Transclude returns the HTML shown instead of an embedded page; ok is
	// false to render a plain link instead.
	Transclude func(l *schema.Link, res *schema.Resolution) (html string, ok bool)
	// Highlight returns code as HTML, without the surrounding pre; ok is false
	// to render it plain.
	Highlight func(language string, code []byte) (html string, ok bool)
	// Math returns the formula at an offset as HTML, or why its source is shown instead.
	// Without it the source is shown.
	Math func(at int, tex string, display bool) (html, problem string)
	// ImageSize returns the size of a file in pixels, so that pages do not
	// shift while they load.
	ImageSize func(path string) (width, height int, ok bool)
	// LinkText returns the text of a wikilink that has none and is written as a path or
	// slug, or "" for what is written.
	LinkText func(res *schema.Resolution) string
	// Cite returns the URL of a source that the text cites, or "" to show the
	// citation without a link.
	Cite func(c *schema.Citation) string
	// Tag returns the URL of the page about a tag, or "".
	Tag func(name string) string
	// Stale returns why the text at a place is outdated, or "".
	Stale func(at schema.Span) string
	// Marks are places of running text and code that link to what is said about them, in
	// order.
	Marks []Mark
	// IDPrefix is put before every id of the page, for a transclusion.
	IDPrefix string
	// SkipTitle leaves the first level-1 heading out, for a page whose title
	// is printed elsewhere.
	SkipTitle bool
	// RawAsText shows the tags of raw HTML as text.
	RawAsText bool
	// Buffer is written over with the HTML, as far as it has room; it may be nil.
	Buffer []byte
}

// Mark is a place in the text of a page that something is said about elsewhere.
type Mark = markdown.Mark

// Rendered is one page as HTML and as text.
type Rendered struct {
	HTML    []byte
	Text    []Section // for search and excerpts
	Math    bool      // uses a formula
	Mermaid bool      // uses a diagram
	Raw     bool      // holds raw HTML that a browser may arrange otherwise than it is written
}

// Section is the running text under one heading, without markup; the first
// one of a page may have no heading.
type Section struct {
	Heading string
	ID      string // the heading's anchor
	Text    string
}

// Render parses a page again and renders it. Pages are rendered when they
// are read, not kept: ten thousand syntax trees are larger than their sources.
func (w *Wiki) Render(p *schema.Page, opt RenderOptions) *Rendered {
	return rendered(markdown.Render(p, w.options(p, opt)))
}

// RenderPart renders only what an embed with this anchor, the Anchor of its
// [schema.Resolution], shows: the section under a heading, or one block. An
// unknown anchor renders nothing.
func (w *Wiki) RenderPart(p *schema.Page, anchor string, opt RenderOptions) *Rendered {
	return rendered(markdown.RenderPart(p, anchor, w.options(p, opt)))
}

// Text returns the running text of a page.
func (w *Wiki) Text(p *schema.Page) []Section {
	return sections(markdown.Text(p, w.Config().Limits))
}

func (w *Wiki) options(p *schema.Page, opt RenderOptions) markdown.Options {
	var links []schema.Resolution
	if i, ok := w.index[p.ID]; ok {
		links = w.links[i]
	}
	return markdown.Options{
		Limits: w.Config().Limits,
		Resolve: func(n int) *schema.Resolution {
			if n < len(links) {
				return &links[n]
			}
			return nil
		},
		Href:       opt.Href,
		Transclude: opt.Transclude,
		Highlight:  opt.Highlight,
		Math:       opt.Math,
		ImageSize:  opt.ImageSize,
		LinkText:   opt.LinkText,
		Cite:       opt.Cite,
		Tag:        opt.Tag,
		Stale:      opt.Stale,
		Marks:      opt.Marks,
		IDPrefix:   opt.IDPrefix,
		SkipTitle:  opt.SkipTitle,
		RawAsText:  opt.RawAsText,
		Buffer:     opt.Buffer,
	}
}

func rendered(out *markdown.Output) *Rendered {
	return &Rendered{HTML: out.HTML, Text: sections(out.Text), Math: out.Math, Mermaid: out.Mermaid, Raw: out.Raw}
}

func sections(in []markdown.Section) []Section {
	out := make([]Section, len(in))
	for i := range in {
		out[i] = Section(in[i])
	}
	return out
}
