package main

import (
	"context"
	"strings"

	"github.com/spf13/cobra"
)

func newAndonAcknowledge(p *program) *cobra.Command {
	var by string
	c := &cobra.Command{
		Use:   "acknowledge --by NAME",
		Short: "Say by name that too much failed in a row",
		Long: `Acknowledge says that a person knows of a Meta-Andon: three runs failed in a row,
or one failed three times at one thing. Until then no run starts. It says what
the incident still lacks; the line goes on when it is closed.`,
		Example:     "  wiki andon acknowledge --by \"Ana Ruiz\"",
		Annotations: exits("0  it is acknowledged"),
		Args:        takes(0, false),
		RunE:        func(cmd *cobra.Command, _ []string) error { return runAndonAcknowledge(cmd.Context(), p, by) },
	}
	c.Flags().StringVar(&by, "by", "", "the `NAME` of who knows")
	return c
}

func runAndonAcknowledge(ctx context.Context, p *program, by string) error {
	if err := p.byPerson(ctx, "acknowledge"); err != nil {
		return err
	}
	if strings.TrimSpace(by) == "" {
		return misuse("add --by NAME", "acknowledge needs the name of who does")
	}
	m, lacks, err := p.incidents().Acknowledge(by)
	if err != nil {
		return err
	}
	p.say("%s is acknowledged by %s", m.IncidentID, m.AcknowledgedBy)
	for _, l := range lacks {
		p.say("  still to be written: %s", l)
	}
	return nil
}
