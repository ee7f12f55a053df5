package site

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/compiler/compilertest"
)

const graphed = `
-- index.md --
# Home
[[ports]] [[quay]] [[crane]]
-- places/ports.md --
---
type: place
---
# Ports
[[quay]]
-- places/quay.md --
---
type: place
---
# Quay
[[ports]] [[secret]] [[hidden]]
-- things/crane.md --
---
type: thing
---
# Crane
[[secret]]
-- things/alone.md --
# Alone
-- things/secret.md --
---
private: true
---
# Zanzibar plan
[[crane]] [[alone]]
-- things/hidden.md --
---
unlisted: true
---
# Zanzibar harbour
[[alone]] [[crane]]
`

// dataOf is the file of a graph as its page reads it.
func dataOf(t *testing.T, s *Site) (d graphData) {
	t.Helper()
	text := strings.TrimSuffix(strings.TrimPrefix(render(t, s, "_wiki/graph-data.js"), `self["wiki.graph"]=`), ";\n")
	if err := json.Unmarshal([]byte(text), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestGraphOfTheWiki(t *testing.T) {
	t.Parallel()
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, graphed)), Options{})
	d := dataOf(t, s)
	if want := []string{"Home", "Ports", "Quay", "Alone", "Crane"}; !slices.Equal(d.Titles, want) {
		t.Errorf("pages %v, want %v", d.Titles, want)
	}
	if got, want := fmt.Sprint(d.Near), "[[1 1 2] [1] [] [] []]"; got != want {
		t.Errorf("links %v, want %v", got, want)
	}
	if got, want := fmt.Sprint(d.Types, d.Type, d.Folders, d.Folder), "[place thing] [2 0 0 2 1] [places things] [2 0 0 1 1]"; got != want {
		t.Errorf("colours %v, want %v", got, want)
	}
	list := render(t, s, "graph.html")
	var order []int
	for _, title := range []string{">Home</a> <small>3 links", ">Ports</a> <small>2 links", ">Quay</a> <small>2 links", ">Crane</a> <small>1 link<", ">Alone</a> <small>0 links"} {
		order = append(order, strings.Index(list, title))
	}
	if order[0] < 0 || !slices.IsSorted(order) {
		t.Errorf("the list has its pages at %v:\n%s", order, list)
	}
}

// What is not listed is in no graph: not its name, not its place, and no line to it.
func TestGraphsHideUnlistedPages(t *testing.T) {
	t.Parallel()
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, graphed)), Options{})
	for _, name := range s.Files() {
		text := render(t, s, name)
		if strings.HasPrefix(name, "things/hidden") {
			if strings.Contains(text, " data-near=") {
				t.Errorf("%s draws its surroundings", name)
			}
			continue
		}
		near := nearOf(text)
		if name == "graph.html" || name == "_wiki/graph-data.js" {
			near = text
		}
		for _, secret := range []string{"Zanzibar", "secret", "things/hidden"} {
			if strings.Contains(near, secret) {
				t.Errorf("the graph of %s tells of %s:\n%s", name, secret, near)
			}
		}
	}
	if page := render(t, s, "things/alone.html"); strings.Contains(page, " data-near=") {
		t.Error("a page without links from listed pages has a graph")
	}
}

// nearOf is what a page says of the pages joined with it.
func nearOf(page string) string {
	_, near, _ := strings.Cut(page, ` data-near="`)
	near, _, _ = strings.Cut(near, `"`)
	return near
}

func TestNearbyPages(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	b.WriteString("-- hub.md --\n# Hub\n")
	for i := range 40 {
		fmt.Fprintf(&b, "[[p%02d]] ", i)
	}
	for i := range 40 {
		fmt.Fprintf(&b, "\n-- p%02d.md --\n# Page %d\n", i, i)
		if i > 30 {
			b.WriteString("[[p00]] [[hub]]")
		}
	}
	b.WriteString("\n-- none.md --\n# None\n")
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, b.String())), Options{})
	hub := render(t, s, "hub.html")
	rows := strings.Split(nearOf(hub), "\n")
	if len(rows) != nearPages {
		t.Errorf("%d pages are drawn, want %d", len(rows), nearPages)
	}
	if !strings.Contains(hub, ` data-graph="graph.html" data-arcs="`) || !strings.Contains(hub, ` data-more="16"`) {
		t.Errorf("it does not say how many more there are, or where:\n%s", hub)
	}
	// Page 0, which most pages link to, is the first link of the text; the next link back.
	if rows[0] != "0 Page 0" || rows[1] != "b0" {
		t.Errorf("the most linked pages are not the first: %q", rows)
	}
	if strings.Contains(nearOf(hub), "-b") {
		t.Error("a page that is linked is drawn as one that is not")
	}
	if near := nearOf(render(t, s, "p00.html")); strings.Count(near, "-b") != 10 {
		t.Errorf("ten pages link here:\n%s", near)
	}
	if strings.Contains(render(t, s, "none.html"), " data-near=") {
		t.Error("a page without links has a graph")
	}
}

func TestWikiWithoutLinksHasNoGraph(t *testing.T) {
	t.Parallel()
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, "-- a.md --\n# A\n-- b.md --\n# B\n")), Options{})
	if slices.Contains(s.Files(), "graph.html") || strings.Contains(render(t, s, "a.html"), "graph.html") {
		t.Error("there is a graph without links")
	}
}

// The folders of a large wiki are drawn instead of its pages.
func TestGraphOfFolders(t *testing.T) {
	t.Parallel()
	s := layOut(t, compilertest.Compile(t, compilertest.Write(t, graphed)), Options{})
	g := s.folderGraph()
	var got []string
	for i, n := range g.nodes {
		got = append(got, fmt.Sprintf("%s %s %d %v", n.title, n.file, n.pages, g.near[i]))
	}
	if want := "[Home index.html 1 [1 2] places places/index.html 2 [0] things things/index.html 2 [0]]"; fmt.Sprint(got) != want {
		t.Errorf("folders %v, want %v", got, want)
	}
}

// The drawing holds all pages, also those of a graph that has no extent.
func TestQuantisedPositionsAreInTheDrawing(t *testing.T) {
	t.Parallel()
	for _, at := range [][]float64{{0}, {1, 1}, {-3, 5, 1e9}, {0.25, 0.5}} {
		x, y := quantised(at, at)
		for i := range at {
			if x[i] < 0 || x[i] >= graphSide || y[i] < 0 || y[i] >= graphSide {
				t.Errorf("%v: a page is at %d %d", at, x[i], y[i])
			}
		}
	}
}
