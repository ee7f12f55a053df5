package schema

import "sort"

// RunVariable is the environment variable that holds the id of the run that a
// program was started in by a loop. What only people may decide, such as which
// findings are accepted debt, is refused while it is set.
const RunVariable = "WIKI_LOOP_RUN"

// Changes is how the files of a repository differ from a revision.
type Changes struct {
	Revision string // as it was asked for
	// Files holds every file that differs, by its path below the wiki's root;
	// those outside begin with ../.
	Files map[string]Change
}

// Change is how one file differs from an earlier state of it.
type Change struct {
	Before string // the path it had, when it was renamed; else empty
	Gone   bool   // it is no longer there, at least not under this path
	Whole  bool   // all of it is new, or it is no text
	// Lines are the changed lines of the current file, in order. Where lines were only
	// removed, they are the one before and the one after.
	Lines []LineRange
}

// LineRange is some lines of a file, counted from 1, both ends included.
type LineRange struct{ From, To int }

// Touches reports whether any of the lines from..to changed.
func (c Change) Touches(from, to int) bool {
	if c.Whole {
		return true
	}
	i := sort.Search(len(c.Lines), func(i int) bool { return c.Lines[i].To >= from })
	return i < len(c.Lines) && c.Lines[i].From <= to
}
