package loops

// Status is how a run stands.
type Status string

// The statuses.
const (
	Running     Status = "running"
	GoalMet     Status = "met"
	GoalNotMet  Status = "not-met"
	Stopped     Status = "stopped" // a rule was broken, or the work failed too often
	OverBudget  Status = "budget"
	Waiting     Status = "waiting"     // for a person, or for a vendor
	NoGround    Status = "environment" // something is missing that is not the run's to fix
	Interrupted Status = "interrupted" // it can be resumed
	Rejected    Status = "rejected"    // by a person
)

// Exit returns the exit status of a runner that ends with a run in this status. An
// interrupted one ends with the signal's.
func (s Status) Exit() int {
	switch s {
	case GoalMet:
		return 0
	case NoGround:
		return 3
	case Stopped:
		return 4
	case OverBudget:
		return 5
	case Waiting:
		return 6
	case Interrupted:
		return 130
	}
	return 1
}

// Over reports whether a run in this status is never resumed.
func (s Status) Over() bool {
	switch s {
	case Running, Waiting, Interrupted, "":
		return false
	}
	return true
}

// Phase is where in its work a run is.
type Phase string

// The phases, in their order.
const (
	Preparing    Phase = "preparing"
	Planning     Phase = "planning"
	Auditing     Phase = "auditing"
	Reading      Phase = "reading"
	Proposing    Phase = "proposing"
	Withdrawing  Phase = "withdrawing"
	Sorting      Phase = "sorting"
	Baselining   Phase = "baseline"
	Making       Phase = "making"
	Gating       Phase = "gates"
	Checking     Phase = "checking"
	Committing   Phase = "committing"
	GoalGating   Phase = "goal"
	GoalChecking Phase = "goal-checking"
	Writing      Phase = "writing"
	Working      Phase = "working"
	Guarding     Phase = "guarding"
	Evaluating   Phase = "evaluating"
	WikiGating   Phase = "wiki"
	Reporting    Phase = "reporting"
	Publishing   Phase = "publishing"
	Discarding   Phase = "discarding"
	Over         Phase = "ended"
)

// role is who works in a phase.
func (p Phase) role() Role {
	switch p {
	case Planning, Proposing, Withdrawing:
		return Planner
	case Auditing:
		return Auditor
	case Reading:
		return Reader
	case Sorting:
		return Classifier
	case Making:
		return Maker
	case Checking:
		return Checker
	case GoalChecking:
		return GoalChecker
	case Writing:
		return Writer
	case Working, Guarding:
		return Worker
	case Evaluating:
		return Evaluator
	}
	return ""
}
