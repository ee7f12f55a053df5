package lsp

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// page returns the page of a URI, or nil.
func (v *view) page(uri string) *schema.Page {
	path, err := pathOf(uri)
	if err != nil {
		return nil
	}
	p, ok := below(v.wiki.Workspace().Root, path)
	if !ok {
		return nil
	}
	return v.pageAt(p)
}

// pageAt returns the page of a path below the root, or nil.
func (v *view) pageAt(path string) *schema.Page {
	pages := v.wiki.Pages()
	i, ok := slices.BinarySearchFunc(pages, path, func(p *schema.Page, path string) int { return strings.Compare(p.Path, path) })
	if !ok {
		return nil
	}
	return pages[i]
}

// text returns the text of a page, for places in it.
func (v *view) text(p *schema.Page) text { return text{p.Source, p.Lines, v.enc} }

// uriOf returns the URI of a path below the root, or beside it with ../ in front.
func (v *view) uriOf(path string) string {
	if d := v.open[path]; d != nil {
		return d.uri
	}
	return uriOf(v.absolute(path))
}

func (v *view) absolute(path string) string {
	return filepath.Join(v.wiki.Workspace().Root, filepath.FromSlash(path))
}

// location returns a place on a page.
func (v *view) location(p *schema.Page, span schema.Span) location {
	return location{v.uriOf(p.Path), v.text(p).span(span)}
}

// at returns the page and the offset of a place; the page is nil if it is none.
func (v *view) at(p positionParams) (*schema.Page, int) {
	page := v.page(p.Document.URI)
	if page == nil {
		return nil, 0
	}
	return page, v.text(page).offset(p.Position)
}
