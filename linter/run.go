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
	"github.com/loopwiki/wiki/schema"
)

// Result is what the rules found.
type Result struct {
	Findings []schema.Diagnostic // in order of path, offset, rule
	Skipped  []schema.Skipped    // checks that could not run, in order of name
	Stats    Stats
}

// Stats are numbers about one run.
type Stats struct {
	Pages      int // pages of the wiki
	Links      int // links of all pages, URLs included
	Rules      int // rules that ran
	Errors     int // findings by severity; one that stands for many counts once
	Warnings   int
	Infos      int
	Suppressed int        // findings that pages or configuration asked not to see
	Timing     []RuleTime // slowest first; nil unless asked for
}

// RuleTime is how long one rule took.
type RuleTime struct {
	Rule string
	Took time.Duration
}

// Worst returns the severity of the worst finding, Off when there is none.
func (r *Result) Worst() schema.Severity {
	worst := schema.Off
	for i := range r.Findings {
		worst = max(worst, r.Findings[i].Severity)
	}
	return worst
}

// BugError is a rule that panicked. It is a defect of the rule, not of the wiki.
type BugError struct {
	Rule  string
	Value any    // what it panicked with
	Stack []byte // where
}

func (e *BugError) Error() string {
	return fmt.Sprintf("rule %s failed on this wiki: %v; please report this, and use --except %s until it is mended", e.Rule, e.Value, e.Rule)
}

// Run runs rules over a wiki, in parallel, and returns what they found. What
// it returns does not depend on how many run at the same time.
//
// A problem of the configuration is an error, and nothing runs. A rule that
// panics becomes a [BugError]; the other rules still run, and the result is
// returned with the error.
func Run(ctx context.Context, w *compiler.Wiki, cfg Config) (*Result, error) {
	sel, err := choose(cfg, w.Config().Lint)
	if err != nil {
		return nil, err
	}
	passes := newPasses(ctx, w, cfg, sel.rules)
	took, bugs := runAll(passes, cfg.Workers)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	res := &Result{Skipped: slices.Clone(w.Skipped())}
	places := newPlaces(w)
	for _, p := range passes {
		res.Findings = append(res.Findings, settle(p, sel, places)...)
		res.Skipped = append(res.Skipped, p.skipped...)
	}
	slices.SortStableFunc(res.Findings, compareFindings)
	slices.SortStableFunc(res.Skipped, func(a, b schema.Skipped) int { return strings.Compare(a.Check, b.Check) })
	res.Stats = newStats(w, res.Findings, len(passes))
	if cfg.Timing {
		res.Stats.Timing = timing(passes, took)
	}
	return res, errors.Join(bugs...)
}

func newPasses(ctx context.Context, w *compiler.Wiki, cfg Config, rules []*Rule) []*Pass {
	facts := cfg.Facts
	if facts == nil || facts.wiki != w {
		facts = NewFacts(w)
	}
	client := cfg.HTTP
	if client == nil {
		client = &http.Client{Timeout: 20 * time.Second}
	}
	passes := make([]*Pass, len(rules))
	for i, r := range rules {
		passes[i] = &Pass{Context: ctx, Wiki: w, Rule: r, Today: cfg.Today, HTTP: client, CacheDir: cfg.CacheDir, facts: facts}
	}
	return passes
}

// runAll runs every pass and returns how long each took and the bugs, both in
// the order of the passes.
func runAll(passes []*Pass, workers int) ([]time.Duration, []error) {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	took := make([]time.Duration, len(passes))
	bugs := make([]error, len(passes))
	next := make(chan int)
	var wg sync.WaitGroup
	for range min(workers, len(passes)) {
		wg.Go(func() {
			for i := range next {
				start := time.Now()
				bugs[i] = check(passes[i])
				took[i] = time.Since(start)
			}
		})
	}
	for i := range passes {
		if passes[i].Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	wg.Wait()
	return took, bugs
}

// check runs one rule and turns its panic into an error.
func check(p *Pass) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = &BugError{Rule: p.Rule.ID, Value: v, Stack: debug.Stack()}
		}
	}()
	p.Rule.Check(p)
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

func newStats(w *compiler.Wiki, findings []schema.Diagnostic, rules int) Stats {
	st := Stats{Pages: len(w.Pages()), Rules: rules}
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
