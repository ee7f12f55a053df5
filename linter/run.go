package linter

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
)

// Result is the result of a run.
type Result struct {
	Findings []schema.Diagnostic // in order of path, offset, rule
	// Suppressed are the findings that someone asked not to see, in the same
	// order.
	Suppressed []Suppressed
	Skipped    []schema.Skipped // checks that could not run, in order of name
	// Mentions are the pages that others name without a link, those in the baseline
	// included, in order of path and offset.
	Mentions []schema.Mention
	Ran      []*Rule      // in order of id
	Baseline *BaselineUse // the result of [Config].Baseline; nil without one
	// Acknowledged is the result of [Config].Acknowledged; nil without one.
	Acknowledged *AcknowledgedUse
	Stats        Stats
}

// Suppressed is a finding that is not reported, and why.
type Suppressed struct {
	schema.Diagnostic
	By     SuppressedBy
	Reason string // as written, empty when none was given; of the baseline, since when
	// Acknowledged is set by an acknowledgement.
	Acknowledged *schema.Acknowledgement
}

// SuppressedBy says what keeps a finding from being reported.
type SuppressedBy string

// What findings are suppressed by.
const (
	ByComment     SuppressedBy = "comment"     // of the page, <!-- wiki-lint-disable… -->
	ByFrontmatter SuppressedBy = "frontmatter" // of the page, lint.disable
	ByBaseline    SuppressedBy = "baseline"    // it was there before
	// ByAcknowledgement is for acknowledged contradictions; see [Acknowledgements].
	ByAcknowledgement SuppressedBy = "acknowledgement"
)

// Stats are numbers about one run.
type Stats struct {
	Pages      int // pages of the wiki
	Links      int // links of all pages, URLs included
	Rules      int // rules that ran
	Errors     int // findings by severity; one that stands for many counts once
	Warnings   int
	Infos      int
	Suppressed int    // findings that pages asked not to see
	Baseline   int    // findings that are in the baseline
	Oldest     string // since when the oldest of these is in it, 2006-01-02; empty when not known
	// Acknowledged counts acknowledged contradictions.
	Acknowledged int
	Unchanged    int        // findings that have nothing to do with [Config].Changes
	Timing       []RuleTime // slowest first; nil unless asked for
}

// RuleTime is the time that one rule took.
type RuleTime struct {
	Rule string
	Took time.Duration
}

// Worst returns the severity of the worst finding that counts, or Off; see
// [Result.Notice].
func (r *Result) Worst() schema.Severity {
	worst := schema.Off
	for i := range r.Findings {
		if !r.Notice(&r.Findings[i]) {
			worst = max(worst, r.Findings[i].Severity)
		}
	}
	return worst
}

// Notice reports whether a finding is about the run, not the wiki, and never makes it
// fail.
func (r *Result) Notice(d *schema.Diagnostic) bool {
	i, ok := slices.BinarySearchFunc(r.Ran, d.Rule, func(rule *Rule, id string) int { return strings.Compare(rule.ID, id) })
	return ok && r.Ran[i].Notice
}

// BugError is a rule that panicked. It is a defect of the rule, not of the wiki.
type BugError struct {
	Rule  string
	Value any    // what it panicked with
	Stack []byte // where
}

func (e *BugError) Error() string {
	return fmt.Sprintf("rule %s crashed: %v; please report this, and use --except %s until it is fixed", e.Rule, e.Value, e.Rule)
}

// Run runs rules over a wiki, in parallel, and returns what they found. What
// it returns does not depend on how many run at the same time.
//
// A problem of the configuration or of wiki.lock is an error, and nothing runs.
// A rule that panics becomes a [BugError]; the other rules still run, and the
// result is returned with the error.
func Run(ctx context.Context, w *compiler.Wiki, cfg Config) (*Result, error) {
	cfg, err := cfg.of(w)
	if err != nil {
		return nil, err
	}
	sel, err := choose(cfg, w.Config().Lint)
	if err != nil {
		return nil, err
	}
	if cfg.Lock == nil {
		if cfg.Lock, err = source.ReadLock(w.Workspace()); err != nil {
			return nil, err
		}
	}
	if cfg.Focus != nil {
		sel.focus()
	}
	if cfg.contradictions {
		sel.contradictions()
	}
	passes := newPasses(ctx, w, cfg, sel)
	var took []time.Duration
	if cfg.Timing {
		took = make([]time.Duration, len(passes))
	}
	bugs := checkPages(passes, cfg, took)
	more := checkWikis(passes, cfg, took)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	o := newOutcome(w, cfg, sel, passes, bugs, more)
	for _, p := range passes {
		if p.Rule.Last == nil {
			o.add(p)
		}
	}
	o.acknowledge(cfg)
	last := judge(o, passes, took)
	res := o.result(cfg)
	for _, r := range slices.SortedFunc(slices.Values(sel.rules), compareRules) {
		if !sel.silent[r.ID] {
			res.Ran = append(res.Ran, r)
		}
	}
	res.Stats.Rules = len(res.Ran)
	if cfg.Timing {
		res.Stats.Timing = timing(passes, took)
	}
	return res, errors.Join(slices.Concat(bugs, more, last)...)
}

