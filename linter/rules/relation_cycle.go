package rules

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

var _ = linter.Register(linter.Rule{
	ID:       "relation-cycle",
	Group:    linter.GraphRules,
	Severity: schema.Error,
	Since:    since,
	Summary:  "Pages supersede each other in a cycle.",
	Doc: `No page in the cycle is current: a reader who follows the relations comes back to the start, and an agent
treats all of the pages as outdated. One of the relations is reversed or outdated: remove it, or swap the two
fields.

The message shows a shortest cycle, from each page to its successor, as declared by ` + "`superseded_by`" + ` on the old
page or ` + "`supersedes`" + ` on the new one; the fields are listed as related places. Cycles that share a page are one
finding.

There is no fix, because only the authors know which page is current.`,
	Check: func(p *linter.Pass) {
		rs := relationFact.Of(p)
		for _, round := range rs.rounds {
			reportRound(p, rs, round)
		}
	},
})

func reportRound(p *linter.Pass, rs *relations, round []int) {
	way := rs.shortestCycle(round)
	var said []*relation
	for i, n := range way {
		said = append(said, &rs.all[rs.said[[2]int{n, way[(i+1)%len(way)]}]])
	}
	slices.SortFunc(said, func(a, b *relation) int {
		if a.page != b.page {
			return strings.Compare(a.page.Path, b.page.Path)
		}
		return a.at.Start - b.at.Start
	})
	first := said[0]
	var d *schema.Diagnostic
	if len(way) == 1 {
		d = p.Report(first.page.Path, first.at, "the page supersedes itself; name the other page, or remove the relation")
	} else {
		others := ""
		if n := len(round) - len(way); n > 0 {
			others = ", and " + text.Count(n, "more page")
		}
		d = p.Report(first.page.Path, first.at, "these pages supersede each other in a cycle: %s%s; remove the wrong relation", rs.roundText(way), others)
	}
	for _, r := range said[1:min(len(said), 11)] {
		d.Related = append(d.Related, schema.Related{Path: r.page.Path, Span: r.at, Message: "also part of the cycle"})
	}
}

// shortestCycle returns a shortest circle through the smallest page of a round,
// beginning with that page.
func (rs *relations) shortestCycle(round []int) []int {
	start := slices.Min(round)
	c := rs.circle[start]
	from := map[int]int{}
	for work := []int{start}; ; work = work[1:] {
		at := work[0]
		for _, n := range rs.next[at] {
			if n == start {
				way := []int{at}
				for at != start {
					at = from[at]
					way = append(way, at)
				}
				slices.Reverse(way)
				return way
			}
			if _, seen := from[n]; !seen && rs.circle[n] == c {
				from[n] = at
				work = append(work, n)
			}
		}
	}
}

// shownPages is how many pages of a circle a message names.
const shownPages = 8

func (rs *relations) roundText(way []int) string {
	var b strings.Builder
	for i, n := range way {
		if i == shownPages-1 && len(way) > shownPages {
			b.WriteString("… → ")
			n = way[len(way)-1]
		}
		b.WriteString(rs.pages[n].Path + " → ")
		if i == shownPages-1 {
			break
		}
	}
	return b.String() + rs.pages[way[0]].Path
}
