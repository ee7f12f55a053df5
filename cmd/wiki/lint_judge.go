package main

import (
	"cmp"
	"errors"
	"io/fs"
	"path/filepath"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/linter/judge"
	"github.com/loopwiki/wiki/loops/control/judging"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/pflag"
)

// How a judge is used: not at all, by the verdicts that are known, or by asking it.
const (
	judgeOff    = "off"
	judgeCached = "cached"
	judgeOn     = "on"
)

// defaultBudget is the default number of calls per run.
const defaultBudget = 20

// judgeOptions are those of the judge; a budget below 0 was not given.
type judgeOptions struct {
	mode   string
	budget int
}

func (o *judgeOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.mode, "judge", judgeOff, "ask a model about pairs of claims that may contradict each other; `MODE` is on, cached (only verdicts in "+schema.VerdictsFile+") or off")
	f.Lookup("judge").NoOptDefVal = judgeOn
	f.IntVar(&o.budget, "judge-budget", -1, "with --judge, call the model at most `N` times; judge.budget in wiki.yaml, or 20, by default")
	f.Lookup("judge-budget").DefValue = "0" // said in words
}

// check refuses what makes no sense, and a run of a loop that would write the
// verdicts on its own pages.
func (o *judgeOptions) check(p *program, lint *lintOptions) error {
	modes := []string{judgeOff, judgeCached, judgeOn}
	switch run := p.env(schema.RunVariable); {
	case !contains(modes, o.mode):
		return misuse(oneOf(o.mode, modes), "--judge: unknown mode %q", o.mode)
	case o.mode == judgeOn && run != "":
		return misuse("run it yourself, outside of the loop; --judge=cached is allowed", "--judge is refused within a run (%s is %q)", schema.RunVariable, run)
	case o.mode == judgeOn && lint != nil && lint.ack.what != "":
		return misuse("run 'wiki lint --judge' first, and acknowledge with --judge=cached", "--ack can't be used with --judge=on")
	case o.budget >= 0 && o.mode != judgeOn:
		return misuse("write --judge --judge-budget N", "--judge-budget requires --judge")
	case o.budget < -1:
		return misuse("use 0 or more", "--judge-budget: %d is not a number of calls", o.budget)
	}
	return nil
}

// judgeRun is the judge of a run, and where its verdicts lie. A nil one judges
// nothing.
type judgeRun struct {
	model        *judge.Judge
	agent        *judging.Agent // that is asked, nil if it is another judge
	asks         bool
	space        *compiler.Workspace
	folder, name string
	source       []byte // the file as it was read, nil when there was none
	progress     func()
}

// openJudge reads the stored verdicts and chooses the model to ask; nil if the judge is
// off.
func (p *program) openJudge(ws *compiler.Workspace, o judgeOptions) (*judgeRun, error) {
	if o.mode == judgeOff {
		return nil, nil
	}
	b := &judgeRun{model: &judge.Judge{}, asks: o.mode == judgeOn, space: ws, folder: home(ws), name: filepath.FromSlash(schema.VerdictsFile), progress: func() {}}
	var err error
	b.source, err = ws.ReadFile(b.folder, b.name, files.State)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	default:
		if b.model.Known, err = judge.ReadVerdicts(p.shorten(filepath.Join(b.folder, b.name)), b.source); err != nil {
			return nil, err
		}
	}
	if !b.asks {
		return b, nil
	}
	cfg := ws.Config.Judge
	if b.model.Budget = o.budget; o.budget < 0 {
		b.model.Budget = cmp.Or(cfg.Budget, defaultBudget)
	}
	b.model.Progress, b.progress = p.progress("asking the judge")
	return b, p.backend(ws, b)
}

// judge returns the judge for the pages of a wiki.
func (b *judgeRun) judge(w *compiler.Wiki) linter.Judge {
	if b == nil {
		return nil
	}
	return b.model.Of(w)
}

// closeBench keeps the verdicts and says the result of asking.
func (p *program) closeBench(b *judgeRun) error {
	if b == nil {
		return nil
	}
	b.progress()
	c := b.model
	if c.Next == nil { // nobody wanted to know
		return nil
	}
	left := ""
	if c.Left > 0 {
		left = ", " + text.Count(c.Left, "pair") + " not judged"
	}
	if !b.asks {
		p.say("judge: %s judged before%s", text.Count(c.Before, "pair"), left)
		return nil
	}
	wrote := ""
	if text := c.Next.JSONL(); string(text) != string(b.source) && (b.source != nil || c.Next.Len() > 0) {
		if err := b.space.Replace(b.folder, b.name, text); err != nil {
			return err
		}
		wrote = "; wrote " + p.shorten(filepath.Join(b.folder, b.name)) + ", commit it"
	}
	p.say("judge: %s judged in %s, %d judged before%s%s", text.Count(c.Judged, "pair"), text.Count(c.Calls, "call"), c.Before, left, wrote)
	if b.agent != nil {
		p.sayUsed(b.agent)
	}
	if c.Failure != "" {
		p.say("judge: failed, other checks were run: %s", c.Failure)
	}
	return nil
}
