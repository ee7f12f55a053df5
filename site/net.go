package site

import (
	"cmp"
	"slices"

	"github.com/loopwiki/wiki/schema"
)

// net is the graph of the listed pages, whose nodes are numbers of s.pages.
type net struct {
	at   map[schema.PageID]int32
	out  [][]int32 // those that each page links to, sorted
	near [][]int32 // those that it is joined with in either direction, sorted
}

// newNet reads the graph of the pages that stand in lists. A link to or from any other
// page is no part of it.
func (s *Site) newNet() *net {
	n := &net{at: make(map[schema.PageID]int32, len(s.pages)), out: make([][]int32, len(s.pages)), near: make([][]int32, len(s.pages))}
	for i, p := range s.pages {
		n.at[p.ID] = int32(i)
	}
	for i, p := range s.pages {
		for _, id := range s.wiki.Graph().Out(p.ID) {
			if to, ok := n.at[id]; ok && to != int32(i) {
				n.out[i] = append(n.out[i], to)
				n.near[i] = append(n.near[i], to)
				n.near[to] = append(n.near[to], int32(i))
			}
		}
	}
	for i, list := range n.near {
		slices.Sort(list)
		n.near[i] = slices.Compact(list)
	}
	return n
}

// linked reports whether a link joins two pages, in either direction.
func (n *net) linked(a, b int32) bool {
	if len(n.near[a]) > len(n.near[b]) {
		a, b = b, a
	}
	_, ok := slices.BinarySearch(n.near[a], b)
	return ok
}

// byLinks orders pages by the number of pages that they are joined with, most first.
func (n *net) byLinks(a, b int32) int {
	return cmp.Or(cmp.Compare(len(n.near[b]), len(n.near[a])), cmp.Compare(a, b))
}

// ordered returns all pages by the number of their links, most first.
func (n *net) ordered() []int32 {
	all := make([]int32, len(n.near))
	for i := range all {
		all[i] = int32(i)
	}
	slices.SortFunc(all, n.byLinks)
	return all
}

// edges returns the number of joined pairs.
func (n *net) edges() int {
	ends := 0
	for _, list := range n.near {
		ends += len(list)
	}
	return ends / 2
}
