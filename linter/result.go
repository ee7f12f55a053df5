package linter

import (
	"cmp"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/schema"
)

// result filters the findings in this order: suppressed, acknowledged, outside the
// requested paths, in the baseline, unrelated to the changes. The rest is grouped by
// cause.
func (o *Outcome) result(cfg Config) *Result {
	res := &Result{Skipped: slices.Clone(o.wiki.Skipped())}
	o.yield()
	ledger := newBaselineMatcher(cfg, o)
	changed := newChanged(o, cfg.Changes)
	unchanged := 0
	for i := range o.judged {
		j := &o.judged[i]
		if j.pass.silent {
			continue
		}
		res.Skipped = append(res.Skipped, j.pass.skipped...)
		o.within(j, cfg.Within)
		res.Mentions = append(res.Mentions, j.mentions()...)
		ledger.take(j)
		before := len(j.kept)
		changed.leave(j)
		unchanged += before - len(j.kept)
		res.Suppressed = append(res.Suppressed, o.suppressedFindings(j)...)
		res.Findings = append(res.Findings, finish(o.grouped(cfg, j), o.where)...)
	}
	slices.SortStableFunc(res.Findings, compareFindings)
	slices.SortStableFunc(res.Mentions, func(a, b schema.Mention) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Span.Start, b.Span.Start))
	})
	slices.SortStableFunc(res.Suppressed, func(a, b Suppressed) int { return compareFindings(a.Diagnostic, b.Diagnostic) })
	slices.SortStableFunc(res.Skipped, func(a, b schema.Skipped) int { return strings.Compare(a.Check, b.Check) })
	res.Stats = newStats(o.wiki, res.Findings)
	res.Stats.Unchanged = unchanged
	if ledger != nil {
		res.Baseline = ledger.use()
		res.Stats.Baseline, res.Stats.Oldest = res.Baseline.Hidden, res.Baseline.Oldest
	}
	res.Acknowledged = o.acknowledged.result(o)
	for i := range res.Suppressed {
		if res.Suppressed[i].By == ByAcknowledgement {
			res.Stats.Acknowledged++
		}
	}
	res.Stats.Suppressed = len(res.Suppressed) - res.Stats.Baseline - res.Stats.Acknowledged
	return res
}

// mentions returns the mentions among the findings of a rule.
func (j *judged) mentions() (out []schema.Mention) {
	for i := range j.kept {
		if f := &j.kept[i]; f.named != "" {
			out = append(out, schema.Mention{Path: f.Path, Span: f.Span, Of: f.named})
		}
	}
	return out
}

// within keeps the findings in some pages and folders.
func (o *Outcome) within(j *judged, paths []string) {
	if len(paths) == 0 {
		return
	}
	outside := func(path string) bool {
		return !slices.ContainsFunc(paths, func(w string) bool { return w == "." || path == w || strings.HasPrefix(path, w+"/") })
	}
	j.kept = slices.DeleteFunc(j.kept, func(f finding) bool { return outside(f.Path) })
	j.suppressed = slices.DeleteFunc(j.suppressed, func(s suppressed) bool { return outside(s.Path) })
}

// suppressedFindings returns the suppressed findings, with positions.
func (o *Outcome) suppressedFindings(j *judged) []Suppressed {
	slices.SortStableFunc(j.suppressed, func(a, b suppressed) int { return compareFindings(a.Diagnostic, b.Diagnostic) })
	at := newLocator(o.where)
	out := make([]Suppressed, len(j.suppressed))
	for i := range j.suppressed {
		s := &j.suppressed[i]
		d := s.Diagnostic
		at.locate(&d)
		d.Fingerprint = s.fingerprint()
		out[i] = Suppressed{Diagnostic: d, By: s.by, Reason: s.reason, Acknowledged: s.acknowledged}
	}
	return out
}
