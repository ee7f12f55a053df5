package compiler

import "github.com/loopwiki/wiki/schema"

// Graph is the directed graph of pages: an edge for every pair of pages of
// which the first links to or embeds the second. Links of a page to itself are
// no edges.
type Graph struct {
	in map[schema.PageID][]schema.Backlink
}

func (g *Graph) backlinks(id schema.PageID) []schema.Backlink { return g.in[id] }

// Out returns the pages that a page links to, sorted, each once.
func (g *Graph) Out(id schema.PageID) []schema.PageID { return nil }

// In returns the pages that link to a page, sorted, each once.
func (g *Graph) In(id schema.PageID) []schema.PageID { return nil }

// Orphans returns the pages no other page links to, in order of path,
// reserved ones included.
func (g *Graph) Orphans() []schema.PageID { return nil }

// Components returns the weakly connected components, largest first, then by
// their first page; pages within one are in order of path.
func (g *Graph) Components() [][]schema.PageID { return nil }

// Reachable returns the set of pages that can be reached from any of the
// given ones by following links, themselves included.
func (g *Graph) Reachable(from ...schema.PageID) map[schema.PageID]bool { return nil }

// Path returns a shortest way from one page to another, both included, or nil.
// Of several it is the one with the smallest pages first.
func (g *Graph) Path(from, to schema.PageID) []schema.PageID { return nil }

// Edges returns the number of edges.
func (g *Graph) Edges() int { return 0 }

// Hubs returns the n pages with the most pages linking to them, most first.
func (g *Graph) Hubs(n int) []schema.PageID { return nil }
