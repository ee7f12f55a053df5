package main

import (
	"context"

	"github.com/spf13/cobra"

	"github.com/loopwiki/wiki/schema/text"
)

func newAndonRollback(p *program) *cobra.Command {
	var by string
	c := &cobra.Command{
		Use:   "rollback [INCIDENT]",
		Short: "Remove the standards that an incident added",
		Long: `Remove the standards and the gotcha that an incident added; those of other
incidents stay. INCIDENT is named as for 'wiki andon show'; the latest one is the
default.`,
		Example:     "  wiki andon rollback latest",
		Annotations: exits("0  the standards were removed, if any"),
		Args:        takes(0, false, "INCIDENT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runAndonRollback(cmd.Context(), p, given(args), by)
		},
		ValidArgsFunction: p.incidentArg,
	}
	c.Flags().StringVar(&by, "by", "", "`NAME` of the person who removes them; git's user.name by default")
	return c
}

func runAndonRollback(ctx context.Context, p *program, name, by string) error {
	if err := p.byPerson(ctx, "rollback"); err != nil {
		return err
	}
	i, n, err := p.incidents().Rollback(name, p.who(ctx, by))
	if err != nil {
		return err
	}
	if n == 0 {
		p.say("%s has no standards to remove", i.ID)
		return nil
	}
	p.say("removed %s of %s", text.Count(n, "standard"), i.ID)
	return nil
}
