package loops

import (
	"maps"
	"slices"
	"time"
)

// State is what a run has come to. It follows from the events alone.
type State struct {
	Start  Start  `json:"start"`
	Status Status `json:"status"`
	Phase  Phase  `json:"phase"`

	// Chunk is the index of the chunk in work, -1 for the plan as a whole.
	Chunk int `json:"chunk"`
	// Attempt counts the attempts at the chunk, Charged those that failed by its
	// own fault, Try the calls of the role in work.
	Attempt int `json:"attempt"`
	Charged int `json:"charged"`
	Try     int `json:"try"`
	// Asked counts the times that a judge was asked in this attempt and gave no
	// verdict that counts.
	Asked int `json:"asked,omitempty"`
	// PlanAttempt counts the attempts at the plan as a whole.
	PlanAttempt int `json:"plan_attempt,omitempty"`
	// Serial makes keys unique that attempt and role do not.
	Serial int `json:"serial"`

	Chunks []ChunkState `json:"chunks"`
	Place  PlaceResult  `json:"place"`
	// Head and Tree are what was committed last.
	Head string `json:"head"`
	Tree string `json:"tree"`
	// Before is what the role in work found.
	Before Snapshot `json:"before"`
	// Candidate is the tree that gates judge or passed, and Green says which.
	Candidate string `json:"candidate,omitempty"`
	Green     bool   `json:"green,omitempty"`
	// Notes are what gates have to say to the checker.
	Notes    []Reason   `json:"notes,omitempty"`
	Feedback []Feedback `json:"feedback,omitempty"`

	Spend    Spend            `json:"spend"`
	RoleUSD  map[Role]float64 `json:"role_usd,omitempty"`
	ChunkUSD float64          `json:"chunk_usd,omitempty"`
	// Iterations counts the calls of the maker and of the writer.
	Iterations int     `json:"iterations"`
	Breaker    Breaker `json:"breaker"`
	// VendorFails counts the calls that failed by their vendor's fault since the run
	// began or was resumed, VendorWait is how long it waited for vendors.
	VendorFails int      `json:"vendor_fails,omitempty"`
	VendorWait  Duration `json:"vendor_wait,omitempty"`
	// Partial is set if such a call left changes in the attempt: the next call goes on with them.
	Partial bool `json:"partial,omitempty"`
	// Stalled counts verdicts in a row that saw no progress.
	Stalled int `json:"stalled,omitempty"`
	// LastReasons is a digest of the checker's last reasons for a rejection,
	// Repeated how often they were given again.
	LastReasons string `json:"last_reasons,omitempty"`
	Repeated    int    `json:"repeated,omitempty"`
	GoalFails   int    `json:"goal_fails,omitempty"`
	NotMets     int    `json:"not_mets,omitempty"`
	WikiFails   int    `json:"wiki_fails,omitempty"`
	GoalIsMet   bool   `json:"goal_is_met,omitempty"`

	// Failures are what a repair found on its base. They don't change.
	Failures []BaseFailure `json:"failures,omitempty"`

	// Answer is the folder of the planner's answer that is judged, relative to the
	// run's; Proposed are the files that were written of it, or the pages of people
	// that a writer would change.
	Answer   string   `json:"answer,omitempty"`
	Proposed []string `json:"proposed,omitempty"`
	// Proposals are the patches with what is proposed for pages, relative to the
	// run's folder; Aside is set when they were taken out of the tree in work.
	Proposals []string `json:"proposals,omitempty"`
	Aside     bool     `json:"aside,omitempty"`
	// Findings are those of an auditor that plans were made of, the best first;
	// Dropped is the rest of what it answered, and why.
	Findings []Reason `json:"findings,omitempty"`
	Dropped  []Reason `json:"dropped,omitempty"`
	// Kept is how many plans are kept of an auditor's answer. Wanted are the pages that
	// it asks for and that are not written yet, the one in work first; Pages are those
	// that were written and committed.
	Kept   int       `json:"kept,omitempty"`
	Wanted []NewPage `json:"wanted,omitempty"`
	Pages  []string  `json:"pages,omitempty"`

	// Escalated is why the work in hand was left to a person, "" if it was not, or
	// if the person let it go on: Waived is set then.
	Escalated string `json:"escalated,omitempty"`
	Waived    bool   `json:"waived,omitempty"`
	// Exhausted is set if Escalated says that the work failed too often.
	Exhausted bool `json:"exhausted,omitempty"`

	// Rounds is what a declared loop has come to, nil in other loops.
	Rounds *Rounds `json:"rounds,omitempty"`
	// Outer are those of the loops that the loop in work is a child of, the outermost first.
	Outer []*Rounds `json:"outer,omitempty"`

	// Pending are the commands that were issued and not answered.
	Pending []Pending `json:"pending,omitempty"`
	// Then is what follows the rollback in work.
	Then Then `json:"then,omitzero"`
	// WaitingFor says for what the run waits.
	WaitingFor WaitReason `json:"waiting_for,omitempty"`
	// Until is from when a run that waits for a vendor can go on.
	Until time.Time `json:"until,omitzero"`
	// Question is what a person is asked.
	Question string `json:"question,omitempty"`

	// Suspect is a failure for which the gates judge the base again, nil if there is none.
	Suspect *Suspect `json:"suspect,omitempty"`

	Incidents   []Incident `json:"incidents,omitempty"`
	End         End        `json:"end,omitzero"`
	PullRequest string     `json:"pull_request,omitempty"`
	// Patch is what a run in shadow would have done, relative to the run's folder.
	Patch    string   `json:"patch,omitempty"`
	Warnings []string `json:"warnings,omitempty"`

	First time.Time `json:"first"`
	Last  time.Time `json:"last"`
	// Worked is the time in which the run did not wait.
	Worked Duration `json:"worked"`
}

