package mode

import (
	"slices"
	"time"

	"github.com/loopwiki/wiki/loops"
)

// State is how far a loop may go by its records.
type State struct {
	Loop string
	Mode loops.Mode
	// Granted is false if there is no record of the loop: it may go as far as draft
	// then, started by a person who reads the branch.
	Granted bool
	Since   time.Time // of the last step; zero without one
	Last    Record
	// Pending is a grant that is not committed yet, and does not count.
	Pending bool
}

// Of returns how far a loop may go. committed are the records of the last commit,
// here those of the file as it lies there: a grant counts when it is committed, a
// step back as soon as it is written.
func Of(loop string, committed, here []Record) State {
	var all []Record
	st := State{Loop: loop, Mode: loops.Draft}
	for _, r := range committed {
		if r.Loop == loop {
			all = append(all, r)
		}
	}
	for _, r := range here {
		switch {
		case r.Loop != loop || slices.Contains(committed, r):
		case r.Back:
			all = append(all, r)
		default:
			st.Pending = true
		}
	}
	slices.SortStableFunc(all, func(a, b Record) int { return a.when().Compare(b.when()) })
	for _, r := range all {
		m := loops.Mode(r.Mode)
		if r.Back && st.Granted && Rank(m) >= Rank(st.Mode) {
			continue // a step back never leads up
		}
		if r.Back && !st.Granted {
			continue // there is nothing to go back from
		}
		st.Mode, st.Granted, st.Since, st.Last = m, true, r.when(), r
	}
	return st
}

// Loops returns the loops that records are about, sorted.
func Loops(records ...[]Record) []string {
	var out []string
	for _, list := range records {
		for _, r := range list {
			out = append(out, r.Loop)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Step returns the record of a step back.
func Step(st State, why string, at time.Time) Record {
	return Record{Loop: st.Loop, Mode: string(Before(st.Mode)), Back: true, Reason: why, At: at.UTC().Format(time.RFC3339Nano)}
}
