package rules

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler/claim"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/zeebo/xxh3"
)

var _ = linter.Register(linter.Rule{
	ID:       "order-conflict",
	Group:    linter.Contradiction,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "Pages put the same steps in contradictory orders.",
	Doc: `Whoever follows one of the pages does things in the wrong order.

Compared are sentences that say no more than which of two things comes first: the parser runs before the linter; ` + "`--root`" + `
takes precedence over ` + "`root:`" + `; the migration is applied after the backup. Pages that say so in a circle contradict each
other too, when each of them says it in so many words. And numbered lists are compared that stand under the same heading,
or whose page is called like the other's heading, when the heading or the line before the list speaks of steps, stages, an order,
a process or the like, and they share three steps or more.

It says nothing of a sentence with a condition or an exception; of two plain words on pages about different things, which may be steps
of two procedures; of a list that is another one from its end to its beginning, which may count the other way; of pages that
speak of different versions or environments, of logs, plans, superseded pages and examples, nor of what one page says in two ways itself.

The finding stands at the page that was changed longer ago, and the others are listed with it. Find out which order holds, and
correct the other.`,
	CheckPage: func(p *linter.Pass, page *schema.Page) { orderFact.Of(p, page) },
	Check: func(p *linter.Pass) {
		g := orderGraph{pass: p, said: map[string]map[string][]saidOrder{}}
		lists := map[string][]saidOrder{}
		for _, page := range p.Wiki.Pages() {
			for i := range orderFact.Of(p, page) {
				o := saidOrder{page, &orderFact.Of(p, page)[i]}
				if o.List {
					key := o.Topic + "\x00" + strings.Join(o.Scope, "\x00")
					lists[key] = append(lists[key], o)
				} else {
					g.add(o)
				}
			}
		}
		g.report()
		for _, key := range sortedKeys(lists) {
			reportLists(p, lists[key])
		}
	},
})

// orderFact are the orders that a page states.
var orderFact = linter.NewPageFact(claim.Orders)

// saidOrder is an order and the page that states it.
type saidOrder struct {
	page *schema.Page
	*claim.Order
}

// mostOrders bounds how many lists of one topic are compared with each other.
const mostOrders = 64

// fewestShared is how many steps two lists share at least.
const fewestShared = 3

func reportLists(p *linter.Pass, lists []saidOrder) {
	if len(lists) < 2 || len(lists) > mostOrders {
		return
	}
	for i, a := range lists {
		for _, b := range lists[i+1:] {
			if x, y, ok := inverted(a.Steps, b.Steps); ok && a.page != b.page {
				reportOrder(p, []saidOrder{a, b}, [][2]claim.Step{x, y})
				break // one finding says that a list is not like the others
			}
		}
	}
}

// inverted returns the first two steps of a that b has in the other order, as
// both write them. A list that is the other one backwards has none.
func inverted(a, b []claim.Step) (x, y [2]claim.Step, ok bool) {
	at := map[string]int{}
	for i := range b {
		at[b[i].Key] = i
	}
	var shared []claim.Step
	for _, s := range a {
		if _, has := at[s.Key]; has {
			shared = append(shared, s)
		}
	}
	turned, first := 0, -1
	for i := 1; i < len(shared); i++ {
		if at[shared[i].Key] < at[shared[i-1].Key] {
			turned++
			if first < 0 {
				first = i
			}
		}
	}
	if len(shared) < fewestShared || turned == 0 || turned == len(shared)-1 {
		return x, y, false
	}
	x = [2]claim.Step{shared[first-1], shared[first]}
	y = [2]claim.Step{b[at[shared[first].Key]], b[at[shared[first-1].Key]]}
	return x, y, true
}

// orderGraph has an edge for each statement that one thing comes before another.
type orderGraph struct {
	pass *linter.Pass
	said map[string]map[string][]saidOrder // from what comes first to what comes behind
}

// longestCircle bounds how many statements make a circle that is reported.
const longestCircle = 6

// thing returns what a step is compared by: the page that it links to or is called
// by, or its words; plain words also by what the page is about.
func (g *orderGraph) thing(o saidOrder, s *claim.Step) string {
	key := s.Key
	if s.Link >= 0 {
		if res := g.pass.Wiki.Resolution(o.page, s.Link); res.Kind == schema.TargetPage && res.Fragment == "" {
			if to := g.pass.Wiki.Page(res.Page); to != nil {
				key = strings.Join(claim.Words(to.Title), " ")
			}
		}
	}
	return strings.Join(append([]string{o.Of, key}, o.Scope...), "\x00")
}

func (g *orderGraph) add(o saidOrder) {
	from, to := g.thing(o, &o.Steps[0]), g.thing(o, &o.Steps[1])
	if !o.Steps[0].Sure || !o.Steps[1].Sure { // anybody's build and test
		from, to = from+"\x00"+o.Topic, to+"\x00"+o.Topic
	}
	if g.said[from] == nil {
		g.said[from] = map[string][]saidOrder{}
	}
	g.said[from][to] = append(g.said[from][to], o)
}

