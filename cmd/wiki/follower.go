package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/site/serve"
)

// follower lints a wiki again and again as it changes.
type follower struct {
	*program
	mu    sync.Mutex
	facts *linter.Facts // about the wiki as it was last time
}

// known lints the wiki for the preview. A failing rule is left out, since wiki lint
// reports it, and the baseline applies. If wiki.lock can't be read, readers see a
// notice, and only verifications are missing.
func (f *follower) known(ctx context.Context, w *compiler.Wiki) serve.Known {
	cfg, problem, err := f.config(w)
	if err != nil {
		return serve.Known{Problem: err.Error()}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	cfg.Facts = f.next(w)
	res, err := linter.Run(ctx, w, cfg)
	if res == nil {
		return serve.Known{Problem: "the wiki was not linted: " + err.Error()}
	}
	verdicts := f.facts.Verdicts(ctx, cfg.Lock).All
	return serve.Known{
		Findings: res.Findings, Contradictions: res.Contradictions(), Mentions: res.Mentions, Problem: problem,
		Watched: source.Watched(ctx, w, verdicts), Files: filesOf(w, verdicts),
	}
}

// contradictions returns the contradictions that known does, without the other findings,
// and the code that they are with.
func (f *follower) contradictions(ctx context.Context, w *compiler.Wiki) serve.Known {
	cfg, problem, err := f.config(w)
	if err != nil {
		return serve.Known{Problem: err.Error()}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	cfg.Facts = f.next(w)
	list, err := linter.Contradictions(ctx, w, cfg)
	if err != nil && list == nil {
		return serve.Known{Problem: "the wiki was not linted: " + err.Error()}
	}
	known := serve.Known{Contradictions: list, Problem: problem}
	for i := range list {
		for _, s := range list[i].Sides {
			if w.Page(schema.PageID(strings.TrimSuffix(s.Path, ".md"))) == nil {
				known.Files = append(known.Files, filepath.Join(w.Workspace().Root, filepath.FromSlash(s.Path)))
			}
		}
	}
	return known
}

// watched says what became of the code that some pages were verified against. It is empty
// if wiki.lock can't be read, which the others tell.
func (f *follower) watched(ctx context.Context, w *compiler.Wiki, pages []*schema.Page) map[string]schema.Watched {
	lock, err := source.ReadLock(w.Workspace())
	if lock == nil || err != nil {
		lock = &source.Lock{}
	}
	verdicts, err := source.JudgePages(ctx, w, source.NewCode(w), lock, pages)
	if err != nil {
		return nil
	}
	return source.Watched(ctx, w, verdicts)
}

// config returns how the wiki is linted, and what of it is a problem for readers.
func (f *follower) config(w *compiler.Wiki) (cfg linter.Config, problem string, err error) {
	today, err := f.today("")
	if err != nil {
		return cfg, "", err
	}
	cfg, problems := f.lintConfig(w.Workspace())
	cfg.Today = today
	for _, p := range problems {
		f.say("%s", p)
	}
	if len(problems) > 0 && strings.HasPrefix(problems[0], "ignoring verifications") {
		problem = problems[0]
	}
	if verdicts, err := f.openJudge(w.Workspace(), judgeOptions{mode: judgeCached}); err != nil {
		f.say("ignoring verdicts: %v", err)
	} else if verdicts.source != nil {
		cfg.Judge = verdicts.judge(w)
	}
	return cfg, problem, nil
}

// next returns the facts about w; those about pages that are the same are kept.
func (f *follower) next(w *compiler.Wiki) *linter.Facts {
	if f.facts == nil {
		f.facts = linter.NewFacts(w)
	} else {
		f.facts = f.facts.Next(w)
	}
	return f.facts
}

// filesOf returns the code that verdicts rest on.
func filesOf(w *compiler.Wiki, verdicts []source.Verdict) (out []string) {
	for _, file := range source.Files(verdicts) {
		if name := filepath.FromSlash(file); filepath.IsLocal(name) {
			out = append(out, filepath.Join(w.Workspace().Dir, name))
		}
	}
	return out
}

// lintConfig returns how a wiki is linted where it is shown as it changes: by what people
// recorded of it. What can't be read is left out and named.
func (p *program) lintConfig(ws *compiler.Workspace) (cfg linter.Config, problems []string) {
	ignoring := func(what string, err error) {
		problems = append(problems, fmt.Sprintf("ignoring %s: %v", what, err))
	}
	var err error
	if cfg.Lock, err = source.ReadLock(ws); err != nil {
		ignoring("verifications", err)
	}
	if cfg.Lock == nil {
		cfg.Lock = &source.Lock{}
	}
	if cfg.Acknowledged, err = p.acknowledged(ws); err != nil {
		ignoring("acknowledgements", err)
	}
	if debt, err := p.openBaseline(ws, baselineOptions{}, cfg); err != nil {
		ignoring("the baseline", err)
	} else if debt != nil {
		cfg.Baseline = debt.baseline
	}
	return cfg, problems
}
