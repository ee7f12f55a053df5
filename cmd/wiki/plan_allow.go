package main

import (
	"context"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/spf13/cobra"
)

type planAllowOptions struct{ by, reason, today string }

func newPlanAllow(p *program) *cobra.Command {
	var o planAllowOptions
	c := &cobra.Command{
		Use:   "allow PLAN PATH… --by NAME --reason TEXT",
		Short: "Allow a plan to change protected files",
		Long: `Allow a plan to change files that are protected otherwise: existing tests, test
data and the configuration of gates. PATH is a file or a glob below the
repository's root. The entry is added to the plan with the person, the reason and
the date, and is valid for this plan only. Commit it.

It is refused within a run: only people allow this.`,
		Example:     `  wiki plan allow 2026-07-prices src/price_test.go --by Robin --reason "0 is free now"`,
		Annotations: exits("0  the entry was added"),
		SuggestFor:  []string{"unlock", "permit", "spec-change"},
		Args:        takes(2, true, "PLAN", "PATH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runPlanAllow(cmd.Context(), p, o, args[0], args[1:])
		},
		ValidArgsFunction: func(cmd *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveDefault
			}
			return p.planNames(cmd, args, typed)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	f.StringVar(&o.by, "by", "", "`NAME` of the person responsible")
	f.StringVar(&o.reason, "reason", "", "the reason, as `TEXT`")
	f.StringVar(&o.today, "today", "", "use `DAY` as the date of the entry")
	return c
}

func runPlanAllow(ctx context.Context, p *program, o planAllowOptions, typed string, paths []string) error {
	if err := p.outsideOfRuns(ctx, "plan allow", "run it yourself, outside of the loop"); err != nil {
		return err
	}
	switch {
	case strings.TrimSpace(o.by) == "":
		return misuse("name the person responsible", "--by NAME is required")
	case strings.TrimSpace(o.reason) == "":
		return misuse("for example --reason \"the rounding rule changed\"", "--reason TEXT is required")
	}
	day, err := p.today(o.today)
	if err != nil {
		return err
	}
	b, err := p.plans(ctx)
	if err != nil {
		return err
	}
	defer b.Close()
	f, err := p.findPlan(b, typed)
	if err != nil {
		return err
	}
	src, err := plan.Allow(f.Src, paths, o.by, o.reason, day.Format(time.DateOnly))
	if err != nil {
		return misuse("see 'wiki plan allow --help'", "%s: %v", f.Path, err)
	}
	if err := files.Replace(b.Dir, f.Path, src, 0o666); err != nil {
		return err
	}
	p.say("%s may change %s; commit it", f.Path, strings.Join(paths, ", "))
	return nil
}
