package site

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/layout"
	"github.com/loopwiki/wiki/site/theme"
)

const (
	// mostFolders is how many folders are drawn at most: of more, those below are part of
	// the ones above.
	mostFolders = 2_000
	graphKinds  = 8       // types, or folders, with a colour of their own
	graphSide   = 1 << 14 // units of positions
)

// graphNode is what a node of the whole graph shows.
type graphNode struct {
	title, file string
	kind, group string // type, and top-level folder
	pages       int    // in a folder; 1 for a page
}

// graph is the whole graph as it is drawn.
type graph struct {
	nodes []graphNode
	near  [][]int32
	group []int32 // folder of each node, to lay them out
}

// Outputs of the graph: its page, the lists behind it, and its data.
type (
	graphOutput     struct{ part int }
	graphDataOutput struct{}
)

// makeGraph puts the graph of the whole wiki, if there are links between its pages.
func (s *Site) makeGraph(n *names) {
	if !s.hasLinks() {
		return
	}
	s.graphFile = s.putParts(n, graphName, len(s.pages), func(part int) output { return graphOutput{part} })
	s.put(n, graphDataName, graphDataOutput{})
}

// hasLinks reports whether a page that stands in lists links to another.
func (s *Site) hasLinks() bool {
	return slices.ContainsFunc(s.pages, func(p *schema.Page) bool {
		return slices.ContainsFunc(s.wiki.Graph().Out(p.ID), func(id schema.PageID) bool {
			return id != p.ID && s.place[id] != "" && !s.unlisted[id]
		})
	})
}

func (o graphOutput) render(s *Site, name string) ([]byte, error) {
	w, n := &s.words.Graph, s.net()
	g := theme.Graph{Frame: s.frame(name, w.Title, nil, nil), W: w, Jump: s.jump(name, s.graphFile, o.part)}
	g.Intro = s.words.Plural(len(s.pages)) + ", " + s.words.Count(n.edges(), w.LinkOne, w.LinkMany)
	if o.part == 0 {
		g.DataJS, g.ScriptJS = relative(name, graphDataName), relative(name, own+theme.GraphName)+"?v="+s.theme.Version(theme.GraphName)
		if len(s.pages) > schema.MaxDrawnPages {
			g.Intro += ". " + w.OnlyFolders
		}
	}
	for _, i := range part(s.netOrder(), o.part) {
		p := s.pages[i]
		g.Links = append(g.Links, theme.Link{Title: s.titles[p.ID], Href: relative(name, s.place[p.ID]), Note: s.words.Count(len(n.near[i]), w.LinkOne, w.LinkMany)})
	}
	return s.execute("graph", g)
}

// wholeGraph is the graph of all pages, or of all folders.
func (s *Site) wholeGraph() *graph {
	if len(s.pages) > schema.MaxDrawnPages {
		return s.folderGraph()
	}
	g := &graph{near: s.net().near}
	top := s.firstFork()
	for _, p := range s.pages {
		g.nodes = append(g.nodes, graphNode{s.titles[p.ID], s.place[p.ID], clip(p.Meta.Type, 60), inside(top, path.Dir(p.Path)), 1})
	}
	g.group = numbers(s.pages, func(p *schema.Page) string { return path.Dir(p.Path) })
	return g
}

// folderGraph is the graph of the folders of a wiki.
func (s *Site) folderGraph() *graph {
	depth := schema.MaxTagLevels
	var of []int32
	for ; ; depth-- {
		of = numbers(s.pages, func(p *schema.Page) string { return upTo(path.Dir(p.Path), depth) })
		if depth == 1 || slices.Max(of) < mostFolders {
			break
		}
	}
	g := &graph{nodes: make([]graphNode, slices.Max(of)+1)}
	g.near = make([][]int32, len(g.nodes))
	top := s.firstFork()
	for i, p := range s.pages {
		node := &g.nodes[of[i]]
		if node.pages++; node.pages == 1 {
			f := s.folders[upTo(path.Dir(p.Path), depth)]
			node.title, node.file, node.group = f.name(), f.file, inside(top, f.path)
			if f.parent == nil {
				node.title = s.siteTitle()
			}
		}
		for _, to := range s.net().near[i] {
			if of[to] != of[i] {
				g.near[of[i]] = append(g.near[of[i]], of[to])
			}
		}
	}
	for i, list := range g.near {
		slices.Sort(list)
		g.near[i] = slices.Compact(list)
	}
	g.group = numbers(g.nodes, func(n graphNode) string { return n.group })
	return g
}

