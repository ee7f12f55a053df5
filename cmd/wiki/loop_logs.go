package main

import (
	"github.com/loopwiki/wiki/loops/control/show"
	"github.com/spf13/cobra"
)

func newLoopLogs(p *program) *cobra.Command {
	var follow, transcripts bool
	c := &cobra.Command{
		Use:   "logs [RUN]",
		Short: "Print or follow the log of a run",
		Long: `Print the log of a run, one event per line. With -f, follow it until the run
ends; Ctrl-C stops following, not the run.`,
		Example:           "  wiki loop logs latest -f\n  wiki loop logs pricing --transcripts",
		Annotations:       exits("0  the log was printed"),
		Args:              takes(0, false, "RUN"),
		ValidArgsFunction: p.runIDs,
		RunE: func(cmd *cobra.Command, args []string) error {
			ctl, id, err := p.givenRun(cmd, args)
			if err != nil {
				return err
			}
			if p.refresh(cmd.Context(), ctl, id); follow {
				if ok, err := p.elsewhere(cmd, ctl, id, false, "watch"); ok || err != nil {
					return err
				}
			}
			return show.New(ctl.Repo).Logs(cmd.Context(), id, show.LogOptions{Follow: follow, Transcripts: transcripts, Flush: p.out.Flush}, p.out)
		},
	}
	c.Flags().BoolVarP(&follow, "follow", "f", false, "follow the log until the run ends")
	c.Flags().BoolVar(&transcripts, "transcripts", false, "include the agents' output")
	return c
}
