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
		Short: "Acknowledge repeated failures",
		Long: `Acknowledge repeated failures (Meta-Andon): three failed runs in a row, or a run
that failed three times for the same reason. No run starts before that. The
command lists what the incident's analysis still lacks; runs can start again
once the incident is closed.`,
		Example:     "  wiki andon acknowledge --by \"Ana Ruiz\"",
		Annotations: exits("0  the failures are acknowledged"),
		Args:        takes(0, false),
		RunE:        func(cmd *cobra.Command, _ []string) error { return runAndonAcknowledge(cmd.Context(), p, by) },
	}
	c.Flags().StringVar(&by, "by", "", "`NAME` of the person who acknowledges")
	return c
}

func runAndonAcknowledge(ctx context.Context, p *program, by string) error {
	if err := p.byPerson(ctx, "acknowledge"); err != nil {
		return err
	}
	if strings.TrimSpace(by) == "" {
		return misuse("add --by with your name", "--by NAME is required")
	}
	m, lacks, err := p.incidents().Acknowledge(by)
	if err != nil {
		return err
	}
	p.say("%s acknowledged by %s", m.IncidentID, m.AcknowledgedBy)
	for _, l := range lacks {
		p.say("  missing: %s", l)
	}
	return nil
}
