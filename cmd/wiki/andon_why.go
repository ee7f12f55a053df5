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
		Short: "Check the five whys of an incident, or say why runs fail",
		Long: `Why checks what people write about an incident: five whys of which each was
verified, a root cause and its category, a measure that prevents it with its
level (L1 makes it impossible, L2 detects it, L3 documents it, L4 tells
somebody), and where else the same cause is at work. It says what is missing.

After two runs in a row that failed and took a person's time, no run starts
until somebody says with --hypothesis why the last of them fails.`,
		Example: `  wiki andon why
  wiki andon why 2026-07-04T120000Z-pricing --hypothesis "the chunk asks for two things"`,
		Annotations: exits("0  nothing is missing, or the hypothesis was written down", "1  something is missing"),
		Args:        takes(0, false, "INCIDENT|RUN"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return runAndonWhy(cmd.Context(), p, given(args), hypothesis, by)
		},
		ValidArgsFunction: p.incidentArg,
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&hypothesis, "hypothesis", "", "`TEXT` that says why the run fails, and that a run could prove wrong")
	c.Flags().StringVar(&by, "by", "", "the `NAME` of who supposes it; git's user.name by default")
	return c
}

func runAndonWhy(ctx context.Context, p *program, name, hypothesis, by string) error {
	s := p.incidents()
	if hypothesis != "" {
		if err := p.byPerson(ctx, "--hypothesis"); err != nil {
			return err
		}
		if name == "" {
			return misuse("name the run, as 'wiki loop list' does", "--hypothesis needs the run that it is about")
		}
		if _, err := os.Stat(s.Path(".loopwiki/runs/" + name)); errors.Is(err, fs.ErrNotExist) || strings.ContainsAny(name, `/\`) {
			return misuse("'wiki loop list' lists them", "no run is called %q", name)
		}
		if err := s.Suppose(name, hypothesis, p.who(ctx, by)); err != nil {
			return err
		}
		p.say("wrote down why %s fails; the next run may start", name)
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
