package schema

import (
	"fmt"
	"strings"
)

// Watched is the code that a page was verified against, and its changes since. The zero
// Watched is a page that was never verified.
type Watched struct {
	Since   Moment   // the day of the latest verification
	By      []string // who verified it on that day, sorted; empty when that is not known
	Symbols int      // what the page was verified against: symbols, lines and files
	Changed int      // of these, those that are not as they were
	Edited  bool     // a section that was verified reads otherwise now
	Notes   []WatchNote
	Stale   []StaleMark // in order of the page
}

// StaleMark is a citation that no longer holds. Of a value that is gone only Says is
// set, of lines that moved only Moved; else the lines changed.
type StaleMark struct {
	Span  Span
	Says  string // the value that the page states and the cited lines had
	Moved string // where the lines are now, as path:12-20
	Now   string // the first line that is other now; empty when it's gone
}

// WatchNote is a notice for readers: page and code no longer agree here.
type WatchNote struct {
	Name  string // of the symbol, or the file
	Path  string // of the file, below the repository
	Line  int    // where the symbol is in it, from 1
	Says  string // the value that the page states; empty when its declaration changed
	Was   string // the declaration as it was; empty when that is not known
	Code  string // the value or the declaration that the code has; empty when it has no such value
	Since Moment // the commit that changed it; zero when it is not committed
}

// Watch returns the freshness of a page that was verified against code. What the
// page says of itself, that it is a draft or superseded, comes before that. A
// value that the code no longer has makes the page stale, any other change
// unverified; and it is verified as long as neither side changed.
func (f Freshness) Watch(w Watched) Freshness {
	if w.Symbols == 0 {
		return f
	}
	f.Watched = w
	if f.State != FreshVerified && f.State != FreshUnverified {
		return f
	}
	for _, n := range w.Notes {
		if n.Says != "" {
			f.State, f.Reason = FreshStale, fmt.Sprintf("states %q, which %s no longer has", n.Says, n.Name)
			return f
		}
	}
	switch {
	case w.Changed > 0:
		f.State, f.Reason = FreshUnverified, fmt.Sprintf("%s, and %s changed since", w.said(), ofSources(w.Changed, w.Symbols))
	case !w.Edited:
		f.State, f.Reason = FreshVerified, w.said()+" against "+sources(w.Symbols)
	}
	return f
}

// said describes who verified the page, and when.
func (w Watched) said() string {
	if len(w.By) > 0 {
		return "verified by " + strings.Join(w.By, ", ") + " on " + w.Since.String()
	}
	return "verified on " + w.Since.String()
}

func sources(n int) string {
	if n == 1 {
		return "1 source"
	}
	return fmt.Sprintf("%d sources", n)
}

func ofSources(n, of int) string {
	if of == 1 {
		return "its source"
	}
	return fmt.Sprintf("%d of %s", n, sources(of))
}
