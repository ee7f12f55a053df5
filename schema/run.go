package schema

import "time"

// RunSummary is the result of a run of a loop: the JSON of wiki loop show, and
// what a site shows of runs.
type RunSummary struct {
	ID   string `json:"id"`
	Loop string `json:"loop"`
	// Kind is audit or documentation, also for custom loops, item for another item of
	// one, task for a task file, plan, ingest or query, and "" for the execution of a plan.
	Kind     string `json:"kind,omitempty"`
	Plan     string `json:"plan"` // the plan's file, relative to the repository's root
	Mode     string `json:"mode"`
	Status   string `json:"status"` // met, not-met, stopped, budget, waiting, environment, interrupted, rejected, running
	Exit     int    `json:"exit"`
	Branch   string `json:"branch"`
	Worktree string `json:"worktree"`

	Chunks    []RunChunk    `json:"chunks"`
	Spend     RunSpend      `json:"spend"`
	Incidents []RunIncident `json:"incidents"`
	// WaitingFor is person, rate-limit or vendor, "" if the run does not wait.
	WaitingFor string `json:"waiting_for"`
	// WaitingUntil is from when a run that waits for a vendor can be resumed.
	WaitingUntil time.Time  `json:"waiting_until,omitzero"`
	Started      time.Time  `json:"started"`
	Ended        *time.Time `json:"ended"` // null while it can go on
}

// RunChunk is a chunk of a run's plan.
type RunChunk struct {
	ID       string `json:"id"`
	Status   string `json:"status"` // pending, running, done, failed
	Attempts int    `json:"attempts"`
}

// RunSpend is the consumption of a run.
type RunSpend struct {
	USD       float64 `json:"usd"`
	Tokens    int64   `json:"tokens"`
	Calls     int     `json:"calls"` // of agents
	Estimated bool    `json:"estimated"`
}

// RunIncident is a failure that stopped the line.
type RunIncident struct {
	ID         string  `json:"id"`
	Class      string  `json:"class"`
	Confidence float64 `json:"confidence"` // from 0 to 1
}

// RunDetail is everything that is shown of a run: steps, judgements, and the paths of
// the evidence. Text of agents and tools in it is untrusted.
type RunDetail struct {
	RunSummary
	Name string // the plan's title
	// Why says why the run ended as it did, or what it waits for.
	Why string
	// Now says what it does at this moment, "" if it is not running.
	Now         string
	Base, Head  string // commits
	PullRequest string // an address
	Worked      time.Duration
	Warnings    []string
	Cast        []RunCast
	// Parts are the plan as a whole and its chunks, in the order of their start; chunks
	// that were not started come last.
	Parts []RunPart
	Stops []RunStop
	// Report is the stored report, "" if there is none yet.
	Report string
	// Files are those of the run that belong to no call: its journal, patches, and
	// what gates left.
	Files []RunFile
}

// RunCast is who plays a role.
type RunCast struct {
	Role, Agent, Model string
	USD                float64
	// SameVendor labels a judge of the maker's vendor.
	SameVendor bool
}

// RunPart are the steps for a chunk, or for the plan as a whole.
type RunPart struct {
	ID     string // of the chunk, "" for the plan
	Title  string
	Status string // of the chunk
	Commit string
	USD    float64
	// Attempts are in order.
	Attempts []RunAttempt
}

// RunAttempt is one attempt at a part.
type RunAttempt struct {
	Number int // from 1; 0 is before the first
	Steps  []RunStep
}

// RunStep is one event: a call of an agent, a judgement of gates, or a note.
type RunStep struct {
	At    time.Time
	Call  *RunCall
	Stage string // of the gates, if it is theirs
	Gates []RunGate
	Note  string
	Patch *RunFile // what a rollback took away
}

