package loops

import (
	"fmt"

	"github.com/loopwiki/wiki/schema/text"
)

// Repair says on whose word a run may start on a red base.
type Repair string

// The words.
const (
	NoRepair     Repair = ""       // nobody's: a red base ends the run
	RepairAsked  Repair = "asked"  // a person's: the plan, the command line, a mode, or the loop's spec
	RepairVerify Repair = "verify" // a task file's, if its verify commands fail on the base
)

// BaseFailure is what failed on the base of a repair: a test, or a command whose output
// names none. The runner records it before any agent is called, in the journal.
type BaseFailure struct {
	// Gate is build, test or lint.
	Gate    string `json:"gate"`
	Command string `json:"command"`
	// Test is the full name, as the command's output or, for a test that did not run,
	// as its file has it. It is "" for the command as a whole.
	Test string `json:"test,omitempty"`
	// File and Body are where the test is and a hash of it, "" if it was not found.
	File    string      `json:"file,omitempty"`
	Body    string      `json:"body,omitempty"`
	Outcome BaseOutcome `json:"outcome"`
	// Findings are the lines of a build or lint that name a place, without the numbers.
	Findings []string `json:"findings,omitempty"`
}

// BaseOutcome is how something failed on the base.
type BaseOutcome string

// The outcomes.
const (
	BaseFailed BaseOutcome = "failed"
	BaseFlaky  BaseOutcome = "flaky"   // it passed and failed in the runs of the base
	BaseNotRun BaseOutcome = "not run" // its file did not compile or load
)

// Name returns the test's name, or the command.
func (f *BaseFailure) Name() string {
	if f.Test != "" {
		return f.Test
	}
	return f.Command
}

// String returns the failure in a line for people.
func (f *BaseFailure) String() string {
	where := ""
	if f.File != "" {
		where = f.File + ": "
	}
	return fmt.Sprintf("%s%s: %s", where, f.Name(), f.Outcome)
}

// recorded keeps what a repair found on its base.
func (s *State) recorded(results []GateResult) {
	for _, r := range results {
		s.Failures = append(s.Failures, r.Failed...)
	}
	if n := len(s.Failures); n > 0 {
		s.Warnings = append(s.Warnings, fmt.Sprintf("the base was red: %s recorded before any agent was called", text.Count(n, "failure")))
	}
}
