package loops

import (
	"crypto/sha256"
	"encoding/hex"
	"time"
)

// Incident is a failure that stopped the line.
type Incident struct {
	// ID is INC-YYYYMMDD-HHMMSS-<8 hex>, in UTC.
	ID         string    `json:"id"`
	Class      string    `json:"class"`
	Confidence float64   `json:"confidence"`
	At         time.Time `json:"at"`
	Chunk      int       `json:"chunk"`
	Attempt    int       `json:"attempt"`
	Why        string    `json:"why"`
	Meta       bool      `json:"meta,omitempty"`
}

// IncidentID names an incident by when it happened and in what.
func IncidentID(at time.Time, what string) string {
	at = at.UTC()
	sum := sha256.Sum256([]byte(at.Format(time.RFC3339) + ":" + what))
	return "INC-" + at.Format("20060102-150405") + "-" + hex.EncodeToString(sum[:4])
}

// Classes of what the runner itself finds; what commands print is classified by
// the gate that ran them.
const (
	ClassTampering   = "tampering"    // a protected file was touched
	ClassContainment = "containment"  // something outside the worktree was touched
	ClassScope       = "scope"        // files outside the plan's scope
	ClassSecret      = "secret"       // a secret in the tree or in the output
	ClassNoChange    = "no_change"    // an agent claims and does nothing
	ClassTimeout     = "timeout"      // the class of a command that takes too long
	ClassAgent       = "agent_error"  // the agent's program failed
	ClassRejected    = "rejected"     // a checker does not approve
	ClassGoal        = "goal_not_met" // the goal's command fails
	ClassBreaker     = "no_progress"
	ClassEnvironment = "environment"
	ClassUnknown     = "unknown_failure"
)

// certain are the classes that follow from what the runner saw itself.
var certain = map[string]bool{
	ClassTampering: true, ClassContainment: true, ClassScope: true, ClassSecret: true, ClassNoChange: true,
	ClassRejected: true, ClassGoal: true, ClassBreaker: true,
}

// grave are the classes that stop the line whatever loop they happen in: a rule was
// broken, and what broke it may do so again in any other run.
var grave = map[string]bool{ClassTampering: true, ClassContainment: true, ClassScope: true, ClassSecret: true}

// Executing reports whether the run carries out a plan that a person approved. Its
// failures are what whys are asked about; every other loop reports them, and waits.
func (s *State) Executing() bool {
	return s.alone() == "" && !s.Declares() && s.Start.Control == nil && s.plan().Format == MarkdownPlan
}

// stopsLine reports whether the end of the run leaves an incident. What surrounds the
// work leaves none as long as no agent was called: there is nothing to learn of the work.
func (s *State) stopsLine(status Status, class string) bool {
	switch {
	case class == "", status != Stopped && status != GoalNotMet && status != NoGround:
		return false
	case grave[class]:
		return true
	case status == NoGround && s.Spend.Calls == 0:
		return false
	}
	return s.Executing()
}

// confidence is how sure a class is, from 0 to 1.
func confidence(class string) float64 {
	switch {
	case certain[class]:
		return 1
	case classConfidence[class] > 0:
		return classConfidence[class]
	case class == ClassUnknown:
		return 0.35
	case class == ClassTimeout:
		return 0.68
	}
	return 0.9
}
