// Package exchange writes a compiled wiki in the formats of other programs.
package exchange

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/public"
	"github.com/loopwiki/wiki/schema"
)

// Format is one way to write the graph of a wiki.
type Format struct {
	Name      string // what it is asked for by
	Extension string // of its files, with the dot
	Media     string // media type
	write     func(out io.Writer, g *graph) error
}

// formats is ordered by name.
var formats = []Format{dot, graphML, jsonGraph, mermaid}

// Formats returns the formats of [Graph], by name.
func Formats() []Format { return slices.Clone(formats) }

// Graph writes the pages of w and the links between them. A link of a page to
// itself is not an edge. The output depends on the wiki alone.
func Graph(w *compiler.Wiki, format string, out io.Writer) error {
	names := make([]string, len(formats))
	for i, f := range formats {
		if f.Name == format {
			return f.write(out, collect(w, nil))
		}
		names[i] = f.Name
	}
	return fmt.Errorf("unknown graph format %q; expected %s", format, strings.Join(names, ", "))
}

// graph is the data of all formats: nodes in order of path, edges by from, to and kind.
type graph struct {
	Nodes []node
	Edges []edge
}

// node is a page.
type node struct {
	ID    string
	Path  string
	Title string
	Type  string // empty when the page has none
	In    int    // pages that link to it
	Out   int    // pages that it links to
}

// edge represents all links of one kind from one page to another.
type edge struct {
	From, To int // indices into the nodes
	Kind     string
	Count    int
}

// The kinds of an edge.
const (
	kindLink        = "link"        // in the body
	kindEmbed       = "embed"       // in the body, shown in place
	kindFrontmatter = "frontmatter" // in a field of the front matter
)

// collect returns the graph of the pages that others may read, or of all without them.
func collect(w *compiler.Wiki, only *public.Pages) *graph {
	shown := func(id schema.PageID) bool { return only == nil || !only.Hidden(id) }
	var pages []*schema.Page
	number := map[schema.PageID]int{}
	for _, p := range w.Pages() {
		if shown(p.ID) {
			number[p.ID] = len(pages)
			pages = append(pages, p)
		}
	}
	count := func(ids []schema.PageID) (n int) {
		for _, id := range ids {
			if shown(id) {
				n++
			}
		}
		return n
	}
	g := &graph{Nodes: make([]node, len(pages))}
	for i, p := range pages {
		g.Nodes[i] = node{ID: valid(string(p.ID)), Path: valid(p.Path), Title: valid(p.Title), Type: valid(p.Meta.Type),
			In: count(w.Graph().In(p.ID)), Out: count(w.Graph().Out(p.ID))}
		var own []edge
		for l, res := range w.Links(p) {
			to, ok := number[res.Page]
			if res.Kind == schema.TargetPage && ok && to != i {
				own = append(own, edge{From: i, To: to, Kind: kindOf(l), Count: 1})
			}
		}
		g.Edges = append(g.Edges, merged(own)...)
	}
	return g
}

func kindOf(l *schema.Link) string {
	switch {
	case l.Field != "":
		return kindFrontmatter
	case l.Embed:
		return kindEmbed
	}
	return kindLink
}

// merged sorts the edges of one page and counts equal ones together.
func merged(edges []edge) []edge {
	slices.SortFunc(edges, func(a, b edge) int {
		return cmp.Or(cmp.Compare(a.To, b.To), strings.Compare(a.Kind, b.Kind))
	})
	out := edges[:0]
	for _, e := range edges {
		if n := len(out); n > 0 && out[n-1].To == e.To && out[n-1].Kind == e.Kind {
			out[n-1].Count++
			continue
		}
		out = append(out, e)
	}
	return out
}

// valid makes valid UTF-8 of a name, in which a stray byte is written \xff so
// that two names stay two.
func valid(s string) string {
	var b strings.Builder
	for i, r := range s {
		if r == '\uFFFD' && !strings.HasPrefix(s[i:], "\uFFFD") {
			fmt.Fprintf(&b, `\x%02x`, s[i])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
