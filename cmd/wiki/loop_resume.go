package main

import "github.com/spf13/cobra"

func newLoopResume(p *program) *cobra.Command {
	var o loopRunOptions
	c := &cobra.Command{
		Use:   "resume [RUN]",
		Short: "Resume an interrupted or waiting run",
		Long: `Resume a run where it stopped: after Ctrl-C, after a crash of the runner or the
machine, or when a vendor works again. Processes left by a killed runner are
ended first. The changes of a lost call are discarded, and its estimated cost is
charged.`,
		Example:           "  wiki loop resume latest",
		Annotations:       exits(exitsOfRuns...),
		SuggestFor:        []string{"continue"},
		Args:              takes(0, false, "RUN"),
		ValidArgsFunction: p.runIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := p.outsideOfRuns(cmd.Context(), "loop resume", "loops can't start loops; run it yourself"); err != nil {
				return err
			}
			ctl, id, err := p.givenRun(cmd, args)
			if err != nil {
				return err
			}
			return p.goOn(cmd, ctl, id, nil, o)
		},
	}
	c.Flags().BoolVar(&o.json, "json", false, "print each event, and at the end the summary, as a line of JSON")
	return c
}
