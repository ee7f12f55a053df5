package loops

import "time"

// Call is what an agent's program is started with.
type Call struct {
	Role  Role
	Model string
	// PromptFile holds the prompt; Prompt is its text.
	PromptFile string
	Prompt     string
	// Dir is the worktree.
	Dir string
	// ResultFile is where the agent may leave a result, in the form of
	// WIKI_LOOP_RESULT.
	ResultFile string
	// Session is a new id for programs that take one (a UUID).
	Session  string
	ReadOnly bool
	// Sandboxed is true if a sandbox keeps the program, and all that it starts, from
	// writing elsewhere.
	Sandboxed bool
	// Budgets that the program can be told about; zero is none.
	USD      float64
	MaxTurns int
	// Home is the home folder that the program has for this call alone.
	Home string
}

// Login is what an agent has of a person's settings: how it reaches its vendor.
type Login struct {
	Files   []LoginFile
	Secrets []string // values in them that must reach no disk
}

// LoginFile is a file in the home of a call.
type LoginFile struct {
	Path string // relative to the home
	Text []byte
	// Sealed is true if nothing in the call may change it.
	Sealed bool
}

// Invocation is how a program is called.
type Invocation struct {
	Argv []string
	// Stdin is true if the prompt goes in by standard input.
	Stdin bool
	// Env is added to the allow-list, and outranks it.
	Env []string
	// Folders of the home are made before the program is started.
	Folders []string
	// Confined is true if the program may only be started within a sandbox, because it
	// is told to use none of its own.
	Confined bool
	// Tools is true if the program starts its tools as processes.
	Tools bool
	// Last is a file in which it leaves its last message, if it does.
	Last string
	// Usage is a pattern of the file in which it leaves what it used, if it does.
	Usage string
}

// Transcript is what a call left.
type Transcript struct {
	Stdout, Stderr []byte // the ends of them, if they are very long
	Result         []byte // of the result file; nil if there is none
	Last           []byte
	Usage          []byte
	Exit           Exit
	// Waiting is set if its vendor had to answer in the longest pause of its output.
	Waiting bool
	At      time.Time // when it ended: what "resets 9am" counts from
}

// Agent is the record of a program that can play a role.
type Agent interface {
	// ID names the record: claude, codex, command.
	ID() string
	// Vendor is who makes the model: a checker of the maker's vendor is labelled so.
	Vendor(model string) string
	// Invoke says how the program is called.
	Invoke(Call) (Invocation, error)
	// Read says what a call came to. It never fails: what can't be read is BadOutput.
	Read(Call, Transcript) Report
	// Follow returns what reads the output of a call while it is written, nil if there
	// is nothing to see in it.
	Follow() Follower
	// Capabilities say what the program can be asked for, and what it tells.
	Capabilities() Capabilities
}

// Follower reads what a call prints while it prints it.
type Follower interface {
	Line(line []byte, stderr bool)
	// Ends says why the call has to end: its tools fail in one way again and again. ""
	// lets it go on.
	Ends() string
	// Failing reports whether its vendor fails: what it prints then is no sign of life.
	Failing() bool
	// Waiting reports whether its vendor has to answer next, and no tool runs.
	Waiting() bool
}

// Capabilities of an agent's program.
type Capabilities struct {
	Cost, Tokens, ToolCalls bool // it says them
	Session                 bool // it takes an id
	BudgetFlag              bool // it can be told a budget in money
	ReadOnly                bool // it can be told to change nothing
	Schema                  bool // it can be told the form of its answer
	// Documented is true if the record follows documentation only, and nobody saw
	// the program run.
	Documented bool
}
