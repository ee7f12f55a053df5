package rules

import (
	"fmt"

	src "github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// inState returns the verdicts of one state; of several references of one section to one
// target, the first.
func inState(p *linter.Pass, state src.State) []*src.Verdict {
	type thing struct{ page, heading, target string }
	var out []*src.Verdict
	seen := map[thing]bool{}
	all := p.Verdicts().All
	for i := range all {
		v := &all[i]
		key := thing{v.Page.Path, v.Section.Heading, v.Target}
		if v.State == state && !seen[key] {
			seen[key] = true
			out = append(out, v)
		}
	}
	return out
}

// needsPast names the check as skipped when there is a lock and no history to
// compare it with.
func needsPast(p *linter.Pass, what string) {
	v := p.Verdicts()
	if v.Lock == nil || len(v.Lock.Bindings) == 0 {
		return
	}
	if _, err := p.Wiki.Repository(p); err != nil && p.Err() == nil {
		p.Skip("%s: unknown: %v", what, err)
	}
}

// sinceCommit returns the commit of the last change as a suffix for messages.
func sinceCommit(m schema.Moment) string {
	if m.Commit == "" {
		return ", which is not committed yet"
	}
	return fmt.Sprintf(" since %s of %s", m.Commit[:min(len(m.Commit), shortCommit)], m)
}

// shortCommit is how many digits of a commit's id messages show.
const shortCommit = 7

// verified is the date of the page's last verification.
func verified(v *src.Verdict) string { return v.Locked.Date.Format(day) }
