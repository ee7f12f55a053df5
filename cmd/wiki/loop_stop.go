package main

import (
	"errors"
	"time"

	"github.com/loopwiki/wiki/loops/control/process"
	"github.com/spf13/cobra"
)

func newLoopStop(p *program) *cobra.Command {
	return &cobra.Command{
		Use:               "stop [RUN]",
		Short:             "Interrupt a run from another terminal",
		Long:              "Stop asks the runner of a run to end, and waits until it has: its agent is ended\nwith everything that it started. 'wiki loop resume' goes on with the run.",
		Example:           "  wiki loop stop latest",
		Annotations:       exits("0  nobody runs it any more"),
		SuggestFor:        []string{"kill", "abort", "cancel"},
		Args:              takes(0, false, "RUN"),
		ValidArgsFunction: p.runIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			place, id, err := p.givenRun(cmd, args)
			if err != nil {
				return err
			}
			if err := p.outsideOfRuns(cmd.Context(), "loop stop", "a person stops runs, outside of the loop"); err != nil {
				return err
			}
			err = process.New(place.Repo).Stop(cmd.Context(), id, 30*time.Second)
			var idle *process.IdleError
			if errors.As(err, &idle) {
				p.say("%s", idle)
				return nil
			}
			if err == nil {
				p.say("stopped; 'wiki loop resume %s' goes on with it", id)
			}
			return err
		},
	}
}
