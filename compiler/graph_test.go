package compiler

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/loopwiki/wiki/compiler/resolve"
	"github.com/loopwiki/wiki/schema"
)

// graphOf builds the graph of pages named 0..n-1 with the given links.
func graphOf(n int, links [][2]int) *Graph {
	w := &Wiki{index: map[schema.PageID]int{}}
	for i := range n {
		id := schema.PageID(rune('a' + i))
		w.pages = append(w.pages, &schema.Page{ID: id, Path: string(id) + ".md"})
		w.index[id] = i
	}
	for _, l := range links {
		w.pages[l[0]].Links = append(w.pages[l[0]].Links, schema.Link{Syntax: schema.SyntaxWikilink, Raw: string(w.pages[l[1]].ID)})
	}
	w.link(resolve.NewIndex(w.pages, nil, schema.LinkProfile{}, resolve.Place{RootPath: "."}), nil)
	return w.graph
}

// TestGraphEqualsBruteForce compares every answer of the graph with one
// computed from the definition.
func TestGraphEqualsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(t, "pages")
		node := rapid.IntRange(0, n-1)
		links := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) [2]int {
			return [2]int{node.Draw(t, "from"), node.Draw(t, "to")}
		}), 0, 30).Draw(t, "links")
		g := graphOf(n, links)

		const far = 1 << 20
		dist := make([][]int, n)
		for i := range dist {
			dist[i] = slices.Repeat([]int{far}, n)
			dist[i][i] = 0
		}
		linked := make([]bool, n)
		undirected := make([][]bool, n)
		for i := range undirected {
			undirected[i] = make([]bool, n)
			undirected[i][i] = true
		}
		backlinks := 0
		for _, l := range links {
			if l[0] == l[1] {
				continue
			}
			backlinks++
			dist[l[0]][l[1]] = 1
			linked[l[1]] = true
			undirected[l[0]][l[1]], undirected[l[1]][l[0]] = true, true
		}
		for k := range n {
			for i := range n {
				for j := range n {
					dist[i][j] = min(dist[i][j], dist[i][k]+dist[k][j])
					undirected[i][j] = undirected[i][j] || undirected[i][k] && undirected[k][j]
				}
			}
		}
		got := 0
		for i, id := range g.ids {
			got += len(g.backlinks(id))
			if slices.Contains(g.Orphans(), id) == linked[i] {
				t.Errorf("%s: orphan is %v", id, linked[i])
			}
			reach := g.Reachable(id)
			for j, other := range g.ids {
				if reach[other] != (dist[i][j] < far) {
					t.Errorf("reachable %s→%s is %v", id, other, reach[other])
				}
				way := g.Path(id, other)
				if want := dist[i][j] + 1; dist[i][j] < far && len(way) != want || dist[i][j] >= far && way != nil {
					t.Errorf("path %s→%s = %v, want %d pages", id, other, way, want)
				}
			}
		}
		if got != backlinks {
			t.Errorf("%d backlinks, want %d", got, backlinks)
		}
		comps := g.Components()
		seen := 0
		for _, c := range comps {
			seen += len(c)
			for _, a := range c {
				for _, b := range c {
					if !undirected[g.index[a]][g.index[b]] {
						t.Errorf("%s and %s share a component without a way", a, b)
					}
				}
			}
		}
		if seen != n {
			t.Errorf("components hold %d pages of %d", seen, n)
		}
	})
}
