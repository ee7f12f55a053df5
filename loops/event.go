package loops

import "time"

// EventKind is what happened.
type EventKind string

// The events.
const (
	Started       EventKind = "started"  // a run begins
	Began         EventKind = "began"    // a command is being carried out: its result may be lost
	WorktreeReady EventKind = "worktree" // results of the commands
	SnapshotTaken EventKind = "snapshot"
	RoleEnded     EventKind = "role"
	GatesEnded    EventKind = "gates"
	RolledBack    EventKind = "rolled-back"
	Committed     EventKind = "committed"
	Asked         EventKind = "asked" // a person was asked, and has not answered yet
	WaitOver      EventKind = "wait-over"
	Published     EventKind = "published"
	Reported      EventKind = "reported"
	Proposed      EventKind = "proposed"
	Withdrawn     EventKind = "withdrawn"
	PutAside      EventKind = "put-aside"
	Discarded     EventKind = "discarded"
	Broken        EventKind = "broken"   // a command could not be carried out: the disk, git, a missing program
	Answered      EventKind = "answered" // a person approves or rejects
	StopAsked     EventKind = "stop"     // a person or a signal ends the run
	Resumed       EventKind = "resumed"  // a runner takes over from one that ended or died
	Moved         EventKind = "moved"    // another host goes on with the run, from its last commit
	Parked        EventKind = "parked"   // the runner ends and the run does not: it can be resumed
	Finished      EventKind = "finished" // the run is over
	Noted         EventKind = "noted"    // for people: it changes nothing
)

// Event is one line of the journal. Key is that of the command that it answers,
// if it answers one. Of the fields below it one is set, by kind.
type Event struct {
	Kind EventKind `json:"kind"`
	At   time.Time `json:"at"`
	Key  string    `json:"key,omitempty"`

	Start    *Start       `json:"start,omitempty"`
	Command  *Command     `json:"command,omitempty"` // of Began
	Worktree *PlaceResult `json:"worktree,omitempty"`
	Snapshot *Snapshot    `json:"snapshot,omitempty"`
	Role     *RoleResult  `json:"role,omitempty"`
	Gates    []GateResult `json:"gates,omitempty"`
	// Breaches of Committed are what was written after the gates had judged.
	Breaches []Breach `json:"breaches,omitempty"`
	// Patch is what a rollback saved, what a shadow run made, or of PutAside the
	// proposal.
	Patch string `json:"patch,omitempty"`
	// Tree of PutAside is what is left.
	Tree string `json:"tree,omitempty"`
	// Commit is what a commit made, or the report's log of the run.
	Commit string `json:"commit,omitempty"`
	// PullRequest is the address of one that was opened.
	PullRequest string  `json:"pull_request,omitempty"`
	Answer      *Answer `json:"answer,omitempty"`
	Fault       *Fault  `json:"fault,omitempty"`
	// Files are those that a proposal wrote, of Withdrawn those that were kept, or
	// of PutAside those that were taken out, relative to the repository's root.
	Files []string `json:"files,omitempty"`
	// Why is the reason for a stop, or a note.
	Why string `json:"why,omitempty"`
	// Status and Exit are of Finished and Parked, for readers of the journal.
	Status Status `json:"status,omitempty"`
	Exit   *int   `json:"exit,omitempty"`
}

