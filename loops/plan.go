package loops

import "github.com/loopwiki/wiki/schema"

// Plan is a piece of work that a person approved: what must be done in which
// chunks, where, and how it is known that it is done.
type Plan struct {
	// Name is the file's name without folder and extension. The branch is
	// loop/<name>, the worktree ../<repository>-loop-<name>.
	Name string `json:"name"`
	// Path is the file, relative to the repository's root, slash-separated.
	Path string `json:"path"`
	// Hash is of the file's bytes (xxh3, hexadecimal): a plan does not change
	// while it is carried out.
	Hash string `json:"hash"`

	Title    string `json:"title"`
	Priority int    `json:"priority"` // 1 is first
	Effort   string `json:"effort,omitempty"`
	Risk     string `json:"risk,omitempty"`

	// Scope are the globs of what may change, relative to the root, as in
	// doublestar.
	Scope []string `json:"scope"`
	// MostFiles is how many files may change, where nobody could say before which; 0 is
	// any number.
	MostFiles int `json:"most_files,omitempty"`
	// Goal is a command for the shell: exit status 0 says that the plan's goal is met.
	Goal string `json:"goal"`
	// Checks are commands that must succeed when all chunks are done. The maker
	// knows neither them nor the goal.
	Checks    []string `json:"checks,omitempty"`
	DependsOn []string `json:"depends_on,omitempty"`
	// RedBase says that the plan repairs what fails on its base.
	RedBase bool `json:"red_base,omitempty"`
	// Decision asks for a decision page in the wiki.
	Decision bool `json:"decision,omitempty"`
	// Labels are words that rules of a loop's spec select by.
	Labels  []string `json:"labels,omitempty"`
	Chunks  []Chunk  `json:"chunks"`
	Context string   `json:"context,omitempty"`
	Risks   string   `json:"risks,omitempty"`
	Notes   string   `json:"notes,omitempty"`

	// SpecChanges unlock protected paths. A person wrote them.
	SpecChanges []SpecChange `json:"spec_changes,omitempty"`
	// Rejected is why a person does not want the plan. A plan that has one is not run.
	Rejected string `json:"rejected,omitempty"`

	// Format says whose file this is.
	Format PlanFormat `json:"format,omitempty"`
}

// PlanFormat is whose kind of file a plan was read from.
type PlanFormat string

// The formats of plans.
const (
	MarkdownPlan PlanFormat = ""         // plans/YYYY-MM-slug.md
	LodeloopTask PlanFormat = "lodeloop" // task.json
	RalphTask    PlanFormat = "ralph"    // prd.json
	AgentLoop    PlanFormat = "agent-loop"
)

// Chunk is a part of a plan that one session of an agent can do.
type Chunk struct {
	// ID names the chunk within its plan: its number, or the id of a story.
	ID    string `json:"id"`
	Title string `json:"title"`
	Skill string `json:"skill,omitempty"`
	// Files narrows the plan's scope. Empty means all of it.
	Files     []string `json:"files,omitempty"`
	DependsOn []string `json:"depends_on,omitempty"`
	// Verify are commands for the shell which the maker knows and the runner runs.
	Verify []string  `json:"verify,omitempty"`
	Tests  TestsRule `json:"tests"`
	// Text is what the maker is told, as the plan says it.
	Text string `json:"text,omitempty"`
	// Done says that the chunk was done before the run began: a story that passes.
	Done bool `json:"done,omitempty"`
	// Mode is of agent-loop: implement, explore or fix.
	Mode string `json:"mode,omitempty"`
	// Span is where the plan's file says it.
	Span schema.Span `json:"-"`
}

// TestsKind is what a chunk may do to tests.
type TestsKind string

// The kinds.
const (
	TestsNew          TestsKind = "new"          // new tests, which fail on the base
	TestsCharacterize TestsKind = "characterize" // new tests, which may pass on the base; no code changes
	TestsMove         TestsKind = "move"         // tests move from one file to another as they are
	TestsNone         TestsKind = "none"         // no test changes
)

// TestsRule is what a chunk may do to tests.
type TestsRule struct {
	Kind TestsKind `json:"kind"`
	From string    `json:"from,omitempty"` // of move
	To   string    `json:"to,omitempty"`   // of move
}

// SpecChange is a person's leave to change what is protected otherwise, or to leave a
// test red.
type SpecChange struct {
	Paths []string `json:"paths,omitempty"` // globs
	// Tests may still fail at the end of a repair: names of tests, or commands.
	Tests  []string `json:"tests,omitempty"`
	By     string   `json:"by"`
	Reason string   `json:"reason"`
	Date   string   `json:"date"` // YYYY-MM-DD
}

// Branch returns where the plan's commits go.
func (p *Plan) Branch() string { return "loop/" + p.Name }

// ScopeOf returns the globs of what a chunk may change.
func (p *Plan) ScopeOf(c *Chunk) []string {
	if len(c.Files) > 0 {
		return c.Files
	}
	return p.Scope
}