// upTo cuts a path after some folders.
func upTo(dir string, depth int) string {
	parts := strings.SplitN(dir, "/", depth+1)
	return strings.Join(parts[:min(len(parts), depth)], "/")
}

// firstFork is the path of the folder in which the folders of the wiki branch first.
func (s *Site) firstFork() string {
	f := s.folders["."]
	for len(f.subs) == 1 && len(f.pages) < 2 {
		f = f.subs[0]
	}
	return f.path
}

// inside is the folder in top that holds dir, "" for top itself.
func inside(top, dir string) string {
	if top != "." {
		dir = strings.TrimPrefix(strings.TrimPrefix(dir, top), "/")
	}
	first, _, _ := strings.Cut(dir, "/")
	return strings.TrimPrefix(first, ".")
}

// numbers numbers the values of a list in the order in which they come first.
func numbers[T any](list []T, value func(T) string) []int32 {
	out, known := make([]int32, len(list)), map[string]int32{}
	for i, v := range list {
		key := value(v)
		n, ok := known[key]
		if !ok {
			n = int32(len(known))
			known[key] = n
		}
		out[i] = n
	}
	return out
}

// graphData is the file of the graph's page. Places are relative to the root.
type graphData struct {
	Titles []string `json:"titles"`
	Files  []string `json:"files"`
	X      []int    `json:"x"`
	Y      []int    `json:"y"`
	// Kinds and Groups are the colours to choose from, and their names; the last one is
	// for all others.
	Types   []string `json:"types"`
	Type    []int    `json:"type"`
	Folders []string `json:"folders"`
	Folder  []int    `json:"folder"`
	Pages   []int    `json:"pages,omitempty"`
	// Near are the nodes that each is joined with and that come after it, each as the
	// distance from the one before.
	Near [][]int32 `json:"near"`
}

// render writes a classic script: a page opened from a file may not read any other.
func (graphDataOutput) render(s *Site, _ string) ([]byte, error) {
	g := s.wholeGraph()
	d := graphData{Near: make([][]int32, len(g.nodes))}
	d.X, d.Y = quantised(layout.Graph(g.near, g.group))
	for i := range g.nodes {
		n := &g.nodes[i]
		d.Titles, d.Files = append(d.Titles, n.title), append(d.Files, escapePath(n.file))
		if n.pages > 1 || d.Pages != nil {
			d.Pages = append(d.Pages, n.pages)
		}
		last := int32(i)
		d.Near[i] = []int32{}
		for _, j := range g.near[i] {
			if j > last {
				d.Near[i] = append(d.Near[i], j-last)
				last = j
			}
		}
	}
	d.Types, d.Type = commonest(g.nodes, func(n *graphNode) string { return n.kind })
	d.Folders, d.Folder = commonest(g.nodes, func(n *graphNode) string { return n.group })
	b, err := json.Marshal(d)
	if err != nil {
		return nil, fmt.Errorf("encode the graph: %w", err)
	}
	return slices.Concat([]byte(`self["wiki.graph"]=`), b, []byte(";\n")), nil
}

// commonest returns the values that most nodes have, most first, and the number of that
// of each node; what has none of them has the number of names.
func commonest(nodes []graphNode, value func(*graphNode) string) (names []string, of []int) {
	count := map[string]int{}
	for i := range nodes {
		if v := value(&nodes[i]); v != "" {
			count[v]++
		}
	}
	names = sortedKeys(count)
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(count[b], count[a]) })
	names = append([]string{}, names[:min(len(names), graphKinds)]...)
	for i := range nodes {
		at := slices.Index(names, value(&nodes[i]))
		if at < 0 {
			at = len(names)
		}
		of = append(of, at)
	}
	return names, of
}

// quantised scales positions to whole numbers from zero on.
func quantised(x, y []float64) (qx, qy []int) {
	left, top := slices.Min(x), slices.Min(y)
	scale := (graphSide - 1) / max(slices.Max(x)-left, slices.Max(y)-top, 1e-9)
	for i := range x {
		qx, qy = append(qx, int(math.Round((x[i]-left)*scale))), append(qy, int(math.Round((y[i]-top)*scale)))
	}
	return qx, qy
}
