package site

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/theme"
)

func drawn(t *testing.T, nodes, edges string) *theme.Flow {
	t.Helper()
	var n []schema.LoopNode
	for id := range strings.FieldsSeq(nodes) {
		n = append(n, schema.LoopNode{Kind: id, ID: id, Lines: []string{id}})
	}
	var e []schema.LoopEdge
	for edge := range strings.FieldsSeq(edges) {
		from, to, back := strings.Cut(edge, "~")
		if !back {
			from, to, _ = strings.Cut(edge, ">")
		}
		e = append(e, schema.LoopEdge{From: from, To: to, Back: back})
	}
	f := drawFlow(n, e)
	if f == nil {
		t.Fatalf("%s: not drawn", nodes)
	}
	return f
}

// rowsOf are the names of boxes, those beside each other joined by a space.
func rowsOf(f *theme.Flow) string {
	var rows []string
	y := -1.0
	for _, b := range f.Boxes {
		if b.Y != y {
			rows = append(rows, b.Name())
		} else {
			rows[len(rows)-1] += " " + b.Name()
		}
		y = b.Y
	}
	return strings.Join(rows, " / ")
}

func TestFlowchartRows(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, nodes, edges, want string }{
		{"chain", "a b c", "a>b b>c c~a", "a / b / c"},
		{"the longest way decides", "a b c d", "a>b b>c a>d c>d", "a / b / c / d"},
		{"beside where data comes from", "a b optimizer c", "a>b b~optimizer b>c optimizer~a", "a / b optimizer / c"},
		{"what follows such a node", "a b composition merge", "a>b b~composition composition>merge", "a / b composition / merge"},
		{"unknown ends and repeated edges", "a b", "a>b a>b a>x y>b a>a", "a / b"},
		{"many in one row", "a b c d e f", "a>b a>c a>d a>e a>f", "a / b c d e / f"},
		{"repeated nodes", "a a b", "a>b", "a / b"},
	} {
		if got := rowsOf(drawn(t, c.nodes, c.edges)); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

func TestFlowchartBoxesKeepApart(t *testing.T) {
	t.Parallel()
	for _, edges := range []string{"a>b a>c b>d c>d d~a c~b", "a>b b>c c>a", "a>b b>a b~c c>d d>c", ""} {
		f := drawn(t, "a b c d", edges)
		for i, a := range f.Boxes {
			if a.X < 0 || a.Y < 0 || a.X+a.Width > f.Width || a.Y+a.Height > f.Height {
				t.Errorf("%s: %s leaves the drawing", edges, a.Name())
			}
			for _, b := range f.Boxes[i+1:] {
				if a.X < b.X+b.Width && b.X < a.X+a.Width && a.Y < b.Y+b.Height && b.Y < a.Y+a.Height {
					t.Errorf("%s: %s covers %s", edges, a.Name(), b.Name())
				}
			}
		}
		if len(f.Boxes) != 4 {
			t.Errorf("%s: %d boxes", edges, len(f.Boxes))
		}
	}
}

func TestFlowchartSaysWhatLeadsBack(t *testing.T) {
	t.Parallel()
	f := drawFlow([]schema.LoopNode{{ID: "a", Lines: []string{"writer"}}, {ID: "b", Lines: []string{"tests\u202e"}}},
		[]schema.LoopEdge{{From: "a", To: "b"}, {From: "b", To: "a", Back: true, Label: "failures\x1b"}})
	if want := []string{"tests\uFFFD → writer: failures␛"}; !slices.Equal(f.Notes, want) {
		t.Errorf("%q, want %q", f.Notes, want)
	}
}

func TestFlowchartBounds(t *testing.T) {
	t.Parallel()
	var nodes []schema.LoopNode
	for i := range mostNodes + 1 {
		nodes = append(nodes, schema.LoopNode{ID: fmt.Sprint(i)})
	}
	if drawFlow(nodes, nil) != nil || drawFlow(nil, nil) != nil || drawFlow(nodes[:2], make([]schema.LoopEdge, mostEdges+1)) != nil {
		t.Error("too many parts are drawn, or none")
	}
	long := drawFlow([]schema.LoopNode{{ID: "a", Lines: slices.Repeat([]string{strings.Repeat("word ", 100)}, 20)}}, nil).Boxes[0]
	if len(long.Lines) != nodeLines || long.Lines[0].Text != "word word word word word word" || !strings.HasSuffix(long.Lines[1].Text, "…") {
		t.Errorf("%+v", long.Lines)
	}
}
