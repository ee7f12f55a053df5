package run

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/loopwiki/wiki/loops"
)

// ErrInterrupted is of a command that was stopped: it has no result.
var ErrInterrupted = errors.New("interrupted")

// Outcome is what came of a command.
type Outcome struct {
	// Event answers the command; it has no time.
	Event loops.Event `json:"event"`
	// Notes are for people: what was left of a runner that died.
	Notes []string `json:"notes,omitempty"`
}

// Execute carries out one command of a run whose journal is written by another driver.
// What is left of a runner that died is ended first. The error is ErrInterrupted if the
// context ends it; a command that fails has an event that says so.
func (d *Driver) Execute(ctx context.Context, id string, c loops.Command) (Outcome, error) {
	j, events, err := OpenJournal(d.Store.Folder(id))
	if err != nil {
		return Outcome{}, err
	}
	d.journal = j
	defer j.Close()
	d.replay(events)
	var out Outcome
	if out.Notes, err = d.sweep(ctx); err != nil {
		return out, err
	}
	if c.Kind != loops.EnsureWorktree {
		if err := errors.Join(d.logIn(), d.reopen(ctx)); err != nil {
			return out, err
		}
	}
	e, ok := d.carryOut(ctx, c)
	if !ok {
		return out, ErrInterrupted
	}
	out.Event = e
	if c.Kind == loops.Publish {
		d.take(e)
		err = d.writeReport(ctx)
	}
	return out, err
}

// Settle does what follows when the runner of a run ends, whose journal another driver
// writes: a summary of a run that is over, and word to a person.
func (d *Driver) Settle(ctx context.Context, id string) error {
	s, _, err := d.Store.Read(id)
	if err != nil {
		return err
	}
	if s.Status.Over() {
		err = d.Store.Finish(s)
	}
	if d.Notify != nil {
		d.Notify(ctx, &s)
	}
	return err
}

// carryOut carries out a command; ok is false if it was stopped, and so has no result.
func (d *Driver) carryOut(ctx context.Context, c loops.Command) (e loops.Event, ok bool) {
	e = d.do(ctx, c)
	return e, ctx.Err() == nil || c.Kind == loops.Commit || c.Kind == loops.WriteReport
}

// BehindError is a journal that lacks events before those that are to be added.
type BehindError struct {
	Run         string
	Have, First int
}

func (e *BehindError) Error() string {
	return fmt.Sprintf("the journal of run %s has %d events, and event %d is to follow", e.Run, e.Have, e.First)
}

// Extend adds events to the journal of a run, the first of which has the number first,
// from 1, and returns all. Events that are there already must be the same. A journal that
// is missing is made. The error is a *BehindError if events before the first are missing.
func (s *Store) Extend(id string, first int, more []loops.Event) ([]loops.Event, error) {
	if err := errors.Join(s.Make(), s.ignore()); err != nil {
		return nil, err
	}
	dir := s.Folder(id)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	j, events, err := OpenJournal(dir)
	if errors.Is(err, fs.ErrNotExist) {
		j, err = CreateJournal(dir)
	}
	if err != nil {
		return nil, err
	}
	defer j.Close()
	if first > len(events)+1 {
		return events, &BehindError{id, len(events), first}
	}
	for i, e := range more {
		at := first - 1 + i
		if at < len(events) {
			if !same(events[at], e) {
				return nil, fmt.Errorf("event %d of run %s is another than the one that was sent; move %s away", at+1, id, dir)
			}
			continue
		}
		if err := j.Append(e); err != nil {
			return nil, err
		}
		events = append(events, e)
	}
	return events, nil
}

// same reports whether two events are written alike.
func same(a, b loops.Event) bool {
	x, errX := json.Marshal(a)
	y, errY := json.Marshal(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
