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
	r, err := p.newLintRun(ctx, o, paths)
	if err != nil {
		return err
	}
	if o.ack.what != "" {
		r.cfg.Judge = r.judge.judge(r.wiki)
		return p.acknowledge(ctx, r.wiki, o.ack, r.cfg)
	}
	if o.fix.asked() {
		if done, err := r.fix(ctx); done || err != nil {
			return inConfig(r.ws, err)
		}
	}
	r.cfg.Judge = r.judge.judge(r.wiki)
	res, err := linter.Run(ctx, r.wiki, r.cfg)
	if kept := p.closeBench(r.judge); res == nil || kept != nil { // what was paid for is kept, even if the rest was interrupted
		return cmp.Or(kept, inConfig(r.ws, err))
	}
	if werr := r.report(res); werr != nil {
		return werr
	}
	if err == nil {
		err = p.updateBaseline(r.debt, res)
	}
	if err == nil && res.Worst() >= r.failOn {
		return found()
	}
	return err
}

// lintRun is a run of wiki lint, ready to begin.
type lintRun struct {
	*program
	o            lintOptions
	reports      []reportPlan
	from, failOn schema.Severity // what is shown, and what exits with 1
	ws           *compiler.Workspace
	cfg          linter.Config
	debt         *baselineFile
	judge        *judgeRun
	wiki         *compiler.Wiki
}

// newLintRun checks the options and compiles the wiki.
func (p *program) newLintRun(ctx context.Context, o lintOptions, paths []string) (*lintRun, error) {
	r := &lintRun{program: p, o: o}
	if err := cmp.Or(o.judge.check(p, &o), o.ack.check(p, &o, paths)); err != nil {
		return nil, err
	}
	var err error
	if r.reports, err = p.planReports(o.format, o.outputs); err != nil {
		return nil, err
	}
	if r.from, err = severity("--severity", o.severity); err != nil {
		return nil, err
	}
	if r.ws, r.cfg, r.debt, err = p.prepareLint(ctx, o, paths); err != nil {
		return nil, err
	}
	if r.failOn, err = failure(r.ws, o.failOn); err != nil {
		return nil, err
	}
	if r.judge, err = p.openJudge(r.ws, o.judge); err != nil {
		return nil, err
	}
	if r.wiki, err = p.compileAt(ctx, r.ws, compiler.Options{History: true, Today: r.cfg.Today}); err != nil {
		return nil, err
	}
	return r, hasPages(r.wiki)
}

// fix applies fixes to what the report would show. done is set if nothing is left to do.
func (r *lintRun) fix(ctx context.Context) (done bool, err error) {
	r.wiki, done, err = r.program.fix(ctx, r.wiki, r.o.fix, func(ctx context.Context, w *compiler.Wiki) (*linter.Result, error) {
		res, err := linter.Run(ctx, w, r.cfg)
		if res != nil {
			res.Findings = slices.DeleteFunc(res.Findings, func(d schema.Diagnostic) bool { return d.Severity < r.from })
		}
		return res, err
	})
	return done, err
}

// report writes the reports.
func (r *lintRun) report(res *linter.Result) error {
	if err := scaffold.IgnoreState(r.ws.Dir); err != nil {
		return err
	}
	out := report.New(r.wiki, res)
	out.Counts, out.Fixable = r.o.counts, true
	if !r.o.all {
		out.Limit = mostShown
	}
	out.From, out.Frames, out.Brief, out.Color, out.Base = r.from, r.tty, r.quiet, r.color(), relativeRoot(r.ws)
	out.Version, out.FailOn, out.First = buildVersion().Wiki, r.failOn, firstRun(r.ws, r.cfg)
	if err := r.writeReports(r.reports, out); err != nil {
		return err
	}
	if r.o.stats {
		r.ruleTimes(res)
	}
	r.sayResolved(res.Acknowledged)
	return nil
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
