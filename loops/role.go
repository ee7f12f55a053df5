package loops

// Role is what an agent is called for. Every call of a role is a new session.
type Role string

// The roles.
const (
	Planner     Role = "planner"
	Auditor     Role = "auditor"
	Maker       Role = "maker"
	Checker     Role = "checker"
	GoalChecker Role = "goal-checker"
	Writer      Role = "writer"
	Classifier  Role = "classifier"
	Reader      Role = "reader"
	Worker      Role = "worker"    // of a declared loop: the command says which
	Evaluator   Role = "evaluator" // of a declared loop: it scores by a rubric
)

// Roles lists the roles in the order in which a run meets them.
func Roles() []Role {
	return []Role{Planner, Auditor, Maker, Checker, GoalChecker, Writer, Classifier, Reader, Worker, Evaluator}
}

// ReadOnly reports whether a role may leave no trace in the tree.
func (r Role) ReadOnly() bool {
	return r == Planner || r == Auditor || r == Checker || r == GoalChecker || r == Classifier || r == Reader || r == Evaluator
}

// iterates reports whether a call of the role is an iteration.
func (r Role) iterates() bool { return r == Maker || r == Writer || r == Auditor }

// Answers reports whether what a role says is its work, and is kept as it was said.
func Answers(r Role) bool {
	return r == Planner || r == Auditor || r == Reader || r == Classifier || r == Worker || r == Evaluator
}

// Judges reports whether a role is asked for a verdict.
func (r Role) Judges() bool { return r == Checker || r == GoalChecker }

// Mode is how far a loop may go on its own. No mode merges or pushes to the
// default branch.
type Mode string

// The modes, in the order in which they are earned.
const (
	Manual     Mode = "manual"     // a person starts each run and reads each result
	Shadow     Mode = "shadow"     // a whole run, and nothing of it is published
	Draft      Mode = "draft"      // a branch; a pull request when a person approves
	Autonomous Mode = "autonomous" // opens its pull requests itself
)
