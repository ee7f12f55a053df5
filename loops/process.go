package loops

import (
	"context"
	"time"
)

// Process is a program to be run so that nothing of it outlives it.
type Process struct {
	Argv []string `json:"argv"`
	Dir  string   `json:"dir"` // absolute
	Env  []string `json:"-"`   // all of it: nothing is inherited. It may hold secrets, so it is on no disk
	// Stdin is a file that is read, or "" for a closed input.
	Stdin string `json:"stdin,omitempty"`
	// Stdout and Stderr are files that are made; they must not exist.
	Stdout string `json:"stdout"`
	Stderr string `json:"stderr"`
	// Redact are values that never reach a disk: the files hold a mark instead.
	Redact []string `json:"-"`
	// Writable are the paths below which the program may write, as far as the
	// level reached allows to hold it to that.
	Writable []string `json:"writable,omitempty"`
	// Hidden are paths that it should not be able to read.
	Hidden []string `json:"hidden,omitempty"`
	// Require fails the call rather than run with less than a sandbox.
	Require bool `json:"require,omitempty"`
	// Watch is the folder whose changes are progress, or "".
	Watch string `json:"watch,omitempty"`

	// Tools is true if what the program starts once it has written something are tools:
	// it is not silent while one runs.
	Tools bool `json:"tools,omitempty"`

	Wall     time.Duration `json:"wall"`
	Silence  time.Duration `json:"silence,omitempty"`  // 0: not watched
	Progress time.Duration `json:"progress,omitempty"` // 0: not watched
	Grace    time.Duration `json:"grace"`
	// MaxOutput is how many bytes of each stream are kept. The program may write
	// more; twice as much ends it.
	MaxOutput int64 `json:"max_output"`
	// Mark is the id of the run: it is in the environment of every process
	// below, as schema.RunVariable, so that strays can be found.
	Mark string `json:"mark"`
}

// Ended says why a program is not running anymore.
type Ended string

// The ways to end.
const (
	Exited        Ended = "exited"
	EndedWall     Ended = "wall"
	EndedSilence  Ended = "silence"
	EndedProgress Ended = "progress"
	EndedOutput   Ended = "output"  // it wrote without end
	EndedRepeats  Ended = "repeats" // its tools failed in one way again and again
	EndedStopped  Ended = "stopped"
	NotStarted    Ended = "not-started" // there is no such program, or it may not be run
)

// Level is how far a program could be kept from what is not its own.
type Level string

// The levels, from the most.
const (
	Bubblewrap Level = "bubblewrap" // own namespaces, everything but Writable read-only
	Landlock   Level = "landlock"   // the kernel denies writes elsewhere
	Bare       Level = "none"       // found afterwards only
)

// Exit is what became of a program.
type Exit struct {
	Why    Ended  `json:"why"`
	Code   int    `json:"code"` // -1 if a signal ended it
	Signal string `json:"signal,omitempty"`
	// Took is a duration by the monotonic clock.
	Took Duration `json:"took"`
	// Strays counts processes that were left behind and had to be killed.
	Strays int `json:"strays,omitempty"`
	// Cut is true if output was not kept.
	Cut   bool  `json:"cut,omitempty"`
	Level Level `json:"level"`
	// Redacted counts the values that were replaced in the output.
	Redacted int    `json:"redacted,omitempty"`
	Error    string `json:"error,omitempty"` // of NotStarted and EndedRepeats
}

// Container runs programs. It returns an error only if it can't do its own
// part; how the program fared is in the Exit.
type Container interface {
	Run(context.Context, Process) (Exit, error)
	// Sweep kills what is left of a run whose runner died, and returns how many
	// processes that were.
	Sweep(ctx context.Context, mark string) (int, error)
	// Level says what Run will reach here, and what is not contained, for people.
	Level() (Level, []string)
}
