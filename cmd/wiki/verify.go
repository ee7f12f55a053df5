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
		Short: "Mark pages as verified against the current code",
		Long: `Mark pages as verified against the current code: record in wiki.lock, next to
wiki.yaml, the state of all code that the pages refer to with sources:
[src/limits.go#MaxBody] in front matter, links to symbols, fields code::,
comments <!-- wiki:src … -->, and line citations. From then on 'wiki lint'
compares them with the code. PAGE is a page or a folder.

If the declaration or the values of a symbol changed since the last
verification, both versions are shown and the page stays unverified: correct it,
or confirm with --still-accurate that it is right. A section that was edited
after the code changed needs no confirmation. References that were removed from
a page are removed from wiki.lock. Commit that file.`,
		Example: `  wiki verify 10_DOMAIN/limits.md
  wiki verify 20_SYSTEM --still-accurate
  wiki verify --all
  wiki verify --all --json | jq -r '.bindings[] | select(.outcome == "changed") | .page'`,
		Annotations: exits("0  all references of the pages are verified", "1  some are not: the code changed, moved or is missing"),
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
	f.BoolVar(&o.all, "all", false, "verify all pages, and remove deleted ones from wiki.lock")
	f.BoolVar(&o.accurate, "still-accurate", false, "confirm that the pages are right although the code changed")
	f.BoolVar(&o.json, "json", false, "print the result as JSON")
	f.StringVar(&o.today, "today", "", "use `DAY` as today's date")
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
		return time.Time{}, misuse("run it yourself, outside of the loop", "verify is refused within a run (%s is %q)", schema.RunVariable, run)
	}
	if o.all == (len(paths) > 0) {
		return time.Time{}, misuse("name pages, or use --all", "verify needs either PAGE or --all")
	}
	return p.today(o.today)
}

// chosen returns a filter for the pages that the paths select, nil for all.
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
