package rules

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "broken-embed",
	Group:    linter.Links,
	Severity: schema.Error,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A page embeds a page that does not exist, or embeds itself.",
	Doc: `Readers expect the text of the other page at ` + "`![[Page]]`" + `. If that page is missing, there is a hole. If the
embedded part embeds the page again, directly or through other pages, no tool can render it, and each cuts the
cycle at a different place.

Only real cycles are reported: a page may embed a section of another page that embeds the first one in a
different section.

Correct the name, create the page, or replace the embed with a link. Switch it off for folders where a plugin
fills in the embeds.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d embeds of the same missing page: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		var embeds []site
		for s := range sites(p) {
			switch {
			case !s.Link.Embed || s.image() || s.Link.Markdown():
			case s.missing():
				reportMissing(p, s, fmt.Sprintf("the embedded page %q does not exist", s.Link.Target), "correct the name, or create the page")
			case s.Res.Kind == schema.TargetPage:
				embeds = append(embeds, s)
			}
		}
		embedCircles(p, embeds)
	},
})

// part is the target of an embed: a page, or a section or block of it.
type part struct {
	page schema.PageID
	at   schema.Span
}

// embedGraph is which parts of pages show which others. Its nodes are parts,
// not embeds, so that a page of a million embeds costs what it is long.
type embedGraph struct {
	embeds []site
	shows  []int        // the part each embed shows, -1 when it shows nothing
	parts  []part       // the nodes
	inside [][]int      // the embeds that are in each part, in order of place
	next   [][]int      // the parts that each part shows
	number map[part]int // index into parts
}

func newEmbedGraph(w *compiler.Wiki, embeds []site) *embedGraph {
	g := &embedGraph{embeds: embeds, shows: make([]int, len(embeds)), number: map[part]int{}}
	inPage := map[schema.PageID][]int{} // in order of place
	sections := map[schema.PageID]*shownIndex{}
	for i, s := range embeds {
		inPage[s.Page.ID] = append(inPage[s.Page.ID], i)
	}
	for i, s := range embeds {
		id := s.Res.Page
		if sections[id] == nil {
			sections[id] = newShownIndex(w.Page(id))
		}
		g.shows[i] = -1
		if at, ok := sections[id].find(s.Res.Fragment); ok {
			g.shows[i] = g.node(part{id, at})
		}
	}
	g.inside, g.next = make([][]int, len(g.parts)), make([][]int, len(g.parts))
	for n, pt := range g.parts {
		list := inPage[pt.page]
		lo := sort.Search(len(list), func(k int) bool { return embeds[list[k]].Link.Span.Start >= pt.at.Start })
		hi := sort.Search(len(list), func(k int) bool { return embeds[list[k]].Link.Span.Start >= pt.at.End })
		g.inside[n] = list[lo:max(lo, hi)]
		seen := map[int]bool{}
		for _, i := range g.inside[n] {
			if to := g.shows[i]; to >= 0 && !seen[to] {
				seen[to] = true
				g.next[n] = append(g.next[n], to)
			}
		}
	}
	return g
}

func (g *embedGraph) node(pt part) int {
	n, ok := g.number[pt]
	if !ok {
		n = len(g.parts)
		g.number[pt] = n
		g.parts = append(g.parts, pt)
	}
	return n
}

// embedCircles reports the parts that embed themselves, directly or through others.
func embedCircles(p *linter.Pass, embeds []site) {
	g := newEmbedGraph(p.Wiki, embeds)
	for _, parts := range circles(len(g.parts), func(n int) []int { return g.next[n] }) {
		among := map[int]bool{}
		for _, n := range parts {
			among[n] = true
		}
		var circle []int
		for _, n := range parts {
			for _, i := range g.inside[n] {
				if g.shows[i] >= 0 && among[g.shows[i]] {
					circle = append(circle, i)
				}
			}
		}
		slices.Sort(circle)
		circle = slices.Compact(circle)
		first := embeds[circle[0]]
		d := p.Report(first.Page.Path, first.at(), "%s; link to the page instead of embedding it", circleText(embeds, circle))
		for _, i := range circle[1:min(len(circle), 11)] {
			s := embeds[i]
			d.Related = append(d.Related, schema.Related{Path: s.Page.Path, Span: s.at(), Message: "also part of the cycle"})
		}
	}
}

func circleText(embeds []site, circle []int) string {
	if len(circle) == 1 {
		return "the page embeds itself"
	}
	var pages []string
	for _, i := range circle {
		if name := embeds[i].Page.Path; !slices.Contains(pages, name) {
			pages = append(pages, name)
		}
		if len(pages) == 4 {
			break
		}
	}
	return "the embeds of " + strings.Join(pages, ", ") + " form a cycle"
}

// shownIndex finds what an embed with a fragment shows of a page.
type shownIndex struct {
	page     *schema.Page
	sections map[string]schema.Span // slug of a heading to its section
	blocks   map[string]schema.Span // folded name to block
}

func newShownIndex(page *schema.Page) *shownIndex {
	x := &shownIndex{page: page, sections: map[string]schema.Span{}, blocks: map[string]schema.Span{}}
	if page == nil {
		return x
	}
	for _, b := range page.Blocks {
		x.blocks[fold(b.Name)] = b.Block
	}
	end := [8]int{} // where a section of each level ends, seen from below
	for i := range end {
		end[i] = len(page.Source)
	}
	for i := len(page.Headings) - 1; i >= 0; i-- { // the first of equal headings counts
		h := &page.Headings[i]
		level := min(max(h.Level, 1), 6)
		x.sections[slug(h.Text)] = schema.Span{Start: h.Span.Start, End: end[level]}
		for l := level; l < len(end); l++ {
			end[l] = h.Span.Start
		}
	}
	return x
}

func (x *shownIndex) find(fragment string) (schema.Span, bool) {
	if x.page == nil {
		return schema.Span{}, false
	}
	if fragment == "" {
		return schema.Span{Start: x.page.Body, End: len(x.page.Source)}, true
	}
	if name, ok := strings.CutPrefix(fragment, "^"); ok {
		at, ok := x.blocks[fold(name)]
		return at, ok
	}
	if i := strings.LastIndexByte(fragment, '#'); i >= 0 {
		fragment = fragment[i+1:]
	}
	at, ok := x.sections[slug(fragment)]
	return at, ok
}
