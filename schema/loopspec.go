package schema

// LoopSpecs are the loop specifications of a repository, and the ranks of loops, for
// the site. All text of them is untrusted.
type LoopSpecs struct {
	Specs []LoopSpec // in order of path
	Board *LoopBoard // nil without a leaderboard
}

// LoopSpec is a loop specification (LSS).
type LoopSpec struct {
	File      string // the name of the file, by which the spec is addressed
	Path      string // relative to the repository's root
	Name      string // of the loop, as runs of it state
	Version   string
	Objective string
	Pattern   string
	Level     int    // 1 to 6, 0 if the spec states none
	Conforms  string // Parseable, Operational, Production, or "" for an invalid spec
	Diagram   string // Mermaid; "" for a spec with too many parts
	// Nodes and Edges are the same diagram as data. Edges may name nodes that are not
	// there.
	Nodes []LoopNode
	Edges []LoopEdge
	// LES is the score by structure, from 0 to 100, Band the name of its range, and
	// Categories what it is made of, in order.
	LES        float64
	Band       string
	Categories []LESCategory
}

// LoopNode is a part of a loop in its diagram.
type LoopNode struct {
	Kind  string // input, memory, worker, evaluator, optimizer, decision, end, composition or merge
	ID    string
	Lines []string // the first is its name
}

// LoopEdge joins two nodes of a diagram.
type LoopEdge struct {
	From, To, Label string
	// Back is set where it leads into the next iteration, or carries data beside it.
	Back bool
}

// LESCategory is a part of a score.
type LESCategory struct {
	Name          string
	Score, Weight float64 // from 0 to 1
}

// LoopBoard is a leaderboard in order.
type LoopBoard struct {
	Updated string
	Tables  []LoopRanks // the general one first; none is empty
}

// LoopRanks ranks the entries of a suite or a task, or of all suites if ID is "".
type LoopRanks struct {
	ID, Label string
	Tasks     bool // the table is of a task, so that rows have a Success
	Rows      []LoopRank
}

// LoopRank is an entry of a leaderboard.
type LoopRank struct {
	Rank      int
	Submitter string
	External  bool // checked, and not by the keepers of the leaderboard
	LES       float64
	Success   float64 // share of runs that succeeded, from 0 to 1
	Suite     string  // the entry's own, "" if it names none
	Spec      string  // a path or an address
}
