package main

import (
	"github.com/loopwiki/wiki/loops/contain"
	"github.com/loopwiki/wiki/schema/text"
	"github.com/spf13/cobra"
)

// superviseName is the command by which a run starts this program again.
const superviseName = "__supervise"

func newSupervise(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   superviseName,
		Short: "Run a program of a loop so that nothing of it outlives it",
		Long: `A run of a loop starts this command for every program that it calls: it reads
what to run from standard input, and ends it when that input closes.`,
		Hidden:      true,
		Annotations: exits("0  the program ended, and how was printed"),
		Args:        cobra.MaximumNArgs(1), // whose runs it is for, for who looks at processes
		RunE: func(cmd *cobra.Command, _ []string) error {
			return contain.Supervise(cmd.Context(), p.in, text.JSON(p.out))
		},
	}
}
