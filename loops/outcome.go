package loops

import (
	"fmt"
	"time"
)

// Outcome is how a call of an agent ended, in words that hold for every agent.
type Outcome string

// The outcomes.
const (
	OK               Outcome = "ok"
	Failed           Outcome = "error" // it says that it failed, or its exit status does
	NotAuthenticated Outcome = "auth"
	NotPaid          Outcome = "payment" // the vendor wants to be paid first
	RateLimited      Outcome = "rate-limited"
	Overloaded       Outcome = "overloaded"  // the vendor's servers fail
	Unreachable      Outcome = "unreachable" // no connection, a cut stream, no answer
	BudgetSpent      Outcome = "budget"      // the program's own budget
	MaxTurns         Outcome = "max-turns"
	WallTimeout      Outcome = "wall-timeout"
	SilenceTimeout   Outcome = "silence-timeout"
	ProgressTimeout  Outcome = "progress-timeout"
	Killed           Outcome = "killed"
	Repeating        Outcome = "repeated-error" // ended, as its tools failed in one way again and again
	BadOutput        Outcome = "bad-output"     // nothing that can be read, or without end
	PermissionDenied Outcome = "permission-denied"
	NoChange         Outcome = "no-change" // it ended well and left the tree as it was
	NotFound         Outcome = "not-found" // there is no such program
)

// Passes reports whether an outcome is a failure of the vendor's that is over some
// time later.
func (o Outcome) Passes() bool { return o == RateLimited || o == Overloaded || o == Unreachable }

// Refused reports whether an outcome lasts until a person does something about the
// agent's program or its account.
func (o Outcome) Refused() bool { return o == NotAuthenticated || o == NotPaid || o == NotFound }

// Report is what an agent's program said about its call.
type Report struct {
	Outcome Outcome `json:"outcome"`
	Summary string  `json:"summary,omitempty"`
	// Text is the agent's whole last message. It may be long: it is kept as evidence
	// where it is the result, and is in no journal.
	Text       string     `json:"-"`
	Assessment Assessment `json:"self_assessment,omitempty"`
	Verdict    *Verdict   `json:"verdict,omitempty"`
	Usage      Usage      `json:"usage"`
	// ToolsFailed counts the tool calls that failed, as far as the agent's output says it.
	ToolsFailed int `json:"tools_failed,omitempty"`
	// ResetsAt is when a rate limit ends, zero if nobody says it.
	ResetsAt time.Time `json:"resets_at,omitzero"`
	// Session is how the agent's own program knows the call.
	Session string `json:"session,omitempty"`
	Model   string `json:"model,omitempty"`
	// Detail is the agent's own word for an outcome that is not OK, for people.
	Detail string `json:"detail,omitempty"`
	// Story is the id of the story that the agent says it has done.
	Story string `json:"story,omitempty"`
	// Scores are those of an evaluator, by dimension, and Reasons what it has to say of them.
	Scores  map[string]float64 `json:"scores,omitempty"`
	Reasons []Reason           `json:"reasons,omitempty"`
	// Answer is what rules of safety ask of a worker's answer.
	Answer AnswerFacts `json:"answer,omitzero"`
}

// Assessment is what an agent thinks of its own work. FAIL costs an attempt;
// nothing else in it is evidence.
type Assessment string

// The assessments.
const (
	AssessOK   Assessment = "OK"
	AssessWarn Assessment = "WARN"
	AssessFail Assessment = "FAIL"
)

// Decision is the word of a verdict.
type Decision string

// The decisions.
const (
	Approve Decision = "APPROVE"
	Reject  Decision = "REJECT"
	Met     Decision = "MET"
	NotMet  Decision = "NOT MET"
)

// ReadDecision reads what a role that judges may say. PASS is read as APPROVE.
func ReadDecision(r Role, word string) (Decision, bool) {
	switch d := Decision(word); {
	case r == Checker && (d == Approve || d == Reject), r == GoalChecker && (d == Met || d == NotMet):
		return d, true
	case r == Checker && d == "PASS":
		return Approve, true
	}
	return "", false
}

// Checks are what a checker's verdict has to cover if it gives them.
var Checks = []string{"scope", "tests", "quality", "spec", "documentation"}

// Verdict is what a role that judges says.
type Verdict struct {
	Decision Decision `json:"decision"`
	// Checks are "pass" or "fail" by name. If given, a missing one is a fail.
	Checks   map[string]string `json:"checks,omitempty"`
	Progress *bool             `json:"progress,omitempty"`
	Reasons  []Reason          `json:"reasons,omitempty"`
}

// Reason is why something is not as it should be.
type Reason struct {
	Path    string `json:"path,omitempty"` // relative to the repository's root
	Line    int    `json:"line,omitempty"` // from 1; 0 is the whole file
	Message string `json:"message"`
}

// String is path:line: message, without what is not known of it.
func (r Reason) String() string {
	switch {
	case r.Path == "":
		return r.Message
	case r.Line == 0:
		return r.Path + ": " + r.Message
	}
	return fmt.Sprintf("%s:%d: %s", r.Path, r.Line, r.Message)
}

// Approves reports whether a checker's verdict lets a change pass: its word
// does, and so does every check, if it gives them.
func (v *Verdict) Approves() bool {
	if v == nil || v.Decision != Approve {
		return false
	}
	if v.Checks == nil {
		return true
	}
	for _, c := range Checks {
		if v.Checks[c] != "pass" {
			return false
		}
	}
	return true
}
