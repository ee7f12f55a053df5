package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"
)

func newAndonWhy(p *program) *cobra.Command {
	var hypothesis, by string
	c := &cobra.Command{
		Use:   "why [INCIDENT|RUN]",
		Short: "Check the root cause analysis of an incident",
		Long: `Check the root cause analysis of an incident, and list what is missing: five
whys, each verified; the root cause and its category; a preventive measure and
its level (L1 makes the failure impossible, L2 detects it, L3 documents it, L4
notifies somebody); and other places with the same cause.

After two failed runs in a row that needed a person, no run starts until
--hypothesis records why the last one failed.`,
		Example: `  wiki andon why
  wiki andon why 2026-07-04T120000Z-pricing --hypothesis "the chunk asks for two things"`,
		Annotations: exits("0  nothing is missing, or the hypothesis was recorded", "1  something is missing"),
		Args:        takes(0, false, "INCIDENT|RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runAndonWhy(cmd.Context(), p, given(args), hypothesis, by)
		},
		ValidArgsFunction: p.incidentArg,
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&hypothesis, "hypothesis", "", "record why the run failed, as a `TEXT` that another run could disprove")
	c.Flags().StringVar(&by, "by", "", "`NAME` of the hypothesis's author; git's user.name by default")
	return c
}

func runAndonWhy(ctx context.Context, p *program, name, hypothesis, by string) error {
	s := p.incidents()
	if hypothesis != "" {
		if err := p.byPerson(ctx, "--hypothesis"); err != nil {
			return err
		}
		if name == "" {
			return misuse("pass its id from 'wiki loop list'", "--hypothesis needs RUN")
		}
		if _, err := os.Stat(s.Path(".loopwiki/runs/" + name)); errors.Is(err, fs.ErrNotExist) || strings.ContainsAny(name, `/\`) {
			return misuse("'wiki loop list' lists the runs", "unknown run %q", name)
		}
		if err := s.Suppose(name, hypothesis, p.who(ctx, by)); err != nil {
			return err
		}
		p.say("recorded the hypothesis for %s; the next run may start", name)
		return nil
	}
	i, err := s.Find(name)
	if err != nil {
		return err
	}
	lacks, warnings, err := s.Check(i)
	if err != nil {
		return err
	}
	for _, w := range warnings {
		p.say("warning: %s", w)
	}
	if len(lacks) == 0 {
		p.out.Printf("%s is complete\n", i.ID)
		return nil
	}
	p.out.Printf("%s lacks\n", p.shorten(s.Path(i.Dir)))
	for _, l := range lacks {
		p.out.Printf("  %s\n", l)
	}
	return found()
}
