package main

import "github.com/spf13/cobra"

func newLoopResume(p *program) *cobra.Command {
	var o loopRunOptions
	c := &cobra.Command{
		Use:   "resume [RUN]",
		Short: "Go on with a run that was interrupted, or waits",
		Long: `Resume goes on with a run where it stands: after Ctrl-C, after a crash of the
runner or of the machine, or when a limit of rate has ended. What a dead runner
left running is ended first; what a lost call did is taken away, and an estimate
of its cost is charged.`,
		Example:           "  wiki loop resume latest",
		Annotations:       exits(exitsOfRuns...),
		SuggestFor:        []string{"continue"},
		Args:              takes(0, false, "RUN"),
		ValidArgsFunction: p.runIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.outsideOfRuns(cmd.Context(), "loop resume", "a loop does not start loops"); err != nil {
				return err
			}
			place, id, err := p.givenRun(cmd, args)
			if err != nil {
				return err
			}
			return p.goOn(cmd, place, id, nil, o)
		},
	}
	c.Flags().BoolVar(&o.json, "json", false, "print every event as a line of JSON, and the summary last")
	return c
}
