package rules

import (
	"fmt"
	"sort"
	"time"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

var _ = linter.Register(linter.Rule{
	ID:       "log-order",
	Group:    linter.IndexAndLog,
	Severity: schema.Warning,
	Since:    since,
	Summary:  "A log entry is out of order.",
	Doc: `Agents read the end or the beginning of a log for the latest changes. An entry in the wrong place looks like
news, or is missed.

The order is the log's own: oldest first or newest first, whichever nearly all entries follow. Reported is the
smallest set of entries to move; entries of the same day may be in any order. A log with more than one in four
entries out of order has no order and is not reported.

Entries are headings in ` + "`log.md`" + ` that begin with a date, such as ` + "`## [2026-04-02] ingest | Title`" + `. Move the
entry, or correct its date.`,
	Cause: func(n int, first schema.Diagnostic) string {
		return fmt.Sprintf("%d entries of this log are out of order; move them, or correct their dates. First: %s", n, first.Message)
	},
	CheckPage: func(p *linter.Pass, page *schema.Page) {
		entries := logFact.Of(p, page)
		if len(entries) < 3 {
			return
		}
		strays, order := outOfOrder(entries, false), "oldest first"
		if down := outOfOrder(entries, true); len(down) < len(strays) {
			strays, order = down, "newest first"
		} else if len(down) == len(strays) {
			return // in no order more than in the other
		}
		if 4*len(strays) > len(entries) && len(strays) > 1 {
			return
		}
		for _, i := range strays {
			e := entries[i]
			p.ReportCause("log", page.Path, firstLine(page, e.at), "the entry of %s is out of order (this log is %s); move it, or correct its date", e.day.Format(time.DateOnly), order)
		}
	},
})

// outOfOrder returns the fewest entries without which the others are in order
// of their days, or in the reverse of it.
func outOfOrder(entries []logEntry, reverse bool) []int {
	key := func(i int) int64 {
		if reverse {
			return -entries[i].day.Unix()
		}
		return entries[i].day.Unix()
	}
	// tails[n] is the entry that the best sequence of n+1 entries ends with, and
	// before its one but last.
	var tails []int
	before := make([]int, len(entries))
	for i := range entries {
		n := sort.Search(len(tails), func(n int) bool { return key(tails[n]) > key(i) })
		before[i] = -1
		if n > 0 {
			before[i] = tails[n-1]
		}
		if n == len(tails) {
			tails = append(tails, i)
		} else {
			tails[n] = i
		}
	}
	in := make([]bool, len(entries))
	for i := tails[len(tails)-1]; i >= 0; i = before[i] {
		in[i] = true
	}
	var out []int
	for i := range entries {
		if !in[i] {
			out = append(out, i)
		}
	}
	return out
}
