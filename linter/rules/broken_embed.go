package rules

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "broken-embed",
	Group:    linter.Links,
	Severity: schema.Error,
	Since:    since,
	Fix:      linter.SafeFix,
	Summary:  "A page shows another page in place, and that page does not exist or shows itself again.",
	Doc: `Where ` + "`![[Page]]`" + ` stands, the reader expects the other page's text. If the page is missing there
is a hole; if it embeds, directly or through others, the very part that embeds it, no program can
show it: each cuts the circle off in another place.

Only true circles are reported: a page may show a section of another page that shows the first
one elsewhere.

Switch it off for folders whose embeds are filled in by a plugin.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d embeds show the same missing page: %s", n, first.Message)
	},
	Check: func(p *linter.Pass) {
		var embeds []site
		for s := range sites(p) {
			switch {
			case !s.Link.Embed || s.image() || s.Link.Markdown():
			case s.missing():
				reportMissing(p, s, fmt.Sprintf("nothing is named %q, so nothing is shown here", s.Link.Target), "correct the name, or write the page")
			case s.Res.Kind == schema.TargetPage:
				embeds = append(embeds, s)
			}
		}
		embedCircles(p, embeds)
	},
})

// part is what an embed shows: a page, or one section or block of it.
type part struct {
	page     schema.PageID
	fragment string
}

// embedCircles reports every embed that lies in the part it shows, directly or
// through other embeds.
func embedCircles(p *linter.Pass, embeds []site) {
	inPage := map[schema.PageID][]int{} // indexes into embeds, in order of place
	for i, s := range embeds {
		inPage[s.Page.ID] = append(inPage[s.Page.ID], i)
	}
	shows := map[part][]int{} // the embeds that lie in a part
	partOf := make([]part, len(embeds))
	for i, s := range embeds {
		pt := part{s.Res.Page, s.Res.Fragment}
		partOf[i] = pt
		if _, ok := shows[pt]; ok {
			continue
		}
		list := inPage[pt.page]
		at, ok := shownBy(p.Wiki.Page(pt.page), pt.fragment)
		if !ok {
			shows[pt] = nil
			continue
		}
		lo := sort.Search(len(list), func(k int) bool { return embeds[list[k]].Link.Span.Start >= at.Start })
		hi := sort.Search(len(list), func(k int) bool { return embeds[list[k]].Link.Span.Start >= at.End })
		shows[pt] = list[lo:max(lo, hi)]
	}
	for _, circle := range circles(len(embeds), func(i int) []int { return shows[partOf[i]] }) {
		slices.Sort(circle)
		first := embeds[circle[0]]
		d := p.Report(first.Page.Path, first.at(), "%s; show the page by a link instead", circleText(embeds, circle))
		for _, i := range circle[1:min(len(circle), 11)] {
			s := embeds[i]
			d.Related = append(d.Related, schema.Related{Path: s.Page.Path, Span: s.at(), Message: "also embeds a part of the circle"})
		}
	}
}

func circleText(embeds []site, circle []int) string {
	if len(circle) == 1 {
		return "the page is shown within itself"
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
	return "the embeds of " + strings.Join(pages, ", ") + " go round in a circle"
}

// shownBy returns what an embed with this fragment shows of a page.
func shownBy(page *schema.Page, fragment string) (schema.Span, bool) {
	if page == nil {
		return schema.Span{}, false
	}
	if fragment == "" {
		return schema.Span{Start: page.Body, End: len(page.Source)}, true
	}
	if name, ok := strings.CutPrefix(fragment, "^"); ok {
		for _, b := range page.Blocks {
			if strings.EqualFold(b.Name, name) {
				return b.Block, true
			}
		}
		return schema.Span{}, false
	}
	if i := strings.LastIndexByte(fragment, '#'); i >= 0 {
		fragment = fragment[i+1:]
	}
	want := slug(fragment)
	for i, h := range page.Headings {
		if slug(h.Text) != want {
			continue
		}
		end := len(page.Source)
		for _, next := range page.Headings[i+1:] {
			if next.Level <= h.Level {
				end = next.Span.Start
				break
			}
		}
		return schema.Span{Start: h.Span.Start, End: end}, true
	}
	return schema.Span{}, false
}

// circles returns the strongly connected components of the graph of n nodes
// that hold a circle, by Tarjan's algorithm without recursion, in order of
// their smallest node.
func circles(n int, next func(int) []int) [][]int {
	index, low := make([]int, n), make([]int, n)
	onStack := make([]bool, n)
	var stack []int
	var out [][]int
	count := 0
	type frame struct{ node, edge int }
	for root := range n {
		if index[root] != 0 {
			continue
		}
		work := []frame{{root, 0}}
		for len(work) > 0 {
			f := &work[len(work)-1]
			v := f.node
			if f.edge == 0 {
				count++
				index[v], low[v] = count, count
				stack, onStack[v] = append(stack, v), true
			}
			if edges := next(v); f.edge < len(edges) {
				w := edges[f.edge]
				f.edge++
				if index[w] == 0 {
					work = append(work, frame{w, 0})
				} else if onStack[w] {
					low[v] = min(low[v], index[w])
				}
				continue
			}
			work = work[:len(work)-1]
			if len(work) > 0 {
				u := work[len(work)-1].node
				low[u] = min(low[u], low[v])
			}
			if low[v] == index[v] {
				cut := lastIndex(stack, v)
				comp := slices.Clone(stack[cut:])
				stack = stack[:cut]
				for _, w := range comp {
					onStack[w] = false
				}
				if len(comp) > 1 || slices.Contains(next(v), v) {
					out = append(out, comp)
				}
			}
		}
	}
	slices.SortFunc(out, func(a, b []int) int { return slices.Min(a) - slices.Min(b) })
	return out
}

// lastIndex looks from the top of a stack, so that popping costs only what is
// popped.
func lastIndex(stack []int, v int) int {
	i := len(stack) - 1
	for stack[i] != v {
		i--
	}
	return i
}
