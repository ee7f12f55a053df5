package loops

import "context"

// Gates judges trees. A gate never changes the worktree: it works on an export.
type Gates interface {
	Judge(context.Context, Candidate) ([]GateResult, error)
}

// Candidate is a tree to be judged.
type Candidate struct {
	Start   *Start
	Stage   Stage
	Chunk   int    // -1 is the plan as a whole
	Part    string // the evaluator of a declared loop whose turn it is
	Attempt int
	// Tree is judged. Base is the commit that the run started from, Last the tree
	// that was committed last: what the chunk changes is the difference to it.
	Tree, Base, Last string
	// Changes are those from Last to Tree, and what the role did to ignored files.
	Changes []Change
	// Failures are what the base of a repair had.
	Failures []BaseFailure
	Worktree Worktree
	// Dir is a folder of the run for exports and outputs; it exists.
	Dir string
}

// Prompts says what an agent is told.
type Prompts interface {
	Prompt(context.Context, PromptRequest) (Prompt, error)
}

// PromptRequest is what a prompt is for.
type PromptRequest struct {
	Start    *Start
	Command  Command
	Worktree string // absolute
	// Diff is what a judge has to judge, as a unified diff.
	Diff string
	// Progress are notes of earlier attempts and chunks, the newest last.
	Progress []string
	// Results are what the gates found, for a judge.
	Results []GateResult
	// Failures are what the base of a repair had.
	Failures []BaseFailure
	// Rounds is what a declared loop has come to, and Memory what its workers said that
	// others may read as memory; both are nil in other loops.
	Rounds *Rounds
	Memory []WorkerOutput
	// Page is what a writer is to write in an audit, nil otherwise.
	Page *NewPage
	// ResultFile is where the agent may leave its answer.
	ResultFile string
}

// Prompt is what an agent is told.
type Prompt struct {
	Text string `json:"-"`
	// Parts are its parts in order, with their sizes in bytes.
	Parts []PromptPart `json:"parts"`
}

// PromptPart is one part of a prompt.
type PromptPart struct {
	Name string `json:"name"`
	Size int    `json:"size"`
	// Cut is how many bytes did not fit.
	Cut int `json:"cut,omitempty"`
}

// Retriever searches a wiki.
type Retriever interface {
	// Retrieve returns sections of pages, best first, of at most size bytes
	// together.
	Retrieve(ctx context.Context, query string, size int) ([]Passage, error)
}

// Passage is a section of a page.
type Passage struct {
	Path    string `json:"path"` // relative to the repository's root
	Heading string `json:"heading,omitempty"`
	Text    string `json:"text"`
}
