package main

import (
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/spf13/cobra"
)

func newLoopReplay(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "replay [RUN]",
		Short: "Replay a run from its journal, and compare the decisions",
		Long: `Feed the journal of a run to the kernel again, print its decision after each
event, and compare it with what the runner did. No agent is called and nothing is
changed.`,
		Example:           "  wiki loop replay latest",
		Annotations:       exits("0  the decisions are the same", "1  the decisions differ"),
		Args:              takes(0, false, "RUN"),
		ValidArgsFunction: p.runIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctl, id, err := p.givenRun(cmd, args)
			if err != nil {
				return err
			}
			_, events, err := ctl.Store.Read(id)
			if err != nil {
				return err
			}
			same := true
			for step := range runs.Replay(events) {
				p.out.Println(step.Text)
				same = same && step.Same
			}
			if !same {
				return found()
			}
			return nil
		},
	}
}