// Start is everything that a run is decided by. It does not change.
type Start struct {
	Run    string `json:"run"`
	Loop   string `json:"loop"` // execution, plan, audit, documentation, ingest, query, or a spec's name
	Plan   Plan   `json:"plan"`
	Mode   Mode   `json:"mode"`
	Limits Limits `json:"limits"`
	// Base is the commit that the run starts from.
	Base string `json:"base"`
	// Roles says which agent plays which role; a role that is missing is not played.
	Roles map[Role]Casting `json:"roles"`
	// Notes are for people: why the run goes less far than was asked for.
	Notes []string `json:"notes,omitempty"`
	// Opened counts the pull requests that runs before this one opened, of those
	// that the budget allows them together.
	Opened int `json:"opened,omitempty"`
	// SpentToday is what other runs of the day consumed, in USD.
	SpentToday float64 `json:"spent_today,omitempty"`
	// Gates are the commands of setup, build, test and lint.
	Gates GateCommands `json:"gates"`
	// Spec is what a planner is asked for, nil in other loops.
	Spec *SpecRequest `json:"spec,omitempty"`
	// Documentation is what is to be documented, nil in other loops.
	Documentation *DocumentationRequest `json:"documentation,omitempty"`
	// Audit is the request to an auditor, nil in other loops.
	Audit *AuditRequest `json:"audit,omitempty"`
	// Ingest lists the raw sources of a writer, nil in other loops.
	Ingest *IngestRequest `json:"ingest,omitempty"`
	// Query is what a reader is asked, nil in other loops.
	Query *QueryRequest `json:"query,omitempty"`
	// Declared is the loop that a specification declares, nil in other loops.
	Declared *Declared `json:"declared,omitempty"`
	// Control is what a loop's spec says of the run, nil if none started it.
	Control *Control `json:"control,omitempty"`
	// Escalation says what a person decides beside what always waits for one.
	Escalation Escalation `json:"escalation,omitzero"`
	// Repair says on whose word the run may start on a red base.
	Repair Repair `json:"repair,omitempty"`
	// Breaker is what an earlier run of the same work left, if this one goes on
	// with it; zero is a closed one.
	Breaker Breaker `json:"breaker,omitzero"`
	// Wall is the longest call of an agent, if a person said it for this run.
	Wall Duration `json:"wall,omitempty"`
}

// Casting is the agent that plays a role.
type Casting struct {
	Agent string   `json:"agent"`
	Model string   `json:"model,omitempty"`
	Argv  []string `json:"argv,omitempty"` // of the agent command
	// SameVendor labels a judge of the maker's vendor.
	SameVendor bool `json:"same_vendor,omitempty"`
	// As is the role of wiki.yaml that the agent is from, where that is not the role it
	// plays: its budget and its time limit hold for it.
	As Role `json:"as,omitempty"`
	// CountsTools is true if the agent's output says how many tools it called.
	CountsTools bool `json:"counts_tools,omitempty"`
}

// GateCommands are the ordinary commands of a repository, for the shell.
type GateCommands struct {
	Setup []string `json:"setup,omitempty"`
	Build []string `json:"build,omitempty"`
	Test  []string `json:"test,omitempty"`
	Lint  []string `json:"lint,omitempty"`
	// Given is true if a person listed them: where there are none, none are detected.
	Given bool `json:"given,omitempty"`
}

// PlaceResult is where a run works.
type PlaceResult struct {
	Path   string `json:"path"`
	Branch string `json:"branch"`
	Head   string `json:"head"` // a commit
	Tree   string `json:"tree"`
	// Probes are what it took to see that the agents work.
	Probes []Usage `json:"probes,omitempty"`
}

// RoleResult is what a call of an agent came to: what it said, and what it did.
type RoleResult struct {
	Report Report `json:"report"`
	Exit   Exit   `json:"exit"`
	// Tree is the worktree's content after the call.
	Tree string `json:"tree"`
	// Changes are those of the call.
	Changes []Change `json:"changes,omitempty"`
	// Breaches are what it did outside the worktree.
	Breaches []Breach `json:"breaches,omitempty"`
	// Evidence is the folder with prompt and transcript, relative to the run's.
	Evidence string `json:"evidence"`
	// Secrets counts values that must not appear and did, in what it wrote.
	Secrets int `json:"secrets,omitempty"`
}

// Answer is a person's.
type Answer struct {
	Approve bool   `json:"approve"`
	By      string `json:"by"`
	Reason  string `json:"reason,omitempty"`
}

// Fault is why a command could not be carried out.
type Fault struct {
	Message string `json:"message"`
	// Environment is true if it is not a fault of the run: a missing program, a full disk.
	Environment bool `json:"environment,omitempty"`
}
