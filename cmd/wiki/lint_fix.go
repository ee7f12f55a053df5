package main

import (
	"context"
	"strings"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/edit"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/schema"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/pflag"
)

type fixOptions struct {
	safe, unsafe, diff bool
}

func (o *fixOptions) flags(f *pflag.FlagSet) {
	f.BoolVar(&o.safe, "fix", false, "apply safe fixes")
	f.BoolVar(&o.unsafe, "fix-unsafe", false, "also apply fixes that need a review")
	f.BoolVar(&o.diff, "diff", false, "print the changes of --fix, or of --fix-unsafe if given, without making them")
}

func (o fixOptions) asked() bool { return o.safe || o.unsafe || o.diff }

// fix applies the fixes of all findings, or prints them with --diff and is done. It
// returns the fixed wiki.
func (p *program) fix(ctx context.Context, w *compiler.Wiki, o fixOptions, lint func(context.Context, *compiler.Wiki) (*linter.Result, error)) (*compiler.Wiki, bool, error) {
	fixed, err := linter.Fix(ctx, w, linter.Fixing{Lint: lint, Unsafe: o.unsafe})
	if err != nil {
		return nil, false, err
	}
	for _, u := range fixed.Undone {
		p.say("the fix of %s in %s doesn't converge and was skipped: fix it by hand", u.Rule, u.Path)
	}
	if fixed.Unfinished {
		p.say("stopped after %s of fixes: run again for the rest", text.Count(fixed.Rounds, "round"))
	}
	list := fixed.Changes.List()
	if o.diff {
		p.printDiff(fixed.Changes.Diff(prefix(w.Workspace())))
		if len(list) > 0 {
			return w, true, found()
		}
		return w, true, nil
	}
	if len(list) == 0 {
		p.say("nothing to fix")
		return w, false, nil
	}
	if err := fixed.Changes.Write(); err != nil {
		return nil, false, err
	}
	p.say("fixed %s in %s", text.Count(fixed.Findings, "finding"), text.Count(len(list), "file"))
	next, err := w.Recompile(ctx, touched(list))
	if err == nil {
		err = p.followCode(ctx, next, list)
	}
	return next, false, err
}

// followCode updates wiki.lock when pages moved, and when their references to code were
// renamed.
func (p *program) followCode(ctx context.Context, w *compiler.Wiki, list []edit.Change) error {
	var moves []schema.Move
	for _, c := range list {
		if c.From != "" && c.To != "" && c.From != c.To {
			moves = append(moves, schema.Move{From: c.From, To: c.To})
		}
	}
	if _, err := edit.Relock(w.Workspace(), moves); err != nil {
		return err
	}
	lock, err := source.ReadLock(w.Workspace())
	if lock == nil || err != nil {
		return err
	}
	verdicts, err := source.Judge(ctx, w, source.NewCode(w), lock)
	if err != nil {
		return err
	}
	next, changed := lock.Follow(verdicts)
	if !changed {
		return nil
	}
	p.say("rewrote %s", source.LockName)
	return source.WriteLock(w.Workspace(), next)
}

// touched returns the paths that changes concern, before and after.
func touched(list []edit.Change) []string {
	var out []string
	for _, c := range list {
		out = append(out, c.To)
		if c.From != "" && c.From != c.To {
			out = append(out, c.From)
		}
	}
	return out
}

// printDiff prints changes. Characters that can't be shown are escaped, for reading
// only.
func (p *program) printDiff(diff string) {
	p.out.WriteString(diff)
	if text.Clean(diff) != diff {
		p.say("the diff is for reading only: invisible characters and carriage returns are escaped, so it can't be applied as a patch")
	}
}

// prefix precedes the wiki's paths in a diff, so that git apply accepts it: the path
// from the repository's top, or of the wiki's own folder.
func prefix(ws *compiler.Workspace) string {
	if ws.RootPath == "." {
		return ""
	}
	return strings.TrimSuffix(ws.RootPath, "/") + "/"
}
