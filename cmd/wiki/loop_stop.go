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
		Short:             "Stop a run from another terminal",
		Long:              "Stop a run and wait until its runner has exited. Its agent is ended with all\nprocesses that it started. 'wiki loop resume' continues the run.",
		Example:           "  wiki loop stop latest",
		Annotations:       exits("0  the run is stopped"),
		SuggestFor:        []string{"kill", "abort", "cancel"},
		Args:              takes(0, false, "RUN"),
		ValidArgsFunction: p.runIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctl, id, err := p.givenRun(cmd, args)
			if err != nil {
				return err
			}
			if err := p.outsideOfRuns(cmd.Context(), "loop stop", "run it yourself, outside of the loop"); err != nil {
				return err
			}
			if ok, err := p.elsewhere(cmd, ctl, id, false, "stop"); ok || err != nil {
				return err
			}
			err = process.New(ctl.Repo).Stop(cmd.Context(), id, 30*time.Second)
			var idle *process.IdleError
			if errors.As(err, &idle) {
				p.say("%s", idle)
				return nil
			}
			if err == nil {
				p.say("stopped; 'wiki loop resume %s' continues it", id)
			}
			return err
		},
	}
}
