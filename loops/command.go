package loops

import (
	"strconv"
	"time"
)

// CommandKind is what the driver is asked to do.
type CommandKind string

// The commands.
const (
	EnsureWorktree CommandKind = "ensure-worktree"
	TakeSnapshot   CommandKind = "snapshot"
	RunRole        CommandKind = "run-role"
	RunGates       CommandKind = "run-gates"
	Rollback       CommandKind = "rollback"
	Commit         CommandKind = "commit"
	AskHuman       CommandKind = "ask-human"
	WaitUntil      CommandKind = "wait-until"
	Publish        CommandKind = "publish"
	WriteReport    CommandKind = "report"
	Propose        CommandKind = "propose"  // write what a planner proposes
	Withdraw       CommandKind = "withdraw" // remove it again
	// SetAside takes the pages that people changed out of a writer's tree, and keeps
	// the writer's version of them as a patch.
	SetAside CommandKind = "set-aside"
	Discard  CommandKind = "discard" // keep what a shadow run made as a patch, and remove worktree and branch
)

// Command is one thing that the driver does. Its key names it within the run:
// a command that is issued again after a crash has the key that it had.
type Command struct {
	Kind CommandKind `json:"kind"`
	Key  string      `json:"key"`
	// Chunk is the chunk's index, -1 for the plan as a whole.
	Chunk   int   `json:"chunk"`
	Attempt int   `json:"attempt,omitempty"` // from 1
	Role    Role  `json:"role,omitempty"`
	Stage   Stage `json:"stage,omitempty"`
	// Part is the worker or the evaluator of a declared loop.
	Part string `json:"part,omitempty"`
	// Try counts calls of one role in one attempt, from 1: a verdict that could
	// not be read is asked for again, and a call whose result was lost is made again.
	Try int `json:"try,omitempty"`
	// Feedback goes into the prompt word for word.
	Feedback []Feedback `json:"feedback,omitempty"`
	// Tree is what a rollback makes the worktree equal to, what gates judge, what
	// is committed.
	Tree string `json:"tree,omitempty"`
	// Until is when a wait ends.
	Until time.Time `json:"until,omitzero"`
	// Why is for people, and for what is saved.
	Why string `json:"why,omitempty"`
}

// Feedback is what one who judged an attempt said about it.
type Feedback struct {
	From    string   `json:"from"` // "gate test", "checker", "runner"
	Attempt int      `json:"attempt"`
	Text    string   `json:"text,omitempty"`
	Reasons []Reason `json:"reasons,omitempty"`
}

// key makes a command's key: run/chunk/attempt/what.
func key(run string, chunk, attempt int, what string) string {
	c := "plan"
	if chunk >= 0 {
		c = strconv.Itoa(chunk + 1)
	}
	return run + "/" + c + "/" + strconv.Itoa(attempt) + "/" + what
}
