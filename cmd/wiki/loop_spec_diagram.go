package main

import (
	"github.com/loopwiki/wiki/loops/spec"
	"github.com/spf13/cobra"
)

// diagramProfiles are the forms in which a spec is drawn.
var diagramProfiles = []string{"wiki", "loopctl"}

func newLoopSpecDiagram(p *program) *cobra.Command {
	var out specOutput
	var profile string
	c := &cobra.Command{
		Use:   "diagram FILE",
		Short: "Draw a loop as a Mermaid diagram",
		Long: `Draw a loop as a Mermaid flowchart: workers after those they wait for,
evaluators after what they judge, feedback back to where it goes, and every way
in which the loop ends. The profile loopctl draws all parts in one line, byte
for byte as loopctl does.`,
		Example: `  wiki loop spec diagram loop.yaml
  wiki loop spec diagram loop.yaml --profile loopctl -o loop.mmd`,
		Annotations: exits("0  the diagram was printed"),
		SuggestFor:  []string{"draw", "mermaid"},
		Args:        takes(1, false, "FILE"),
		RunE: func(_ *cobra.Command, args []string) error {
			return runLoopSpecDiagram(p, out, profile, args[0])
		},
	}
	c.Flags().SortFlags = false
	c.Flags().StringVar(&profile, "profile", "wiki", "draw as `PROFILE`: wiki or loopctl")
	out.flags(c)
	c.RegisterFlagCompletionFunc("profile", cobra.FixedCompletions(diagramProfiles, cobra.ShellCompDirectiveNoFileComp))
	return c
}

func runLoopSpecDiagram(p *program, out specOutput, profile, file string) error {
	draw := (*spec.Document).Diagram
	switch profile {
	case "loopctl":
		draw = (*spec.Document).LoopctlDiagram
	case "wiki":
	default:
		return misuse(oneOf(profile, diagramProfiles), "--profile: unknown profile %q", profile)
	}
	d, err := p.specOrLibrary(file)
	if err != nil {
		return err
	}
	return p.leave(out, []byte(draw(d)+"\n"))
}
