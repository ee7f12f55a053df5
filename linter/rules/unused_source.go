package rules

import (
	"fmt"
	"maps"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "unused-source",
	Group:    linter.Layout,
	Severity: schema.Info,
	Since:    since,
	Summary:  "No page cites a raw source.",
	Doc: `The source was collected but never used, or a page uses it without citing it. Cite it on the page that uses
it, write that page, or remove the source.

A page uses a source if it links to it, cites it, or names it in front matter; a line in an index or log
doesn't count. In wikis where no page names any source nothing is reported.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("no page cites %d of the raw sources (first: %q); cite them on the pages that use them", n, first.Path)
	},
	Check: func(p *linter.Pass) {
		used := usedSources.Of(p)
		if len(used) == 0 {
			return
		}
		for _, page := range p.Wiki.Pages() {
			if source(page) && !used[page.ID] && inactive(page) == "" {
				p.ReportCause("unused", page.Path, titleAt(page), "no page cites the source %q; cite it on the page that uses it, or write that page", page.Path)
			}
		}
	},
})

// source reports whether a page is a raw source, and no index of them.
func source(page *schema.Page) bool {
	return page.Layer == schema.LayerSource && !page.Reserved() && !template(page)
}

// usedSources holds the raw sources that a page which is kept rests on.
var usedSources = linter.NewFact(func(w *compiler.Wiki) map[schema.PageID]bool {
	used := map[schema.PageID]bool{}
	sources := 0
	for _, page := range w.Pages() {
		if !source(page) {
			continue
		}
		sources++
		for _, b := range w.Backlinks(page.ID) {
			used[page.ID] = used[page.ID] || rests(w.Page(b.From))
		}
	}
	for _, page := range w.Pages() {
		if sources == 0 || !rests(page) {
			continue
		}
		for _, name := range statedSources(page) {
			if to := sourceAt(w, page, name.path); to != nil {
				used[to.ID] = true
			}
		}
	}
	maps.DeleteFunc(used, func(_ schema.PageID, is bool) bool { return !is })
	return used
})

// rests reports whether a page is based on sources: it is not a source, an index, a log
// or a template.
func rests(page *schema.Page) bool {
	return page.Layer != schema.LayerSource && !page.Reserved() && !template(page)
}

// statedSource is a file that a page gives as its source.
type statedSource struct {
	path string
	at   schema.Span
}

// statedSources returns the files that a page cites or names as sources, without links.
func statedSources(page *schema.Page) []statedSource {
	var out []statedSource
	for i := range page.Meta.Sources {
		if s := &page.Meta.Sources[i]; s.Anchor.Path != "" {
			out = append(out, statedSource{s.Anchor.Path, s.Span})
		}
	}
	for i := range page.Citations {
		if c := &page.Citations[i]; c.Caret && c.Ref.Path != "" {
			out = append(out, statedSource{c.Ref.Path, c.Span})
		}
	}
	return out
}

// sourceAt returns the raw source that a path written in page means: the
// file at it, from the page or the root, or the only one of that name.
func sourceAt(w *compiler.Wiki, page *schema.Page, name string) *schema.Page {
	res := w.Resolve(page, valueLink(strings.TrimSpace(name)))
	if to := w.Page(res.Page); res.Kind == schema.TargetPage && to != nil && source(to) {
		return to
	}
	return nil
}
