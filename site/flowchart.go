package site

import (
	"fmt"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/loopwiki/wiki/site/theme"
)

// What is drawn at most; larger diagrams are shown as text only.
const (
	mostNodes = 60
	mostEdges = 240
)

// The measures of flowcharts, in units of their drawings.
const (
	boxWidth  = 220.0
	boxGap    = 24.0
	rowGap    = 44.0
	boxMargin = 11.0
	lineStep  = 16.0
	lineRunes = 30 // that fit into a box
	nodeLines = 8
	laneStep  = 14.0 // between edges that lead back
	inRow     = 4    // boxes
)

// beside are the kinds of nodes that are no step of an iteration.
var beside = []string{"memory", "optimizer", "composition"}

// flowchart is a diagram being laid out: nodes in rows by the longest way that leads to
// them, and edges back on lanes beside them.
type flowchart struct {
	edges []schema.LoopEdge // those whose ends are there
	boxes map[string]*theme.FlowBox
	order []string // ids, as given
	rank  map[string]int
	out   theme.Flow
}

// drawFlow draws the diagram of a loop; nil if it is too large.
func drawFlow(nodes []schema.LoopNode, edges []schema.LoopEdge) *theme.Flow {
	if len(nodes) == 0 || len(nodes) > mostNodes || len(edges) > mostEdges {
		return nil
	}
	f := &flowchart{boxes: make(map[string]*theme.FlowBox), rank: make(map[string]int)}
	for _, n := range nodes {
		if f.boxes[n.ID] == nil {
			f.boxes[n.ID] = newBox(n)
			f.order = append(f.order, n.ID)
		}
	}
	for _, e := range edges {
		if f.boxes[e.From] != nil && f.boxes[e.To] != nil && e.From != e.To && !slices.Contains(f.edges, e) {
			f.edges = append(f.edges, e)
		}
	}
	f.rankNodes()
	f.place()
	f.join()
	return &f.out
}

// newBox wraps the text of a node to the width of its box.
func newBox(n schema.LoopNode) *theme.FlowBox {
	b := &theme.FlowBox{Kind: n.Kind, Width: boxWidth}
	for i, l := range n.Lines {
		for _, part := range wrap(text.Collapse(theme.Visible(l))) {
			if len(b.Lines) == nodeLines {
				break
			}
			b.Lines = append(b.Lines, theme.FlowLine{Text: part, Name: i == 0})
		}
	}
	b.Height = 2*boxMargin + lineStep*float64(len(b.Lines))
	return b
}

// wrap cuts a text into at most two lines between words.
func wrap(s string) []string {
	r := []rune(s)
	if len(r) == 0 {
		return nil
	}
	if len(r) <= lineRunes {
		return []string{s}
	}
	cut := lineRunes
	if at := strings.LastIndexByte(string(r[:lineRunes+1]), ' '); at > 0 {
		cut = len([]rune(string(r[:lineRunes+1])[:at]))
	}
	rest := []rune(strings.TrimLeft(string(r[cut:]), " "))
	if len(rest) > lineRunes {
		rest = append(rest[:lineRunes-1], '…')
	}
	return []string{string(r[:cut]), string(rest)}
}

// rankNodes puts each node below those that lead to it. In a circle, which a valid loop
// does not have, ranks stop to grow. What only edges back may lead to stands beside the
// first node that they come from.
func (f *flowchart) rankNodes() {
	grow := func() {
		for range f.order {
			for _, e := range f.edges {
				if !e.Back {
					f.rank[e.To] = min(max(f.rank[e.To], f.rank[e.From]+1), len(f.order))
				}
			}
		}
	}
	grow()
	for _, e := range f.edges {
		if e.Back && f.rank[e.To] == 0 && slices.Contains(beside, f.boxes[e.To].Kind) {
			f.rank[e.To] = f.rank[e.From]
		}
	}
	grow() // what follows these
}

// place centers the boxes of a rank in rows.
func (f *flowchart) place() {
	var rows [][]*theme.FlowBox
	for rank := range len(f.order) + 1 {
		var row []*theme.FlowBox
		for _, id := range f.order {
			if f.rank[id] == rank {
				row = append(row, f.boxes[id])
			}
		}
		rows = slices.AppendSeq(rows, slices.Chunk(row, inRow))
	}
	for _, row := range rows {
		f.out.Width = max(f.out.Width, float64(len(row))*(boxWidth+boxGap)+boxGap)
	}
	y := boxGap
	for _, row := range rows {
		x, tallest := (f.out.Width-float64(len(row))*(boxWidth+boxGap)+boxGap)/2, 0.0
		for _, b := range row {
			tallest = max(tallest, b.Height)
		}
		for _, b := range row {
			b.X, b.Y = x, y+(tallest-b.Height)/2
			x += boxWidth + boxGap
			for i := range b.Lines {
				b.Lines[i].X, b.Lines[i].Y = b.X+boxWidth/2, b.Y+boxMargin+lineStep*(float64(i)+.75)
			}
			f.out.Boxes = append(f.out.Boxes, *b)
		}
		y += tallest + rowGap
	}
	f.out.Height = y - rowGap + boxGap
}

// join draws the edges. Those that lead back have a lane each, on the right.
func (f *flowchart) join() {
	lane := f.out.Width
	for i, e := range f.edges {
		from, to := f.boxes[e.From], f.boxes[e.To]
		says := from.Name() + " → " + to.Name()
		if e.Label != "" {
			says += ": " + theme.Visible(e.Label)
		}
		edge := theme.FlowEdge{Back: e.Back, Says: says}
		y1, y2 := from.Y+from.Height/2, to.Y+to.Height/2
		switch {
		case !e.Back:
			x1, y1, x2, y2 := from.X+boxWidth/2, from.Y+from.Height, to.X+boxWidth/2, to.Y
			bend := max(20, (y2-y1)/2)
			edge.Path = fmt.Sprintf("M%.1f %.1fC%.1f %.1f %.1f %.1f %.1f %.1f", x1, y1, x1, y1+bend, x2, y2-bend, x2, y2)
		case y1 == y2 && from.X < to.X: // in one row
			edge.Path = fmt.Sprintf("M%.1f %.1fH%.1f", from.X+boxWidth, y1, to.X)
		case y1 == y2:
			edge.Path = fmt.Sprintf("M%.1f %.1fH%.1f", from.X, y1, to.X+boxWidth)
		default:
			shift := float64(i%5-2) * 5 // for edges of one box
			edge.Path = fmt.Sprintf("M%.1f %.1fH%.1fV%.1fH%.1f", from.X+boxWidth, y1+shift, lane, y2+shift, to.X+boxWidth)
			lane += laneStep
		}
		if e.Back {
			f.out.Notes = append(f.out.Notes, says)
		}
		f.out.Edges = append(f.out.Edges, edge)
	}
	f.out.Width = lane + boxGap/2
}
