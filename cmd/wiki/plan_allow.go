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
		Short: "Let a plan change what is protected",
		Long: `Allow writes into a plan that it may change files which are protected otherwise:
existing tests, test data, the configuration of gates. PATH is a file or a glob
below the repository's root. The entry says who allowed it, why and when, and
unlocks these paths for this plan alone. Commit it.

It is for people: within a run of a loop it is refused.`,
		Example:     `  wiki plan allow 2026-07-prices src/price_test.go --by Robin --reason "0 is free now"`,
		Annotations: exits("0  the plan says so"),
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
	f.StringVar(&o.by, "by", "", "the `NAME` of who answers for it")
	f.StringVar(&o.reason, "reason", "", "`TEXT` that says why")
	f.StringVar(&o.today, "today", "", "date the entry with this `DAY`")
	return c
}

func runPlanAllow(ctx context.Context, p *program, o planAllowOptions, typed string, paths []string) error {
	if err := p.outsideOfRuns(ctx, "plan allow", "a person runs it, outside of the loop"); err != nil {
		return err
	}
	switch {
	case strings.TrimSpace(o.by) == "":
		return misuse("add --by NAME: somebody answers for it", "plan allow needs --by")
	case strings.TrimSpace(o.reason) == "":
		return misuse("add --reason TEXT, for those who come across it", "plan allow needs --reason")
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
