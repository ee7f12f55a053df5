package main

import (
	"context"
	"path/filepath"

	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/loops/plan"
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/spf13/cobra"
)

func newPlan(p *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "plan",
		Short: "Create, check and list plans for agents",
		Long: `Create, check and list the plans in plans/YYYY-MM-slug.md: work that a person
approves and agents carry out, in chunks of one session each, within a scope of
files, until a command reports that the goal is met.`,
		Example: `  wiki plan new "Validate prices"
  wiki plan lint
  wiki plan list`,
		Annotations: exits("0  help was printed"),
		GroupID:     groupLoops,
		SuggestFor:  []string{"plans", "task", "tasks", "todo"},
		Args:        cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	c.AddCommand(newPlanNew(p), newPlanLint(p), newPlanList(p), newPlanAllow(p), newPlanFrom(p))
	return c
}

// plans opens the repository that the command is run in.
func (p *program) plans(ctx context.Context) (*plan.Book, error) {
	return plan.OpenBook(ctx, p.path("."), lastRuns)
}

// lastRuns are the last runs of all plans by the plan's path.
func lastRuns(root string) (plan.Runs, error) {
	store := runs.NewStore(root)
	all, err := store.Summaries(func(name string) bool {
		_, _, held := contain.Holder(store.Lock(name))
		return held
	})
	out := plan.LastRuns{}
	for _, r := range all { // the oldest first
		out[r.Plan] = r
	}
	return out, err
}

// findPlan finds a plan by the path or name that a person typed.
func (p *program) findPlan(b *plan.Book, typed string) (plan.File, error) {
	f, ok := b.Find(p.path("."), typed)
	if ok {
		return f, nil
	}
	hint := "'wiki plan list' lists the plans"
	if near := nearest(plan.NameOf(filepath.ToSlash(typed)), b.Names()); near != "" {
		hint = "did you mean " + near + "?"
	}
	return f, misuse(hint, "no such plan: %s", typed)
}

// planNames completes the names of plans.
func (p *program) planNames(cmd *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	b, err := p.plans(cmd.Context())
	if err != nil {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	defer b.Close()
	return b.Names(), cobra.ShellCompDirectiveNoFileComp
}
