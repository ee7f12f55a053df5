package plan

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"

	"github.com/loopwiki/wiki/loops"
)

// The files of lodeloop, below its folder in the workdir.
const (
	LodeloopFolder  = ".lodeloop"
	LodeloopCircuit = "circuit.json"
	LodeloopNotes   = "progress.md"
	LodeloopResult  = "result.json"
)

// LodeloopPrompt returns the file of an iteration's prompt, from 1.
func LodeloopPrompt(iteration int) string { return fmt.Sprintf("logs/prompt_%d.md", iteration) }

// LodeloopLog returns the file of what the agent wrote in an iteration.
func LodeloopLog(iteration int) string { return fmt.Sprintf("logs/iteration_%d.log", iteration) }

// circuit is circuit.json, with the keys in lodeloop's order.
type circuit struct {
	State        loops.BreakerState `json:"state"`
	NoProgress   int                `json:"consecutive_no_progress"`
	SameError    int                `json:"consecutive_same_error"`
	LastProgress int                `json:"last_progress_iteration"`
	Opens        int                `json:"total_opens"`
	Reason       string             `json:"reason"`
}

// WriteCircuit returns circuit.json.
func WriteCircuit(b loops.Breaker) []byte {
	if b.State == "" {
		b.State = loops.Closed
	}
	return written(circuit{b.State, b.NoProgress, b.Same, b.LastProgress, b.Opens, b.Reason})
}

// ReadCircuit reads circuit.json, as --resume does. A file that can't be
// read is a closed breaker, and the error says why.
func ReadCircuit(src []byte) (loops.Breaker, error) {
	var c circuit
	err := json.Unmarshal(src, &c)
	switch c.State {
	case loops.Closed, loops.HalfOpen, loops.Open:
	default:
		if err == nil {
			err = fmt.Errorf("invalid state %q", c.State)
		}
	}
	if err == nil && min(c.NoProgress, c.SameError, c.LastProgress, c.Opens) < 0 {
		err = fmt.Errorf("negative count")
	}
	if err != nil {
		return loops.Breaker{State: loops.Closed}, fmt.Errorf("read circuit.json: %w", err)
	}
	return loops.Breaker{State: c.State, NoProgress: c.NoProgress, Same: c.SameError, LastProgress: c.LastProgress, Opens: c.Opens, Reason: c.Reason}, nil
}

// result is result.json.
type result struct {
	Status     string `json:"status"` // complete, failed, max_iterations
	Iterations int    `json:"iterations"`
	Completed  int    `json:"stories_completed"`
	Total      int    `json:"stories_total"`
	Seconds    int    `json:"duration_seconds"`
	LastError  string `json:"last_error"`
	Timestamp  string `json:"timestamp"`
}

// LodeloopStatus is lodeloop's word for how a run stands.
func LodeloopStatus(s *loops.State) string {
	switch {
	case s.Status == loops.GoalMet:
		return "complete"
	case s.Status == loops.OverBudget && s.Start.Limits.Budget.Iterations > 0 && s.Iterations >= s.Start.Limits.Budget.Iterations:
		return "max_iterations"
	case s.Status == loops.Running:
		return "running"
	}
	return "failed"
}

// Stories counts the stories of a run that are done, and all of them.
func Stories(s *loops.State) (done, total int) {
	for _, c := range s.Chunks {
		if c.Status == loops.ChunkDone {
			done++
		}
	}
	return done, len(s.Chunks)
}

// WriteResult returns result.json of a run that is over.
func WriteResult(s *loops.State) []byte {
	done, total := Stories(s)
	r := result{LodeloopStatus(s), s.Iterations, done, total, int(s.Elapsed() / time.Second), "", s.Last.UTC().Format(time.RFC3339)}
	if r.Status != "complete" {
		r.LastError = s.End.Why
	}
	return written(r)
}

// written returns a document as jq prints it.
func written(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		panic("encode plain values: " + err.Error()) // they always can be
	}
	return b.Bytes()
}
