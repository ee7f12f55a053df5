package difference

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
)

// notices are the rules of the groups that are looked at whose findings say nothing about
// what a wiki knows: matters of style, and of the records that lint keeps.
var notices = []string{"self-link", "unused-definition", "resolves-only-by-alias", "void-acknowledgement"}

// compareFindings lints both states and compares what they report: the findings of each
// are the baseline of the other.
func compareFindings(ctx context.Context, d *Document, was, now State, m matched) error {
	before, after := newLint(was), newLint(now)
	known, err := before.baseline(ctx)
	if err != nil {
		return err
	}
	opened, err := after.except(ctx, moved(known, m.renamed))
	if err != nil {
		return err
	}
	if known, err = after.baseline(ctx); err != nil {
		return err
	}
	back := map[string]string{}
	for from, to := range m.renamed {
		back[to] = from
	}
	closed, err := before.except(ctx, moved(known, back))
	if err != nil {
		return err
	}
	stillBroken(opened.Result, closed.Result, now.Wiki, was.Wiki, m.renamed)
	d.Links = Links{opened.of(linter.Links), closed.of(linter.Links)}
	d.Freshness.Stale, d.Freshness.Resolved = opened.of(linter.Sources), closed.of(linter.Sources)
	d.Contradictions = Contradictions{opened.of(linter.Contradiction), closed.of(linter.Contradiction)}
	d.Freshness.Changed, err = compareFreshness(ctx, was, now, m)
	for _, s := range append(closed.Skipped, opened.Skipped...) {
		if !slices.Contains(d.Skipped, s) {
			d.Skipped = append(d.Skipped, s)
		}
	}
	return err
}

// stillBroken leaves out links and citations that are wrong in both states, but by another
// rule or in other words, as those of a page that was moved may be; and citations of lines
// that nobody corrected, which are taken as new when their line is edited.
func stillBroken(opened, closed *linter.Result, now, was *compiler.Wiki, renamed map[string]string) {
	before, both := map[[2]string]int{}, map[[2]string]int{}
	places := ofGroup(opened.Ran, linter.Links, linter.Sources)
	for i := range closed.Findings {
		if f := &closed.Findings[i]; places[f.Rule] {
			before[placeOf(was, f, renamed)]++
		}
	}
	opened.Findings = slices.DeleteFunc(opened.Findings, func(f schema.Diagnostic) bool {
		key := placeOf(now, &f, nil)
		if !places[f.Rule] || before[key] == 0 {
			return false
		}
		before[key]--
		both[key]++
		return true
	})
	closed.Findings = slices.DeleteFunc(closed.Findings, func(f schema.Diagnostic) bool {
		key := placeOf(was, &f, renamed)
		if !places[f.Rule] || both[key] == 0 {
			return false
		}
		both[key]--
		return true
	})
	closed.Findings = slices.DeleteFunc(closed.Findings, func(f schema.Diagnostic) bool {
		key := placeOf(was, &f, renamed)
		p := now.Page(schema.PageID(strings.TrimSuffix(key[0], ".md")))
		cited := f.Rule == "cited-lines-changed" || f.Rule == "source-moved"
		return cited && p != nil && bytes.Contains(p.Source[p.Body:], []byte(key[1]))
	})
}

// placeOf is the page of a finding, by its path in the newer state, and the text there.
func placeOf(w *compiler.Wiki, f *schema.Diagnostic, renamed map[string]string) [2]string {
	key := [2]string{f.Path, f.Message}
	if p := w.Page(schema.PageID(strings.TrimSuffix(f.Path, ".md"))); p != nil && f.Span.Len() > 0 {
		key[1] = string(f.Span.In(p.Source))
	}
	if to, ok := renamed[f.Path]; ok {
		key[0] = to
	}
	return key
}

// ofGroup are the ids of rules of some groups.
func ofGroup(rules []*linter.Rule, groups ...linter.Group) map[string]bool {
	out := map[string]bool{}
	for _, r := range rules {
		out[r.ID] = slices.Contains(groups, r.Group)
	}
	return out
}

// lint runs the linter over a state, several times, with shared work.
type lint struct {
	state State
	cfg   linter.Config
}

func newLint(s State) *lint {
	cfg := s.Lint
	cfg.Only = []string{string(linter.Links), string(linter.Sources), string(linter.Contradiction)}
	cfg.Except = notices
	cfg.Each = true
	cfg.Facts = linter.NewFacts(s.Wiki)
	return &lint{s, cfg}
}

// baseline accepts all findings.
func (l *lint) baseline(ctx context.Context) (*linter.Baseline, error) {
	cfg := l.cfg
	cfg.AcceptNew = true
	res, err := linter.Run(ctx, l.state.Wiki, cfg)
	if err != nil {
		return nil, err
	}
	return res.Baseline.Next, nil
}

// reported are the findings of one state that the other lacks.
type reported struct{ *linter.Result }

// except returns the findings that are not in a baseline.
func (l *lint) except(ctx context.Context, known *linter.Baseline) (reported, error) {
	cfg := l.cfg
	cfg.Baseline = known
	res, err := linter.Run(ctx, l.state.Wiki, cfg)
	return reported{res}, err
}

// moved returns a baseline with the paths that its pages have elsewhere.
func moved(b *linter.Baseline, to map[string]string) *linter.Baseline {
	out := &linter.Baseline{Entries: slices.Clone(b.Entries)}
	for i := range out.Entries {
		if p, ok := to[out.Entries[i].Path]; ok {
			out.Entries[i].Path = p
		}
	}
	return out
}

// of returns the findings of a group of rules.
func (r reported) of(group linter.Group) []Finding {
	rules := ofGroup(r.Ran, group)
	out := []Finding{}
	for i := range r.Findings {
		f := &r.Findings[i]
		if !rules[f.Rule] {
			continue
		}
		found := Finding{Rule: f.Rule, Severity: f.Severity.String(), Path: f.Path, Line: f.From.Line, Column: f.From.Column, Message: f.Message}
		for _, rel := range f.Related {
			found.Related = append(found.Related, Place{rel.Path, rel.From.Line, rel.From.Column, rel.Message})
		}
		out = append(out, found)
	}
	return out
}

// compareFreshness compares how far each page can be trusted.
func compareFreshness(ctx context.Context, was, now State, m matched) ([]StateChange, error) {
	before, err := freshness(ctx, was)
	if err != nil {
		return nil, err
	}
	after, err := freshness(ctx, now)
	if err != nil {
		return nil, err
	}
	out := []StateChange{}
	for _, p := range m.both {
		a, b := before(p.was), after(p.now)
		if a.State != b.State {
			reason := b.Reason
			if a.State == schema.FreshVerified && b.State == schema.FreshUnverified {
				reason = "changed since the verification"
			}
			out = append(out, StateChange{p.now.Path, a.State, b.State, reason})
		}
	}
	slices.SortFunc(out, func(a, b StateChange) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// freshness returns how far the pages of a state can be trusted.
func freshness(ctx context.Context, s State) (func(*schema.Page) schema.Freshness, error) {
	lock := s.Lint.Lock
	if lock == nil {
		var err error
		if lock, err = source.ReadLock(s.Wiki.Workspace()); err != nil {
			return nil, err
		}
	}
	verdicts, err := source.Judge(ctx, s.Wiki, source.NewCode(s.Wiki), lock)
	if err != nil {
		return nil, err
	}
	watched := source.Watched(ctx, s.Wiki, verdicts)
	return func(p *schema.Page) schema.Freshness { return s.Wiki.Freshness(p).Watch(watched[p.Path]) }, nil
}
