package main

import (
	"text/tabwriter"

	"github.com/loopwiki/wiki/loops/spec"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// specPatternVersion is the version of the JSON that wiki loop spec pattern prints.
const specPatternVersion = 1

type specPatternDocument struct {
	Version  int            `json:"version"`
	Patterns []spec.Pattern `json:"patterns" jsonschema:"that of the spec, or all"`
}

func newLoopSpecPattern(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:   "pattern [FILE]",
		Short: "Name the design pattern of a loop, or list all patterns",
		Long: `Name the design pattern of a loop: the first of metadata.patterns, that of a
known name, or what the number of its workers suggests. Without FILE, list the
14 patterns with their levels.`,
		Example: `  wiki loop spec pattern
  wiki loop spec pattern loop.yaml`,
		Annotations: exits("0  the pattern was printed"),
		SuggestFor:  []string{"patterns", "list-patterns"},
		Args:        takes(0, false, "FILE"),
		RunE:        func(_ *cobra.Command, args []string) error { return runLoopSpecPattern(p, asJSON, args) },
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print the result as JSON")
	return c
}

func runLoopSpecPattern(p *program, asJSON bool, args []string) error {
	patterns := spec.Common().Patterns
	if len(args) > 0 {
		d, err := p.specOrLibrary(args[0])
		if err != nil {
			return err
		}
		name := d.InferPattern()
		found, ok := spec.FindPattern(name)
		if !ok {
			found.Name, found.Gist = name, "not one of the 14 patterns"
		}
		patterns = []spec.Pattern{found}
	}
	if asJSON {
		return p.json(specPatternDocument{specPatternVersion, patterns})
	}
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	for _, one := range patterns {
		text.Fprintf(w, "%s\tL%s\t%s\n", one.Name, one.Range, one.Gist)
	}
	return w.Flush()
}
