package rules

import (
	"fmt"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "duplicate-heading",
	Group:    linter.Structure,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A link points to a heading that occurs twice in its section, and reaches only the first.",
	Doc: `Two headings with the same text under the same parent get the anchors ` + "`#usage` and `#usage-1`" + `. A link to
` + "`#usage`" + ` always leads to the first, and leads somewhere else as soon as another one is added above it.

Rename one of the headings, or link to the numbered anchor. Headings repeated under different parents, as in
changelogs and references, and headings without links to them are not reported.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d pages share one cause: %s", n, first.Message)
	},
	Check: duplicateHeadings,
})

// twin is a heading that repeats an earlier one of the same parent.
type twin struct {
	first, second *schema.Heading
}

// twinFact holds the duplicate headings of a page by their anchors, nil if there are
// none.
var twinFact = linter.NewPageFact(func(page *schema.Page) map[string]*twin {
	if !repeats(page.Headings) {
		return nil
	}
	type key struct {
		parent int
		text   string
	}
	seen, twins := map[key]*twin{}, map[string]*twin{}
	var above [7]int // the heading of each level that is open, counted from 1
	for i, h := range outline(page) {
		parent := 0
		for l := 1; l < h.Level; l++ {
			parent = max(parent, above[l])
		}
		clear(above[h.Level:])
		above[h.Level] = i + 1
		k := key{parent, fold(h.Text)}
		switch t := seen[k]; {
		case h.Text == "":
		case t == nil:
			seen[k] = &twin{first: h}
		case t.second == nil:
			t.second = h
			twins[t.first.ID], twins[h.ID] = t, t
		}
	}
	if len(twins) == 0 {
		return nil
	}
	return twins
})

// repeats reports whether the anchor of any heading may have been given a
// number: it ends in one, and another heading has the rest.
func repeats(headings []schema.Heading) bool {
	var ids map[string]bool
	for i := range headings {
		rest := strings.TrimRight(headings[i].ID, "0123456789")
		if rest == headings[i].ID || !strings.HasSuffix(rest, "-") {
			continue
		}
		if ids == nil {
			ids = make(map[string]bool, len(headings))
			for k := range headings {
				ids[headings[k].ID] = true
			}
		}
		if ids[rest[:len(rest)-1]] {
			return true
		}
	}
	return false
}

func duplicateHeadings(p *linter.Pass) {
	twins := map[schema.PageID]map[string]*twin{}
	for _, page := range kept(p) {
		if t := twinFact.Of(p, page); t != nil {
			twins[page.ID] = t
		}
	}
	if len(twins) == 0 {
		return
	}
	var linked []*twin
	links := map[*twin][]site{}
	numbered := map[*twin]bool{}
	for s := range allSites(p) {
		if s.Res.Anchor == "" || s.Res.Kind != schema.TargetPage || s.Page.Layer == schema.LayerSource {
			continue
		}
		switch t := twins[s.Res.Page][s.Res.Anchor]; {
		case t == nil:
		case s.Res.Anchor == t.second.ID:
			numbered[t] = true
		default:
			if links[t] == nil {
				linked = append(linked, t)
			}
			links[t] = append(links[t], s)
		}
	}
	for _, t := range linked {
		if !numbered[t] { // who linked to the second knows that there are two
			reportTwin(p, t, links[t])
		}
	}
}

func reportTwin(p *linter.Pass, t *twin, links []site) {
	page, reach := p.Wiki.Page(links[0].Res.Page), "reach"
	if len(links) == 1 {
		reach = "reaches"
	}
	d := p.ReportCause("twin:"+fold(t.first.Text), page.Path, t.second.Span, "duplicate heading %q: %s to #%s %s only the first; rename one of the headings",
		shown(t.second), text.Count(len(links), "link"), t.first.ID, reach)
	d.Related = append(d.Related, schema.Related{Path: page.Path, Span: t.first.Span, Message: "the first"})
	for _, s := range links[:min(len(links), 3)] {
		d.Related = append(d.Related, schema.Related{Path: s.Page.Path, Span: s.Link.Span, Message: "a link to it"})
	}
}
