package main

import (
	"context"
	"io/fs"

	"github.com/loopwiki/wiki/compiler/files"
	"github.com/loopwiki/wiki/loops/plan"
	"github.com/spf13/cobra"
)

func newPlanNew(p *program) *cobra.Command {
	var today string
	c := &cobra.Command{
		Use:   "new TITLE",
		Short: "Begin a plan",
		Long: `New makes plans/YYYY-MM-slug.md with all keys and sections that a plan has, to be
filled in; 'wiki plan lint' says what is left. The path is printed, for an
editor. A plan that is there is never overwritten.`,
		Example: `  wiki plan new "Validate prices"
  $EDITOR "$(wiki plan new 'Validate prices')"`,
		Annotations:       exits("0  the plan is made"),
		SuggestFor:        []string{"add", "create", "init"},
		Args:              takes(1, false, "TITLE"),
		RunE:              func(cmd *cobra.Command, args []string) error { return runPlanNew(cmd.Context(), p, today, args[0]) },
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.Flags().StringVar(&today, "today", "", "name the plan by the month of this `DAY`")
	return c
}

func runPlanNew(ctx context.Context, p *program, today, title string) error {
	day, err := p.today(today)
	if err != nil {
		return err
	}
	if plan.Slug(title) == "" {
		return misuse("the name of its file and branch is made of a to z and digits", "the title %q has none to name a plan by", title)
	}
	b, err := p.plans(ctx)
	if err != nil {
		return err
	}
	defer b.Close()
	name, src := plan.New(title, day)
	if _, err := fs.Stat(b.FS(), name); err == nil {
		return misuse("write there, or give another title; nothing is overwritten", "%s is there already", name)
	}
	if err := files.Replace(b.Dir, name, src, 0o666); err != nil {
		return err
	}
	p.out.Println(p.shorten(b.Path(name)))
	p.say("fill in scope, goal and the chunks; 'wiki plan lint' says what is left")
	return nil
}
