package andon

import (
	"slices"
	"strings"

	"github.com/loopwiki/wiki/loops"
)

// Levels of what a failure leads to.
const (
	LevelNote    = 1 // the incident is written, and the line stays open
	LevelStop    = 2 // the line stops, and a standard is set by itself
	LevelFix     = 3 // the line stops, and a fix is proposed
	LevelApprove = 4 // the line stops, and a person has to approve what follows
)

// Level is a level of prevention.
type Level string

// The levels of prevention, the best first.
const (
	Impossible Level = "L1" // it can't happen again
	Detected   Level = "L2" // a program sees it
	Documented Level = "L3" // a standard, or a page, says so
	Alerted    Level = "L4" // somebody is told
)

// PreventionAction is what would keep a failure from happening again.
type PreventionAction struct {
	Level  Level  `json:"level"`
	Action string `json:"action"`
}

// treatment is what a class of failures leads to.
type treatment struct {
	label   string
	level   int
	prevent []PreventionAction
	// rule is the type of the standard that follows, and value its value; where
	// value is empty it is the detail of that name.
	rule, value, detail string
	fix                 string
}

func l1(s string) PreventionAction { return PreventionAction{Impossible, s} }
func l2(s string) PreventionAction { return PreventionAction{Detected, s} }
func l3(s string) PreventionAction { return PreventionAction{Documented, s} }

