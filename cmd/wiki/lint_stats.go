package main

import (
	"text/tabwriter"
	"time"

	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema/text"
)

// ruleTimes prints the findings and time of each rule, slowest first. Rules run in
// parallel, so the times add up to more than the run took.
func (p *program) ruleTimes(res *linter.Result) {
	found := map[string]int{}
	for i := range res.Findings {
		found[res.Findings[i].Rule] += max(1, res.Findings[i].Count)
	}
	var all time.Duration
	for _, t := range res.Stats.Timing {
		all += t.Took
	}
	w := tabwriter.NewWriter(p.err, 0, 0, 2, ' ', tabwriter.AlignRight)
	text.Fprintf(w, "findings\tms\tshare\t  rule\n")
	for _, t := range res.Stats.Timing {
		share := 0.0
		if all > 0 {
			share = 100 * float64(t.Took) / float64(all)
		}
		text.Fprintf(w, "%d\t%.1f\t%.1f %%\t  %s\n", found[t.Rule], float64(t.Took.Microseconds())/1000, share, t.Rule)
	}
	w.Flush()
}