// judge runs the rules that check other rules' findings, one after the other, and then
// finalizes theirs: none of them sees another's.
func judge(o *Outcome, passes []*Pass, took []time.Duration) []error {
	bugs := make([]error, len(passes))
	for i, p := range passes {
		if p.Rule.Last == nil {
			continue
		}
		start := time.Now()
		bugs[i] = guard(p.Rule, func() { p.Rule.Last(p, o) })
		if took != nil {
			took[i] += time.Since(start)
		}
		identify(p.found, o.where.page)
	}
	for _, p := range passes {
		if p.Rule.Last != nil {
			o.add(p)
		}
	}
	return bugs
}

func newPasses(ctx context.Context, w *compiler.Wiki, cfg Config, sel *selection) []*Pass {
	facts := cfg.Facts
	if facts == nil || facts.wiki != w {
		facts = NewFacts(w)
	}
	client := cfg.HTTP
	if client == nil {
		client = &http.Client{Timeout: 20 * time.Second}
	}
	pages := focused(w, cfg.Focus)
	passes := make([]*Pass, len(sel.rules))
	for i, r := range sel.rules {
		passes[i] = &Pass{Context: ctx, Wiki: w, Rule: r, Today: cfg.Today, HTTP: client, CacheDir: cfg.CacheDir, pages: pages, focused: cfg.Focus != nil,
			facts: facts, lock: cfg.Lock, sel: sel, silent: sel.silent[r.ID]}
	}
	if cfg.Judge != nil {
		docket := newDocket(ctx, w, cfg.Judge, passes)
		for _, p := range passes {
			p.docket = docket
		}
	}
	return passes
}

// checkWikis runs the rules for the whole wiki in parallel. It adds the time of each to
// took, unless that is nil, and returns the bugs in the order of the passes.
func checkWikis(passes []*Pass, cfg Config, took []time.Duration) []error {
	bugs := make([]error, len(passes))
	if len(passes) == 0 {
		return bugs
	}
	page := newPlaces(passes[0].Wiki).page
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(workers(cfg), len(passes)) {
		wg.Go(func() {
			for i := range next {
				start := time.Now()
				bugs[i] = guard(passes[i].Rule, func() { passes[i].Rule.Check(passes[i]) })
				identify(passes[i].found, page)
				if took != nil {
					took[i] += time.Since(start)
				}
			}
		})
	}
	for i := range passes {
		if passes[i].Err() != nil {
			break
		}
		if passes[i].Rule.Check != nil && (!passes[i].focused || passes[i].Rule.Local) {
			next <- i
		}
	}
	close(next)
	wg.Wait()
	return bugs
}

// workers is how many goroutines check at the same time.
func workers(cfg Config) int {
	if cfg.Workers <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return cfg.Workers
}

// guard runs part of a rule and turns its panic into an error.
func guard(r *Rule, check func()) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &BugError{Rule: r.ID, Value: v, Stack: debug.Stack()}
		}
	}()
	check()
	return nil
}

func compareFindings(a, b schema.Diagnostic) int {
	switch {
	case a.Path != b.Path:
		return strings.Compare(a.Path, b.Path)
	case a.Span.Start != b.Span.Start:
		return a.Span.Start - b.Span.Start
	case a.Rule != b.Rule:
		return strings.Compare(a.Rule, b.Rule)
	case a.Span.End != b.Span.End:
		return a.Span.End - b.Span.End
	}
	return strings.Compare(a.Message, b.Message)
}

func newStats(w *compiler.Wiki, findings []schema.Diagnostic) Stats {
	st := Stats{Pages: len(w.Pages())}
	for _, p := range w.Pages() {
		st.Links += len(p.Links)
	}
	for i := range findings {
		switch findings[i].Severity {
		case schema.Error:
			st.Errors++
		case schema.Warning:
			st.Warnings++
		default:
			st.Infos++
		}
	}
	return st
}

func timing(passes []*Pass, took []time.Duration) []RuleTime {
	out := make([]RuleTime, len(passes))
	for i, p := range passes {
		out[i] = RuleTime{p.Rule.ID, took[i]}
	}
	slices.SortStableFunc(out, func(a, b RuleTime) int { return int(b.Took - a.Took) })
	return out
}