// treatments say what follows from each class. What is missing around the work
// is noted; what the work did not manage needs a fix; what broke a rule needs a
// person.
var treatments = map[string]treatment{
	loops.ClassCommandMissing: {label: "missing command", level: LevelNote, rule: "required_command", detail: "missing_command", prevent: []PreventionAction{
		l1("install the command in the runs' environment, with a pinned version"), l2("check for it in 'wiki doctor' and the baseline, before an agent is called")}},
	loops.ClassPythonModule: {label: "missing Python module", level: LevelNote, rule: "required_python_module", detail: "missing_python_module", prevent: []PreventionAction{
		l1("list the module in the project's requirements and install them in setup"), l2("import the module in the baseline")}},
	loops.ClassNodeModule: {label: "missing Node module", level: LevelNote, rule: "required_node_module", detail: "missing_node_module", prevent: []PreventionAction{
		l1("list the module in package.json and install from the lock file in setup"), l2("resolve it in the baseline's build")}},
	loops.ClassDependency: {label: "missing dependency", level: LevelNote, prevent: []PreventionAction{
		l1("add the dependency to the manifest and the lock file"), l2("resolve it in the baseline's build")}},
	loops.ClassNetwork: {label: "network failure", level: LevelNote, prevent: []PreventionAction{
		l1("download in setup, and run the gates offline"), l3("document which hosts a run needs")}},
	loops.ClassEnvironment: {label: "environment problem that a run can't fix", level: LevelNote, prevent: []PreventionAction{
		l2("check for it in 'wiki doctor --agents'"), l3("document in CONTEXT.md what a run needs")}},
	loops.ClassPermission: {label: "missing permission", level: LevelStop, rule: "permission_guard", value: "execution_permissions", prevent: []PreventionAction{
		l1("set the file's mode in git"), l2("check file modes in the baseline")}},
	loops.ClassPath: {label: "missing file or directory", level: LevelStop, rule: "required_path", detail: "missing_path", prevent: []PreventionAction{
		l1("create the path in setup, or commit it"), l2("check for it in the baseline")}},
	loops.ClassTimeout: {label: "timeout", level: LevelFix, rule: "retry_policy", value: "bounded_retry", fix: "find out what it waits for before raising the time limit", prevent: []PreventionAction{
		l1("remove the wait"), l2("limit the wait, and report what it waited for")}},
	loops.ClassAssertion: {label: "failing test", level: LevelFix, fix: "read the first failing test; fix the code, not the test", prevent: []PreventionAction{
		l1("make the wrong state impossible to express in types"), l2("keep the failing test")}},
	loops.ClassCompile: {label: "compile error", level: LevelFix, fix: "fix the first error; the others often follow from it", prevent: []PreventionAction{
		l2("build before running tests"), l3("list the calls that agents get wrong in a gotcha")}},
	loops.ClassTypes: {label: "type error", level: LevelFix, fix: "fix the first error, without a cast", prevent: []PreventionAction{
		l1("narrow the type"), l2("check types before running tests")}},
	loops.ClassLint: {label: "linter errors", level: LevelFix, fix: "fix what the linter reports; don't suppress it", prevent: []PreventionAction{
		l1("run the formatter or the linter's fix first"), l2("keep the lint rule enabled")}},
	loops.ClassPanic: {label: "panic", level: LevelFix, fix: "look at the first stack frame in this repository; test the input that led there", prevent: []PreventionAction{
		l1("make the input that led there impossible"), l2("add a test for it")}},
	loops.ClassMemory: {label: "out of memory", level: LevelFix, fix: "find out what grows before raising the memory limit", prevent: []PreventionAction{
		l1("limit what grows"), l2("measure memory in a test")}},
	loops.ClassNoChange: {label: "agent reported success without changes", level: LevelFix, fix: "describe the expected change in the plan, or drop the chunk", prevent: []PreventionAction{
		l2("give the chunk a check that fails now"), l3("name the files in the plan")}},
	loops.ClassAgent: {label: "agent program failed", level: LevelFix, fix: "run the agent by hand with the saved prompt", prevent: []PreventionAction{
		l2("check it with 'wiki doctor --agents'"), l3("document the version that works")}},
	loops.ClassRejected: {label: "rejected by the checker", level: LevelFix, fix: "read the reasons; split the chunk, or add what was missing to it", prevent: []PreventionAction{
		l2("turn the reason into a gate"), l3("add the reason to the skill")}},
	loops.ClassGoal: {label: "goal not met", level: LevelFix, fix: "run the goal's command on the branch; add the missing chunk", prevent: []PreventionAction{
		l2("check each chunk's part of the goal in the chunk"), l3("explain in the plan how its chunks reach the goal")}},
	loops.ClassBreaker: {label: "no progress", level: LevelFix, fix: "split the chunk that is stuck, or remove it from the plan", prevent: []PreventionAction{
		l2("make chunks small enough for one session"), l3("describe the obstacle in a gotcha")}},
	loops.ClassScope: {label: "change outside the scope", level: LevelApprove, prevent: []PreventionAction{
		l1("set the plan's scope to what the work needs, and no more"), l3("document what is out of scope, and why")}},
	loops.ClassTampering: {label: "change of a protected file", level: LevelApprove, prevent: []PreventionAction{
		l1("protect the file with a glob"), l3("list in the plan which tests may change, and get it approved")}},
	loops.ClassContainment: {label: "change outside the worktree", level: LevelApprove, prevent: []PreventionAction{
		l1("run where a sandbox works"), l3("remove the credential that made it possible")}},
	loops.ClassSecret: {label: "leaked secret", level: LevelApprove, prevent: []PreventionAction{
		l1("revoke the secret, and remove it from the runs' environment"), l2("keep its pattern in the secret scan")}},
	loops.ClassUnknown: {label: "unknown", level: LevelStop, prevent: []PreventionAction{
		l2("find the cause, and add a failure class for it"), l3("document what it looks like")}},
}

// treat returns what follows from a class.
func treat(class string) treatment {
	if t, ok := treatments[class]; ok {
		return t
	}
	t := treatments[loops.ClassUnknown]
	t.label = strings.ReplaceAll(class, "_", " ")
	return t
}

// level returns what a failure of a class leads to here.
func (s *Store) level(class string) int {
	l := treat(class).level
	if own, ok := s.Levels[class]; ok {
		l = own
	}
	return min(max(l, LevelNote), LevelApprove)
}

// looks are commands that look at something: that they find nothing is no
// failure.
var looks = strings.Fields("ls cat sed head tail find rg grep pwd echo date which whoami wc sort cut awk tr jq stat uname")

// Ignored reports whether the exit status of a command that somebody typed says
// nothing: it is 0 or not known, the command says that it does not matter, or
// only looks at something.
func Ignored(command string, exit *int) bool {
	if exit == nil || *exit == 0 || strings.Contains(command, "|| true") {
		return true
	}
	words := strings.Fields(command)
	return len(words) > 0 && slices.Contains(looks, words[0])
}
