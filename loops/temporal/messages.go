package temporal

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/run"
)

// Names that workers and clients share.
const (
	WorkflowName = "wiki-loop"
	StepName     = "step"
	AliveName    = "alive"

	AnswerSignal = "answer"
	StopSignal   = "stop"
	ResumeSignal = "resume"
)

// DefaultQueue is the task queue of workers, if nobody names one.
const DefaultQueue = "wiki-loops"

// HostQueue returns the queue of one host.
func HostQueue(queue, host string) string { return queue + "@" + host }

// Input is what a workflow is started with, and continued as new.
type Input struct {
	Submission run.Submission `json:"submission"`
	// AnswerWithin is how long a person has to answer; DefaultAnswer if it is 0.
	AnswerWithin time.Duration `json:"answer_within,omitempty"`
	// Patience is how long a command waits for its host before another host may take the
	// run; DefaultPatience if it is 0.
	Patience time.Duration `json:"patience,omitempty"`
	// Carried is what the workflow before this one had come to, nil for a new run.
	Carried *Carried `json:"carried,omitempty"`
}

// The defaults of Input.
const (
	DefaultAnswer   = 30 * 24 * time.Hour
	DefaultPatience = 2 * time.Minute
)

// Carried is what one execution of a workflow hands to the next.
type Carried struct {
	State loops.State     `json:"state"`
	Queue []loops.Command `json:"queue"`
	// Sent counts the events before Unsent.
	Sent    int           `json:"sent"`
	Unsent  []loops.Event `json:"unsent"`
	Host    string        `json:"host"`
	Moves   int           `json:"moves,omitempty"`
	Answers []Answer      `json:"answers,omitempty"`
	Stops   []Stop        `json:"stops,omitempty"`
}

// Work is what an activity is told.
type Work struct {
	Step       run.StepRequest `json:"step"`
	Repository string          `json:"repository"`
	Name       string          `json:"name"` // of the repository
	Base       string          `json:"base"` // commit that the run started from
	Head       string          `json:"head"` // its last commit, "" before there is one
	Branch     string          `json:"branch"`
	Queue      string          `json:"queue"` // that all hosts poll
	// First is the first execution of the workflow, by which its history is found.
	First string `json:"first"`
	// Over is set when the run is over: the host needs nothing of it any more.
	Over bool `json:"over,omitempty"`
}

// Done is what an activity answers.
type Done struct {
	Outcome run.Outcome `json:"outcome"`
	Host    string      `json:"host"`
}

// Heartbeat is how far an activity is.
type Heartbeat struct {
	Host string `json:"host"`
	run.Progress
}

// Answer is the word of a person on what a run waits for.
type Answer struct {
	Approve bool   `json:"approve"`
	By      string `json:"by"`
	Reason  string `json:"reason,omitempty"`
	// Digest is that of the question which the person saw.
	Digest string `json:"digest"`
}

// Stop ends the command in work.
type Stop struct {
	By string `json:"by"`
}

// Digest names what a person is asked: an answer to another question counts for nothing.
func Digest(s *loops.State) string {
	text, _ := json.Marshal([]any{s.Start.Run, s.WaitingFor, s.Question, s.Phase, s.Chunk, s.Attempt, s.Serial, s.Head, s.Candidate, s.Proposed})
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:6])
}
