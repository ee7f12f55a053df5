package main

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/compiler/source"
	"github.com/loopwiki/wiki/schema"
	"github.com/spf13/cobra"
)

type verifyOptions struct {
	all, accurate, json bool
	today               string
}

func newVerify(p *program) *cobra.Command {
	var o verifyOptions
	c := &cobra.Command{
		Use:   "verify [PAGE…]",
		Short: "Say that pages are true of the code as it is now",
		Long: `Verify writes into wiki.lock, beside wiki.yaml, what the code looks like that
the pages refer to: sources: [src/limits.go#MaxBody] in the frontmatter, links
to a symbol, fields code:: and comments <!-- wiki:src … -->, citations of
lines. From then on 'wiki lint' compares them with the code. PAGE is a page or
a folder of them.

Where the declaration or the values of a symbol changed since the page was last
verified, both sides are shown and the page stays unverified: correct it, or
say with --still-accurate that it is right as it is. A section that was written
anew after the code changed needs no such word. What a page no longer refers to
is dropped from wiki.lock. Commit the file.`,
		Example: `  wiki verify 10_DOMAIN/limits.md
  wiki verify 20_SYSTEM --still-accurate
  wiki verify --all
  wiki verify --all --json | jq -r '.bindings[] | select(.outcome == "changed") | .page'`,
		Annotations: exits("0  all that the pages refer to is verified", "1  some of it is not: it changed, moved, or is not there"),
		GroupID:     groupMake,
		SuggestFor:  []string{"stamp", "approve", "confirm"},
		Args:        cobra.ArbitraryArgs,
		RunE:        func(cmd *cobra.Command, args []string) error { return runVerify(cmd.Context(), p, o, args) },
		ValidArgsFunction: func(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
			return p.pagePaths(cmd.Context()), cobra.ShellCompDirectiveNoFileComp
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.BoolVar(&o.all, "all", false, "verify all pages, and drop those that are gone")
	f.BoolVar(&o.accurate, "still-accurate", false, "the pages are right although what they describe changed")
	f.BoolVar(&o.json, "json", false, "print a JSON document")
	f.StringVar(&o.today, "today", "", "take this `DAY` for the present one")
	return c
}

func runVerify(ctx context.Context, p *program, o verifyOptions, paths []string) error {
	today, err := p.checkVerify(o, paths)
	if err != nil {
		return err
	}
	ws, err := p.detectAt(paths)
	if err != nil {
		return err
	}
	w, err := p.compileAt(ctx, ws, compiler.Options{History: true, Today: today})
	if err == nil {
		err = hasPages(w)
	}
	if err != nil {
		return err
	}
	chosen, err := p.chosen(ws, paths)
	if err != nil {
		return err
	}
	lock, err := source.ReadLock(ws)
	if err != nil {
		return err
	}
	read := chosen
	if read == nil {
		read = func(string) bool { return true }
	}
	verdicts, err := source.JudgeWith(ctx, w, source.NewCode(w), lock, read)
	if err != nil {
		return err
	}
	next, done := source.Verify(lock, verdicts, chosen, o.accurate, today)
	name := filepath.Join(source.LockFolder(ws), source.LockName)
	if lock == nil && len(next.Bindings) > 0 || lock != nil && string(lock.Format()) != string(next.Format()) {
		if err := source.WriteLock(ws, next); err != nil {
			return err
		}
	}
	if o.json {
		if err := p.json(newVerifyDocument(p.shorten(name), done)); err != nil {
			return err
		}
	} else {
		p.printVerified(done)
	}
	return p.settleVerified(p.shorten(name), done)
}

// checkVerify refuses a command line that says nothing, and a run of a loop that
// would answer for its own pages.
func (p *program) checkVerify(o verifyOptions, paths []string) (time.Time, error) {
	if run := p.env(schema.RunVariable); run != "" {
		return time.Time{}, misuse("who answers for the wiki runs it, outside of the loop", "verify is refused within a run (%s is %q)", schema.RunVariable, run)
	}
	if o.all == (len(paths) > 0) {
		return time.Time{}, misuse("name pages, or give --all", "verify takes either PAGE or --all")
	}
	return p.today(o.today)
}

// chosen tells which pages the paths mean, nil for all.
func (p *program) chosen(ws *compiler.Workspace, paths []string) (func(page string) bool, error) {
	within, outside, err := p.below(ws, paths)
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	p.skipOutside(ws, outside)
	return func(page string) bool {
		return slices.ContainsFunc(within, func(in string) bool {
			return in == "." || page == in || strings.HasPrefix(page, path.Clean(in)+"/")
		})
	}, nil
}
