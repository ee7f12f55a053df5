package main

import "github.com/spf13/cobra"

func newEval(p *program) *cobra.Command {
	c := &cobra.Command{
		Use:   "eval",
		Short: "Measure how right the linter is",
		Long: `Eval measures how right the linter is: on sets where people have said what is
wrong and what only looks so, and on the history of repositories. Its commands
measure one thing each.`,
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
