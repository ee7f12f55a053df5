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
		Short: "Take back the standards that an incident set",
		Long: `Rollback takes back the standards and the gotcha that an incident left. Those of
other incidents stay. INCIDENT is as for 'wiki andon show'; the default is the
latest one.`,
		Example:     "  wiki andon rollback latest",
		Annotations: exits("0  they are taken back, or there were none"),
		Args:        takes(0, false, "INCIDENT"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runAndonRollback(cmd.Context(), p, given(args), by)
		},
		ValidArgsFunction: p.incidentArg,
	}
	c.Flags().StringVar(&by, "by", "", "the `NAME` of who takes them back; git's user.name by default")
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
		p.say("%s has nothing to take back", i.ID)
		return nil
	}
	p.say("took back %s of %s", text.Count(n, "standard"), i.ID)
	return nil
}
