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
	Impossible Level = "L1" // it can not happen again
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
	loops.ClassCommandMissing: {label: "a command is not there", level: LevelNote, rule: "required_command", detail: "missing_command", prevent: []PreventionAction{
		l1("install the command where runs work, with its version pinned"), l2("let 'wiki doctor' and the baseline look for it before an agent is called")}},
	loops.ClassPythonModule: {label: "a Python module is not there", level: LevelNote, rule: "required_python_module", detail: "missing_python_module", prevent: []PreventionAction{
		l1("list the module in the project's requirements and install them in setup"), l2("import it in the baseline")}},
	loops.ClassNodeModule: {label: "a Node module is not there", level: LevelNote, rule: "required_node_module", detail: "missing_node_module", prevent: []PreventionAction{
		l1("list the module in package.json and install from the lock file in setup"), l2("let the build of the baseline resolve it")}},
	loops.ClassDependency: {label: "a dependency is not there", level: LevelNote, prevent: []PreventionAction{
		l1("add it to the manifest and to the lock file"), l2("let the build of the baseline resolve it")}},
	loops.ClassNetwork: {label: "the network did not answer", level: LevelNote, prevent: []PreventionAction{
		l1("fetch in setup, and run the gates without a network"), l3("say which hosts a run needs")}},
	loops.ClassEnvironment: {label: "something is missing that is not the run's to mend", level: LevelNote, prevent: []PreventionAction{
		l2("let 'wiki doctor --agents' look for it"), l3("say in CONTEXT.md what a run needs")}},
	loops.ClassPermission: {label: "a permission is missing", level: LevelStop, rule: "permission_guard", value: "execution_permissions", prevent: []PreventionAction{
		l1("give the file the mode that it needs, in git"), l2("check modes in the baseline")}},
	loops.ClassPath: {label: "a file or folder is not there", level: LevelStop, rule: "required_path", detail: "missing_path", prevent: []PreventionAction{
		l1("make the path in setup, or commit it"), l2("check for it in the baseline")}},
	loops.ClassTimeout: {label: "it took too long", level: LevelFix, rule: "retry_policy", value: "bounded_retry", fix: "find what it waits for; only then give it more time, with an end", prevent: []PreventionAction{
		l1("take the wait out"), l2("limit it, and fail with what it waited for")}},
	loops.ClassAssertion: {label: "a test fails", level: LevelFix, fix: "read the first failing test; correct the code that it tests, never the test", prevent: []PreventionAction{
		l1("make the wrong state impossible by its type"), l2("keep the test that failed")}},
	loops.ClassCompile: {label: "it does not compile", level: LevelFix, fix: "correct the first error; the others often follow from it", prevent: []PreventionAction{
		l2("build before tests are run"), l3("name the calls that trip agents up in a gotcha")}},
	loops.ClassTypes: {label: "types do not fit", level: LevelFix, fix: "correct the first error, without a cast", prevent: []PreventionAction{
		l1("narrow the type"), l2("check types before tests are run")}},
	loops.ClassLint: {label: "the linter objects", level: LevelFix, fix: "do what the linter says, without suppressing it", prevent: []PreventionAction{
		l1("let the formatter or the linter's fix run first"), l2("keep the rule")}},
	loops.ClassPanic: {label: "the program ends in a panic", level: LevelFix, fix: "follow the first frame of our own code; test the input that led there", prevent: []PreventionAction{
		l1("make the input that led there impossible"), l2("test it")}},
	loops.ClassMemory: {label: "there is not enough memory", level: LevelFix, fix: "find what grows; only then give it more", prevent: []PreventionAction{
		l1("bound what grows"), l2("measure it in a test")}},
	loops.ClassNoChange: {label: "an agent claims and does nothing", level: LevelFix, fix: "say in the plan what is to be different afterwards, or drop the chunk", prevent: []PreventionAction{
		l2("give the chunk a check that is red now"), l3("name the files in the plan")}},
	loops.ClassAgent: {label: "the agent's program fails", level: LevelFix, fix: "run the agent by hand with the prompt that was kept", prevent: []PreventionAction{
		l2("let 'wiki doctor --agents' try it"), l3("name the version that works")}},
	loops.ClassRejected: {label: "the checker does not approve", level: LevelFix, fix: "read the reasons; split the chunk, or say in it what was missing", prevent: []PreventionAction{
		l2("make the reason a gate"), l3("make the reason a line of the skill")}},
	loops.ClassGoal: {label: "the goal is not met", level: LevelFix, fix: "run the goal's command on the branch; add the chunk that is missing", prevent: []PreventionAction{
		l2("give each chunk a check of its part of the goal"), l3("say in the plan how the goal follows from its chunks")}},
	loops.ClassBreaker: {label: "there is no progress", level: LevelFix, fix: "split what it stands at, or take it out of the plan", prevent: []PreventionAction{
		l2("make chunks that one session can do"), l3("name the obstacle in a gotcha")}},
	loops.ClassScope: {label: "files outside of the scope were changed", level: LevelApprove, prevent: []PreventionAction{
		l1("give the plan the scope that the work needs, and no more"), l3("say what lies outside and why")}},
	loops.ClassTampering: {label: "a protected file was changed", level: LevelApprove, prevent: []PreventionAction{
		l1("protect the file by a glob"), l3("say in the plan which tests may change, and have it approved")}},
	loops.ClassContainment: {label: "something outside of the worktree was changed", level: LevelApprove, prevent: []PreventionAction{
		l1("run where a sandbox holds"), l3("take the credential away that made it possible")}},
	loops.ClassSecret: {label: "a secret was written", level: LevelApprove, prevent: []PreventionAction{
		l1("replace the secret, and take it out of the environment of runs"), l2("keep the pattern among those that are looked for")}},
	loops.ClassUnknown: {label: "not known", level: LevelStop, prevent: []PreventionAction{
		l2("find out what it is, and give it a class"), l3("write down how it looks")}},
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

// level is what a failure of a class leads to here.
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
