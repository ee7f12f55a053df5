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
		Short: "Run a program of a loop, and end its processes with it",
		Long: `Run one program for a loop, read from standard input, and end it with all its
processes when that input closes. Runs start this command; you need not.`,
		Hidden:      true,
		Annotations: exits("0  the program ended, and its result was printed"),
		Args:        cobra.MaximumNArgs(1), // whose runs it is for, for who looks at processes
		RunE: func(cmd *cobra.Command, _ []string) error {
			return contain.Supervise(cmd.Context(), p.in, text.JSON(p.out))
		},
	}
}
