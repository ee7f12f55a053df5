// Package loops turns a task and a repository into a judged change.
//
// Its heart is the kernel: Step, a pure function from a state and an event to
// the next state and the commands that follow from it. It has no clock, does no
// I/O and depends on no order of a map: the same events give the same state,
// today and in ten years, on this machine and on another. A driver (the room
// run) carries out the commands, writes every event to a journal before it
// feeds it back, and after a crash replays the journal and goes on.
//
// What an agent says is never evidence. An agent leaves a tree; gates judge the
// tree, a checker reads it, and only then the runner, never the agent, commits.
//
// The rooms beside the kernel know one thing each and not each other; the
// command line joins them:
//
//	audit    what is worth fixing: evidence, findings, and which plans a person is shown
//	agent    how an agent's program is called, and what its output means
//	contain  how a program is run so that nothing of it outlives it, and what it may touch
//	gate     what a tree must be like
//	plan     what must be done: plans, task files of others, as files that people write
//	skill    how a kind of work is gone about: skills, as people write them for agents
//	prompt   what an agent is told
//	docs     which pages are about what changed
//	run      the driver, the journal, the folders of runs
package loops
