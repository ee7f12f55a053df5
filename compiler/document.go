package compiler

import "github.com/loopwiki/wiki/schema"

// RenderOptions say how the parts of a page that depend on where it is
// published become HTML. Every function may be nil.
type RenderOptions struct {
	// Href returns the URL for a link to res, relative to the page being
	// rendered. An empty string renders the link as broken.
	Href func(l *schema.Link, res *schema.Resolution) string
	// Transclude returns the HTML shown in place of an embedded page; ok is
	// false to render a plain link instead.
	Transclude func(l *schema.Link, res *schema.Resolution) (html string, ok bool)
	// Highlight returns code as HTML, without the surrounding pre; ok is false
	// to render it plain.
	Highlight func(language string, code []byte) (html string, ok bool)
	// ImageSize returns the size of a file in pixels, so that pages do not
	// shift while they load.
	ImageSize func(path string) (width, height int, ok bool)
	// IDPrefix is put before every id of the page, for a transclusion.
	IDPrefix string
}

// Rendered is one page as HTML and as text.
type Rendered struct {
	HTML    []byte
	Text    []Section // for search and excerpts
	Math    bool      // uses a formula
	Mermaid bool      // uses a diagram
}

// Section is the running text under one heading, without markup; the first
// one of a page may have no heading.
type Section struct {
	Heading string
	ID      string // the heading's anchor
	Text    string
}

// Render parses a page once more and renders it. Pages are rendered when they
// are read, not kept: ten thousand syntax trees are larger than their sources.
func (w *Wiki) Render(p *schema.Page, opt RenderOptions) *Rendered { return nil }

// RenderPart renders only what an embed with this fragment shows: the section
// under a heading, or one block. An unknown fragment renders nothing.
func (w *Wiki) RenderPart(p *schema.Page, fragment string, opt RenderOptions) *Rendered { return nil }

// Text returns the running text of a page.
func (w *Wiki) Text(p *schema.Page) []Section { return nil }
