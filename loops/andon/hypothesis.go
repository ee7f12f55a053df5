package andon

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
)

// HumanTrials is how many failures may take a person's time before the next run
// needs a hypothesis.
const HumanTrials = 2

// Hypothesis says why runs fail, before the next one is tried.
type Hypothesis struct {
	Run  string    `json:"run"`
	Text string    `json:"text"`
	By   string    `json:"by,omitempty"`
	At   time.Time `json:"at"`
}

type hypotheses struct {
	Version    int          `json:"version"`
	Hypotheses []Hypothesis `json:"hypotheses"`
}

// involved reports whether a run of a plan failed in a way that took a person's time: it
// was rejected or interrupted, or it ended, or waits, with a question. To reject what an
// auditor or a writer proposes is what they propose it for.
func involved(r *schema.RunSummary) bool {
	if r.Kind != "" {
		return false
	}
	switch loops.Status(r.Status) {
	case loops.Rejected, loops.Interrupted:
		return true
	case loops.Waiting, loops.Stopped, loops.GoalNotMet:
		return r.WaitingFor == string(loops.ForPerson)
	}
	return false
}

// HypothesisNeeded returns the runs for which somebody has to write down a
// hypothesis before another one starts: two or more in a row that failed and
// took a person's time. Runs are all of the repository, the oldest first. A run
// that meets its goal ends the row, and so does a hypothesis about one of its
// runs. It is empty if none is needed.
func (s *Store) HypothesisNeeded(runs []schema.RunSummary) ([]string, error) {
	list, err := s.Hypotheses()
	if err != nil {
		return nil, err
	}
	var row []string
	for i := range runs {
		r := &runs[i]
		switch {
		case r.Kind == "" && loops.Status(r.Status) == loops.GoalMet:
			row = nil
		case slices.ContainsFunc(list, func(h Hypothesis) bool { return h.Run == r.ID }):
			row = nil
		case involved(r):
			row = append(row, r.ID)
		}
	}
	if len(row) < HumanTrials {
		return nil, nil
	}
	return row, nil
}

// HypothesisError is the error of a run that starts without a hypothesis.
type HypothesisError struct{ Runs []string }

func (e *HypothesisError) Error() string {
	return fmt.Sprintf("the line is stopped: %d failed runs in a row needed a person (%s)", len(e.Runs), strings.Join(e.Runs, ", "))
}

// Hint returns what to do about it.
func (e *HypothesisError) Hint() string {
	return "record why they fail: wiki andon why " + e.Runs[len(e.Runs)-1] + " --hypothesis TEXT"
}

// MayStart returns why no run may start, or nil: the line is stopped, or a hypothesis
// is needed. Runs are as for HypothesisNeeded.
func (s *Store) MayStart(runs []schema.RunSummary) error {
	l, err := s.Line()
	if err == nil {
		err = l.Err()
	}
	if err != nil {
		return err
	}
	row, err := s.HypothesisNeeded(runs)
	if err == nil && len(row) > 0 {
		err = &HypothesisError{row}
	}
	return err
}

// Hypotheses returns what was written down, the oldest first.
func (s *Store) Hypotheses() ([]Hypothesis, error) {
	var h hypotheses
	err := s.read(func(d disk) error { return d.readIf(hypothesesFile, &h) })
	return h.Hypotheses, err
}

// Suppose writes down why a run, and those before it, fail.
func (s *Store) Suppose(run, why, by string) error {
	why = s.Redact(text.Collapse(why))
	if isPlaceholder(why) || len(strings.Fields(why)) < 3 {
		return errors.New("not a hypothesis; write a sentence that a run could disprove")
	}
	return s.change(func(d disk) error {
		h := hypotheses{Version: Version}
		if err := d.readIf(hypothesesFile, &h); err != nil {
			return err
		}
		h.Version, h.Hypotheses = Version, append(h.Hypotheses, Hypothesis{run, why, text.Collapse(by), s.now()})
		return d.writeJSON(hypothesesFile, h)
	})
}