// ChunkStatus is how a chunk stands.
type ChunkStatus string

// The statuses of chunks.
const (
	ChunkPending ChunkStatus = "pending"
	ChunkRunning ChunkStatus = "running"
	ChunkDone    ChunkStatus = "done"
	ChunkFailed  ChunkStatus = "failed"
)

// ChunkState is what became of one chunk.
type ChunkState struct {
	ID       string      `json:"id"`
	Status   ChunkStatus `json:"status"`
	Attempts int         `json:"attempts"`
	Charged  int         `json:"charged,omitempty"`
	Commit   string      `json:"commit,omitempty"`
	USD      float64     `json:"usd,omitempty"`
}

// Pending is a command without a result.
type Pending struct {
	Command Command `json:"command"`
	Began   bool    `json:"began,omitempty"`
}

// WaitReason is for what a run waits.
type WaitReason string

// The reasons.
const (
	ForPerson WaitReason = "person"     // a verdict that no agent gave
	ForRate   WaitReason = "rate-limit" // a vendor's limit
	ForVendor WaitReason = "vendor"     // a vendor that fails
)

// Then is what follows a rollback.
type Then struct {
	Do     After  `json:"do,omitempty"`
	Status Status `json:"status,omitempty"`
	Why    string `json:"why,omitempty"`
	Class  string `json:"class,omitempty"`
	// Whole is set if the end of a loop is that of the loops around it too.
	Whole bool `json:"whole,omitempty"`
	// Outcome and Until are of ThenWait: how the vendor failed, and until when.
	Outcome Outcome   `json:"outcome,omitempty"`
	Until   time.Time `json:"until,omitzero"`
}

// After names what follows a rollback.
type After string

// What follows.
const (
	ThenAttempt After = "attempt" // the next attempt, or the end if there is none
	ThenEnd     After = "end"
	ThenAgain   After = "again" // the same role once more
	ThenWait    After = "wait"  // for a vendor
	ThenAsk     After = "ask"   // a person
	ThenWritten After = "written"
	// What a declared loop leaves is judged, or its next part is done.
	ThenKeep     After = "keep"
	ThenNextPart After = "next-part"
	// The next page of an audit, or none of those that are left.
	ThenNextPage After = "next-page"
	ThenNoPages  After = "no-pages"
)

// End is why a run is over.
type End struct {
	Status Status `json:"status,omitempty"`
	Why    string `json:"why,omitempty"`
	// Meta is set if too many attempts in a row failed: no run starts until a
	// person has acknowledged it.
	Meta bool `json:"meta,omitempty"`
	// Blocked is set if the plan itself needs a review.
	Blocked bool `json:"blocked,omitempty"`
}

// clone copies everything that Step changes in place.
func (s State) clone() State {
	s.Chunks = slices.Clone(s.Chunks)
	s.Pending = slices.Clone(s.Pending)
	s.Feedback = slices.Clone(s.Feedback)
	s.Incidents = slices.Clone(s.Incidents)
	s.Warnings = slices.Clone(s.Warnings)
	s.Notes = slices.Clone(s.Notes)
	s.Proposed = slices.Clone(s.Proposed)
	s.Proposals = slices.Clone(s.Proposals)
	s.Dropped = slices.Clone(s.Dropped)
	s.Pages = slices.Clone(s.Pages)
	s.RoleUSD = maps.Clone(s.RoleUSD)
	s.Rounds = s.Rounds.clone()
	s.Outer = slices.Clone(s.Outer)
	for i := range s.Outer {
		s.Outer[i] = s.Outer[i].clone()
	}
	return s
}

// plan returns the work.
func (s *State) plan() *Plan { return &s.Start.Plan }

// goalChunk is what a maker works on when all chunks are done and the goal is
// not reached.
const goalChunk = "goal"

// Work returns the chunk of an index; -1 is the plan as a whole.
func (p *Plan) Work(i int) Chunk {
	if i >= 0 && i < len(p.Chunks) {
		return p.Chunks[i]
	}
	c := Chunk{ID: goalChunk, Title: p.Title, Files: p.Scope, Tests: TestsRule{Kind: TestsNew}}
	if len(p.Chunks) > 0 {
		c.Skill = p.Chunks[len(p.Chunks)-1].Skill
	}
	return c
}

// ready returns the index of the first chunk that must be done and whose
// dependencies are, -1 if all are done.
func (s *State) ready() int {
	done := make(map[string]bool)
	for _, c := range s.Chunks {
		done[c.ID] = c.Status == ChunkDone
	}
	for i, c := range s.plan().Chunks {
		if s.Chunks[i].Status == ChunkDone {
			continue
		}
		if !slices.ContainsFunc(c.DependsOn, func(id string) bool { return !done[id] }) {
			return i
		}
	}
	return -1
}
