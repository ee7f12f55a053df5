package main

import (
	runs "github.com/loopwiki/wiki/loops/run"
	"github.com/spf13/cobra"
)

func newLoopReplay(p *program) *cobra.Command {
	return &cobra.Command{
		Use:   "replay [RUN]",
		Short: "Decide a run again from its journal, and compare",
		Long: `Replay feeds the journal of a run to the kernel again, prints what it decides
after each event, and compares that with what the runner did. Nothing is called
and nothing is changed.`,
		Example:           "  wiki loop replay latest",
		Annotations:       exits("0  the kernel decides now as it did then", "1  it decides otherwise"),
		Args:              takes(0, false, "RUN"),
		ValidArgsFunction: p.runIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			place, id, err := p.givenRun(cmd, args)
			if err != nil {
				return err
			}
			_, events, err := place.Store.Read(id)
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
