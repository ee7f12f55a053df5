package main

import (
	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// specExplainVersion is the version of the JSON that wiki loop spec explain prints.
const specExplainVersion = 1

type specExplainDocument struct {
	Version  int    `json:"version"`
	LoopName string `json:"loop_name"`
	spec.Explanation
}

func newLoopSpecExplain(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "explain FILE",
		Short: "Explain what a loop does, what it costs and how it may fail",
		Long: `Explain a loop in words: as the formal loop (S, A, O, T, E, M, τ), by the phases
Design, Diagnose, Measure, Improve and Scale, and by the work that an iteration
takes. Diagnose lists those of the 12 failure codes that its form invites. FILE
is a spec, or the name of a loop of the library.`,
		Example: `  wiki loop spec explain loop.yaml
  wiki loop spec explain coding-agent --json | jq .workload`,
		Annotations: exits("0  it was explained"),
		SuggestFor:  []string{"show", "describe", "complexity"},
		Args:        takes(1, false, "FILE"),
		RunE:        func(_ *cobra.Command, args []string) error { return runLoopSpecExplain(p, asJSON, args[0]) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the explanation as JSON")
	return c
}

func runLoopSpecExplain(p *program, asJSON bool, file string) error {
	d, err := p.specOrLibrary(file)
	if err != nil {
		return err
	}
	e, err := d.Explain()
	if err != nil {
		return err
	}
	if asJSON {
		return p.json(specExplainDocument{specExplainVersion, d.Name(), e})
	}
	p.out.Printf("%s: %s, level %s\n", d.Name(), e.Hint.Pattern, e.Hint.TaxonomyLevel)
	for _, parts := range [][]spec.Part{e.Loop, e.Phases} {
		p.out.Println()
		for _, one := range parts {
			what := one.What
			if len(what) == 0 {
				what = []string{"nothing"}
			}
			for i, line := range what {
				symbol, name := one.Symbol, one.Name
				if i > 0 {
					symbol, name = "", ""
				}
				p.out.Printf("%-1s  %-12s  %s\n", symbol, name, text.Collapse(line))
			}
		}
	}
	w := e.Workload
	p.out.Printf("\nabout %d tokens an iteration, %d iterations, %.0f seconds; complexity %d of 100 (%s)\n", w.TokensPerIteration, w.Iterations, w.Seconds, w.Structural, w.Tier)
	return nil
}
