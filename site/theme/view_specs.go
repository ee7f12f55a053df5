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
	Charts []Chart // of its runs, in a preview
	Ran    []ScoredRun
	Runs   string // leads from the page to the folder of runs
}

// ScoredRun is a finished run with its score.
type ScoredRun struct {
	schema.RunPoint
	Score float64
}

// Board is the leaderboard.
type Board struct {
	Frame
	W *SpecWords
	schema.LoopBoard
}
