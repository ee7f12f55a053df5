package main

import "github.com/spf13/cobra"

func newEval(p *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "eval",
		Short: "Measure the precision and recall of the linter",
		Long: `Measure the precision and recall of the linter, on labelled sets with conflicts
and hard negatives, and on the history of repositories.`,
		Example:     "  wiki eval contradictions linter/conflict/testdata/skerry-line",
		Annotations: exits("0  help was printed"),
		GroupID:     groupMore,
		SuggestFor:  []string{"score", "measure", "bench", "benchmark"},
		Args:        cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) > 0 {
				return noCommand(cmd, args[0])
			}
			return cmd.Help()
		},
	}
	c.AddCommand(newEvalContradictions(p), newEvalStaleness(p), newEvalDocumentation(p))
	return c
}
