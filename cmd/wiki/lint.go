package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/loopwiki/wiki/cmd/wiki/internal/scaffold"
	"github.com/loopwiki/wiki/compiler"
	"github.com/loopwiki/wiki/linter"
	"github.com/loopwiki/wiki/linter/report"
	"github.com/loopwiki/wiki/schema"
	"github.com/spf13/cobra"
)

type lintOptions struct {
	format   string
	outputs  []string
	rules    []string
	except   []string
	severity string
	failOn   string
	today    string
	list     bool
}

func newLint(p *program) *cobra.Command {
	var o lintOptions
	c := &cobra.Command{
		Use:   "lint [PATH…]",
		Short: "Check the wiki and say what to do about what is wrong",
		Long: `Lint checks links, graph and frontmatter, and prints
every finding with its exact place and what to do about it. All pages are
checked, since one page's fault is often another's; with PATH, a page or a
folder, only what was found there is shown.

Text shows warnings and errors and counts the rest; every other format holds all.
In GitHub Actions the findings become annotations by themselves.`,
		Example: `  wiki lint
  wiki lint 20_SYSTEM --severity info
  wiki lint --rule broken-wikilink,broken-anchor
  wiki lint --format json | jq '.findings[].path'
  wiki lint --output json=lint.json --fail-on warning`,
		Annotations: exits("0  nothing at or above --fail-on was found", "1  something was"),
		GroupID:     groupMake,
		SuggestFor:  []string{"check", "validate", "verify", "test"},
		Args:        cobra.ArbitraryArgs,
		RunE:        func(cmd *cobra.Command, args []string) error { return runLint(cmd.Context(), p, o, args) },
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVarP(&o.format, "format", "f", "", "print findings as `FORMAT`: "+list(formatNames()))
	f.StringArrayVarP(&o.outputs, "output", "o", nil, "also write `FORMAT=FILE`; may be repeated")
	f.StringSliceVar(&o.rules, "rule", nil, "run only `RULE`; may be repeated, or a list with commas")
	f.StringSliceVar(&o.except, "except", nil, "do not run `RULE`; may be repeated, or a list with commas")
	f.StringVar(&o.severity, "severity", "warning", "show findings of `SEVERITY` and above in text: error, warning or info")
	f.StringVar(&o.failOn, "fail-on", "", "exit 1 from this `SEVERITY` on: error, warning or info; error by default")
	f.StringVar(&o.today, "today", "", "take this `DAY` for the present one")
	f.BoolVar(&o.list, "list-rules", false, "list the rules and stop")
	for _, flag := range []string{"rule", "except"} {
		c.RegisterFlagCompletionFunc(flag, completeRules)
	}
	c.RegisterFlagCompletionFunc("format", cobra.FixedCompletions(formatNames(), cobra.ShellCompDirectiveNoFileComp))
	return c
}

func runLint(ctx context.Context, p *program, o lintOptions, paths []string) error {
	if o.list {
		return listRules(p)
	}
	plan, err := p.planReports(o.format, o.outputs)
	if err != nil {
		return err
	}
	from, err := severity("--severity", o.severity)
	if err != nil {
		return err
	}
	today, err := p.today(o.today)
	if err != nil {
		return err
	}
	ws, err := p.detect()
	if err != nil {
		return err
	}
	failOn := schema.Error
	if o.failOn == "" {
		o.failOn = ws.Config.Lint.FailOn
	}
	if o.failOn != "" {
		if failOn, err = severity("--fail-on", o.failOn); err != nil {
			return err
		}
	}
	within, err := p.below(ws, paths)
	if err != nil {
		return err
	}
	w, err := p.compileAt(ctx, ws, compiler.Options{History: true, Today: today})
	if err != nil {
		return err
	}
	if err := hasPages(w); err != nil {
		return err
	}
	res, err := lint(ctx, w, o, today)
	if res == nil {
		return inConfig(ws, err)
	}
	if err := scaffold.IgnoreState(ws.Dir); err != nil {
		return err
	}
	narrow(res, within)
	r := report.New(w, res)
	r.From, r.Frames, r.Brief, r.Color, r.Base = from, p.tty, p.quiet, p.color(), here(ws)
	if werr := p.writeReports(plan, r); werr != nil {
		return werr
	}
	if err == nil && res.Worst() >= failOn {
		return found()
	}
	return err
}

// lint runs the rules; the result is nil when none ran.
func lint(ctx context.Context, w *compiler.Wiki, o lintOptions, today time.Time) (*linter.Result, error) {
	return linter.Run(ctx, w, linter.Config{
		Only: o.rules, Except: o.except, Today: today, CacheDir: filepath.Join(w.Workspace().Dir, ".loopwiki", "cache"),
	})
}

// inConfig says which file a key stands in that the linter found fault with.
func inConfig(ws *compiler.Workspace, err error) error {
	if ws.ConfigPath == "" || !strings.HasPrefix(err.Error(), "lint.") {
		return err
	}
	return fmt.Errorf("%s: %w", ws.ConfigPath, err)
}

// severity reads the value of a flag.
func severity(flag, name string) (schema.Severity, error) {
	var s schema.Severity
	if err := s.UnmarshalText([]byte(name)); err != nil || s == schema.Off {
		return s, misuse(oneOf(name, []string{"error", "warning", "info"}), "%s: %q is not a severity", flag, name)
	}
	return s, nil
}

func formatNames() []string {
	var names []string
	for _, f := range report.Formats() {
		names = append(names, f.Name)
	}
	return names
}
