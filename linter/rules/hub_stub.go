package rules

import (
	"fmt"
	"slices"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "hub-stub",
	Group:    linter.GraphRules,
	Severity: schema.Info,
	Since:    since,
	Summary:  "A page that many others link to has almost no text.",
	Doc: `So many pages rely on this term, and a reader who follows the link learns nothing. Writing this page helps the
most readers.

A page is a hub if at least ten pages link to it and it is among the 5 % of pages with the most links. Almost
no text means fewer than 30 words outside code. Indexes, logs, raw sources and inactive pages are exempt, and
so are pages that show an embed, an image, a query or a diagram instead of text.

Switch it off if pages serve as tags.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d often-linked pages have almost no text (first: %q); write them", n, first.Path)
	},
	Check: hubStub,
})

const (
	fewestHubLinks = 10 // pages that link to a page, from which on it is a hub
	hubShare       = 20 // the part of all pages that may be hubs: one in so many
	stubWords      = 30 // the length below which a hub says nothing
)

func hubStub(p *linter.Pass) {
	g := p.Wiki.Graph()
	var pages []*schema.Page
	var incoming []int
	for _, page := range p.Wiki.Pages() {
		if linkable(page) {
			pages = append(pages, page)
			incoming = append(incoming, len(g.In(page.ID)))
		}
	}
	// Hubs need more links than the least linked of the candidates, so that pages which
	// are all linked from a menu on every page don't count.
	ranked := slices.Sorted(slices.Values(incoming))
	slices.Reverse(ranked)
	least := fewestHubLinks
	if k := max(1, len(ranked)/hubShare); k < len(ranked) {
		least = max(least, ranked[k]+1)
	}
	for i, page := range pages {
		if incoming[i] < least || page.Words >= stubWords || inactive(page) != "" || shows(page) {
			continue
		}
		p.ReportCause("stubs", page.Path, titleAt(page), "%d pages link to %q, which has only %s of text; write the page",
			incoming[i], page.Path, text.Count(page.Words, "word"))
	}
}

// drawn are the languages of code blocks that are shown as something else.
var drawn = map[string]bool{"dataview": true, "dataviewjs": true, "query": true, "tasks": true, "base": true, "mermaid": true,
	"plantuml": true, "d2": true, "dot": true, "graphviz": true, "excalidraw": true}

// shows reports whether a page shows something instead of text.
func shows(page *schema.Page) bool {
	for i := range page.Links {
		if page.Links[i].Embed && page.Links[i].Field == "" {
			return true
		}
	}
	return len(page.Math) > 0 || slices.ContainsFunc(page.Fences, func(f schema.Fence) bool { return drawn[f.Language] })
}
