package compiler

import (
	"cmp"
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// Graph is the directed graph of pages: an edge for every pair of pages of
// which the first links to or embeds the second. Links of a page to itself are
// no edges.
type Graph struct {
	ids   []schema.PageID // in order of path
	index map[schema.PageID]int
	links [][]schema.Backlink // of each page, from others
	out   [][]int32           // sorted, each once
	in    [][]int32           // sorted, each once
	edges int
}

func newGraph(w *Wiki) *Graph {
	n := len(w.pages)
	g := &Graph{ids: make([]schema.PageID, n), index: w.index, links: make([][]schema.Backlink, n), out: make([][]int32, n), in: make([][]int32, n)}
	count, total := make([]int32, n), 0
	for i, p := range w.pages {
		g.ids[i] = p.ID
		for _, t := range w.targets[i] {
			if t >= 0 {
				count[t]++
				total++
			}
		}
	}
	all := make([]schema.Backlink, total)
	for i, c := range count {
		g.links[i], all = all[:0:c], all[c:]
	}
	for i, p := range w.pages {
		for j, t := range w.targets[i] {
			if t >= 0 {
				g.links[t] = append(g.links[t], schema.Backlink{From: p.ID, Link: j})
				if in := g.in[t]; len(in) == 0 || in[len(in)-1] != int32(i) {
					g.in[t] = append(in, int32(i))
					g.edges++
				}
			}
		}
		g.out[i] = w.reached[i]
	}
	return g
}

func (g *Graph) backlinks(id schema.PageID) []schema.Backlink {
	if i, ok := g.index[id]; ok {
		return g.links[i]
	}
	return nil
}

func (g *Graph) names(is []int32) []schema.PageID {
	out := make([]schema.PageID, len(is))
	for k, i := range is {
		out[k] = g.ids[i]
	}
	return out
}

// Out returns the pages that a page links to, in order of path, each once.
func (g *Graph) Out(id schema.PageID) []schema.PageID {
	if i, ok := g.index[id]; ok {
		return g.names(g.out[i])
	}
	return nil
}

// In returns the pages that link to a page, in order of path, each once.
func (g *Graph) In(id schema.PageID) []schema.PageID {
	if i, ok := g.index[id]; ok {
		return g.names(g.in[i])
	}
	return nil
}

// Edges returns the number of edges.
func (g *Graph) Edges() int { return g.edges }

// Orphans returns the pages no other page links to, in order of path,
// reserved ones included.
func (g *Graph) Orphans() []schema.PageID {
	var out []schema.PageID
	for i, id := range g.ids {
		if len(g.in[i]) == 0 {
			out = append(out, id)
		}
	}
	return out
}

// Components returns the weakly connected components, largest first, then by
// their first page; pages within one are in order of path.
func (g *Graph) Components() [][]schema.PageID {
	parent := make([]int32, len(g.ids))
	for i := range parent {
		parent[i] = int32(i)
	}
	find := func(i int32) int32 {
		for parent[i] != i {
			parent[i] = parent[parent[i]]
			i = parent[i]
		}
		return i
	}
	for i, out := range g.out {
		for _, t := range out {
			a, b := find(int32(i)), find(t)
			parent[max(a, b)] = min(a, b)
		}
	}
	at := map[int32]int{}
	var comps [][]schema.PageID
	for i, id := range g.ids {
		r := find(int32(i))
		k, ok := at[r]
		if !ok {
			k = len(comps)
			at[r] = k
			comps = append(comps, nil)
		}
		comps[k] = append(comps[k], id)
	}
	// Components were found in the order of their first page.
	slices.SortStableFunc(comps, func(a, b []schema.PageID) int { return cmp.Compare(len(b), len(a)) })
	return comps
}

// Reachable returns the set of pages that can be reached from any of the
// given ones by following links, themselves included.
func (g *Graph) Reachable(from ...schema.PageID) map[schema.PageID]bool {
	seen := make([]bool, len(g.ids))
	var queue []int32
	push := func(i int32) {
		if !seen[i] {
			seen[i] = true
			queue = append(queue, i)
		}
	}
	for _, id := range from {
		if i, ok := g.index[id]; ok {
			push(int32(i))
		}
	}
	for len(queue) > 0 {
		i := queue[0]
		queue = queue[1:]
		for _, t := range g.out[i] {
			push(t)
		}
	}
	set := map[schema.PageID]bool{}
	for i, ok := range seen {
		if ok {
			set[g.ids[i]] = true
		}
	}
	return set
}

// Path returns a shortest way from one page to another, both included, or nil.
// Of several it is the one whose pages come first in order of path.
func (g *Graph) Path(from, to schema.PageID) []schema.PageID {
	a, okA := g.index[from]
	b, okB := g.index[to]
	if !okA || !okB {
		return nil
	}
	// Distances to the goal, backwards; then the smallest next page forwards.
	dist := make([]int32, len(g.ids))
	for i := range dist {
		dist[i] = -1
	}
	dist[b] = 0
	for queue := []int32{int32(b)}; len(queue) > 0; queue = queue[1:] {
		for _, i := range g.in[queue[0]] {
			if dist[i] < 0 {
				dist[i] = dist[queue[0]] + 1
				queue = append(queue, i)
			}
		}
	}
	if dist[a] < 0 {
		return nil
	}
	way := []schema.PageID{from}
	for i := int32(a); i != int32(b); {
		for _, t := range g.out[i] {
			if dist[t] == dist[i]-1 {
				i = t
				break
			}
		}
		way = append(way, g.ids[i])
	}
	return way
}

// Hubs returns the n pages with the most pages linking to them, most first,
// then in order of path.
func (g *Graph) Hubs(n int) []schema.PageID {
	order := make([]int32, 0, len(g.ids))
	for i := range g.ids {
		if len(g.in[i]) > 0 {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(len(g.in[b]), len(g.in[a])), cmp.Compare(a, b))
	})
	return g.names(order[:min(n, len(order))])
}
