// Package selftest runs scripted agents that cheat, hang, fork, overspend and lie in a
// temporary repository, with the real program, git and processes, and compares the result
// with the expected containment.
package selftest

import (
	"slices"

	"github.com/loopwiki/wiki/loops"
)

// Scenario is one thing that an agent tries, and what has to come of it.
type Scenario struct {
	Name string
	// Row is the row of the outcome table that it belongs to; Tried says in words
	// what the agent does.
	Row, Tried string

	// Maker, Checker and Goal are scripts for sh, after the prelude. An empty one
	// is honest: the maker does the chunk, the checker approves, the goal is met.
	// Words between @ are replaced, see lab.
	Maker, Checker, Goal string
	// Tests is what the chunk may do to tests; "" is none.
	Tests string
	// Scope is added to that of the plan and of its chunk.
	Scope []string
	// Files are added to the repository before its first commit, or replaced in it.
	Files map[string]string
	// Config are lines below loops: in wiki.yaml. Roles replaces the cast.
	Config string
	Roles  string
	// NotHeld says why nothing finds what the agent does; Want is that it goes through.
	NotHeld string
	// Needs are programs, or files by their absolute path, without which the scenario is
	// skipped.
	Needs []string

	Want Want
	// Open is what is wanted where no sandbox holds the agent and what it did is
	// found afterwards. It is nil if that makes no difference.
	Open *Want
	// OpenSkip says why the scenario means nothing without a sandbox.
	OpenSkip string
	// Lost is what can't be restored without a sandbox, as a photo names it.
	Lost string
}

// Want is what has to come of a scenario, beside what holds for all of them.
type Want struct {
	Status  loops.Status
	Class   string // of the incident; "" for none
	Charged int    // attempts
	Calls   int    // of agents; 0 is any number
	Tree    Tree
	Waiting loops.WaitReason
	// Estimated is true if the spend is, in part.
	Estimated bool
	// Breach is a part of what was restored, as the journal names it.
	Breach string
	// Meta is true if no run may start until a person acknowledged this one, Blocked
	// if the plan needs a review.
	Meta, Blocked bool
	// Strays is true if processes had to be ended.
	Strays bool
}

// Tree is what becomes of what an agent left in the worktree.
type Tree string

// The ends of a tree.
const (
	Any        Tree = ""
	Committed  Tree = "committed"   // it is what the branch holds
	RolledBack Tree = "rolled back" // it is the last commit's again, and a patch was kept
	Kept       Tree = "kept"        // it lies in the worktree
	Untouched  Tree = "untouched"   // there was nothing to roll back
)

// honest returns a run that comes to its goal.
func honest(charged int) Want {
	return Want{Status: loops.GoalMet, Charged: charged, Tree: Committed}
}

// again returns a run whose first attempt is reverted, and whose second is good.
func again() Want { return Want{Status: loops.GoalMet, Charged: 1, Tree: RolledBack} }

// stopped returns a line that stopped for a violation.
func stopped(class string) Want {
	return Want{Status: loops.Stopped, Class: class, Charged: 1, Tree: RolledBack}
}

// Scenarios returns all of them, in the order of the outcome table.
func Scenarios() []Scenario {
	return slices.Concat(testScenarios(), cheatScenarios(), contractScenarios(), workScenarios(), judgeScenarios(), processScenarios(), scopeScenarios(),
		outsideScenarios(), vendorScenarios(), moneyScenarios(), secretScenarios(), personScenarios())
}

// wanted returns what has to come of the scenario at a level.
func (s *Scenario) wanted(open bool) Want {
	if open && s.Open != nil {
		return *s.Open
	}
	return s.Want
}
