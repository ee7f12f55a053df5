package main

import (
	"context"
	"strings"
	"time"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops"
	"github.com/loopwiki/wiki/loops/control/task"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/spf13/cobra"
)

type planAllowOptions struct {
	by, reason, today string
	failing           []string
}

func newPlanAllow(p *program) *cobra.Command {
	var o planAllowOptions
	c := &cobra.Command{
		Use:   "allow PLAN [PATH…] --by NAME --reason TEXT",
		Short: "Allow a plan to change protected files, or to leave a test red",
		Long: `Allow a plan to change files that are protected otherwise: existing tests, test
data and the configuration of gates. PATH is a file or a glob below the
repository's root. The entry is added to the plan with the person, the reason and
the date, and is valid for this plan only. Commit it.

PLAN may be a task file, such as task.json; PATH is below its workdir then.

With --failing, a test that fails on the base may still fail when the plan that
repairs it is done. NAME is a test as 'wiki loop show' lists it, or a command.

It is refused within a run: only people allow this.`,
		Example: `  wiki plan allow 2026-07-prices src/price_test.go --by Robin --reason "0 is free now"
  wiki plan allow task.json --failing TestExport --by Robin --reason "needs the new server"`,
		Annotations: exits("0  the entry was added"),
		SuggestFor:  []string{"unlock", "permit", "spec-change"},
		Args:        takes(1, true, "PLAN", "PATH"),
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
	f.StringArrayVar(&o.failing, "failing", nil, "let the test or command `NAME` fail at the end of a repair; may be repeated")
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
	case len(paths)+len(o.failing) == 0:
		return misuse("name the files, or use --failing", "wiki plan allow needs PATH")
	case strings.TrimSpace(o.by) == "":
		return misuse("name the person responsible", "--by NAME is required")
	case strings.TrimSpace(o.reason) == "":
		return misuse("for example --reason \"the rounding rule changed\"", "--reason TEXT is required")
	}
	day, err := p.today(o.today)
	if err != nil {
		return err
	}
	c := loops.SpecChange{Paths: paths, Tests: o.failing, By: o.by, Reason: o.reason, Date: day.Format(time.DateOnly)}
	name, err := p.allow(ctx, typed, c)
	if err != nil {
		return err
	}
	if len(paths) > 0 {
		p.say("%s may change %s; commit it", name, strings.Join(paths, ", "))
	}
	if len(o.failing) > 0 {
		p.say("%s may leave %s red; commit it", name, strings.Join(o.failing, ", "))
	}
	return nil
}

// allow adds the entry to a plan or a task file, and returns its name.
func (p *program) allow(ctx context.Context, typed string, c loops.SpecChange) (string, error) {
	if file, ok, _ := taskFile([]string{typed}); ok {
		return typed, p.allowTask(p.path(file), typed, c)
	}
	b, err := p.plans(ctx)
	if err != nil {
		return "", err
	}
	defer b.Close()
	f, err := p.findPlan(b, typed)
	if err != nil {
		return "", err
	}
	src, err := plan.Allow(f.Src, c)
	if err != nil {
		return "", misuse("see 'wiki plan allow --help'", "%s: %v", f.Path, err)
	}
	return f.Path, files.Replace(b.Dir, f.Path, src, 0o666)
}

// allowTask adds the entry to a task file, which may lie anywhere.
func (p *program) allowTask(file, typed string, c loops.SpecChange) error {
	t, err := task.Open(file, "", p.env)
	if err != nil {
		return err
	}
	src, err := plan.Allow(t.Src, c)
	if err != nil {
		return misuse("see 'wiki plan allow --help'", "%s: %v", typed, err)
	}
	return files.ReplacePath(t.File, src, 0o666)
}
