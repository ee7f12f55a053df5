package main

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/scaffold"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/linter/report"
	"github.com/loopwiki/wiki/schema"
)

func runLint(ctx context.Context, p *program, o lintOptions, paths []string) error {
	if o.json {
		o.format = "json"
	}
	switch {
	case o.explain != "":
		return explainRule(p, o.explain)
	case o.doubts:
		return runDoubts(ctx, p, o)
	case o.list:
		return listRules(p, o.format)
	}
	if err := cmp.Or(o.judge.check(p, &o), o.ack.check(p, &o, paths)); err != nil {
		return err
	}
	plan, err := p.planReports(o.format, o.outputs)
	if err != nil {
		return err
	}
	from, err := severity("--severity", o.severity)
	if err != nil {
		return err
	}
	ws, cfg, debt, err := p.prepareLint(ctx, o, paths)
	if err != nil {
		return err
	}
	failOn, err := failure(ws, o.failOn)
	if err != nil {
		return err
	}
	b, err := p.openJudge(ws, o.judge)
	if err != nil {
		return err
	}
	w, err := p.compileAt(ctx, ws, compiler.Options{History: true, Today: cfg.Today})
	if err != nil {
		return err
	}
	if err := hasPages(w); err != nil {
		return err
	}
	if o.ack.what != "" {
		cfg.Judge = b.judge(w)
		return p.acknowledge(ctx, w, o.ack, cfg)
	}
	if o.fix.asked() {
		var done bool
		if w, done, err = p.fix(ctx, w, o.fix, func(ctx context.Context, w *compiler.Wiki) (*linter.Result, error) {
			res, err := linter.Run(ctx, w, cfg)
			if res != nil { // what the report would not show is not changed
				res.Findings = slices.DeleteFunc(res.Findings, func(d schema.Diagnostic) bool { return d.Severity < from })
			}
			return res, err
		}); done || err != nil {
			return inConfig(ws, err)
		}
	}
	cfg.Judge = b.judge(w)
	res, err := linter.Run(ctx, w, cfg)
	if kept := p.closeBench(b); res == nil || kept != nil { // what was paid for is kept, even if the rest was interrupted
		return cmp.Or(kept, inConfig(ws, err))
	}
	if err := scaffold.IgnoreState(ws.Dir); err != nil {
		return err
	}
	r := report.New(w, res)
	r.Counts, r.Fixable = o.counts, true
	if !o.all {
		r.Limit = mostShown
	}
	r.From, r.Frames, r.Brief, r.Color, r.Base = from, p.tty, p.quiet, p.color(), relativeRoot(ws)
	r.Version, r.FailOn, r.First = buildVersion().Wiki, failOn, firstRun(ws, cfg)
	if werr := p.writeReports(plan, r); werr != nil {
		return werr
	}
	if o.stats {
		p.ruleTimes(res)
	}
	p.sayResolved(res.Acknowledged)
	if err == nil {
		err = p.updateBaseline(debt, res)
	}
	if err == nil && res.Worst() >= failOn {
		return found()
	}
	return err
}

// prepareLint turns options into what the linter is to do, and the baseline
// that it does it with.
func (p *program) prepareLint(ctx context.Context, o lintOptions, paths []string) (*compiler.Workspace, linter.Config, *baselineFile, error) {
	cfg := linter.Config{Only: o.rules, Except: o.except, Timing: o.stats}
	var err error
	if cfg.Today, err = p.today(o.today); err != nil {
		return nil, cfg, nil, err
	}
	ws, err := p.detectAt(paths)
	if err != nil {
		return nil, cfg, nil, err
	}
	cfg.CacheDir = filepath.Join(ws.Dir, ".loopwiki", "cache")
	within, outside, err := p.below(ws, paths)
	if err != nil {
		return nil, cfg, nil, err
	}
	p.skipOutside(ws, outside)
	if cfg.Within = within; len(within) == 0 && len(outside) > 0 {
		cfg.Within = []string{""} // no page has that path
	}
	if o.since != "" {
		if cfg.Changes, err = changes(ctx, ws, o.since); err != nil {
			return nil, cfg, nil, err
		}
	}
	if cfg.Acknowledged, err = p.acknowledged(ws); err != nil {
		return nil, cfg, nil, err
	}
	d, err := p.openBaseline(ws, o.baseline, cfg)
	if err == nil && d != nil {
		cfg.Baseline, cfg.AcceptNew = d.baseline, d.accept
	}
	return ws, cfg, d, err
}

// firstRun reports whether lint is not configured yet: not in wiki.yaml, by a baseline
// or on the command line.
func firstRun(ws *compiler.Workspace, cfg linter.Config) bool {
	lint := ws.Config.Lint
	return lint.FailOn == "" && len(lint.Rules) == 0 && len(lint.Overrides) == 0 && len(ws.Config.Rules) == 0 && cfg.Baseline == nil &&
		len(cfg.Only) == 0 && len(cfg.Except) == 0 && len(cfg.Within) == 0 && cfg.Changes == nil
}

// failure is the severity that ends in exit code 1.
func failure(ws *compiler.Workspace, flag string) (schema.Severity, error) {
	if flag == "" {
		flag = ws.Config.Lint.FailOn
	}
	if flag == "" {
		return schema.Error, nil
	}
	return severity("--fail-on", flag)
}

// inConfig says which file a key is in that the linter found fault with.
func inConfig(ws *compiler.Workspace, err error) error {
	if err == nil || ws.ConfigPath == "" || !strings.HasPrefix(err.Error(), "lint.") {
		return err
	}
	return fmt.Errorf("%s: %w", ws.ConfigPath, err)
}
