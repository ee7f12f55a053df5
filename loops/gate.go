package loops

// Effect is what follows from the result of a gate. The worst of all gates decides.
type Effect int

// The effects, from nothing to the worst.
const (
	Passed      Effect = iota
	Note               // passed, and the checker is told
	Ask                // passed, and a person is asked whether the run goes on
	Red                // next attempt; the tree stays
	Environment        // a tool is missing, the base is red: no fault of the tree
	Unscoped           // files outside the scope: rolled back, next attempt, or the plan is blocked
	Violation          // rolled back, and the line stops
)

var effectNames = [...]string{"passed", "note", "ask", "red", "environment", "unscoped", "violation"}

func (e Effect) String() string { return effectNames[e] }

// MarshalText writes the name.
func (e Effect) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads the name.
func (e *Effect) UnmarshalText(b []byte) error {
	for i, n := range effectNames {
		if n == string(b) {
			*e = Effect(i)
			return nil
		}
	}
	return &UnknownWordError{"effect", string(b)}
}

// UnknownWordError is a word of a journal that this version does not know.
type UnknownWordError struct{ What, Word string }

func (e *UnknownWordError) Error() string {
	return "unknown " + e.What + " " + `"` + e.Word + `"; was it written by a newer version of wiki?`
}

// Stage is when gates are run, and so which.
type Stage string

// The stages.
const (
	StageBaseline Stage = "baseline" // the base as it is, before any agent is called
	StageChunk    Stage = "chunk"    // a maker's tree
	StageGoal     Stage = "goal"     // all chunks are done: checks and goal
	StageWiki     Stage = "wiki"     // a writer's tree
	StagePlan     Stage = "plan"     // a planner's answer
	StageAnswer   Stage = "answer"   // a reader's answer
	StageGuard    Stage = "guard"    // what a worker of a declared loop changed
	StageEvaluate Stage = "evaluate" // a command or a gate that scores a tree
)

// GateResult is what one gate found.
type GateResult struct {
	Gate   string   `json:"gate"`
	Effect Effect   `json:"effect"`
	Reason []Reason `json:"reasons,omitempty"`
	// Output is the end of what a command printed, secrets removed.
	Output string `json:"output,omitempty"`
	// Class is the kind of failure, as in the seven classes and their extensions.
	Class string `json:"class,omitempty"`
	// Same is equal for failures that are the same: a hash of the normalised end
	// of the output.
	Same string `json:"same,omitempty"`
	// Files is how many files a result is about.
	Files int `json:"files,omitempty"`
	// Pages are those that an auditor asks for, once they are looked up.
	Pages []NewPage `json:"pages,omitempty"`
	// Failed is what failed on the base of a repair.
	Failed   []BaseFailure `json:"failed,omitempty"`
	Duration Duration      `json:"duration,omitempty"`
	// Score is what an evaluator's command made of the tree, nil if it printed none.
	Score *float64 `json:"score,omitempty"`
	// Hidden keeps the gate's own words out of the maker's prompt.
	Hidden bool `json:"hidden,omitempty"`
	// Warn puts the reasons into the warnings of the run: a person who approves it reads them.
	Warn bool `json:"warn,omitempty"`
}

// Worst returns the worst effect of results.
func Worst(results []GateResult) Effect {
	worst := Passed
	for _, r := range results {
		worst = max(worst, r.Effect)
	}
	return worst
}
