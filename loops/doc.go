// Package loops turns a task and a repository into a judged change.
//
// Its core is the kernel: Step, a pure function from a state and an event to the next
// state and the commands that follow. It has no clock, does no I/O and depends on no
// map order: the same events always give the same state, on any machine. A driver
// (the room run) executes the commands and writes every event to a journal before it
// passes it to the kernel; after a crash it replays the journal and continues.
//
// What an agent says is never evidence. An agent leaves a tree; gates judge the tree,
// a checker reviews it, and only then the runner, never the agent, commits.
//
// The rooms beside the kernel have one responsibility each and don't know each other;
// loops/control joins them:
//
//	audit    evidence for auditors, their findings, and the plans made of them
//	agent    how agent programs are called, and how their output is parsed
//	contain  how programs run contained: processes, file access, snapshots
//	gate     the checks of a tree
//	plan     plans, task files of other programs and loop specs
//	skill    skills, as people write them for agents
//	prompt   the prompts of agents
//	docs     the pages that a change affects
//	run      the driver, the journal, the folders of runs
package loops