// RunCall is a call of an agent.
type RunCall struct {
	Role, Agent, Model string
	// Outcome is "" while the call is running, and lost if its result is unknown.
	Outcome, Summary, Detail, Assessment string
	// Verdict is a judge's decision, "" for other agents and invalid decisions.
	Verdict  string
	Checks   []RunCheck
	Reasons  []RunReason
	USD      float64
	Cost     string // reported, priced or estimated
	Tokens   int64
	Took     time.Duration
	Changed  int      // files
	Breaches []string // what it touched outside its worktree
	Files    []RunFile
}

// RunCheck is one of the checks of a verdict.
type RunCheck struct{ Name, Result string }

// RunGate is the result of a gate.
type RunGate struct {
	Name    string
	Effect  string // passed, note, red, environment, unscoped, violation
	Took    time.Duration
	Reasons []RunReason
	Output  string
}

// RunReason is why something is not as it should be.
type RunReason struct {
	Path    string // "" if it is about no file
	Line    int    // from 1; 0 is the whole file
	Message string
}

// RunStop is an incident with its reason.
type RunStop struct {
	RunIncident
	At   time.Time
	Why  string
	Meta bool // it was the third in a row
}

// RunFile is a file of a run's folder.
type RunFile struct {
	Path string // relative to the run's folder, slash-separated
	Size int64  // in bytes
}

// RunText is a file of a run's folder for display.
type RunText struct {
	RunFile
	// Head is the beginning of the file, all of it if it is not long. Of a long one
	// Tail is the end, and Cut is how many bytes between them are not shown.
	Head, Tail []byte
	Cut        int64
}

// RunPoint is a run as one of many: what its charts are made of.
type RunPoint struct {
	ID        string
	Plan      string
	Loop      string
	Mode      string
	Status    string
	Started   time.Time
	USD       float64
	Estimated bool
	Committed int // chunks
	// Verdicts counts the checkers' verdicts, Rejections the negative ones.
	Verdicts, Rejections int
	// LES is the score of a finished run, from 0 to 100; nil for a run without one.
	LES *float64
}

// LoopScore is the result of the runs of a loop in one mode.
type LoopScore struct {
	Loop string `json:"loop"`
	Mode string `json:"mode"`
	// Runs counts finished runs, without those that lacked something they need.
	Runs int `json:"runs"`
	// Accepted and Rejected are by people; Failed did not reach their goal; Open met it
	// and await a verdict.
	Accepted int `json:"accepted"`
	Rejected int `json:"rejected"`
	Failed   int `json:"failed"`
	Open     int `json:"open"`
	// AcceptRate is of the runs that are not open, from 0 to 1.
	AcceptRate float64 `json:"accept_rate"`
	USD        float64 `json:"usd"`
	// USDPerAccepted is the cost of all runs but the open ones, divided by the accepted
	// ones; 0 without any.
	USDPerAccepted float64 `json:"usd_per_accepted"`
	// Incidents counts those that demote a loop.
	Incidents int `json:"incidents"`
}

// LoopOpen is a run that waits for a person's word.
type LoopOpen struct {
	Run string `json:"run"`
	// Agreement is the share of it that was committed since, from 0 to 1.
	Agreement float64 `json:"agreement"`
}

// LoopMode is how far a loop may go on its own, and why.
type LoopMode struct {
	Loop string `json:"loop"`
	Mode string `json:"mode"`
	// Granted is false if the loop was never granted a mode.
	Granted bool      `json:"granted"`
	Since   time.Time `json:"since,omitzero"`
	By      string    `json:"by,omitempty"`
	Reason  string    `json:"reason,omitempty"`
	// Back is set if the last step was one back, which the runner takes by itself.
	Back bool `json:"back"`
	// Pending is set while a grant waits to be committed.
	Pending bool `json:"pending"`
	// Next is the mode that a person could grant next, "" after the last; Missing is
	// what that still requires.
	Next    string   `json:"next,omitempty"`
	Missing []string `json:"missing"`
	// Open are runs that met their goal and await a verdict.
	Open  []LoopOpen `json:"open"`
	Score LoopScore  `json:"score"` // of the runs since then, which Next is earned by
}
