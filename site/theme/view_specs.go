package theme

import "github.com/loopwiki/wiki/schema"

// SpecRow is a loop specification in the list.
type SpecRow struct {
	schema.LoopSpec
	Href string
}

// Spec is the page of a loop specification.
type Spec struct {
	Frame
	W *SpecWords
	schema.LoopSpec
	Flow   *Flow   // nil if the diagram is too large
	Charts []Chart // of its runs, in a preview
	Ran    []ScoredRun
	Runs   string // leads from the page to the folder of runs
}

// ScoredRun is a run with its score, "" if it has none.
type ScoredRun struct {
	schema.RunPoint
	Score string
}

// Flow is a flowchart in an SVG of Width by Height units.
type Flow struct {
	Width, Height float64
	Boxes         []FlowBox
	Edges         []FlowEdge
	Notes         []string // what leads back, in words
}

// FlowBox is a node of a flowchart.
type FlowBox struct {
	Kind                string // as in [schema.LoopNode]
	X, Y, Width, Height float64
	Lines               []FlowLine
}

// Name is the first line of the box.
func (b *FlowBox) Name() string {
	if len(b.Lines) == 0 {
		return ""
	}
	return b.Lines[0].Text
}

// FlowLine is a line of text in a box.
type FlowLine struct {
	X, Y float64
	Text string
	Name bool // it is part of the node's name
}

// FlowEdge joins two boxes along a path of SVG.
type FlowEdge struct {
	Path string
	Back bool
	Says string
}

// Board is the leaderboard.
type Board struct {
	Frame
	W *SpecWords
	schema.LoopBoard
}
