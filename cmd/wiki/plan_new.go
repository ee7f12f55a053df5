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
		Short: "Create a plan from the template",
		Long: `Create plans/YYYY-MM-slug.md with all keys and sections to fill in; 'wiki plan
lint' lists what is missing. The path is printed, for use with an editor. An
existing plan is never overwritten.`,
		Example: `  wiki plan new "Validate prices"
  $EDITOR "$(wiki plan new 'Validate prices')"`,
		Annotations:       exits("0  the plan was created"),
		SuggestFor:        []string{"add", "create", "init"},
		Args:              takes(1, false, "TITLE"),
		RunE:              func(cmd *cobra.Command, args []string) error { return runPlanNew(cmd.Context(), p, today, args[0]) },
		ValidArgsFunction: cobra.NoFileCompletions,
	}
	c.Flags().StringVar(&today, "today", "", "use the month of `DAY` in the plan's name")
	return c
}

func runPlanNew(ctx context.Context, p *program, today, title string) error {
	day, err := p.today(today)
	if err != nil {
		return err
	}
	if plan.Slug(title) == "" {
		return misuse("use some letters a to z or digits, which name the file and branch", "invalid title %q", title)
	}
	b, err := p.plans(ctx)
	if err != nil {
		return err
	}
	defer b.Close()
	name, src := plan.New(title, day)
	if _, err := fs.Stat(b.FS(), name); err == nil {
		return misuse("edit it, or use another title", "%s already exists", name)
	}
	if err := files.Replace(b.Dir, name, src, 0o666); err != nil {
		return err
	}
	p.out.Println(p.shorten(b.Path(name)))
	p.say("fill in the scope, the goal and the chunks; 'wiki plan lint' lists what is missing")
	return nil
}
