package main

import "github.com/spf13/cobra"

func newLoopList(p *program) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:         "list",
		Short:       "List all runs, the oldest first",
		Long:        "List prints every run of this repository in one line, the oldest first.",
		Example:     "  wiki loop list\n  wiki loop list --json | jq '[.runs[].spend.usd] | add'",
		Annotations: exits("0  the runs were printed"),
		SuggestFor:  []string{"ls", "runs"},
		Args:        takes(0, false),
		RunE: func(cmd *cobra.Command, _ []string) error {
			place, err := p.loops(cmd)
			if err != nil {
				return err
			}
			all, err := place.Summaries()
			if err != nil {
				return err
			}
			if asJSON {
				return p.json(newRunsDocument(all))
			}
			for _, r := range all {
				p.printRun(r)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print a JSON document")
	return c
}
