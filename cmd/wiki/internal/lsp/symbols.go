package lsp

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/loopwiki/wiki/schema"
	schematext "github.com/loopwiki/wiki/schema/text"
)

// mostSymbols bounds how many symbols a search of the workspace returns.
const mostSymbols = 200

// sectionEnd is where the section under a heading ends: before the next heading that is
// not below it.
func sectionEnd(p *schema.Page, i int) int {
	for _, h := range p.Headings[i+1:] {
		if h.Level <= p.Headings[i].Level {
			return h.Span.Start
		}
	}
	return len(p.Source)
}

// documentSymbol returns the headings of a page, those below others inside them.
func (v *view) documentSymbol(_ context.Context, p documentParams) (any, error) {
	page := v.page(p.Document.URI)
	if page == nil {
		return nil, nil
	}
	if !v.caps.Document.Symbol.Nested {
		flat := []symbolInformation{}
		for i, h := range page.Headings {
			flat = append(flat, symbolInformation{Name: symbolName(h), Kind: symbolString, Location: v.location(page, schema.Span{Start: h.Span.Start, End: sectionEnd(page, i)})})
		}
		return flat, nil
	}
	symbols, _ := v.symbolsFrom(page, 0, 0)
	return symbols, nil
}

// symbolsFrom returns the headings from i on that are deeper than a level, and the next
// one that is not.
func (v *view) symbolsFrom(p *schema.Page, i, level int) ([]documentSymbol, int) {
	out := []documentSymbol{}
	for i < len(p.Headings) && p.Headings[i].Level > level {
		h := p.Headings[i]
		s := documentSymbol{Name: symbolName(h), Kind: symbolString, Selection: v.text(p).span(h.Span)}
		s.Range = v.text(p).span(schema.Span{Start: h.Span.Start, End: max(h.Span.End, sectionEnd(p, i))})
		s.Children, i = v.symbolsFrom(p, i+1, h.Level)
		out = append(out, s)
	}
	return out, i
}

// symbolName is the text of a heading. Clients refuse an empty one.
func symbolName(h schema.Heading) string {
	return cmp.Or(strings.TrimSpace(schematext.Line(h.Text)), "(empty heading)")
}

// match ranks how well a name fits a query, 0 for not at all: the whole name, its
// beginning, a part of it, or its letters in this order. Letter case does not matter.
func match(name, query string) int {
	name, query = strings.ToLower(name), strings.ToLower(query)
	switch {
	case name == query:
		return 4
	case strings.HasPrefix(name, query):
		return 3
	case strings.Contains(name, query):
		return 2
	}
	rest := []rune(query)
	for _, r := range name {
		if len(rest) > 0 && (r == rest[0]) {
			rest = rest[1:]
		}
	}
	if len(strings.TrimFunc(string(rest), unicode.IsSpace)) == 0 {
		return 1
	}
	return 0
}

// workspaceSymbol returns the pages and headings that a query fits best.
func (v *view) workspaceSymbol(ctx context.Context, p symbolParams) ([]symbolInformation, error) {
	type hit struct {
		page    *schema.Page
		heading int // -1 for the page itself
		rank    int
		name    string
	}
	var hits []hit
	for _, page := range v.wiki.Pages() {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if rank := max(match(page.Title, p.Query), match(page.Path, p.Query)); rank > 0 {
			hits = append(hits, hit{page, -1, 2*rank + 1, page.Title})
		}
		for i, h := range page.Headings {
			if rank := match(h.Text, p.Query); rank > 0 && (h.Level > 1 || h.Text != page.Title) && p.Query != "" {
				hits = append(hits, hit{page, i, 2 * rank, h.Text})
			}
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Or(b.rank-a.rank, len(a.name)-len(b.name)) })
	out := []symbolInformation{}
	for _, h := range hits[:min(len(hits), mostSymbols)] {
		if h.heading < 0 {
			out = append(out, symbolInformation{cmp.Or(schematext.Line(h.name), h.page.Path), symbolFile, v.location(h.page, schema.Span{}), h.page.Path})
			continue
		}
		heading := h.page.Headings[h.heading]
		out = append(out, symbolInformation{symbolName(heading), symbolString, v.location(h.page, heading.Span), schematext.Line(h.page.Title)})
	}
	return out, nil
}

// foldingRange returns the front matter, the sections and the code of a page.
func (v *view) foldingRange(_ context.Context, p documentParams) ([]foldingRange, error) {
	page := v.page(p.Document.URI)
	if page == nil {
		return nil, nil
	}
	out := []foldingRange{}
	fold := func(s schema.Span) {
		end := s.End
		for end > s.Start && unicode.IsSpace(rune(page.Source[end-1])) {
			end--
		}
		from, to := page.Lines.LineOf(s.Start)-1, page.Lines.LineOf(end)-1
		if to > from {
			out = append(out, foldingRange{Start: from, End: to})
		}
	}
	if page.Front != nil {
		fold(schema.Span{End: page.Body})
	}
	for i, h := range page.Headings {
		fold(schema.Span{Start: h.Span.Start, End: sectionEnd(page, i)})
	}
	for _, f := range page.Fences {
		fold(f.Span)
	}
	return out, nil
}