// report reports the shortest circle through each thing, each circle once.
func (g *orderGraph) report() {
	seen := map[string]bool{}
	for _, from := range sortedKeys(g.said) {
		circle := g.circle(from)
		if circle == nil || len(circle) > longestCircle {
			continue
		}
		var sides []saidOrder
		for i, thing := range circle {
			sides = append(sides, g.said[thing][circle[(i+1)%len(circle)]]...)
		}
		key := strings.Join(slices.Sorted(slices.Values(circle)), "\x01")
		if !seen[key] && !g.own(sides) {
			g.reportCircle(sides)
		}
		seen[key] = true
	}
}

// circle returns the shortest way from a thing back to itself, breadth first.
func (g *orderGraph) circle(from string) []string {
	before := map[string]string{}
	level := []string{from}
	for range longestCircle {
		var next []string
		for _, at := range level {
			for _, to := range sortedKeys(g.said[at]) {
				if to == from {
					way := []string{at}
					for at != from {
						at = before[at]
						way = append(way, at)
					}
					slices.Reverse(way)
					return way
				}
				if _, known := before[to]; !known {
					before[to] = at
					next = append(next, to)
				}
			}
		}
		level = next
	}
	return nil
}

// own reports whether one page says all of a circle, or both sides of it: it
// knows something that was not understood.
func (g *orderGraph) own(sides []saidOrder) bool {
	for _, a := range sides {
		for _, b := range sides {
			if a.page == b.page && g.thing(a, &a.Steps[0]) == g.thing(b, &b.Steps[1]) && g.thing(a, &a.Steps[1]) == g.thing(b, &b.Steps[0]) {
				return true
			}
		}
	}
	return !slices.ContainsFunc(sides, func(o saidOrder) bool { return o.page != sides[0].page })
}

func (g *orderGraph) reportCircle(sides []saidOrder) {
	steps := make([][2]claim.Step, len(sides))
	for i := range sides {
		steps[i] = [2]claim.Step{sides[i].Steps[0], sides[i].Steps[1]}
	}
	reportOrder(g.pass, sides, steps)
}

// reportOrder reports orders that can not all hold, at the page that was changed
// longest ago. steps are, of each side, the two that matter.
func reportOrder(p *linter.Pass, sides []saidOrder, steps [][2]claim.Step) {
	stale := 0
	for i := range sides {
		a, b := p.Wiki.Freshness(sides[i].page).Updated.Time, p.Wiki.Freshness(sides[stale].page).Updated.Time
		if c := a.Compare(b); !a.IsZero() && !b.IsZero() && c < 0 || (a.IsZero() || b.IsZero() || c == 0) && cmp.Or(strings.Compare(sides[i].page.Path, sides[stale].page.Path), sides[i].Span.Start-sides[stale].Span.Start) < 0 {
			stale = i
		}
	}
	said := func(i int, comes string) string {
		if sides[i].Of == "precedence" {
			return fmt.Sprintf("%s%s over %s", steps[i][0].Text, strings.Replace(comes, "comes", "wins", 1), steps[i][1].Text)
		}
		return fmt.Sprintf("%s%s before %s", steps[i][0].Text, comes, steps[i][1].Text)
	}
	at := func(i int) schema.Span {
		if sides[i].List {
			return steps[i][0].Span
		}
		return sides[i].Span
	}
	var others []string
	for i := range sides {
		if other := said(i, "") + " in " + sides[i].page.Path; i != stale && said(i, "") != said(stale, "") && len(others) < mostNamed && !slices.Contains(others, other) {
			others = append(others, other)
		}
	}
	d := p.Report(sides[stale].page.Path, at(stale), "here %s, and %s; find out which order holds, and correct the other", said(stale, " comes"), strings.Join(others, ", "))
	d.About = "the order of " + steps[stale][0].Text + " and " + steps[stale][1].Text
	for i := range sides {
		d.Sides = append(d.Sides, orderSide(&sides[i], at(i), said(i, "")))
		if i != stale {
			d.Related = append(d.Related, schema.Related{Path: sides[i].page.Path, Span: at(i), Message: "here it is " + said(i, "")})
		}
	}
}

// orderSide is an order as a side of a contradiction: the same one as long as its
// steps follow each other so, whatever its line.
func orderSide(o *saidOrder, at schema.Span, text string) schema.Side {
	var keys []string
	for i := range o.Steps {
		keys = append(keys, o.Steps[i].Key)
	}
	key := fmt.Sprintf("order\x00%016x\x00%s", xxh3.HashString(strings.Join(append(keys, o.Topic), "\x00")), strings.Join(o.Scope, "\x01"))
	return schema.Side{Path: o.page.Path, Span: at, Text: text, Key: key}
}
