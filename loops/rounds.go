package loops

import (
	"slices"
	"time"
)

// Rounds is what a declared loop has come to.
type Rounds struct {
	// Loop leads to the child that this is of: indexes of Children, then of Inner. Base is
	// the tree that the child began with.
	Loop []int  `json:"loop,omitempty"`
	Base string `json:"base,omitempty"`
	// N is the number of the iteration, from 1.
	N int `json:"n"`
	// Part is what is done next in the iteration: children, workers, evaluators.
	Part int `json:"part"`
	// Before is what was spent before the loop began, Worked how long the run had worked.
	Before float64  `json:"before,omitempty"`
	Worked Duration `json:"worked,omitempty"`
	// Given are the outputs that others handed over as inputs.
	Given []GivenInput `json:"given,omitempty"`
	// Children are the results of those that ran in this iteration, Nested is set if the
	// inner ones did.
	Children []ChildResult `json:"children,omitempty"`
	Nested   bool          `json:"nested,omitempty"`
	// Tree is that of the worktree, From the one that the iteration began with.
	Tree  string    `json:"tree"`
	From  string    `json:"from"`
	Began time.Time `json:"began"`
	USD   float64   `json:"usd"` // spent before the iteration
	// Failed counts the failed calls of the worker in work, Lost the iterations in a row
	// that came to no judgement, Errors those in a row with an evaluator that failed.
	Failed int `json:"failed,omitempty"`
	Lost   int `json:"lost,omitempty"`
	Errors int `json:"errors,omitempty"`
	// Unsafe counts the broken rules of safety of the iteration, UnsafeRow the iterations
	// in a row that broke one, Refused those that a person rejected.
	Unsafe    int `json:"unsafe,omitempty"`
	UnsafeRow int `json:"unsafe_row,omitempty"`
	Refused   int `json:"refused,omitempty"`
	// Gated is the human gate that a person opened last: its rule and the part.
	Gated string `json:"gated,omitempty"`
	// Asked says for what a person is asked, "" if not by a rule of the loop.
	Asked Asking `json:"asked,omitempty"`
	// Until is the last moment of a person's answer, zero if there is none.
	Until time.Time `json:"until,omitzero"`
	// Marks are those of the iteration in work, or of the last one.
	Marks []Mark `json:"marks,omitempty"`
	// Outputs are what workers said, the newest last.
	Outputs []WorkerOutput `json:"outputs,omitempty"`
	History []Iteration    `json:"history,omitempty"`
	// Since is the number of iterations that a person has seen and let go on.
	Since int `json:"since,omitempty"`
	// Steps counts the optimisations, Refinement is what the last one says.
	Steps      int    `json:"steps,omitempty"`
	Refinement string `json:"refinement,omitempty"`
	// Told are the bounds of cost that were warned of.
	Told []string `json:"told,omitempty"`
	// Ending is how the loop ends once its tree is judged, nil as long as it goes on.
	Ending *Then `json:"ending,omitempty"`
}

// GivenInput is an input that is the output of a worker.
type GivenInput struct {
	Input  string       `json:"input"`
	Output WorkerOutput `json:"output"`
}

// ChildResult is what a child came to.
type ChildResult struct {
	ID     string  `json:"id"`
	Status Status  `json:"status"`
	Why    string  `json:"why,omitempty"`
	Tree   string  `json:"tree"`
	Score  float64 `json:"score"` // of its best iteration, more is better
	// Outputs are the last ones of its workers.
	Outputs []WorkerOutput `json:"outputs,omitempty"`
}

// Asking is for what a declared loop asks a person.
type Asking string

// The questions.
const (
	AskedToRun  Asking = "run"   // the commands of a file that nobody approved
	AskedToMark Asking = "judge" // a verdict
	AskedToPass Asking = "gate"  // whether the loop goes on
)

// Mark is the judgement of an evaluator.
type Mark struct {
	Evaluator string  `json:"evaluator"`
	Score     float64 `json:"score"`
	Passed    bool    `json:"passed"`
	// Error says why there is no judgement.
	Error string `json:"error,omitempty"`
	// Dimensions are those of a rubric, from 0 to 1.
	Dimensions []DimensionScore `json:"dimensions,omitempty"`
	Reasons    []Reason         `json:"reasons,omitempty"`
	Class      string           `json:"class,omitempty"`
	Output     string           `json:"output,omitempty"`
	Summary    string           `json:"summary,omitempty"`
}

// DimensionScore is the score of a dimension, from 0 to 1.
type DimensionScore struct {
	Name  string  `json:"name"`
	Score float64 `json:"score"`
}

// WorkerOutput is what a worker said in a call. The whole of it lies in the folder.
type WorkerOutput struct {
	Worker    string    `json:"worker"`
	Iteration int       `json:"iteration"`
	Folder    string    `json:"folder"`
	Summary   string    `json:"summary,omitempty"`
	At        time.Time `json:"at"`
	// Withheld is set if a rule of safety keeps it from the others.
	Withheld bool `json:"withheld,omitempty"`
	// Stripped is set if lines of it are kept from the others.
	Stripped bool `json:"stripped,omitempty"`
}

// Iteration is an iteration that was judged, or lost.
type Iteration struct {
	N      int       `json:"n"`
	Tree   string    `json:"tree"`
	Values []Value   `json:"values,omitempty"`
	USD    float64   `json:"usd"`
	Took   Duration  `json:"took"`
	Ended  time.Time `json:"ended"`
	Unsafe int       `json:"unsafe,omitempty"`
	Lost   string    `json:"lost,omitempty"` // why
}

// Value is what a metric was.
type Value struct {
	Metric string  `json:"metric"`
	Value  float64 `json:"value"`
}

// clone copies everything that Step changes in place.
func (r *Rounds) clone() *Rounds {
	if r == nil {
		return nil
	}
	c := *r
	c.Marks = slices.Clone(r.Marks)
	c.Outputs = slices.Clone(r.Outputs)
	c.History = slices.Clone(r.History)
	c.Told = slices.Clone(r.Told)
	c.Children = slices.Clone(r.Children)
	return &c
}
